"""The texts of the pages in Chinese: `python -m memsite.messages extract|compile|check`.

Works without GNU gettext and without the site's settings, so that it runs anywhere and at once. The .po file
is the source that people edit; the .mo beside it is made from it and not committed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

import polib
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
CATALOG = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
APPS = ("tenants", "memory", "agents", "evaluation", "memsite")
KEYWORDS = tuple(
    f"{name}{suffix}" for name in ("gettext", "ngettext", "pgettext", "npgettext") for suffix in ("", "_lazy")
) + ("_", "gettext_noop")
# Texts that are the same in Chinese: names, signs and formats.
SAME_IN_CHINESE = frozenset({"memsite", "Esc", "Enter", "Shift"})
_HAN = re.compile(r"[\u3400-\u9fff]")
_PERCENT = re.compile(r"%\(\w+\)[sd]|%[sd]")
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Language": "zh_Hans",
    "Plural-Forms": "nplurals=1; plural=0;",
}

Text = tuple[str | None, str, str | None]  # context, singular, plural


class Fault(Exception):
    """Something is wrong with the catalogue; the message says what, a line each."""


def sources() -> Iterator[Path]:
    """Every Python file and template that can hold a text of a page."""
    for app in APPS:
        yield from (path for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts)
    yield from sorted((ROOT / "templates").rglob("*.html"))


def texts_in(path: Path) -> Iterator[Text]:
    """The texts that one file marks for translation."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        # What is left of a template looks like Python but for its indentation.
        text = "\n".join(line.strip() for line in templatize(text, origin=str(path)).splitlines())
    # Only who changes texts needs Babel: it is not installed where the site only runs.
    extract = import_module("babel.messages.extract").extract_python
    for _line, function, found, _comments in extract(BytesIO(text.encode()), KEYWORDS, [], {}):
        text_parts = [found] if isinstance(found, str) else list(found or ())
        if text_parts and text_parts[0] is not None:
            yield _text(function, text_parts)


def _text(function: str, parts: list[str]) -> Text:
    context = parts.pop(0) if function.removeprefix("n").startswith("pgettext") else None
    return context, parts[0], parts[1] if function.startswith("n") else None


def wanted() -> dict[Text, list[str]]:
    """Every text of the site with the files it stands in."""
    found: dict[Text, list[str]] = {}
    for path in sources():
        place = path.relative_to(ROOT).as_posix()
        for text in texts_in(path):
            places = found.setdefault(text, [])
            if place not in places:
                places.append(place)
    return found


def _key(entry: polib.POEntry) -> Text:
    return entry.msgctxt, entry.msgid, entry.msgid_plural or None


def extract() -> None:
    """Bring the catalogue up to what the site says now; translations of texts that are gone go too."""
    old = {_key(entry): entry for entry in _catalog()}
    catalog = polib.POFile(wrapwidth=100)
    catalog.metadata = HEADER
    for (context, singular, plural), places in sorted(
        wanted().items(), key=lambda item: (item[1], item[0][1])
    ):
        known = old.get((context, singular, plural))
        entry = polib.POEntry(msgctxt=context, msgid=singular, msgid_plural=plural or "")
        entry.occurrences = [(place, "") for place in places]
        if plural:
            entry.msgstr_plural = dict(known.msgstr_plural) if known else {0: ""}
        else:
            entry.msgstr = known.msgstr if known else ""
        if _PERCENT.search(singular):
            entry.flags = ["python-format"]
        catalog.append(entry)
    CATALOG.parent.mkdir(parents=True, exist_ok=True)
    catalog.save(str(CATALOG))


def _catalog() -> polib.POFile:
    return polib.pofile(str(CATALOG)) if CATALOG.exists() else polib.POFile()


def compile_catalog() -> None:
    """Write the .mo file that the site reads."""
    _catalog().save_as_mofile(str(CATALOG.with_suffix(".mo")))


def check() -> None:
    """Raises Fault where a text has no Chinese, or the catalogue has what no file says."""
    entries = {_key(entry): entry for entry in _catalog()}
    now = wanted()
    faults = [
        f"not in the catalogue: {text[1]!r} ({places[0]})"
        for text, places in now.items()
        if text not in entries
    ]
    faults += [
        f"no file says this any more: {entry.msgid!r}" for key, entry in entries.items() if key not in now
    ]
    faults += [fault for entry in entries.values() for fault in faults_of(entry)]
    if faults:
        raise Fault("\n".join(sorted(faults)))


def faults_of(entry: polib.POEntry) -> Iterator[str]:
    """What is wrong with one translation."""
    if entry.obsolete or entry.fuzzy:
        yield f"fuzzy or obsolete: {entry.msgid!r}"
    for translation in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
        if not _HAN.search(translation) and not (
            entry.msgid in SAME_IN_CHINESE and translation == entry.msgid
        ):
            yield f"not in Chinese: {entry.msgid!r}"
        elif _placeholders(translation) != _placeholders(entry.msgid_plural or entry.msgid):
            yield f"other placeholders than the English: {entry.msgid!r}"


def _placeholders(text: str) -> list[str]:
    return sorted(_PLACEHOLDER.findall(text))


def main(arguments: list[str]) -> int:
    """The command line. Gives the exit status."""
    commands = {"extract": extract, "compile": compile_catalog, "check": check}
    if len(arguments) != 1 or arguments[0] not in commands:
        sys.stderr.write("usage: python -m memsite.messages extract|compile|check\n")
        return 2
    try:
        commands[arguments[0]]()
    except Fault as fault:
        sys.stderr.write(f"{fault}\nRun `python -m memsite.messages extract` and fill in {CATALOG.name}.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
