"""What a document is, and the endings of names that say so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Format(StrEnum):
    """How a document is read: each has its module under `memory.documents.reading`."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    WORD = "word"
    CODE = "code"


@dataclass(frozen=True)
class Kind:
    """A format, its language (that of code, or csv), and whether the name's ending says something else."""

    format: Format
    language: str = ""
    misnamed: bool = False

    def __str__(self) -> str:
        return f"{self.format}: {self.language}" if self.language else str(self.format)


ENDINGS = {
    **dict.fromkeys(("txt", "text", "log"), Kind(Format.TEXT)),
    **dict.fromkeys(("csv", "tsv"), Kind(Format.TEXT, "csv")),
    **dict.fromkeys(("md", "markdown", "mdown", "mkd"), Kind(Format.MARKDOWN)),
    **dict.fromkeys(("html", "htm", "xhtml"), Kind(Format.HTML)),
    "pdf": Kind(Format.PDF),
    **dict.fromkeys(("docx", "docm", "dotx"), Kind(Format.WORD)),
}
LANGUAGES = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "mts": "typescript",
    "tsx": "tsx",
    "java": "java",
    "go": "go",
    "rs": "rust",
    "c": "c",
    "h": "cpp",
    "cc": "cpp",
    "cpp": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
    "hh": "cpp",
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    **{
        language: language
        for language in (
            *("css", "scss", "sql", "json", "yaml", "toml", "ini", "xml", "svg", "swift", "scala", "lua"),
            *("dart", "r", "vue", "svelte", "tex", "proto", "graphql", "zig", "nim", "tf"),
        )
    },
    "yml": "yaml",
    "kt": "kotlin",
    "kts": "kotlin",
    "pl": "perl",
    "pm": "perl",
    "ex": "elixir",
    "exs": "elixir",
    "erl": "erlang",
    "hs": "haskell",
    "ml": "ocaml",
    "clj": "clojure",
    "jl": "julia",
    "m": "objective-c",
    "ps1": "powershell",
    "sh": "shell",
    "bash": "shell",
    "zsh": "shell",
}
ENDINGS |= {ending: Kind(Format.CODE, language) for ending, language in LANGUAGES.items()}
WHOLE_NAMES = {
    "makefile": Kind(Format.CODE, "make"),
    "dockerfile": Kind(Format.CODE, "docker"),
    "readme": Kind(Format.MARKDOWN),
}


def kind_of(name: str) -> Kind | None:
    """What a file's name says that it is; None where it says nothing that is known here."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return WHOLE_NAMES.get(last) or ENDINGS.get(last.rpartition(".")[2] if "." in last else "")
