"""Why a document cannot be read, and what the person can do. Doors say it in the person's language."""

from __future__ import annotations

import re


def gettext_noop(sentence: str) -> str:
    """Marks a sentence for translation, and leaves it as it is: Django's own is not loaded here."""
    return sentence


SENTENCES = {
    "empty": gettext_noop("The file is empty. Check that it was saved, and upload it again."),
    "too_large": gettext_noop(
        "The file is larger than 20 MB. Split it, or leave its pictures out, and upload the parts."
    ),
    "too_many_pages": gettext_noop("The PDF has more than 2,000 pages. Split it, and upload the parts."),
    "too_long": gettext_noop(
        "The document has more than 5 million characters. Split it, and upload the parts."
    ),
    "encrypted": gettext_noop(
        "The file is protected by a password. Save a copy without the password, and upload that."
    ),
    "scanned": gettext_noop(
        "The PDF holds pictures of pages and no text. Run text recognition (OCR) on it, and upload the "
        "result."
    ),
    "no_text": gettext_noop("There is no text in the file that could be read."),
    "zip_bomb": gettext_noop(
        "The file unpacks to far more than a document holds. Open it in Word, save it again, and upload that."
    ),
    "damaged": gettext_noop(
        "The file is damaged or incomplete. Open it in its own program, save it again, and upload that."
    ),
    "unknown_type": gettext_noop(
        "This kind of file cannot be read. Save it as PDF, Word (.docx), HTML, Markdown or plain text, "
        "and upload that."
    ),
    "legacy_word": gettext_noop(
        "This is a Word file of the old kind (.doc). Save it as .docx or PDF, and upload that."
    ),
    "office": gettext_noop("Spreadsheets and slides cannot be read. Save the file as PDF, and upload that."),
    "rich_text": gettext_noop("Rich text (.rtf) cannot be read. Save it as .docx or PDF, and upload that."),
    "archive": gettext_noop(
        "This is an archive of files. Unpack it, and upload the documents in it one by one."
    ),
    "picture": gettext_noop(
        "This is a picture. Run text recognition (OCR) on it, and upload the text or a PDF with text."
    ),
    "external_entity": gettext_noop(
        "The file declares entities, which documents do not need and attacks use. Open it in Word, save "
        "it again, and upload that."
    ),
    "too_deep": gettext_noop(
        "The elements of the page lie more than 1,000 deep in one another. Save it as plain text or PDF, "
        "and upload that."
    ),
    "took_too_long": gettext_noop(
        "Reading the file took too long. Split it, or save it as plain text, and upload that."
    ),
    "too_much_memory": gettext_noop(
        "Reading the file needs too much memory. Split it, or save it as plain text, and upload that."
    ),
    "crashed": gettext_noop(
        "The file could not be read: its reader stopped at it. Save it anew, or as PDF or plain text, "
        "and upload that."
    ),
    "cancelled": gettext_noop("Reading was cancelled. Upload the file again to have it read."),
}


_FIRST = re.compile(r".+?(?:\.(?=\s|$)|。|$)", re.DOTALL)


def sentences_of(code: str) -> str:
    """What is wrong with a document and what to do, by the fault's code; in English, to be translated."""
    return SENTENCES.get(code, SENTENCES["damaged"])


def first_of(sentences: str) -> str:
    """What is wrong alone, without what to do; of a translation, too."""
    match = _FIRST.match(sentences)
    return match[0] if match else sentences


def reason_of(code: str) -> str:
    """Why a document cannot be read, in one English sentence."""
    return first_of(sentences_of(code))


PASSING = frozenset({"took_too_long", "too_much_memory", "crashed", "cancelled"})
"""Faults that may be the machine's: the same file may be read the next time."""


class UnreadableDocument(Exception):
    """The document cannot be read. `code` is a key of SENTENCES, and the message that sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(SENTENCES[code])
        self.code = code
