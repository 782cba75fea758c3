"""Dates and numbers in texts of both languages."""

from __future__ import annotations

import re

_MONTH = r"jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec"
DATED = re.compile(
    rf"(?i)\b(?:{_MONTH})[a-z]*\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|\b\d{{4}}-\d|"
    rf"\b\d{{1,2}}[./]\d{{1,2}}|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bnext (?:week|month|year|spring|summer|autumn|"
    r"winter)\b|"
    rf"\b(?:in|by|until|since|end of|early|late|mid|this) (?:the )?(?:{_MONTH}|q[1-4]|\d{{4}}|spring|"
    rf"summer|autumn|winter)|"
    r"\b(?:tomorrow|tonight|noon|midnight)\b|\d ?[ap]m\b|\d:\d\d|"
    r"\d+ ?[年月日号]|[一二三四五六七八九十]+[月号日]|(?:周|星期|礼拜)[一二三四五六日天末\d]|"
    r"下(?:个)?(?:周|月|星期|礼拜|季度)|明年|后年|"
    r"(?:年|月|季度|学期)(?:底|末|初|中)|春节|国庆|元旦|圣诞|除夕|\d+点|[一二三四五六七八九十]+点"
)
VALUE_NUMBER = re.compile(
    r"\d+(?:[.:]\d+)*|[一二两三四五六七八九十百千]+(?=个|只|条|名|岁|位|人|次|点|杯|天|年|月|号|日|万|小时)|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    re.I,
)
