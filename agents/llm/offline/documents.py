"""Questions about documents, in both languages, and which sentence of a passage speaks of what was asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.utils import translation

from agents.llm.offline.requests import pattern
from agents.llm.offline.sentences import HAN, sentences
from agents.llm.offline.wording import listed
from memory.documents.faults import first_of, sentences_of

_POLITE = r"(?:(?:please|can you|could you|would you|so|and|ok|okay|now|then|tell me)[,\s]+)*"
_KINDS = listed("pdf docx doc md markdown txt html htm csv")
_FILE = rf"[\w.()-]+\.(?:{'|'.join(sorted(_KINDS))})(?![a-z0-9])"
_DOCUMENT = (
    rf"(?:{_FILE}|"
    r"(?:(?:the|this|that|these|those|my|our|your|any|all)\s+)+(?:\w+\s+){0,2}?(?:file|document|doc|pdf|"
    r"attachment|upload|manual|handbook|report|paper|contract|specification|spec|guide|policy|readme)s?"
    r"(?:\s+(?:that\s+)?(?:i|we)\s+(?:have\s+|just\s+)?(?:uploaded|attached|sent|gave you|shared))?)"
)
_ASKING = r"(?:what|who|whom|when|where|which|why|how|is|are|does|do|did|can|must|may)\b.+?"
_DOCUMENT_HAN = (
    r"(?:请|麻烦|帮我|你|看看|查查|查一下|搜一下|搜索|根据|按照?|依据|从|在)*"
    r"(?:这|那|该|我们?|刚才?|上传|发|给你|附上?|的|个|份|篇|些|本|里)*[^，,。\s]{0,12}?"
    rf"(?:{_FILE}|文件|文档|附件|资料|手册|说明书|报告|合同|指南|PDF)"
)
_ASKING_HAN = r"什么|谁|哪|几|多少|多久|多长|多大|怎么|如何|怎样|为何|吗|是不是|有没有|能不能|可不可以"

ASKS = (
    pattern(
        rf"^{_POLITE}what (?:does|do|did) {_DOCUMENT} "
        r"(?:say|state|mention|write|require|recommend|tell(?: us| me)?)"
        r"(?: (?:about|on|of|regarding|concerning|for))?\s+(?P<what>.+)$"
    ),
    pattern(
        rf"^{_POLITE}(?:does|do|did) {_DOCUMENT} "
        r"(?:say|mention|cover|contain|have|tell)(?: (?:anything|something))?"
        r"(?: (?:about|on|of|regarding))?\s+(?P<what>.+)$"
    ),
    pattern(rf"^{_POLITE}(?:according to|based on|in|from) {_DOCUMENT}[,:]?\s+(?P<what>{_ASKING})$"),
    pattern(rf"^{_POLITE}(?P<what>{_ASKING}),? (?:in|according to|from|based on) {_DOCUMENT}$"),
    pattern(
        rf"^{_POLITE}(?:search|look in|look through|look into|check|scan|go through) {_DOCUMENT} "
        r"(?:for|about|on)\s+(?P<what>.+)$"
    ),
    pattern(
        rf"^{_DOCUMENT_HAN}(?:里面?|中|上|内)?(?:对于?|关于|有关|针对)(?P<what>.+?)(?:这一?(?:块|方面|点))?(?:的"
        r"(?:部分|内容|规定)?)?(?:是|都)?(?:怎么|如何|怎样)?(?:有)?(?:说|写|讲|规定|要求|描述|提到?)(?:了|过)?(?:的|些?"
        r"什么|啥)?[吗呢没有]*$"
    ),
    pattern(
        rf"^{_DOCUMENT_HAN}(?:里面?|中|上|内)?(?:有没有|是否|有)?(?:说过?|写过?|讲过?|提到过?|规定)(?:了)?(?:关于|有关)?"
        r"(?P<what>.+?)(?:的(?:内容|部分|事))?(?:吗|没有?)$"
    ),
    pattern(rf"^{_DOCUMENT_HAN}(?:里面?|中|上|内|来看|，|,|的)+(?=.*(?:{_ASKING_HAN}))(?P<what>.+?)[呢]?$"),
)
_WORD = re.compile(rf"[a-z0-9]+|[{HAN}]+", re.IGNORECASE)
_SOURCE = re.compile(
    r"^document “(?P<name>[^”]*?)(?:\.\w{1,8})?”(?:, pages? [\d-]+)?(?P<headings>.*)$", re.DOTALL
)
_NUMBER = re.compile(r"\d|[二三四五六七八九十百千万]")
_WANTS_NUMBER = re.compile(
    r"\b(?:when|ports?|numbers?|date|day|year|deadline|price|costs?|phone|how (?:many|much|long|old|often|"
    r"big|large|high|far))\b|端口|号|电话|多少|几|什么时候|何时|哪[天年]|日期|多[久长大高]|截止|价格",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    [
        "what",
        "who",
        "when",
        "where",
        "which",
        "why",
        "how",
        "is",
        "are",
        "does",
        "do",
        "did",
        "can",
        "must",
        "may",
        "the",
        "an",
        "of",
        "for",
        "in",
        "on",
        "to",
        "it",
        "and",
        "or",
        "with",
        "about",
        "say",
        "says",
        "there",
        "any",
        "much",
        "many",
        "long",
    ]
)


def asked_about(text: str) -> str:
    """What a question wants to know of a document; nothing where it is no such question."""
    match = next((match for one in ASKS if (match := one.search(text))), None)
    return match["what"].strip(" ?？.。!！，,") if match else ""


def document_of(record: dict[str, Any]) -> str:
    """The document and place that a search's record says it is from; nothing where it is from elsewhere."""
    source = str(record.get("from", ""))
    return source if source.startswith("document ") else ""


