"""How large a document may be, and what reading one may cost."""

from __future__ import annotations

FILE_BYTES = 20_000_000
"""The most bytes of an uploaded file."""
FORM_BYTES = FILE_BYTES + 64 * 1024
"""The most bytes of a form with a file in it."""
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
CPU_SECONDS_AT_ONCE, CPU_SECONDS_PER_MILLION = 10, 5
"""How long what is text itself is read: this, and so much for each million bytes. The slowest honest one,
a table in Markdown, takes nearly that much for its bytes; a small file that takes longer is built to."""
DEPTH = 1_000
"""How deeply the blocks of a page may lie in one another: browsers stop at 512, and so much is not seen."""
MEMORY_BYTES = 1_500_000_000
"""The most address space of the process that reads; what its libraries map counts too."""
OUTPUT_BYTES = 120_000_000
"""The most that the process that reads may say: its text as JSON, and some for where each piece stands."""
