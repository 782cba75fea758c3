"""Which lines an English sentence gives to file, and why there are none where there are none."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.llm.offline.dates import DATED
from agents.llm.offline.english import doubts, forms, lasting, words
from agents.llm.offline.english.clauses import bare_of, clauses, filled, without_questions
from agents.llm.offline.english.corrections import corrected_line
from agents.llm.offline.english.first_person import FIRST, reason_against
from agents.llm.offline.facts import AGENT, PERSON, PROJECT, Fact, Heard
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.sentences import QUOTE_MARK, Sentence
from agents.llm.offline.wording import listed

_POLITE = re.compile(r"(?i)(?:please,? )?(?:can|could|would|will) you (?:please |kindly )?(?P<wish>.+)$")
_NAMED_AS = re.compile(
    r"^(?P<who>(?:I'm|I am|i'm|My name is|my name is) [A-Z][\w'-]+(?: [A-Z][\w'-]+)?), (?P<what>an? "
    r".+)$"
)
_CARES_ABOUT_DAY = re.compile(
    r"(?i)\b(?:deadline|due|launch|release|exam|wedding|presentation|demo|interview|surgery|flight)\b"
)
_AND_I = re.compile(r"^(?:my )?[\w ]{1,30} and i\b (?!think|guess|hope)", re.I)
_HAS_VERB = re.compile(
    rf"(?i)^(?:(?:my|our|ours|the|this|that|all|every)\s+)?(?!my |our "
    rf")[\w+#.'-]+(?:\s.*)?\s{words.FINITE}\b|'s\s|[:=]|n't\b|^(?:mine|ours) is"
)
_HOUSEHOLD = listed("eat drink live pet family child allergy marry spouse smoke sleep")


def read_english(sentence: Sentence) -> Heard:
    """What an English sentence states, or asks at its end."""
    text = sentence.text
    if doubts.COMMAND_TO_OTHERS.match(text):
        return Heard(reason="other")
    standing = bool(forms.STANDING.search(text) and forms.IMPERATIVE.search(text))
    if doubts.HYPOTHESIS.search(text) and not standing and not forms.CALL_ME.match(bare_of(text)):
        return Heard(reason="hypothesis", questions=(text,) if sentence.asks else ())
    if not sentence.asks and (corrected := _corrected(text)):
        return Heard(facts=(corrected,))
    parts = clauses(_NAMED_AS.sub(r"\g<who>, I'm \g<what>", text))
    if request := _polite_request(parts[-1]):
        parts[-1] = request
    keeps = bool(request) or (standing and not sentence.asks)
    told, questions = (parts, ()) if keeps else without_questions(parts, sentence.asks)
    heard = _read_clauses(told)
    announced = any(not bare_of(one) and words.CHANGED.search(one) for one in told)
    facts = tuple(replace(one, changed=one.changed or announced) for one in heard if isinstance(one, Fact))
    reasons = [one for one in heard if isinstance(one, str) and one]
    reason = "" if facts else (reasons[0] if reasons else ("question" if questions else ""))
    return Heard(facts=facts, reason=reason, questions=questions)


def _read_clauses(told: list[str]) -> list[Fact | str]:
    """Each clause in order; an order beside a standing one stands too."""
    heard: list[Fact | str] = []
    ordered = False
    for place, part in enumerate(told):
        clause = filled(part, told[:place])
        bare = bare_of(clause).strip(" ,;:")
        also = ordered and forms.ORDER_GOES_ON.match(bare) and QUOTE_MARK not in bare
        heard.append(Fact(tidy(bare)) if also else _read_clause(clause))
        ordered = bool(also or isinstance(heard[-1], Fact) and is_order(bare))
    return heard


def _polite_request(clause: str) -> str:
    """Could you keep your answers short?: what is wished for good, "" where it is asked for once."""
    match = _POLITE.match(bare_of(clause))
    wish = match["wish"].strip(" ?") if match else ""
    return wish if wish and _by_form(wish) else ""


def _corrected(text: str) -> Fact | None:
    line, wrong = corrected_line(bare_of(text))
    fact = _read_clause(line) if line else ""
    return replace(fact, changed=True, wrong=wrong) if isinstance(fact, Fact) else None


def _read_clause(clause: str) -> Fact | str:
    """A fact, or the reason why a clause is none."""
    bare = bare_of(clause).strip(" ,;:")
    if QUOTE_MARK in bare:
        return "quoted"
    fact = _by_form(bare) or _by_subject(bare)
    if isinstance(fact, Fact):
        return replace(fact, text=tidy(fact.text), changed=fact.changed or bool(words.CHANGED.search(clause)))
    return fact


def tidy(text: str) -> str:
    """A line as it is filed: no end marks, a capital first."""
    text = re.sub(r"\s+", " ", text).strip(" \t.,;:!-–—")
    text = re.sub(r"^i(?=['\s])", "I", text)
    return text[:1].upper() + text[1:]


def _by_form(bare: str) -> Fact | None:
    """Forms that are told by themselves: call me ..., always answer in ..., Name: ..."""
    if forms.CALL_ME.match(bare):
        return Fact(bare)
    if forms.YOU_ARE.match(bare):
        return Fact(bare, about=AGENT)
    if hello := forms.HELLO_NAME.match(bare):
        name = re.sub(
            r"^(?:(?:this|it) is|it's(?: me,?)?|this's|(?:the )?name's) |(?: here| speaking)$",
            "",
            hello.group(),
            flags=re.I,
        )
        return Fact(f"My name is {name}")
    if is_order(bare):
        return Fact(bare)
    if forms.KEY_VALUE.match(bare):
        return Fact(bare, about=PROJECT if words.SUBJECT_PROJECT.match(bare) else PERSON)
    return None


def is_order(bare: str) -> bool:
    """Whether a clause says how something is to be done for good, not once."""
    return bool(forms.STYLE.match(bare) or forms.ORDER.match(bare) or _is_standing(bare))


def _is_standing(bare: str) -> bool:
    match = forms.STANDING.search(bare)
    if not match or not forms.IMPERATIVE.search(bare):
        return False
    rest = bare[match.end() :].lstrip(" ,") if match.start() == 0 else bare
    return not (words.SUBJECT.match(rest) and "when" not in match.group().lower())


def _by_subject(bare: str) -> Fact | str:
    if doubts.HEARSAY.search(bare):
        return "reported"
    if doubts.UNCERTAIN.search(bare):
        return "uncertain"
    intro = words.INTRO.match(bare)
    core = bare[intro.end() :] if intro else bare
    first = core.lower()
    if re.match(r"(?:i|im|ive|we)\b", first) or _AND_I.match(core):
        return _first_person(bare, core)
    if doubts.REPORTED.search(core) and not re.match(r"(?i)call", core):
        return "reported"
    return _by_others(bare, core)


def _by_others(bare: str, core: str) -> Fact | str:
    """A clause whose subject is neither I nor we."""
    first = core.lower()
    if forms.LIKEWISE.search(core):
        return _over(core) or Fact(bare, about=_about(core))
    if doubts.SOMEBODY.match(core):
        return "stranger"
    if re.match(r"(?:my|mine|our|ours)\b", first):
        return _property(bare, core)
    if words.SUBJECT_PROJECT.match(core) or words.PROJECT_NAMED.match(core):
        return _property(bare, core)
    return _about_mine(bare, core)


def _about_mine(bare: str, core: str) -> Fact | str:
    """Rex is my dog, peanuts give me a rash, all dates in our reports are ISO."""
    if forms.REQUIRES.search(core):
        return Fact(bare, about=_about(core))
    if forms.WITHOUT_I.match(core):
        return Fact(f"I'm {core[0].lower()}{core[1:]}")
    if re.match(r"(?i)(?:he|she|it|this|that|they|you|these|those|who)\b", core):
        return ""
    if forms.WHAT_I.match(core) and not lasting.BROKEN.search(core):
        return _over(core) or Fact(bare, about=_about(core))
    if forms.POINTED.match(core) or forms.THERE_IS.match(core) or forms.TO_ME.match(core):
        return _over(core) or Fact(bare, about=_about(core))
    return _property(bare, core) if forms.OF_OURS.match(core) else ""


def _property(bare: str, core: str) -> Fact | str:
    """My X ..., our X ..., the deadline ...: a property, unless it is over or will be in a moment."""
    if not _HAS_VERB.search(core):
        return ""
    if words.ACQUAINTANCE.match(core):
        return "stranger"
    if reason := _over(core):
        return reason
    if lasting.SHORT_LIVED.search(core) or lasting.BROKEN.search(core) or _is_doing(core):
        return "passing"
    return Fact(bare, about=_about(core))


def _is_doing(core: str) -> bool:
    """My neighbour is playing the drums: just now."""
    doing = re.search(
        r"(?i)\b(?:is|are) (?:not |also |still )?(?=\w+ing\b)(?!missing|existing|outstanding|\w*-)", core
    )
    return bool(doing and not lasting.LASTING_ING.match(core[doing.end() :]) and not DATED.search(core))


def _over(core: str) -> str:
    """ "past" or "passing" where a clause does not hold for long, else ""."""
    if lasting.PAST_MARK.search(core) and not lasting.TIED_TO_PAST.search(core):
        return "past"
    if lasting.PASSING_TIME.search(core) and not _CARES_ABOUT_DAY.search(core):
        return "" if lasting.LASTING_PAST.search(core) else "passing"
    subject_verb = re.search(
        rf"(?i)^(?:my|our|the|this|that)?\s*(?:[\w'-]+\s+){{0,4}}?({lasting.PAST_VERB.pattern})", core
    )
    if (
        subject_verb
        and not lasting.LASTING_PAST.search(core)
        and not re.search(rf"(?i)\b(?:is|are|has been|isn't)\b.*{re.escape(subject_verb.group(1))}", core)
    ):
        return "past"
    return ""


def _about(core: str) -> str:
    """The project's, unless I or my is in it, or it is about a household."""
    if re.search(r"(?i)\b(?:i|i'm|i've|my|me|mine)\b", core):
        return PERSON
    if re.match(r"(?i)(?:we|our)\b", core) and meaning_of(core).tokens & _HOUSEHOLD:
        return PERSON
    return PROJECT


def _first_person(bare: str, core: str) -> Fact | str:
    match = FIRST.match(_AND_I.sub("we ", core))
    # What stood before "I" (every Friday, today) counts wherever it stands.
    whole = f"{core} {bare.removesuffix(core)}".strip()
    reason = reason_against(match, whole) if match else "passing"
    return reason or Fact(bare, about=_about(core))
