"""Which line of memory a new fact repeats, and which it replaces: what was corrected, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.llm.offline.facts import Fact
from agents.llm.offline.framing import differs_in_one_value, other_way_there
from agents.llm.offline.meaning import Meaning, meaning_of, normal
from agents.llm.offline.saying import said_by, words_of
from agents.llm.offline.sentences import HAN, is_chinese
from agents.llm.offline.slots import ALTERNATIVES, MAYBE_TWO
from agents.llm.offline.subjects import subject_terms
from agents.llm.offline.telling_apart import are_apart, are_of_two
from agents.llm.offline.terms import terms
from agents.llm.offline.wording import listed

_LIST = re.compile(
    r"\s*(?:、|，(?!因为)|,\s*(?:and|or|nor)?\s|\s(?:and|or|nor)\s|以及|还有|或者|或|和|跟|与|及)\s*"
)
_GOES_ON = re.compile(
    r"^(?:\s(?:with|in|at|called|named|and|or|but|because|since|as|who|which|that)\b|[,，、和])"
)
_FILLERS = re.compile(
    r"\b(?:really|actually|also|just|absolutely|definitely|still|always|certainly|do|too|so|currently|"
    r"now|anymore|again|already|these days)\b|真的|其实|确实|绝对|一直|从来|也|都|就|很|还是|还|是真的|"
    r"啊|呀|哦|呢|的话|现在|目前|了$",
    re.I,
)
_OF_MANY = listed(
    "child sibling friend colleague pet dog cat brother sister son daughter client roommate neighbour "
    "parent family"
)
_SINGLE_VERBS = listed("live drive marry wake sleep")
_TRADES = frozenset({"job:", "trade:"})
_WHOLLY = listed("smoke drive exercise")
_ALCOHOL = listed("alcohol beer wine whisky whiskey vodka gin rum sake 酒 啤酒 红酒 白酒 酒精 黄酒")
_CHANGE_WORDS = listed(
    "quit stopp stop gave given longer moved switch chang drop ditch abandon scrapp scrap rid away night "
    "week month year last cancel cancell terminat "
    "戒 改 换 变 当 涨 增加 到 弃用 放弃 停用 抛弃 废弃 告别 淘汰 上周 上个月 昨天"
)
_ORDERS = re.compile(
    r"(?i)\b(?:always|never|from now on|please|answer|reply|write|use|keep)\b|以后|今后|每次|一律|请|"
    r"默认|别|不要|[用以].{1,12}(?:回答|回复|答复|说话|交流|沟通|聊)"
)
_MOVES = re.compile(
    r"(?i)\b(?:moved|bumped|pushed|postponed|slipped|slid|shifted|delayed|rescheduled|deferred|"
    r"brought forward|pulled forward|put (?:back|off)|changed)\b|"
    r"改(?:到|在|成|为|期)|推迟|提前|延期|延后|延到|顺延|挪到|调整?到"
)
_INDENT = re.compile(r"(?i)\btabs?\b|\bspaces?\b|缩进|空格|制表符")
_CHANGES_OVER = re.compile(
    r"(?i)\b(?:switched|switching|migrated|migrating|moved|changed|converted|upgraded|downgraded|"
    r"replaced|instead|rather than)\b|改用|换成|换到|换了|改成|改为|迁移|升级|转用"
)


@dataclass(frozen=True)
class Standing:
    """What stands in memory and what is to stand in its place."""

    old: str
    new: str


def is_known(fact: Fact, lines: Sequence[str]) -> str:
    """The line that says the same already, or ""."""
    heard = words_of(fact.whose, lines)
    return next((line for words, line in heard.items() if _same(fact.text, words)), "")


def superseded(fact: Fact, lines: Sequence[str]) -> Standing | None:
    """The line that a fact replaces, with what is to stand there; None where it is simply new."""
    heard = words_of(fact.whose, lines)
    found = _superseded(fact, tuple(heard))
    if found is None:
        return None
    new = "\n".join(said_by(fact.whose, line) for line in found.new.split("\n"))
    return Standing(heard[found.old], new)


@lru_cache(maxsize=256)
def _superseded(fact: Fact, lines: tuple[str, ...]) -> Standing | None:
    new = meaning_of(fact.text)
    for rule in (
        _same_slot,
        _moved,
        _same_instruction,
        _other_way,
        _other_number,
        _named_as_wrong,
        _changed_over,
        _same_frame,
    ):
        for line in reversed(lines):
            old = meaning_of(line)
            if _are_of_one(fact, new, old) and rule(fact, new, old):
                return Standing(line, _with_rest(fact, new, old))
    return None


def _are_of_one(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """Whether two lines are about one thing; where that is not sure, both stay."""
    if old.stranger != new.stranger or new.holder - {"project"} != old.holder - {"project"}:
        return False
    return not are_apart(new.text, old.text, is_named=bool(fact.wrong), is_change=fact.changed)


def _same(new: str, old: str) -> bool:
    one, other = _bare(new), _bare(old)
    if one == other:
        return True
    mine, theirs = meaning_of(new), meaning_of(old)
    if mine.negative != theirs.negative:
        return False
    if any(one == _bare(part) for part in _expanded(old)):
        return True
    if other.startswith(one) and _GOES_ON.match(other[len(one) :]):
        return True
    is_one = bool(mine.slot) and mine.slot == theirs.slot and not are_of_two(new, old)
    return is_one and _value(mine) == _value(theirs)


def _bare(text: str) -> str:
    text = normal(_FILLERS.sub(" ", text.replace("'", "’")).replace("’", "'"))
    return re.sub(rf"(?<=[{HAN}\d]) +| +(?=[{HAN}\d])", "", text) if re.search(f"[{HAN}]", text) else text


def _value(one: Meaning) -> frozenset[str]:
    slot = {name.removesuffix(":") for name in one.slot}
    return frozenset((one.things | one.numbers) - slot - _CHANGE_WORDS)


def _same_slot(fact: Fact, new: Meaning, old: Meaning) -> bool:
    if not new.slot or old.negative and not new.negative and not fact.changed and "is:" not in new.slot:
        return False
    if new.slot == old.slot and new.slot & MAYBE_TWO:
        return fact.changed
    if fact.changed and old.slot and new.slot | old.slot <= _TRADES:
        return True
    if new.slot == old.slot:
        return fact.changed or not new.slot & _OF_MANY
    # "The deadline" after a change is the only one that is known, whatever it was of.
    return fact.changed and "deadline:" in new.slot & old.slot and new.slot <= old.slot


def _moved(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """The demo was bumped to Thursday, after: our demo is on Monday."""
    if not (fact.changed and new.dated and old.dated and _MOVES.search(new.text)):
        return False
    mine, theirs = _event(new), _event(old)
    return bool(mine) and mine == theirs


def _event(one: Meaning) -> frozenset[str]:
    """What a line with a day is about, however it is called the project's."""
    found = {token for term in subject_terms(one.text) if term.role != "number" for token in term.tokens}
    return frozenset(found - {"project", "team", "new", "date", "新"})


