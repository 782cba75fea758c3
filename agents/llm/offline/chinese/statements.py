"""Which lines a Chinese sentence gives to file, and why there are none where there are none."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.llm.offline.chinese import doubts, forms, lasting, words
from agents.llm.offline.chinese.clauses import (
    WITHOUT_END,
    bare_of,
    clauses,
    filled,
    goes_on,
    without_questions,
)
from agents.llm.offline.chinese.corrections import corrected_line
from agents.llm.offline.chinese.first_person import is_weak, over, reason_against
from agents.llm.offline.chinese.whose import SOMEBODY, is_mine, subject_after
from agents.llm.offline.facts import AGENT, PERSON, PROJECT, Fact, Heard
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.sentences import QUOTE_MARK, Sentence
from agents.llm.offline.wording import listed

_REQUIRES = re.compile(r"要求|必须|需要|不能|不得|得(?!了)")
_CORRECTS = re.compile(
    r"^(?:不对|不是|错了|我?[说写打记搞弄]错了|更正|纠正|订正|口误)(?:一下)?[，,：:。！!\s]"
)
_DECIDES = re.compile(r"(?P<what>^[^，,]*(?:还是|就)(?:改|换|用|定)[^，,吗么]+?)吧$")
_HOUSEHOLD = listed("eat drink live pet family child allergy marry spouse smoke sleep")
_PROJECT = re.compile(
    rf"^(?:{words.TIME_PREFIX})*(?:我们的?|咱们的?|本|这个|该|整个|目前|现在|新|这次的?|最终|所有的?|"
    rf"全部的?|每个|任何|{words.NUMBERED})*(?:{words.PROJECT_NOUN}(?:的)?)+(?:[^，,]{{0,12}}?)(?:{words.PREDICATE})"
)


def read_chinese(sentence: Sentence) -> Heard:
    """What a Chinese sentence states, or asks at its end."""
    text = _settled(sentence.text)
    standing = bool(
        forms.STANDING.search(text) and re.search(r"请|别|不要|都用|一律|帮我|务必|要用|叫", text)
    )
    if doubts.HYPOTHESIS.search(text) and not standing:
        return Heard(reason="hypothesis", questions=(text,) if sentence.asks else ())
    if not sentence.asks and (corrected := _corrected(text)):
        return Heard(facts=(corrected,))
    told, questions = without_questions(clauses(text), sentence.asks)
    heard = _read_clauses(told)
    announced = any(not bare_of(one) and words.CHANGED.search(one) for one in told)
    facts = tuple(replace(one, changed=one.changed or announced) for one in heard if isinstance(one, Fact))
    reasons = [one for one in heard if isinstance(one, str) and one]
    reason = "" if facts else (reasons[0] if reasons else ("question" if questions else ""))
    return Heard(facts=facts, reason=reason, questions=questions)


def _settled(text: str) -> str:
    """A text without words that sound unsure where it corrects or decides: 不对，应该是..., 还是改成...吧."""
    if _CORRECTS.match(text):
        text = re.sub(r"应该(?=是|为|叫|在)", "", text, count=1)
    return _DECIDES.sub(r"\g<what>", text)


def _read_clauses(parts: list[str]) -> list[Fact | str]:
    """Each clause in order; one without a subject takes that of the clause before it."""
    heard: list[Fact | str] = []
    subject = ""
    ordered = False
    for place, part in enumerate(parts):
        bare = bare_of(WITHOUT_END.sub("", part)).strip()
        bare = filled(bare, parts[place - 1]) if place else bare
        own = is_mine(bare)
        if ordered and forms.ORDER_GOES_ON.match(bare) and QUOTE_MARK not in bare:
            heard.append(Fact(tidy(bare)))
            continue
        if not own and place and _REQUIRES.match(bare) and "项目" in parts[place - 1]:
            subject = "项目"
        carried = not own and bool(subject) and not _by_form(bare) and goes_on(bare)
        fact = _read_clause(f"{subject}{bare}" if carried else bare, part)
        if carried and fact == "stranger" and heard and isinstance(heard[-1], Fact):
            fact = over(bare) or Fact(tidy(f"{subject}{bare}"))  # of somebody who was filed
        is_said = fact == "reported" and not own and "我" not in bare
        subject = SOMEBODY if is_said else subject_after(bare, subject)
        heard.append(fact)
        ordered = isinstance(fact, Fact) and is_order(bare)
    return heard


def _corrected(text: str) -> Fact | None:
    """我的名字不是李雷，是李磊: the right value, and the wrong one beside it."""
    line, wrong = corrected_line(bare_of(WITHOUT_END.sub("", text)))
    fact = _read_clause(line, text) if line else ""
    return replace(fact, changed=True, wrong=wrong) if isinstance(fact, Fact) else None


def _read_clause(bare: str, clause: str) -> Fact | str:
    """A fact, or the reason why a clause is none."""
    if QUOTE_MARK in bare:
        return "quoted"
    fact = _by_form(bare) or _by_subject(bare)
    if isinstance(fact, Fact):
        changed = fact.changed or bool(words.CHANGED.search(clause))
        return replace(fact, text=tidy(fact.text), changed=changed)
    return fact


def tidy(text: str) -> str:
    """A line as it is filed: no end marks, no leading connectives."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"^(?:也就是说|也就是|而是|而)(?=我|项目)", "", text)
    return text.strip(" \t。，,.;；!！~～…、")


