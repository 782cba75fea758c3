"""Typed blocks: a text in Markdown with one `## name` heading for each section of the block's schema."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memory.operations.errors import BadSections

SECTIONS_MAX = 30
DESCRIPTION_MAX = 300
# A page shows a schema as lines of `name: description`.
_NAME = re.compile(r"(?=[^\s#])[^:：]{1,64}(?<!\s)")


def split(value: str) -> dict[str, str]:
    """The sections of a text by name, in their order; what stands before the first is left out."""
    lines = value.split("\n")
    places = [*_headings(lines), (len(lines), "")]
    return {
        name: "\n".join(lines[start + 1 : end]).strip("\n")
        for (start, name), (end, _) in zip(places, places[1:], strict=False)
    }


def join(sections: Mapping[str, str]) -> str:
    """A text of sections; what `split` takes apart."""
    return "\n\n".join(f"## {name}\n{text}".rstrip("\n") for name, text in sections.items())


def names_of(schema: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of a schema's sections."""
    return [str(each["name"]) for each in schema]


def whole(schema: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """A schema as it is stored: each section with its description, if only an empty one."""
    return [{"name": each["name"], "description": each.get("description", "")} for each in schema]


def is_schema(sections: list[Any]) -> bool:
    """Whether these can be the sections of a block: `{"name", "description"}`, each name once."""
    parts = [each for each in sections if isinstance(each, dict) and set(each) <= {"name", "description"}]
    names = {each["name"] for each in parts if isinstance(each.get("name"), str)}
    described = [each.get("description", "") for each in parts]
    return (
        len(sections) == len(names) <= SECTIONS_MAX
        and all(_NAME.fullmatch(name) and name.isprintable() for name in names)
        and all(isinstance(words, str) and len(words) <= DESCRIPTION_MAX for words in described)
    )


def validate(value: str, schema: list[dict[str, Any]]) -> None:
    """Raises BadSections where a text does not hold each section of a schema once, and no others."""
    if not schema:
        return
    expected = names_of(schema)
    lines = value.split("\n")
    headings = _headings(lines)
    found = Counter(name for _, name in headings)
    first = headings[0][0] if headings else len(lines)
    faults = {
        "unknown": [name for name in found if name not in expected],
        "missing": [name for name in expected if name not in found],
        "doubled": [name for name, times in found.items() if times > 1],
        "outside": [line for line in lines[:first] if line.strip()][:1],
    }
    if any(faults.values()):
        told = "; ".join(f"{fault}: {', '.join(which)}" for fault, which in faults.items() if which)
        raise BadSections(
            "This block has sections. Its text holds each of these lines once, and no other that begins with "
            f"'## ': {', '.join(f'## {name}' for name in expected)}. Wrong here are {told}.",
            expected=expected,
            **{fault: which for fault, which in faults.items() if which},
        )


@dataclass(frozen=True)
class SetSection:
    """Rewrite one section; the others stay as they are, to the letter."""

    section: str
    content: str
    name = "section"
    is_rebasable = False

    def apply(self, value: str) -> str:
        lines = value.split("\n")
        headings = _headings(lines)
        place = next((at for at, (_, name) in enumerate(headings) if name == self.section), None)
        if place is None:
            there = [name for _, name in headings]
            raise BadSections(
                f"There is no section {self.section[:80]!r}. There are: {', '.join(there) or 'none'}.",
                expected=there,
            )
        content = self.content.strip("\n").split("\n") if self.content.strip() else []
        if _headings(content):
            raise BadSections("A section's content has no line that begins with '## '.")
        start = headings[place][0] + 1
        rest = lines[headings[place + 1][0] :] if place + 1 < len(headings) else []
        return "\n".join([*lines[:start], *content, *([""] if rest else []), *rest])


def _headings(lines: list[str]) -> list[tuple[int, str]]:
    """Where each heading stands, and its name."""
    named = ((at, line[3:].strip(" ")) for at, line in enumerate(lines) if line.startswith("## "))
    return [(at, name) for at, name in named if name]
