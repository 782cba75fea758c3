"""From bytes to text: UTF-8 and UTF-16, and the older ways of writing Chinese, Japanese, Korean, Russian and
the languages of western Europe.

The older encodings are told apart by what comes out: in real Chinese four characters of ten are among the
hundred most common ones; in bytes of another encoding that are read as Chinese, one or two of a hundred.
Statistics of general-purpose detectors are made for longer texts, and take French for Polish.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from memory.documents.faults import UnreadableDocument
from memory.documents.limits import CHARACTERS

SAMPLE = 65_536
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHINESE = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事"
    "成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日"
    "這個們來為國說時會對過發後裡種經麼學現當沒動還進樣開從實請將與無關於問題專項目文件月日年期提交本所"
)
_KANA = re.compile("[\u3041-\u30fa]")
_KOREAN = "이다는에을가의로하고지를도은한나어서사기아리니있그자라해시인대오정만일들여게부수"
_LETTERS = re.compile("(?<=[A-Za-z])[À-ÖØ-öø-ÿŒœŠšŽžŸ’]|[À-ÖØ-öø-ÿŒœŠšŽžŸ](?=[A-Za-z])|[“”‘–—…€£§©«»°]")
_CYRILLIC = re.compile("[а-яё]{3,}")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def is_text(head: bytes) -> bool:
    """Whether a file's beginning is text in any encoding, rather than something binary."""
    if head.startswith(tuple(mark for mark, _ in _MARKS)) or _utf16(head):
        return True
    return b"\x00" not in head and len(_CONTROLS.findall(head)) * 100 <= len(head)


def decoded(data: bytes) -> str:
    """The text of a file. What fits its encoding nowhere becomes U+FFFD; line ends become line feeds."""
    text = data.decode(encoding_of(data), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def source(data: bytes) -> str:
    """The text of a file that is read as it stands. Raises UnreadableDocument where it is too long."""
    text = decoded(data)
    if len(text) > CHARACTERS:
        raise UnreadableDocument("too_long")
    return text


def encoding_of(data: bytes) -> str:
    """The name of a file's encoding, for `bytes.decode`."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    if name := _utf16(data[:SAMPLE]):
        return name
    return "utf-8" if _fits(data, "utf-8") else _legacy(_sample(data))


def _utf16(head: bytes) -> str:
    """UTF-16 without its mark: spaces, digits and line ends have a zero beside them, on one side only."""
    zeros = (head[::2].count(0), head[1::2].count(0))
    least = max(len(head) // 50, 1)
    if sum(zeros) * 4 < len(head) and _fits(head.replace(b"\x00", b""), "utf-8", slack=1):
        return ""  # something else, among which there are zeros
    for name, often, seldom in (("utf-16-le", zeros[1], zeros[0]), ("utf-16-be", zeros[0], zeros[1])):
        if often >= least and seldom * 20 <= often and _fits(head[: len(head) // 2 * 2], name, slack=2):
            return name
    return ""


def _fits(data: bytes, name: str, *, slack: int = 0) -> bool:
    """Whether bytes are text in an encoding; `slack` of them may be missing at the end."""
    try:
        codecs.getincrementaldecoder(name)().decode(data, final=not slack)
    except UnicodeDecodeError:
        return False
    return True


def _sample(data: bytes) -> bytes:
    """Lines that hold something other than ASCII, as many as are looked at."""
    first = re.search(rb"[\x80-\xff]", data)
    begin = data.rfind(b"\n", 0, first.start()) + 1 if first else 0
    return data[max(begin, first.start() - 1000 if first else 0) :][:SAMPLE]


def _legacy(sample: bytes) -> str:
    scores = {name: score(sample, name) for name, score in _SCORES.items() if _fits(sample, name, slack=1)}
    best = max(scores, key=lambda name: scores[name], default="")
    return best if best and scores[best] > 0 else "cp1252" if _fits(sample, "cp1252") else "latin-1"


def _common(sample: bytes, name: str, common: str, expected: float) -> float:
    """How many of the foreign characters are common ones, against what is usual in the language."""
    foreign = [each for each in sample.decode(name, "ignore") if each > "\x7f"]
    known = frozenset(common)
    return sum(each in known for each in foreign) / max(len(foreign), 1) / expected


def _matching(sample: bytes, name: str, pattern: re.Pattern[str], expected: float) -> float:
    text = sample.decode(name, "ignore")
    return sum(map(len, pattern.findall(text))) / max(sum(each > "\x7f" for each in text), 1) / expected


def _paired(sample: bytes) -> float:
    """A little for GB2312's two high bytes, so that two rare characters are Chinese too."""
    pairs = re.findall(rb"[\xb0-\xf7][\xa1-\xfe]", sample)
    high = sum(each > 0x7F for each in sample)
    return 0.1 * (2 * len(pairs) >= high * 0.8)


def _simplified(sample: bytes, name: str) -> float:
    return _common(sample, name, _CHINESE, 0.3) + _paired(sample)


def _traditional(sample: bytes, name: str) -> float:
    return _common(sample, name, _CHINESE, 0.3)


def _japanese(sample: bytes, name: str) -> float:
    return _matching(sample, name, _KANA, 0.4)


def _korean(sample: bytes, name: str) -> float:
    return _common(sample, name, _KOREAN, 0.35)


def _russian(sample: bytes, name: str) -> float:
    return _matching(sample, name, _CYRILLIC, 0.7)


def _western(sample: bytes, name: str) -> float:
    return _matching(sample, name, _LETTERS, 0.9)


_SCORES: dict[str, Callable[[bytes, str], float]] = {
    "gb18030": _simplified,
    "big5hkscs": _traditional,
    "cp932": _japanese,
    "euc_jp": _japanese,
    "cp949": _korean,
    "cp1251": _russian,
    "cp1252": _western,
}
for _name in (*_SCORES, "latin-1", "utf-16-le", "utf-16-be", *(name for _, name in _MARKS)):
    codecs.lookup(_name)  # loaded now: later the process that reads opens no files
