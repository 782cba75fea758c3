"""Texts as terms: the words that carry meaning, with the concepts and kinds that they stand for."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from agents.llm.offline import lexicon
from agents.llm.offline.sentences import HAN

_HINTS = (
    (r"\b(?:moved|relocated|moving) (?:back )?to (?!a |an |the )|\bmove to [A-Z]", "live"),
    (r"\b(?:i'm|i am|age[ds]?|turned) \d{1,3}(?! ?(?:cm|kg|m|km|%|minutes?|hours?|feet)\b)\b", "age"),
    (r"\bcalled me\b|\bcall me\b|叫我|称呼我|喊我", "name"),
    (
        r"\b(?:should|need to|needs to|have to|has to|may not|can't|cannot|must)\b|不能|只能|需要|不得|"
        r"不许|不可",
        "must",
    ),
    (r"开(?:的是|着|一?辆)?(?=特斯拉|比亚迪|丰田|奥迪|宝马|奔驰|本田|大众|沃尔沃|[A-Z])", "drive"),
    (r"\bavoid|\bdietary\b|\bvegetarian|\bvegan|忌口|素食|吃素|清真", "eat"),
    (
        r"\bby (?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)|"
        r"之前(?:交|完成|上线)",
        "deadline",
    ),
    (
        r"\b(?:work|works|working|worked|job) (?:at|for) \w|\bjoined \w|在.{1,12}(?:工作|上班|任职|"
        r"就职|实习)|入职|跳槽",
        "employer",
    ),
    (r"[一二三四五六七八九十\d]+\s*岁", "age"),
    (
        r"\b(?:dog|cat|wife|husband|son|daughter|brother|sister|friend|boss|partner|kid|puppy|kitten|"
        r"parrot|rabbit|horse)s?,? "
        r"(?:named |called )?[A-Z][a-z]+\b",
        "name",
    ),
    (r"https?://|\b[\w-]+\.(?:com|org|io|net|dev|cn|app)\b", "link"),
    (r"\b(?:mother tongue|native language)\b|母语", "speak"),
    (r"\bdrives? (?:a|an|my|our)\b|我开(?:的是)?(?!始|会|车|发|心)", "car"),
    (r"^(?:I'm|I am|i'm|I was) .{0,50}\bfrom [A-Z]", "origin"),
    (r"在.{1,16}做.{1,8}$|是做.{1,8}的?$", "work"),
    (
        r"^我(?:现在|目前)?(?:是|当)(?:一名|一个|名)?[^，,]{0,6}(?:师|员|家|医|(?:制作|经纪|主持|负责|"
        r"投资|媒体|法|创始|合伙)人|"
        r"教授|老师|厨子|编剧|策划|运营|会计|司机|护士|医生)$",
        "work",
    ),
    (
        r"^(?:i'm|i am) (?:a|an) (?:\w+ )?(?!vegetarian|smoker|drinker|teenager|beginner|foreigner|"
        r"lover|sleeper|father|mother|brother|sister|daughter|owner|"
        r"member|runner|player|swimmer|gamer|reader|learner|speaker|number|user|parent|adult)\w+(?:er|"
        r"or|ist|ian|ant|man|woman|smith)\b",
        "work",
    ),
    (r"是(?!.{0,4}(?:的人|一个人|家人|工人|老人|主人|病人)).{1,6}人$", "origin"),
    (
        r"^[A-Z]\w+ is my (?:dog|cat|wife|husband|son|daughter|brother|sister|friend|boss|parrot|puppy)\b",
        "name",
    ),
    (
        r"^[^，,我]{1,8}是我家?的?(?:狗|猫|老婆|老公|妻子|丈夫|儿子|女儿|哥哥|弟弟|姐姐|妹妹|老板|朋友|同事)",
        "name",
    ),
    (r"\b(?:i'm|i am|i was) (?:from|born|raised)\b", "origin"),
)
_WIDER = {"allergy": ("food",), "eat": ("food",), "spouse": ("marry",), "drink": ("beverage",)}
_HINT_PATTERNS = tuple(
    (re.compile(pattern if "[A-Z]" in pattern else f"(?i){pattern}"), token) for pattern, token in _HINTS
)


@dataclass(frozen=True)
class Term:
    """One word of a text. `role` is "relation", "attribute", "thing" or "number".

    `tokens` is what it is itself; `kinds` is what it is an example of; `word` is how it was written.
    """

    word: str
    role: str
    tokens: frozenset[str]
    kinds: frozenset[str] = frozenset()


@dataclass
class _Entry:
    role: str = "thing"
    tokens: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)


def stem(word: str) -> str:
    """A rough stem: enough for the same word in two forms to meet."""
    word = word.lower().removesuffix("'s").rstrip("'")
    for ending in ("ies", "ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= (4 if ending == "ed" else 3):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word.rstrip("e") if len(word) > 3 else word


def _build() -> dict[str, _Entry]:
    """Every known word or expression of both languages, by its stems."""
    entries: dict[str, _Entry] = defaultdict(_Entry)
    for names in lexicon.SAME:
        first = names.split()[0]
        for name in names.split():
            entries[_key(name)].tokens.add(first)
    for kind, (words, han) in lexicon.KINDS.items():
        for key in map(_key, f"{words} {han}".split()):
            entries[key].kinds.add(kind)
            entries[key].tokens = entries[key].tokens or {key}
    for role, concepts in (("attribute", lexicon.ATTRIBUTES), ("relation", lexicon.RELATIONS)):
        for concept, (words, han) in concepts.items():
            for key in map(_key, f"{words} {han}".split()):
                _add_concept(entries[key], concept, role)
    return dict(entries)


def _add_concept(entry: _Entry, concept: str, role: str) -> None:
    if entry.tokens and entry.role == "thing":
        entry.kinds.add(concept)
        return
    entry.role = role
    entry.tokens.add(concept)


def _key(name: str) -> str:
    if re.search(f"[{HAN}]", name):
        return name
    return " ".join(stem(part) for part in name.split("_"))


_ENTRIES = _build()
_HAN_NUMBER = re.compile("[一二三四五六七八九十百千万两半零〇]+$")
_STOP_HAN = lexicon.STOP_CHINESE
_HAN_WORDS = sorted(
    {*(key for key in _ENTRIES if re.search(f"[{HAN}]", key)), *_STOP_HAN, *lexicon.PLAIN_CHINESE},
    key=lambda word: (-len(word), word),
)
_LONGEST_ENGLISH = max(len(key.split()) for key in _ENTRIES)
_SCAN = re.compile(
    "(?P<han>"
    + "|".join(map(re.escape, _HAN_WORDS))
    + f")|(?P<one>[{HAN}])"
    r"|(?P<word>[^\W\d_][^\W_]*(?:['.+#@-]+[^\W_]+)*[+#]*)|(?P<number>\d+(?:[.:/-]\d+)*)".replace(
        r"[^\W\d_]", rf"[^\W\d_{HAN}]"
    ).replace(r"[^\W_]", rf"[^\W_{HAN}]")
)


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[Term, ...]:
    """The terms of a text in order; words that say nothing by themselves are left out."""
    found: list[Term] = []
    run, words = "", []
    for match in _SCAN.finditer(unicodedata.normalize("NFKC", text)):
        if match["one"]:
            run += match["one"]
            continue
        run = _end_run(run, found)
        if match["word"]:
            words.append(match["word"])
            continue
        words = _end_words(words, found)
        found += _other(match)
    _end_run(run, found)
    _end_words(words, found)
    return tuple(found)


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Everything that a line is about: its terms, what they are examples of, and what its form hints at."""
    own = {token for term in terms(text) for token in term.tokens | term.kinds}
    own |= {wider for token in own for wider in _WIDER.get(token, ())}
    return frozenset(own | {token for pattern, token in _HINT_PATTERNS if pattern.search(text)})


