"""Room in core memory: what matters less goes to the archive first, and leaves the block only then."""

from __future__ import annotations

from agents.llm.offline import requests, talk
from agents.llm.offline.acts import Do
from agents.llm.offline.chinese import forms as chinese_forms
from agents.llm.offline.english import asking as english_asking
from agents.llm.offline.english import forms as english_forms
from agents.llm.offline.meaning import meaning_of, normal
from agents.llm.offline.prompt import Block, Prompt
from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.wording import listed

NEARLY_FULL = 0.9
_AIM = 0.75
_FROM_BLOCK = ("Moved out of the memory block “{}” to make room:", "从记忆块“{}”移到归档：")
_FROM_QUEUE = ("From the conversation, before it leaves the window:", "对话移出窗口之前的内容：")
_QUOTED_AT_MOST = 200
_WORTH_A_CALL = 3
_LINES_AT_MOST = 12
_VITAL = listed("allergy deadline must name")
_DEAR = listed("live work marry family pet birthday origin disease")


def make_room(prompt: Prompt, block: Block, needed: int) -> list[Do]:
    """The next calls that free `needed` of a block's limit; none when it cannot be done, or was done."""
    if (
        block.read_only
        or block.proposes
        or _tried(prompt, "memory_rethink", block.label)
        or not prompt.first_tool("memory_rethink")
    ):
        return []
    condensed = _condensed(block)
    if _length(block, condensed) + needed <= block.limit * _AIM and len(condensed) < len(
        block.value.split("\n")
    ):
        return [_rethink(block, condensed)]
    moved = _moved(prompt, block)
    if moved is None:
        leaving = _leaving(block, condensed, needed)
        return [_archive(block, leaving)] if leaving and prompt.first_tool("archival_memory_insert") else []
    staying = [line for line in condensed if line not in moved]
    return [_rethink(block, staying)] if moved and len(staying) < len(condensed) else []


def keep_house(prompt: Prompt) -> list[Do]:
    """What the prompt's own warnings call for: a block that is nearly full, a window under pressure."""
    for block in prompt.blocks:
        if (
            not block.read_only
            and block.used > block.limit * NEARLY_FULL
            and (calls := make_room(prompt, block, 0))
        ):
            return calls
    if "pressure" in prompt.status and prompt.first_tool("archival_memory_insert"):
        return _archive_queue(prompt)
    return []


def moved_lines(prompt: Prompt) -> int:
    """How many lines went from core memory to the archive in this turn."""
    return sum(len(_moved(prompt, block) or ()) for block in prompt.blocks)


def archived_messages(prompt: Prompt) -> int:
    """How many messages were put into the archive in this turn."""
    done = [
        call.text("content")
        for call in prompt.calls
        if call.ok and call.text("content").startswith(_FROM_QUEUE)
    ]
    return sum(text.count("\n") for text in done)


def _tried(prompt: Prompt, name: str, label: str) -> bool:
    return any(call.name == name and call.text("label") == label for call in prompt.calls)


def _condensed(block: Block) -> list[str]:
    """The lines without empty ones and repetitions; the last of two alike stays."""
    kept: dict[str, str] = {}
    for line in block.lines:
        kept.pop(normal(line), None)
        kept[normal(line)] = line
    return list(kept.values())


def _length(block: Block, lines: list[str]) -> int:
    return block.length("\n".join(lines))


def _leaving(block: Block, lines: list[str], needed: int) -> list[str]:
    """The lines to move: the less vital first, of those the oldest; vital ones only in need."""
    order = sorted(range(len(lines)), key=lambda place: (_weight(lines[place]), place))
    gone: set[int] = set()
    for place in order:
        left = _length(block, [line for other, line in enumerate(lines) if other not in gone])
        aim = block.limit * _AIM if _weight(lines[place]) < 2 else block.limit
        if left + needed + 1 <= aim or len(gone) == len(lines) - 1 and left + needed + 1 <= block.limit:
            break
        gone.add(place)
    return [lines[place] for place in sorted(gone)]


def _weight(line: str) -> int:
    meaning = meaning_of(line)
    denied_food = meaning.negative and meaning.tokens & {"eat", "drink"}
    ordered = (chinese_forms.STANDING if is_chinese(line) else english_forms.STANDING).search(line)
    if meaning.tokens & _VITAL or denied_food or ordered:
        return 2
    return 1 if meaning.tokens & _DEAR else 0


def _archive(block: Block, lines: list[str]) -> Do:
    head = _FROM_BLOCK[is_chinese("".join(lines))].format(block.label)
    return Do("archival_memory_insert", {"content": "\n".join([head, *lines]), "tags": [block.label]})


def _rethink(block: Block, lines: list[str]) -> Do:
    return Do("memory_rethink", {"label": block.label, "new_memory": "\n".join(lines)})


def _moved(prompt: Prompt, block: Block) -> set[str] | None:
    """The lines of a block that are in the archive since this turn began; None where none was tried."""
    heads = tuple(head.format(block.label) for head in _FROM_BLOCK)
    tried = [
        call
        for call in prompt.calls
        if call.name == "archival_memory_insert" and call.text("content").startswith(heads)
    ]
    if not tried:
        return None
    return {line for call in tried if call.ok for line in call.text("content").split("\n")[1:]}


def _archive_queue(prompt: Prompt) -> list[Do]:
    """What people told in messages that will leave the window, where memory does not have it."""
    if any(call.text("content").startswith(_FROM_QUEUE) for call in prompt.calls):
        return []
    known = normal("\n".join([prompt.archived, *(block.value for block in prompt.blocks)]))
    mark = f"[{prompt.speaker}] " if prompt.speaker else ""
    heard = {"user": mark, "other": ""}
    told = [heard[role] + text for role, text in prompt.earlier if role in heard and _tells(text, known)][
        :_LINES_AT_MOST
    ]
    if len(told) < _WORTH_A_CALL:
        return []
    lines = [f"- {' '.join(text[:_QUOTED_AT_MOST].split())}" for text in told]
    head = _FROM_QUEUE[is_chinese("".join(told))]
    return [Do("archival_memory_insert", {"content": "\n".join([head, *lines]), "tags": ["conversation"]})]


def _tells(text: str, known: str) -> bool:
    """Whether a message tells something that is not kept yet; a question or small talk does not."""
    bare = text.strip()[:_QUOTED_AT_MOST]
    if len(bare) < (5 if is_chinese(bare) else 12) or bare.endswith(("?", "？", "吗", "呢")):
        return False
    if requests.CREATE.match(bare) or talk.THANKS.match(bare) or english_asking.QUESTION.match(bare):
        return False
    return normal(" ".join(bare.split())) not in known
