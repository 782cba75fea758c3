"""What only repeats what stands beside it: an agent's confirmations and quotations of what people said, and
the texts that it wrote to memory."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.context.pressure import WRITES_CORE
from agents.context.summaries import actions
from agents.context.summaries.choosing import LEAST
from agents.context.summaries.lines import AGENT, Kind, Line
from memory import lexical
from memory.retrieval.sifting import NO, Statement

TEXT = 5
"""An argument of so many words is a text; a shorter one says on what something was done."""
_CALL = re.compile(r"^(?P<how>proposed, not saved: )?(?P<name>\S+) ?(?P<rest>.*)$", re.S)
_BETWEEN = " · "
# A replacement by nothing, and a patch that adds nothing.
_TAKES_OUT = re.compile(r"·\s*(?:·|$)|^memory_apply_patch [^+]*$")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日")
_CUT = re.compile(r"\w*…$")
# The words of a confirmation, or around a quotation.
_AROUND = re.compile(
    r"(?i)\b(?:proposed, not (?:saved|changed) yet|got it|(?:i(?:'ll|['’]ve| will| have)? |i )?"
    r"(?:saved?|noted?|remember(?:ed)?|stored?|recorded|updated?|changed|wrote|written|keep|kept|know|knew)"
    r"(?: (?:that|it|down|already))*|(?:to|in|into|from) (?:your |my |the |core )*(?:memory|archive)|"
    r"my core memory says|earlier in this conversation|(?:you |i )?(?:mentioned|said|told me|confirmed)|"
    r"according to|becomes|now|already|ok(?:ay)?|yes|sure|right|great|thanks?|thank you|understood|us|mine|m|"
    r"d)\b"
    r"|好的?(?=[，,。！!：:])|收到|明白|(?:我)?(?:知道|了解)了?|已?经?(?:提议|记住|记下来?|记录|保存|存入|写入|更新|确认)"
    r"(?:到|在)?了?|尚未(?:写入记忆|更改)|(?:我的)?(?:核心)?记忆(?:里|中)?|归档(?:里|中)?|改为|写着|"
    r"在?(?:这个)?对话里|(?:之前|以前|刚才)|(?:说|提到|告诉)过|本来就?"
)


class Told:
    """What people said, to know of a text whether it says anything else."""

    def __init__(self) -> None:
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)
        self._number = 0

    def hear(self, text: str) -> None:
        """Take in what was said at once."""
        self._number += 1
        for word in _words(text):
            self._by_word[word].add(self._number)

    def has(self, text: str) -> bool:
        """Whether all that a text tells was said at once; False for one that tells nothing."""
        words = _own_words(text)
        return bool(words) and bool(set.intersection(*(self._by_word.get(word, set()) for word in words)))


def unrepeated(known: Sequence[Line], said: Sequence[Line]) -> list[Line]:
    """The lines of a summary and those of the messages after it, without what only repeats others of them.

    What a person said stays whole, and what the agent saved of it matters however plain it is. An agent's
    line goes that says nothing beside a person's, or what it wrote in that turn. What it wrote to core memory
    is always in view; another text that stands there already is not told again.
    """
    turns = [*([line] for line in known), *map(_with_saved, _turns(said))]
    told = Told()
    for turn in turns:
        told.hear(_text(line for line in turn if _is_statement(line)))
    return [kept for turn in turns for kept in _unrepeated(turn, told)]


def _with_saved(turn: Sequence[Line]) -> list[Line]:
    """A turn's lines; a person's that tell what was saved to memory then are worth as much as that."""
    if not any(line.kind == Kind.DONE and actions.is_of_memory(line.text) for line in turn):
        return list(turn)
    words = _words(_text(line for line in turn if not _is_of_person(line)))
    return [
        replace(line, value=max(line.value, actions.REMEMBERED))
        if _is_of_person(line) and line.kind == Kind.FACT and _words(line.text) <= words
        else line
        for line in turn
    ]


def _unrepeated(turn: Sequence[Line], told: Told) -> Iterator[Line]:
    words = _words(_text(line for line in turn if _is_statement(line) or line.kind == Kind.DONE))
    for line in turn:
        if line.kind == Kind.DONE:
            yield from _action(line, told)
        elif _is_of_person(line):
            yield line
        else:
            text = line.text.removeprefix(AGENT)
            own = _own_words(text)
            if not (told.has(text) or (own and own <= words)):
                yield line


def _action(line: Line, told: Told) -> Iterator[Line]:
    """What was done, without the texts that stand there; nothing where memory holds them as they stand."""
    call = _CALL.match(line.text)
    if call is None or _TAKES_OUT.search(line.text):
        yield line
        return
    how, name = call["how"] or "", call["name"]
    is_of_memory = actions.is_of_memory(name)
    is_saved = is_of_memory and not how
    if is_saved and name in WRITES_CORE:
        return
    arguments = call["rest"].split(_BETWEEN)
    others = [each for each in arguments if not _stands(each, told, is_text=is_of_memory)]
    if len(others) == len(arguments):
        yield line
    elif not is_saved:
        yield replace(line, text=f"{how}{name} {_BETWEEN.join(others)}".strip())


def _stands(argument: str, told: Told, *, is_text: bool) -> bool:
    return (is_text or lexical.length(argument) >= TEXT) and told.has(_CUT.sub("", argument))


def _turns(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines in runs: what a person said, and what the agent did and said then."""
    turn: list[Line] = []
    for line in lines:
        if turn and _is_of_person(line) and not _is_of_person(turn[-1]):
            yield turn
            turn = []
        turn.append(line)
    yield turn


def _is_of_person(line: Line) -> bool:
    return line.kind != Kind.DONE and not line.text.startswith(AGENT)


def _is_statement(line: Line) -> bool:
    """Whether a person says something that a summary keeps; an answer to a question repeats nothing."""
    return _is_of_person(line) and line.value >= LEAST and not line.text.endswith(("?", "？"))


def _text(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _own_words(text: str) -> frozenset[str]:
    """The words of a text without those of a confirmation."""
    return _words(_AROUND.sub(" ", _DAY.sub(" ", text)))


def _words(text: str) -> frozenset[str]:
    """The words that tell something, by their stems; single characters of Chinese. A no tells."""
    stems = ((piece, lexical.stem(piece)) for piece in Statement(text).pieces)
    return frozenset(
        stem for piece, stem in stems if piece in NO or piece in "不没" or not lexical.is_stop(stem)
    )
