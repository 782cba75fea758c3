"""A Chinese sentence cut into its clauses, and what of it tells and what asks."""

from __future__ import annotations

import re

from agents.llm.offline.chinese import asking, doubts, forms, words

_CUT = re.compile(
    r"(?<!\d)[，,]\s*|[，,]\s*(?!\d)|\s+(?=(?:我|俺|咱|项目|截止|团队|预算|不吃|住在|喜欢))|(?=(?:但是|"
    r"但(?!愿)|不过(?!敏)|可是|而且|并且|同时|另外|所以|因此)(?=我|俺|咱|项目|也|现在|不|他|她|你))"
)
_OF_THE_LAST = re.compile(
    r"^(?:它|他|她)?(?:们)?(?:的)?(?:名字)?(?:叫|名叫|今年|是(?:一只|只|条|个)|已经|在(?=.{1,8}(?:工作|"
    r"上学|上班|读)))"
)
_PRESENTS = re.compile(
    r"(?:有|养了?|生了)[^，,]{0,8}?(?P<noun>狗|猫|女儿|儿子|孩子|弟弟|妹妹|哥哥|姐姐|鸟|兔子|仓鼠|乌龟|娃|"
    r"宝宝|公司|店|车|朋友|同事|同学|邻居|室友|舍友)$"
)
_CONNECTIVE = re.compile(r"^(?:但是|但(?!愿)|不过(?!敏)|可是|而且|并且|同时|另外|还有|所以|因此|然后)+")
_RESULTS = (
    (
        re.compile(r"换了?工作|跳槽|搬家|转学|转行|改行|转岗"),
        re.compile(r"^(?:现在|目前|已经|如今)(?:在|是|做|当|干)"),
    ),
    (
        re.compile(r"(?:改期|推迟|提前|延期|延后|顺延|变|调整|改|换|挪)了$"),
        re.compile(r"^(?:现在|目前|已经)?(?:改|推迟|提前|延|挪|调|换|定|顺延|延期)(?:到|成|为|在|至|于)"),
    ),
    (re.compile(r"[^，,]{2}"), re.compile(rf"^{words.FIRST}也(?:是|一样|如此|不例外|这样|是这样)$")),
)
"""What a change came to, or that it holds of the speaker too: it stays with the clause before."""
_ELLIPSIS = re.compile(
    r"^(?P<when>现在|如今|最近|后来)(?P<how>也|又|都|已经|开始)*(?P<no>不|没)?(?P<verb>吃|喝|喜欢|爱|"
    r"用|抽|养|玩|看|穿|讨厌|怕)(?P<end>了)?$"
)
WITHOUT_END = re.compile(r"[。.！!~～…\s]+$")


def clauses(text: str) -> list[str]:
    """The clauses of a sentence; a part that cannot stand alone stays with its neighbour."""
    cuts = [(0, 0), *((cut.start(), cut.end()) for cut in _CUT.finditer(text)), (len(text), len(text))]
    found: list[tuple[int, int]] = []
    for place in range(len(cuts) - 1):
        start, end = cuts[place][1], cuts[place + 1][0]
        piece = text[start:end].strip()
        if not piece or words.FILLER.match(piece):
            continue
        before = text[found[-1][0] : found[-1][1]] if found else ""
        if found and _belongs(before, piece):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [text[start:end].strip() for start, end in found] or [text]


def _belongs(before: str, piece: str) -> bool:
    """Whether a piece is no clause of its own, or goes on about what the last one presented."""
    if asking.TAG_ASKS.match(piece) or asking.TAG_TELLS.match(piece):
        return False
    if _OF_THE_LAST.match(piece) and _PRESENTS.search(before):
        return True
    if any(start.search(before) and result.match(piece) for start, result in _RESULTS):
        return True
    if re.fullmatch(rf"(?:{words.TIME_PREFIX})", before):
        return True
    bare = bare_of(piece)
    opens = words.OPENS.match(bare) or forms.FRONTED.match(bare) or forms.POINTED.match(bare)
    return bool(words.CONNECTS.match(piece)) or not (
        opens or is_question(piece, False) or doubts.REPORTED.match(piece)
    )


def is_question(clause: str, marked: bool) -> bool:
    """Whether a clause asks; `marked` is set where a question mark ends it."""
    plain = asking.INDEFINITE.sub("", clause)
    if asking.ASK_WORD.search(plain) or asking.CHOICE.search(plain):
        return True
    end = asking.ASK_END.search(WITHOUT_END.sub("", plain))
    return marked or bool(
        end and (not plain.endswith("呢") or len(plain) <= 8 and not re.search(r"还|在|正", plain))
    )


def without_questions(parts: list[str], marked: bool) -> tuple[list[str], tuple[str, ...]]:
    """The clauses that tell, and the questions in the sentence."""
    last = WITHOUT_END.sub("", parts[-1])
    if len(parts) > 1 and asking.TAG_TELLS.match(last):
        return parts[:-1], ()
    if len(parts) > 1 and asking.TAG_ASKS.match(last):
        return parts[:-2], ("，".join(parts[-2:]),)
    told = [part for part in parts[:-1] if not is_question(part, False)]
    asked = [part for part in parts[:-1] if is_question(part, False)]
    if is_question(parts[-1], marked):
        asked.append(parts[-1])
    else:
        told.append(parts[-1])
    return told, tuple(asked)


def bare_of(clause: str) -> str:
    """A clause without what only leads to it: by the way, but, sorry."""
    match = words.LEAD.match(clause)
    return _CONNECTIVE.sub("", clause[match.end() :] if match else clause)


def filled(bare: str, before: str) -> str:
    """我以前不吃香菜，现在吃了: the object stands in the clause before."""
    match = _ELLIPSIS.match(bare)
    stated = re.search(rf"{match['verb']}(?P<object>[^，,了]+)", before) if match else None
    if not match or not stated:
        return bare
    return f"{match['when']}{match['no'] or ''}{match['verb']}{stated['object']}{match['end'] or ''}"


def goes_on(bare: str) -> bool:
    """Whether a clause without a subject goes on about that of the clause before it."""
    return (
        bool(words.OPENS.match(bare))
        and not re.match(
            rf"{words.FIRST}|他|她|你|您|它|大家|请|别|帮|麻烦|告诉|给我|把|如果|要是|听说|据说|"
            rf"{words.PROJECT_NOUN}",
            bare,
        )
        and not forms.FRONTED.match(bare)
        and not forms.POINTED.match(bare)
        and not forms.AND_ME.match(bare)
    )


def presented(part: str, after: str) -> str:
    """What a part presents and the one after it goes on about: 女儿, of 我有个女儿 and 叫小美; else ""."""
    named = _PRESENTS.search(part) if _OF_THE_LAST.match(after) else None
    return named["noun"] if named else ""
