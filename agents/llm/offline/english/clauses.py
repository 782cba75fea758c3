"""An English sentence cut into its clauses, and what of it tells and what asks."""

from __future__ import annotations

import re

from agents.llm.offline.english import asking, forms, words

_PRONOUN = (
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|he|she|they|you|it|it's|please|don't call|call me|"
    r"from now on)"
)
_WHEN = r"(?:now|also|actually|currently|today|then|nowadays|these days|lately|since then|instead|meanwhile)"
_LIKEWISE = (
    r"\s*(?:and |but )?(?:(?:so|neither|nor|as) (?:do|am|have|can|did|would|will|are) (?:i|we)\b|"
    r"me (?:too|neither)\b)"
)
_CUT = re.compile(
    rf"(?:\s*[,;:](?=\s)|\s+[-–—]+)(?!{_LIKEWISE})\s*(?:(?:and|but|so|also|plus|yet|while|whereas|though|although|or|"
    rf"then)\s+)*"
    rf"(?=(?:{_WHEN},? )?(?:{_PRONOUN}|the|his|her|its|their|what|who|"
    rf"where|when|why|how|which|do|does|did|is|are|isn't|am|aren't|can|"
    r"could|would|will|don't|doesn't|have|haven't|must|right|correct|ok|okay|got it|understood|"
    r"remember|huh|deadline|budget|name|age)\b)"
    rf"|(?!{_LIKEWISE})\s+(?:and|but|so|yet|while|whereas)\s+(?=(?:{_WHEN},? "
    rf")?(?:{_PRONOUN}|the {words.PROJECT_NOUN})\b)"
    rf"|\s+(?P<verb>and|but)\s+(?=(?:now |also |usually |never |always )?(?:live|work|have|am|eat|"
    rf"drink|like|love|hate|prefer|use|speak|play|study|"
    r"drive|own|joined|moved|became|started|switched|got|quit|don't|can't|cannot|do not)\b)",
    re.I,
)
_ON_ITS_OWN = re.compile(
    rf"^(?:{_WHEN},? )?(?:(?:i|i'm|i've|i'd|i'll|we|we're|we've|he|"
    rf"she|they|you|it|it's|please|don't call|call me|don't|"
    rf"his|her|its|their)\b|(?:my|our|the|deadline|budget|name|age)\b.*(?:\b{words.FINITE}\b|'s\b|:)|"
    rf"mine is)",
    re.I,
)
_SHARED_SUBJECT = re.compile(
    r"(?P<who>i|we|(?!i\b|we\b)[\w' -]{1,30} and i)(?:'m|'re|'ve)? "
    r"(?!.*\b(?:to|not|never|can|will|must|would|should|may)\b|.*n't)",
    re.I,
)
_GOES_ON = re.compile(
    r"(?i)(?:and |but )?(?:it|its|it's|he|his|he's|she|her|she's|they|their|they're)\b(?!.*\b(?:says?|"
    r"said|thinks?|told|asked)\b)"
)
_PRESENTS = re.compile(
    rf"(?i)(?:(?:i|we) (?:have|own|got|'ve got|work|use|live|drive)\b|(?:i|we)'ve (?:got|had)\b|(?:my|"
    rf"our|the {words.PROJECT_NOUN})\b.*\b{words.FINITE}\b)"
)
"""I have a dog, his name is Rex: what goes on about the thing stays with it."""
_ABOUT_IT = re.compile(
    r"(?P<head>(?:(?:now|today|these days|nowadays|currently),? )?(?:i|we)(?: now| really| do| don't| "
    r"can| can't| no longer| also)* (?:eat|drink|like|love|hate|use|prefer|enjoy|own|play|avoid|"
    r"speak)) (?:it|them)(?P<tail>(?: now| again| too| a lot| every \w+)*)$",
    re.I,
)
_OBJECT = re.compile(
    r"(?i)^.*\b(?:i|we)\b.*?\b(?:eat|drink|like|love|hate|use|prefer|enjoy|own|play|avoid|speak|"
    r"dislike|ate|drank|hated|liked|loved|disliked|avoided|stand) (?P<object>[\w' -]{2,40}?)(?: before|"
    r" earlier| in the past| at all| as a \w+)*$"
)