def _by_form(bare: str) -> Fact | None:
    """Forms that are told by themselves: 叫我..., 以后...请..., 截止日期：..."""
    if forms.CALL_ME.match(bare):
        return Fact(bare)
    if forms.YOU_ARE.match(bare):
        return Fact(bare, about=AGENT)
    if is_order(bare):
        return Fact(bare)
    if forms.KEY_VALUE.match(bare):
        return Fact(bare, about=PROJECT if _PROJECT.match(bare) else PERSON)
    return None


def is_order(bare: str) -> bool:
    """Whether a clause says how something is to be done for good, not once."""
    return bool(forms.STYLE.match(bare)) or _is_standing(bare)


def _is_standing(bare: str) -> bool:
    """Whether a clause tells how something is to be done from now on."""
    standing = forms.STANDING.search(bare)
    if not standing or not forms.IMPERATIVE.search(bare):
        return False
    if re.search(rf"^(?:{words.TIME_PREFIX}|以后|今后)*{words.FIRST}(?!.*请)", bare):
        return False
    return standing.start() == 0 or "请" in bare or not doubts.REPORTED.match(bare)


def _by_subject(bare: str) -> Fact | str:
    if _is_reported(bare):
        return "reported"
    if forms.LIKEWISE.match(bare):
        return over(bare) or Fact(bare, about=_about(bare))
    if words.ACQUAINTANCE.match(bare):
        return "stranger"
    match = re.match(rf"^(?:{words.TIME_PREFIX}[，,]?)*{words.FIRST}", bare)
    if match:
        return _first_person(bare, bare[match.end() :], ours="们" in match.group() or "咱" in match.group())
    if doubts.UNCERTAIN.search(bare):
        return "uncertain"
    if forms.NO_SUBJECT_PROJECT.match(bare):
        return Fact(bare, about=PROJECT)
    if _PROJECT.match(bare):
        return over(bare) or (
            "passing"
            if lasting.BROKEN.search(bare) or lasting.STATE_ENDS.search(bare)
            else Fact(bare, about=_about(bare))
        )
    return _pointed(bare)


def _pointed(bare: str) -> Fact | str:
    """香菜我不吃, 小王是我同事, 我 left out altogether."""
    named = [match["what"] for form in (forms.FRONTED, forms.POINTED) if (match := form.match(bare))]
    if any(not forms.NOT_A_THING.search(what) for what in named):
        return over(bare) or Fact(bare, about=_about(bare))
    if forms.AND_ME.match(bare) and not re.match(r"他|她|你", bare):
        return over(bare) or Fact(bare, about=_about(bare))
    if forms.DROPPED.match(bare) and not re.search(r"[他她你您]", bare):
        return _first_person(f"我{bare}", bare, ours=False)
    return ""


def _is_reported(bare: str) -> bool:
    match = doubts.REPORTED.search(bare)
    if not match:
        return False
    who = match["who"]
    if who is None:
        return True
    stripped = re.sub(r"^(?:其实|但是|不过|而且|所以|因为)", "", who)
    return not (
        doubts.SELF_SAYS.match(stripped)
        or re.fullmatch(rf"(?:{words.FIRST})(?:会|能|只|可以|不|不会|爱|喜欢|平时|一般)*", stripped)
    )


def _first_person(bare: str, rest: str, *, ours: bool) -> Fact | str:
    """我...: what somebody says about themselves, unless it passes, is over, or is not sure."""
    reason = reason_against(bare, rest, ours=ours)
    return Fact(bare, about=_about(bare), weak=is_weak(rest)) if reason is None else reason


def _about(bare: str) -> str:
    """The project's, unless 我 alone is in it, or it is about a household."""
    without_us = re.sub(r"我们(?!家)|咱们(?!家)|我司", "", bare)
    if re.search(r"我|俺|本人|咱", without_us):
        return PERSON
    if re.match(r"我们|咱们", bare) and meaning_of(bare).tokens & _HOUSEHOLD:
        return PERSON
    return PROJECT