def place(source: str, chinese: bool) -> str:
    """Where a quotation stands, as it is spoken: document “Handbook.pdf”, page 3, Safety > Fire."""
    if not chinese:
        return source[:1].upper() + source[1:]
    source = source.replace("document ", "文档", 1)
    return re.sub(r", pages? (\d+(?:-\d+)?)", r"，第 \1 页", source).replace(", ", "，")


def reason(fault: str, chinese: bool) -> str:
    """Why a document cannot be read, in one sentence of the language that is spoken."""
    with translation.override("zh-hans" if chinese else "en"):
        return first_of(translation.gettext(sentences_of(fault)))


def speaks_of(query: str, text: str, source: str, asked: str) -> tuple[float, str]:
    """The sentence that has most of a query's words, the rare ones before others, and the share that it
    or its place has; the first one where only the headings have any.

    Where a number is `asked` for, a sentence with one comes first, and the next is quoted along if it has it.
    """
    said = [one.text for one in sentences(text) if one.text not in source]
    name, headings = _named(source)
    wanted = pieces(query)
    if name <= wanted and wanted - name:
        wanted -= name | _KINDS  # which document is meant, not what of it
    has = [wanted & pieces(one) for one in said]
    if not (any(has) or wanted & headings and said):
        return 0.0, ""
    best = _best_of(has, [bool(_WANTS_NUMBER.search(asked) and _NUMBER.search(one)) for one in said])
    share = len(has[best] | wanted & (headings | name)) / len(wanted)
    return share, _with_number(asked, said[best : best + 2])


def _named(source: str) -> tuple[set[str], set[str]]:
    """The pieces of a document's name, and those of the headings; its kind is no part of the name."""
    match = _SOURCE.match(source)
    return (pieces(match["name"]), pieces(match["headings"])) if match else (set(), set())


def _best_of(has: Sequence[set[str]], numbers: Sequence[bool]) -> int:
    """Which of several sentences has the rarest words of a query; the first of equals."""
    often = Counter(piece for one in has for piece in one)
    weights = [sum(1 / often[piece] for piece in one) for one in has]
    ranks = [weight + (weight > 0) * number / 2 for weight, number in zip(weights, numbers, strict=True)]
    return max(range(len(ranks)), key=ranks.__getitem__)


def _with_number(asked: str, said: Sequence[str]) -> str:
    """A sentence; and the one behind it, where only that has the number that is asked for."""
    if len(said) < 2 or not _WANTS_NUMBER.search(asked) or _NUMBER.search(said[0]):
        return said[0]
    return "\n".join(said) if _NUMBER.search(said[1]) else said[0]


def pieces(text: str) -> set[str]:
    """Words without endings, and pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if word.isascii():
            found |= set() if word in _EMPTY else {re.sub(r"(?:ies|es|s|ing|ed)$", "", word) or word}
        else:
            found |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
    return found