def clauses(text: str) -> list[str]:
    """The clauses of a sentence; a part that cannot stand alone stays with its neighbour."""
    cuts = [(0, 0), *((cut.start(), cut.end()) for cut in _CUT.finditer(text)), (len(text), len(text))]
    pieces = [(cuts[place][1], cuts[place + 1][0]) for place in range(len(cuts) - 1)]
    found: list[tuple[int, int]] = []
    joined_verbs = {cut.end() for cut in _CUT.finditer(text) if cut["verb"]}
    for start, end in pieces:
        before = text[found[-1][0] : found[-1][1]] if found else ""
        if found and _GOES_ON.match(text[start:end]) and _PRESENTS.match(before) and "?" not in text:
            found[-1] = (found[-1][0], end)
            continue
        if found and (
            not _stands(before, text[start:end]) or (start in joined_verbs and not _shared_subject(before))
        ):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [
        _with_subject(text, span, found[place - 1] if place else None, joined_verbs)
        for place, span in enumerate(found)
    ]


def _stands(before: str, piece: str) -> bool:
    """Whether a piece is a clause of its own, and what is before it too."""
    if not _is_clause(before):
        return False
    return _is_clause(piece) or bool(
        re.match(
            r"(?i)(?:now |also )?(?:live|work|have|am|eat|drink|like|love|hate|prefer|use|speak|play|"
            r"study|drive|own|joined|moved|became|started|switched|got|quit)\b",
            piece,
        )
    )


def _is_clause(piece: str) -> bool:
    bare = words.LEAD.sub("", piece, count=1) if words.LEAD.match(piece) else piece
    return bool(
        not bare
        or _ON_ITS_OWN.match(bare)
        or asking.QUESTION.match(bare)
        or asking.TAG_ASKS.match(bare)
        or asking.TAG_TELLS.match(bare)
        or words.INTRO.match(bare)
        or forms.POINTED.match(bare)
        or re.match(r"(?i)remember\b", bare)
    )


def _with_subject(text: str, span: tuple[int, int], before: tuple[int, int] | None, verbs: set[int]) -> str:
    clause = text[span[0] : span[1]].strip(" ,;")
    if before and span[0] in verbs:
        return f"{_shared_subject(text[before[0] : before[1]])} {clause}".strip()
    return clause


def spoken_of(clause: str) -> str:
    """A clause from its subject on: without what leads to it, and without when or where it holds."""
    bare = bare_of(clause).strip(" ,;:")
    intro = words.INTRO.match(bare)
    return bare[intro.end() :] if intro else bare


def _shared_subject(before: str) -> str:
    """Who does also what a verb after "and" says; "" where that is not the speaker, alone or with others."""
    shared = _SHARED_SUBJECT.match(spoken_of(before))
    return shared["who"] if shared else ""


def filled(clause: str, before: list[str]) -> str:
    """I used to hate coriander but now I love it: what "it" is stands in the clause before."""
    match = _ABOUT_IT.match(clause)
    named = _OBJECT.match(before[-1]) if match and before else None
    return f"{match['head']} {named['object']}{match['tail']}" if match and named else clause


def without_questions(parts: list[str], asks: bool) -> tuple[list[str], tuple[str, ...]]:
    """The clauses that tell, and the questions with which the sentence ends."""
    last = bare_of(parts[-1])
    if len(parts) > 1 and asking.TAG_TELLS.match(last):
        return parts[:-1], ()
    if len(parts) > 1 and asking.TAG_ASKS.match(last):
        return [], (", ".join(parts),)
    asked = tuple(part for part in parts if asking.QUESTION.match(part))
    if asking.QUESTION.match(parts[-1]):
        return [part for part in parts if part not in asked], asked
    return ([], (", ".join(parts),)) if asks else (parts, ())


def bare_of(clause: str) -> str:
    """A clause without what only leads to it: by the way, but, sorry."""
    match = words.LEAD.match(clause)
    return clause[match.end() :] if match else clause
