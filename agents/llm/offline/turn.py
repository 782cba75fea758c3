"""One step of a turn, decided from what stands after the person's last message: first memory, then words."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.llm.offline import answers, filing, skills
from agents.llm.offline.acts import Do, Say, Step
from agents.llm.offline.facts import PERSON
from agents.llm.offline.prompt import Call, Prompt
from agents.llm.offline.questions import Ask, read_question
from agents.llm.offline.reading import Reading, read_message
from agents.llm.offline.reasons import with_reasons
from agents.llm.offline.room import keep_house
from agents.llm.offline.searching import Lookup, look_up
from agents.llm.offline.speakers import answering
from agents.llm.offline.wording import listed

STEPS_AT_MOST = 8
_TOLD_ABOUT = re.compile(
    r"(?i)^(?:what|everything|anything|all) (?:that )?(?:i|you) (?:said|told you|mentioned|know|wrote) "
    r"(?:about|of|on) |"
    r"^(?:我说过?的|我告诉你的|我提到的|关于)"
)
_LOOKS_UP = listed("memory find file first read")


def next_step(prompt: Prompt) -> Step:
    """The next calls, or the words that end the turn. Never more than `STEPS_AT_MOST` steps in a turn."""
    before = [text for role, text in prompt.earlier if role == "user"]
    reading = _read(prompt, prompt.said, before)
    asks = [read_question(question) for question in reading.questions]
    if prompt.steps < STEPS_AT_MOST - 1 and (calls := _calls(prompt, reading, asks, before)):
        return with_reasons(prompt, calls, chinese=reading.chinese)
    lookups = {ask.text: look_up(prompt, ask) for ask in asks if ask.kind in _LOOKS_UP}
    return Say(
        answers.spoken(
            answers.Turn(
                prompt=prompt,
                reading=reading,
                asks=asks,
                filed=filing.results(prompt, reading.facts),
                lookups=lookups,
                forgotten=_forgotten(prompt, reading),
                to_be_forgotten=_to_be_forgotten(prompt, reading),
                not_forgotten=_not_forgotten(prompt, reading),
            )
        )
    )


def _read(prompt: Prompt, message: str, before: list[str]) -> Reading:
    """A message of the person's; where others write too, what it tells of them is told with their name."""
    reading = read_message(message, before)
    facts = [replace(fact, whose=prompt.speaker) if fact.about == PERSON else fact for fact in reading.facts]
    return replace(reading, facts=tuple(facts))


def _calls(prompt: Prompt, reading: Reading, asks: list[Ask], before: list[str]) -> list[Do]:
    """What is to be done before speaking: file, forget, archive, search, keep house, in this order."""
    if writes := filing.next_writes(prompt, reading.facts):
        return writes
    for line in _to_forget(prompt, reading, before):
        former = prompt.replaced.get(line, "") if reading.retracts else ""
        if calls := filing.forget(prompt, line, former):
            return calls
    if archive := _archive(prompt, reading):
        return archive
    lookups = [look_up(prompt, ask) for ask in asks if ask.kind in _LOOKS_UP]
    if not any(lookup.found for lookup in lookups) and (load := skills.to_load(prompt, reading, asks)):
        return load
    if not skills.loaded(prompt)[1] and (searches := _searches(lookups)):
        return searches
    return keep_house(prompt)


def _searches(lookups: list[Lookup]) -> list[Do]:
    found: list[Do] = []
    for lookup in lookups:
        found += [call for call in lookup.calls if call not in found]
    return found


def _archive(prompt: Prompt, reading: Reading) -> list[Do]:
    name = "archival_memory_insert"
    if not reading.archive or name not in prompt.tools:
        return []
    done = any(call.name == name and call.text("content") == reading.archive for call in prompt.calls)
    return [] if done else [Do(name, {"content": reading.archive})]


def _to_forget(prompt: Prompt, reading: Reading, before: list[str]) -> list[str]:
    """The lines of core memory that the person wants gone."""
    lines = [line for block in prompt.blocks for line in block.lines if block.label != "persona"]
    if reading.retracts and before:
        last = _read(prompt, before[-1], before[:-1])
        return [
            one.line for one in filing.results(replace(prompt, calls=[]), last.facts) if one.state == "known"
        ]
    if not reading.forget or _forgotten(prompt, reading):
        return []
    if stated := filing.known_line(reading.forget, lines, prompt.speaker):
        return [stated]
    ask = read_question(_TOLD_ABOUT.sub("", reading.forget))
    if ask.kind != "memory" or not ask.groups:
        return []
    return [one.line for one in answering(ask, lines, prompt.speaker)[:1]]


def _forgotten(prompt: Prompt, reading: Reading) -> list[tuple[str, str]]:
    """The lines that are gone since the person spoke, each with the one that is back in its place."""
    if not (reading.forget or reading.retracts):
        return []
    return _taken_back([call.ran for call in prompt.calls if call.ok])


def _to_be_forgotten(prompt: Prompt, reading: Reading) -> list[tuple[str, str]]:
    """The lines whose removal was proposed since then, each with the one that is to come back."""
    if not (reading.forget or reading.retracts):
        return []
    return _taken_back([call for call in prompt.calls if call.proposed])


def _not_forgotten(prompt: Prompt, reading: Reading) -> list[Call]:
    """The removals that nobody said yes to."""
    if not (reading.forget or reading.retracts):
        return []
    return [call for call in prompt.calls if call.refusal and filing.taken_back(call)[0]]


def _taken_back(calls: list[Call]) -> list[tuple[str, str]]:
    changes = [filing.taken_back(call) for call in calls]
    return [change for change in changes if change[0]]
