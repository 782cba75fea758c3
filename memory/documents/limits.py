"""How large a document may be, and what reading one may cost."""

from __future__ import annotations

FILE_BYTES = 20_000_000
"""The most bytes of an uploaded file."""
PAGES = 2_000
"""The most pages of a PDF."""
CHARACTERS = 5_000_000
"""The most characters of text in a document: some 1.2 million tokens of English."""

UNPACKED_BYTES = 200_000_000
"""The most bytes that a Word file's parts unpack to, all of them together."""
UNPACKED_RATIO = 200
"""How many times longer a part may be than it is packed; text packs about ten times, a bomb a thousand."""
UNPACKED_FREELY = 5_000_000
"""Parts up to this size may be packed as tightly as they like: there is nothing to fear from them."""
PARTS = 5_000
"""The most files inside a Word file."""

SECONDS = 300.0
"""How long one document is read, by the clock."""
CPU_SECONDS = 60
"""How long one document is read, in seconds of one processor: thousands of pages take a third of that."""
MEMORY_BYTES = 1_500_000_000
"""The most address space of the process that reads; what its libraries map counts too."""
OUTPUT_BYTES = 120_000_000
"""The most that the process that reads may say: its text as JSON, and some for where each piece stands."""
