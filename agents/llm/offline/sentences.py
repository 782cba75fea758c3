"""A message cut into sentences that are the person's own words: pasted text, code and quotes are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
QUOTE_MARK = "\ufffc"
"""Stands where a quoted text was left out."""
LONGEST_READ = 6000
"""Characters of a message that are looked at."""

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_NAMED_FIRST = re.compile(rf"(?i)\s*[{HAN}]+ (?:is|was|are|has|will|i|we)\b")
_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.S)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.M)
_QUOTES = re.compile(
    r"“([^”\n]*)”|「([^」\n]*)」|『([^』\n]*)』|«([^»\n]*)»|(?<!\d)\"([^\"\n]*)\"|"
    r"‘([^’\n]*(?:’\w[^’\n]*)*)’(?!\w)"
    r"|(?<!\w)'([^'\n]*(?:'\w[^'\n]*)*)'(?!\w)"
)
_SPEAKS = re.compile(
    rf"(?i)\b(?:i|i'm|my|we|our|you|your|is|are|was|do|does|don't|live|like)\b|[我你咱俺他她]|"
    rf"[.!?。！？][^.!?]|"
    rf"[{HAN}][是不叫住有][{HAN}]"
)
_MATERIAL = (
    r"(?:^|[.!?]\s+|please |can you |could you |would you |help me |you to )(?:translate|rewrite|rephrase|"
    r"paraphrase|proofread|correct|edit|summari[sz]e|explain|analy[sz]e|parse|shorten|improve|review|"
    r"continue|complete)\b[^\n:：]{0,80}[:：]",
    r"\b(?:here(?:'s| is| are)|this is|below is|i (?:got|found|received|read|saw|copied))\b[^\n:：]{0,40}\b"
    r"(?:e-?mail|letter|text|article|message|quote|lyrics|song|poem|story|log|transcript|document|"
    r"paragraph|sentence|passage|review|post|tweet|chat|example)s?\b[^\n:：]{0,60}[:：]",
    r"\b(?:wrote|writes|said|says|replied|asked|answered|texted|sent|posted|tweeted|e-?mailed|messaged|"
    r"sang|shouted|reads|states|quoting|quote|lyrics|example|e\.g\.|for instance|for example)"
    r"(?: (?:to )?(?:me|us|him|her|them|back))?\s*[:：]",
    r"^-{3,} ?(?:original|forwarded)|^from: .+\n(?:to|date|subject|sent): ",
    r"(?:^[^\n:：。我]{0,10}?|[。！？]|请|帮我|帮忙|麻烦|给我|你)[^\n:：。我]{0,6}(?:翻译|改写|润色|总结|"
    r"概括|解释|分析|校对|续写|朗读|改错|修改|检查)[^\n:：。]{0,40}[:：]",
    r"(?:以下|下面|这)(?:是|为)?[^\n:：。]{0,20}(?:邮件|文章|原文|消息|文本|歌词|台词|诗|小说|聊天记录|"
    r"日志|对话|信|句子|段落|话|日记|评论|帖子|例子|例句)[^\n:：。]{0,10}[:：]",
    r"(?:原文|全文|邮件|歌词|文本|消息|内容|台词|信)(?:如下|是这样的)[:：]",
    r"(?<!我)(?:写道|说道|说|回复|回答|问|原文|例句|例如|比如|引用|歌词|台词|转发)[:：]",
)
_PASTED = re.compile("|".join(f"(?:{part})" for part in _MATERIAL), re.I | re.M)
_ASKS_TO_KEEP = re.compile(r"(?i)\b(?:remember|note|keep in mind|about (?:me|us))\b|记")
_BULLET = re.compile(r"^\s*(?:[-*•·+]\s+|\d{1,2}(?:[.)]\s+|[、）]\s*)|[（(]\d{1,2}[)）]\s*)")
_END = re.compile(r"[。！？!?；…]+[”」』’\"'）)]*|\.+(?=[\s”\"')]|$)[”\"')]*|\.(?=[" + HAN + r"])")
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|approx|inc|ltd|co|no|e\.g|i\.e|a\.m|p\.m|u\.s|u\.k|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[a-hj-z])$"
)


@dataclass(frozen=True)
class Sentence:
    """One sentence without its end mark; `end` is that mark."""

    text: str
    end: str

    @property
    def asks(self) -> bool:
        return "?" in self.end or "？" in self.end

    @property
    def chinese(self) -> bool:
        return is_chinese(self.text)


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese, rather than English that names something in Chinese, or neither."""
    han = len(_HAN.findall(text))
    if not han:
        return False
    words = len(_WORD.findall(text))
    first = re.search(rf"[A-Za-z{HAN}]", text)
    begins_so = bool(first and _HAN.match(first.group()) and not _NAMED_FIRST.match(text))
    return han > 2 * words or (begins_so and 2 * han >= words)


def own_words(message: str) -> str:
    """The message without what the person only pasted, quoted or showed."""
    text = message[:LONGEST_READ].replace("’", "'") if "‘" not in message else message[:LONGEST_READ]
    text = _FENCE.sub(QUOTE_MARK, text)
    text = _QUOTED_LINE.sub(QUOTE_MARK, text)
    text = _QUOTES.sub(_without_quote, text)
    for pasted in _PASTED.finditer(text):
        if not _ASKS_TO_KEEP.search(pasted.group()):
            return text[: pasted.end()] + QUOTE_MARK
    return text


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order; bullets and numbers of a list are not part of them."""
    found: list[Sentence] = []
    for line in text.split("\n"):
        found += _sentences_of(_BULLET.sub("", line))
    return found


def _sentences_of(line: str) -> list[Sentence]:
    found, start = [], 0
    for end in _END.finditer(line):
        if end.group().startswith(".") and _ABBREVIATION.search(line[start : end.start()]):
            continue
        found.append(Sentence(line[start : end.start()].strip(), end.group()))
        start = end.end()
    found.append(Sentence(line[start:].strip(), ""))
    return [one for one in found if one.text]


def _without_quote(match: re.Match[str]) -> str:
    """A short quote that only names something ("Rex", “海燕”) stays; one that says something goes."""
    inside = next((group for group in match.groups() if group is not None), "")
    if len(inside) > 40 or _SPEAKS.search(inside):
        return QUOTE_MARK
    return match.group()