def _other_way(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """I eat coriander, after: I don't eat coriander."""
    if new.negative == old.negative:
        return False
    if new.relations & old.relations and not (_peculiar(new) or _peculiar(old)):
        return True
    if fact.changed and new.negative and not _peculiar(new) and _is_wholly_denied(new, old):
        return True
    denied = _peculiar(new) if fact.changed and new.negative and not new.relations else frozenset()
    if denied and denied <= _peculiar(old):
        return True
    same_things = _peculiar(new) == _peculiar(old)
    about_same = (
        new.relations & old.relations or same_things and (fact.changed or new.relations == old.relations)
    )
    return bool(about_same) and bool(_peculiar(new) & _peculiar(old))


def _is_wholly_denied(new: Meaning, old: Meaning) -> bool:
    """I don't smoke any more, after: I smoke ten cigarettes a day. Who does not drink may still drink tea."""
    shared = new.relations & old.relations
    return bool(shared & _WHOLLY or "drink" in shared and _ALCOHOL & old.tokens)


def _other_number(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """We use PostgreSQL 17, after: we use PostgreSQL 16. A line on another day may be one more."""
    if new.negative != old.negative or new.slot != old.slot or new.text == old.text:
        return False
    mine, theirs = _bare(new.without_numbers()), _bare(old.without_numbers())
    return mine == theirs and "#" in mine and (fact.changed or not new.dated)


def _named_as_wrong(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """Not a nurse but a doctor: the line that has the wrong value."""
    if not fact.wrong or new.negative != old.negative:
        return False
    wrong = {token for term in terms(fact.wrong) for token in term.tokens}
    return bool(wrong) and wrong <= old.tokens | old.things or fact.wrong.strip().lower() in old.text.lower()


def _same_instruction(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """Weekly reports as a table, after: weekly reports as a list."""
    if not (_ORDERS.search(new.text) and _ORDERS.search(old.text)) or re.match(
        r"(?i)i\b|我(?!希望)", new.text
    ):
        return False
    subject = _attributes(new) & _attributes(old) | _kinds(new) & _kinds(old) & {"language"}
    mine, theirs = _of_what(new), _of_what(old)
    return bool(subject - {"answer", "report"}) and mine == theirs


def _of_what(one: Meaning) -> frozenset[str]:
    """What an instruction is for: weekly reports, code, answers in general."""
    found = {token for term in terms(one.text) if term.kinds & {"report", "meeting"} for token in term.tokens}
    return frozenset(
        found | _attributes(one) & {"report", "code"} | one.things & {"代码", "邮件", "email", "commit"}
    )


def _changed_over(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """We use MySQL now: the line on the other database, or on the one place where somebody lives."""
    if not fact.changed or new.negative != old.negative:
        return False
    shared = new.relations & old.relations
    if shared & _SINGLE_VERBS:
        return True
    if _INDENT.search(new.text) and _INDENT.search(old.text):
        return bool(shared or not new.relations or not old.relations)
    if _attributes(new) & _attributes(old) and shared:
        return True
    kinds = _kinds(new) & _kinds(old) & ALTERNATIVES
    same_verb = bool(shared) or bool(_CHANGES_OVER.search(new.text)) or not old.relations
    if kinds and same_verb and not (_peculiar(new) & _peculiar(old) and not _CHANGES_OVER.search(new.text)):
        return True
    gone = _peculiar(new) & _peculiar(old)
    return bool(_CHANGES_OVER.search(new.text) and gone and old.relations & {"use", "live", "work", "like"})


def _same_frame(fact: Fact, new: Meaning, old: Meaning) -> bool:
    """The same line with another value, after a change."""
    if not fact.changed or new.negative != old.negative:
        return False
    return differs_in_one_value(new.text, old.text) or other_way_there(new.text, old.text)


def _kinds(one: Meaning) -> frozenset[str]:
    return frozenset(kind for term in terms(one.text) for kind in term.kinds)


def _attributes(one: Meaning) -> frozenset[str]:
    return frozenset(token for term in terms(one.text) if term.role == "attribute" for token in term.tokens)


def _peculiar(one: Meaning) -> frozenset[str]:
    """The things of a line, a run of Han also by its pairs."""
    found: set[str] = set(one.things)
    for thing in one.things:
        if re.match(f"[{HAN}]", thing) and len(thing) > 2:
            found |= {thing[place : place + 2] for place in range(len(thing) - 1)}
    return frozenset(found - one.holder - _CHANGE_WORDS)


def _expanded(line: str) -> list[str]:
    """A line on several things as one line for each: 我不吃香菜和花生."""
    head, items = _items(line)
    space = "" if is_chinese(line) else " "
    return [f"{head}{space}{item}" for item in items] if len(items) > 1 else []


def _items(line: str) -> tuple[str, list[str]]:
    """What a line begins with up to its verb, and the things that it lists after it."""
    pieces = [piece for piece in _LIST.split(line) if piece]
    if len(pieces) < 2 or len(_LIST.split(line)) != len(pieces):
        return line, [line]
    verbs = [term.word for term in terms(pieces[0]) if term.role == "relation"]
    if not verbs:
        return line, [line]
    place = pieces[0].rfind(verbs[-1]) + len(verbs[-1])
    head, first = pieces[0][:place], pieces[0][place:].strip()
    if not first or any(term.role == "relation" for piece in pieces[1:] for term in terms(piece)):
        return line, [line]
    return head.strip(), [first, *pieces[1:]]


def _with_rest(fact: Fact, new: Meaning, old: Meaning) -> str:
    """The new line; where the old one listed several things, what still holds stays before it."""
    head, items = _items(old.text)
    if new.negative == old.negative or len(items) < 2:
        return fact.text
    mine = _peculiar(new)
    rest = [item for item in items if not mine & _peculiar(meaning_of(item))]
    if not rest or len(rest) == len(items):
        return fact.text
    if is_chinese(old.text):
        return f"{head}{'和'.join(rest)}\n{fact.text}"
    return f"{head} {' or '.join(rest) if old.negative else ' and '.join(rest)}\n{fact.text}"
