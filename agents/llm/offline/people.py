"""Whom a line is about: the speaker by name, or a stranger."""

from __future__ import annotations

import re

from agents.llm.offline.sentences import HAN
from agents.llm.offline.subjects import VERB
from agents.llm.offline.terms import terms

_THIRD = re.compile(
    r"(?i)^(?:he|she|they|his|her|their|someone|somebody|everyone|people)\b|^[他她]|^(?:人家|别人|有人|"
    r"大家|对方)"
)
_NAMED = re.compile(
    rf"^(?!(?:We|It|This|That|There|Project|The|My|Our|User|Name|Please|Always|Never|What|All|"
    rf"No)\b)([A-Z][a-z]+)(?: [A-Z][a-z]+)?(?:'s \w+)? (?={VERB}\b)"
)
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i'm|my|me|our|we)\b|我|咱|俺")
_SURNAMES = (
    "赵钱孙李吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕张孔曹严华魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦马苗凤花俞"
    "任袁柳鲍史唐费廉岑薛雷贺倪汤"
    "罗毕郝邬安常乐于傅皮卞齐康伍余顾孟平黄穆萧尹姚邵汪祁毛禹狄米贝明臧计成戴宋庞熊纪舒屈祝董梁杜阮蓝闵"
    "席季麻强贾路江童颜郭梅盛林"
    "刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应宗丁宣邓洪包左石崔吉龚程邢裴陆荣翁曲家段焦侯宁仇甘武"
    "符刘景詹叶黎白赖乔丘温连易欧阳"
)
_PREDICATE_HAN = "是说不喜爱住在叫有对也讨想会用养姓来爱的吃喝"
_HAN_NAMED = re.compile(rf"^((?:小|老|阿)[{HAN}]|[{_SURNAMES}][{HAN}]{{1,2}}?)(?=[{_PREDICATE_HAN}])")
_HAN_NAME = re.compile(rf"^[{_SURNAMES}][{HAN}]{{1,2}}$")
_IM_NAME = re.compile(r"^(?:[Ii]'m|[Ii] am|[Tt]his is) ([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)$")
_IM_NAME_HAN = re.compile(rf"^(?:我现在|我)(?:就)?是([{HAN}]{{2,4}})$")
_NATIONAL = re.compile(r"(?:an|ese|ish|i|ch|ss|ek|ean)$")


def names_speaker(text: str) -> bool:
    """I'm Bob, 我是李雷: a name, not what somebody is."""
    if match := _IM_NAME.match(text):
        word = match.group(1)
        return not _NATIONAL.search(word) and not any(term.kinds for term in terms(word))
    match = _IM_NAME_HAN.match(text)
    return bool(match and _HAN_NAME.match(match.group(1)) and not is_known_word(match.group(1)))


def stranger_of(text: str) -> str:
    """The name or pronoun of a subject that is somebody else, else ""."""
    if _FIRST_PERSON.search(text):
        return ""
    if match := _THIRD.match(text):
        return match.group().lower()
    if match := _NAMED.match(text):
        known = any(term.kinds or term.role != "thing" for term in terms(match.group(1)))
        return "" if known else match.group(1).lower()
    match = _HAN_NAMED.match(text)
    first = next(iter(terms(text)), None)
    if match and not (
        first and len(first.word) > 1 and text.startswith(first.word) and is_known_word(first.word)
    ):
        return match.group(1)
    return ""


def is_known_word(word: str) -> bool:
    """Whether a word has a meaning in the lexicon, so that it is hardly a name."""
    return any(term.kinds or term.role != "thing" or term.word not in term.tokens for term in terms(word))
