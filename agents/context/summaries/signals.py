"""What in a sentence is worth keeping: numbers, names, decisions, preferences; and what is only talk."""

from __future__ import annotations

import re

from agents.llm.offline.sentences import HAN

NUMBER = re.compile(
    r"\d|[零一二两三四五六七八九十百千万]+(?=[个只条名岁位人次点杯天年月号日元块斤米克升度页层楼])"
)
"""Digits, and the numerals of Chinese before a unit."""
NAMED = re.compile(
    r"(?<![.!?。！？:]\s)(?<!^)\b(?!(?:I|I'm|I've|I'd|I'll|OK|Okay)\b)[A-Z][\w'-]+"
    r"|\b\w+@\w|https?://|\b[A-Z]{2,}[\w-]*\d|\b[a-z]+_\w+|[\w-]+\.[a-z]{2,4}\b"
)
_NAME_FIRST = re.compile(
    r"^(?!(?:That|This|It|He|She|They|There|What|Who|How|Why|We|You|The|My|Our)\b)[A-Z][\w'’-]+(?:['’]s)? "
    r"(?:[A-Z][\w'-]+|is|was|has|wants|lives|works|teaches|likes|will|can't)\b"
)
_NAME_HAN = re.compile(
    rf"[“「《][^”」》]{{1,20}}[”」》]|叫[{HAN}]{{2,4}}|[A-Za-z][\w.-]+|"
    rf"[{HAN}]{{1,3}}(?:先生|女士|老师|医生|经理|总|律师|师傅|阿姨|教授|主任)|"
    rf"[{HAN}]{{2,6}}(?:路|街|区|市|省|县|镇|村|公司|银行|医院|大学|学校|酒店|餐厅|大厦|广场)"
)
REQUEST = re.compile(
    r"(?i)^(?:please )?(?:give|tell|show|write|explain|list|find|translate|summari[sz]e|make|draft|"
    r"let's talk|can you|could you|would you|help)\b|^请?(?:给我|帮我|告诉我|讲讲|说说|写|列|翻译|解释|查)"
)
"""What is asked for once."""
STATES = re.compile(
    r"(?:The|My|Our|Her|His|Their|[A-Z][\w-]+['’]s) (?!\w+ (?:here|again)\b)(?!.*\bagain$).*?\b(?:is|are|has|"
    r"have|needs?|costs?|takes?|lives?|works?|runs?|holds?|closes?|opens?|starts?|ends?|belongs?|will|was|"
    r"were|goes)\b|[^我你您它他她这那，,？?又正]{1,12}?(?:是|姓|叫|归|属于|用|吃|住|要|有|定在|位于|负责|"
    r"(?<![又正还都])在(?![打吃睡玩看想]))"
)
"""Something definite, and what is said of it."""
DECISION = re.compile(
    r"(?i)\b(?:decided|agreed|settled (?:on|for)|chose|picked|opted|going with|went with|go with|"
    r"go(?:ing)? ahead with|"
    r"let's (?:go with|use|take|make it|keep)|we(?:'ll| will) (?:use|take|go|keep|drop)|it's settled|"
    r"final(?:ly)? (?:choice|decision)|the decision is|signed off|approved|rejected|ruled out)\b"
    r"|决定|定了|敲定|选定|拍板|商定|同意|说好|约好|就用|就选|改成|确定(?:用|选|在|为)|不考虑|否决"
)
PREFERENCE = re.compile(
    r"(?i)\b(?:prefer|favou?rite|like|love|hate|dislike|can't stand|allergic|rather|enjoy|avoid)\b"
    r"|喜欢|讨厌|偏好|爱(?:吃|喝|看|听)|不吃|不喝|过敏|最爱|受不了|宁可|更愿意"
)
FORMER = re.compile(
    r"(?i)\b(?:switch|mov|chang|migrat|convert|upgrad|renam|postpon|push|shift)\w+ .{0,40}?"
    r"from (?P<one>\S{1,40}) to\b"
    r"|(?:从|由)(?P<two>[^，,从由]{1,20}?)(?:换成|换到|改成|改为|改到|改用|变成|迁移?到|搬到)"
)
"""The former value that a change names."""
STILL_OPEN = re.compile(
    r"(?i)\b(?:still (?:have|need|has|needs) to (?:decide|choose|find out|check|ask|hear)|"
    r"not (?:yet )?decided|"
    r"undecided|haven't decided|open question|to be (?:decided|confirmed)|remains? to be|"
    r"(?:waiting|wait) (?:for|to hear)|(?:don't|do not) know yet|not sure yet|"
    r"(?:get|come) back to (?:you|this|that|it))\b"
    r"|还没(?:决定|定|想好|确定|选|回复|答复|收到)|待定|尚未|未定|有待|等着?.{1,12}(?:回复|答复|消息|确认|通知)"
    r"|(?:回头|之后|以后|改天)再(?:定|说|议|看|聊|决定)"
)
RELATIVE_TIME = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last) (?:week|month|year|weekend|morning|"
    r"afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
    r"in (?:\d+|two|three|four|a few) (?:days|weeks|months)|(?:\d+|two|three|a few) (?:days|weeks) ago|"
    r"(?:on|by|until|before) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|今[天晚早]|明[天晚早]|昨[天晚]|后天|前天|(?:这|下|上)(?:个)?(?:周|星期|礼拜|月)|[一二三两\d]+(?:天|周|个月)[前后]"
)
VAGUE_START = re.compile(
    r"(?i)^(?:it|that|this|these|those|they|he|she|them|which|there|so|then|"
    r"the (?:first|second|other|latter))\b"
    r"|^(?:它|他|她|那|这|其中|前者|后者)"
)


def former_in(text: str) -> str:
    """The former value that a line on a change names, or ""."""
    found = FORMER.search(text)
    return (found["one"] or found["two"]) if found else ""


def has_name(text: str) -> bool:
    """Whether a sentence names somebody or something."""
    return bool(NAMED.search(text) or _NAME_FIRST.match(text) or _NAME_HAN.search(_without_latin(text)))


def _without_latin(text: str) -> str:
    """A Chinese sentence; nothing of one that is in another script, whose words would all be names."""
    return text if re.search(f"[{HAN}]", text) else ""