def _other(match: re.Match[str]) -> list[Term]:
    if number := match["number"]:
        return [Term(number, "number", frozenset({number}))]
    word = match["han"]
    if entry := _ENTRIES.get(word):
        return [Term(word, entry.role, frozenset(entry.tokens), frozenset(entry.kinds))]
    return [] if word in _STOP_HAN else [Term(word, "thing", frozenset({word}))]


def _end_run(run: str, found: list[Term]) -> str:
    if run:
        role = "number" if _HAN_NUMBER.match(run) else "thing"
        found.append(Term(run, role, frozenset({run})))
    return ""


def _end_words(words: list[str], found: list[Term]) -> list[str]:
    """English words, the longest known expression first."""
    keys = [stem(word) for word in words]
    place = 0
    while place < len(words):
        for length in range(min(_LONGEST_ENGLISH, len(words) - place), 0, -1):
            entry = _ENTRIES.get(" ".join(keys[place : place + length]))
            said = " ".join(words[place : place + length])
            if entry and (length > 1 or said.lower() not in lexicon.STOP_ENGLISH):
                found.append(Term(said, entry.role, frozenset(entry.tokens), frozenset(entry.kinds)))
                place += length
                break
        else:
            if words[place].lower() not in lexicon.STOP_ENGLISH:
                found.append(Term(words[place], "thing", frozenset({keys[place]})))
            place += 1
    return []
