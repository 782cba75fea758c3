"""Days that a text names: "7 May 2023", "last month", "三天前", "2023年5月". English and Chinese.

Read for search: what was said on those days, or soon after, is nearer to the question. Not a calendar: a
phrase that is not understood is no day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
AFTER, BEFORE = 14.0, 3.0
"""Days by which nearness falls to 1/e: what happened is told for weeks, and is announced for days."""
LEAP_YEAR = 2000
"""The year in which days of every year are noted: it has them all."""


@dataclass(frozen=True)
class Span:
    """The days from `start` to before `end`; those of every year where the text named none."""

    start: date
    end: date
    is_yearly: bool = False

    def nearness(self, day: date) -> float:
        """1 within, less the further away."""
        return max(_nearness(day, start, end) for start, end in self._around(day))

    def _around(self, day: date) -> Iterator[tuple[date, date]]:
        if not self.is_yearly:
            yield self.start, self.end
            return
        for year in range(max(day.year - 1, date.min.year), min(day.year + 1, date.max.year - 1) + 1):
            start = _date(year, self.start.month, self.start.day)
            yield start, start + (self.end - self.start)


def _nearness(day: date, start: date, end: date) -> float:
    late, early = (day - end).days + 1, (start - day).days
    return float(2.718281828459045 ** -max(late / AFTER, early / BEFORE, 0.0))


def _date(year: int, month: int, day: int) -> date:
    """That day, or the last of the month where it has fewer. ValueError for what is no month."""
    try:
        return date(year, month, day)
    except ValueError:
        if not 28 < day <= 31:
            raise
        return _next_month(date(year, month, 1)) - timedelta(days=1)


def day_words(day: date) -> str:
    """A day as a text in English, as search has it beside each message."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def named_in(text: str, today: date) -> list[Span]:
    """The spans that a text names, each once, in the order in which the kinds of phrases stand below."""
    return list(dict.fromkeys(span for span, _, _ in _phrases_in(text, today)))


def without_days(text: str, today: date) -> str:
    """A text without the phrases that name a day: spaces stand there."""
    for _, start, end in _phrases_in(text, today):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _phrases_in(text: str, today: date) -> Iterator[tuple[Span, int, int]]:
    """The spans that a text names, and from where to where each of them is named."""
    left = text
    for pattern, read in _PHRASES:
        for match in pattern.finditer(left):
            try:
                yield read(match, today), match.start(), match.end()
            except (LookupError, ValueError, OverflowError):
                continue
        # What was read once is not read again as a part of it: the "May 2023" in "7 May 2023".
        left = pattern.sub(lambda match: " " * len(match.group()), left)


def _single(day: date) -> Span:
    return Span(day, day + timedelta(days=1))


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def _month(day: date) -> Span:
    return Span(day.replace(day=1), _next_month(day))


def _months_before(day: date, count: int) -> Span:
    months = day.year * 12 + day.month - 1 - count
    return _month(date(months // 12, months % 12 + 1, 1))


def _week(day: date) -> Span:
    monday = day - timedelta(days=day.weekday())
    return Span(monday, monday + timedelta(days=7))


def _year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year + 1, 1, 1))


_ENGLISH = ["a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMERALS = {word: value for value, word in enumerate(_ENGLISH, 1)} | {"an": 1, "one": 1, "a couple": 2}
_HAN = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}


def _number(text: str) -> int:
    """Digits, English words up to twelve, Chinese numerals up to 99 and years digit by digit."""
    if text.isdecimal():
        return int(text)
    if text.lower() in _NUMERALS:
        return _NUMERALS[text.lower()]
    if "十" in text:
        tens, ones = text.split("十", 1)
        return (_HAN[tens] if tens else 1) * 10 + (_HAN[ones] if ones else 0)
    return int("".join(str(_HAN[character]) for character in text))


def _month_number(name: str) -> int:
    return next(place for place, month in enumerate(MONTHS, 1) if month[:3].lower() == name[:3].lower())


def _calendar(match: re.Match[str], today: date) -> Span:
    """A day, month or year as the groups `y`, `m`, `d` have it; every year's where there is no `y`."""
    given = match.groupdict()
    year = _number(given["y"]) if given.get("y") else 0
    if not given.get("m"):
        return _year(year)
    name = given["m"]
    month = _month_number(name) if name[:1].isascii() and name[:1].isalpha() else _number(name)
    if given.get("d"):
        span = _single(_date(year or LEAP_YEAR, month, _number(given["d"])))
    else:
        span = _month(date(year or LEAP_YEAR, month, 1))
    return Span(span.start, span.end, is_yearly=not year)


def _ago(match: re.Match[str], today: date) -> Span:
    """So many days, weeks, months or years before today."""
    count, unit = _number(match["n"]), match["unit"].lower()
    if unit.startswith(("day", "天", "日")):
        return _single(today - timedelta(days=count))
    if unit.startswith(("week", "周", "星期", "礼拜")):
        return _week(today - timedelta(weeks=count))
    if unit.startswith(("month", "月")):
        return _months_before(today, count)
    return _year(today.year - count)


def _last_weekday(match: re.Match[str], today: date) -> Span:
    """The last such day before today: "last Friday"."""
    wanted = WEEKDAYS.index(match["weekday"].capitalize())
    return _single(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))


def _weekday_of_last_week(match: re.Match[str], today: date) -> Span:
    """That day of the week before this one: 上周五."""
    days = "一二三四五六日".index(match["weekday"].replace("天", "日"))
    return _single(_week(today).start + timedelta(days=days - 7))


def _before(days: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: _single(today - timedelta(days=days))


def _weeks(count: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: _week(today - timedelta(weeks=count))


def _months(count: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: _months_before(today, count)


def _years(count: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: _year(today.year - count)


_MONTH_NAME = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_MONTH = rf"(?P<m>{_MONTH_NAME})\b\.?"
_YEAR = r"(?P<y>(?:19|20)\d\d)\b"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\b"
_UNIT = r"days?|weeks?|months?|years?"
_DIGITS = r"\d{1,3}|" + "|".join(sorted(_NUMERALS, key=len, reverse=True))
_HAN_NUMBER = "[〇零一二两三四五六七八九十\\d]"
_HAN_YEAR = f"(?P<y>{_HAN_NUMBER}{{4}})年"
_HAN_MONTH = f"(?P<m>{_HAN_NUMBER}{{1,2}})月"
_HAN_DAY = f"(?P<d>{_HAN_NUMBER}{{1,3}})[日号]"
_HAN_WEEK = "(?:周|星期|礼拜)"

# From the most exact to the vaguest, since what was read is taken out.
_PHRASES: list[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span]]] = [
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in [
        (r"\b(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b", _calendar),
        (rf"{_HAN_YEAR}{_HAN_MONTH}{_HAN_DAY}", _calendar),
        (rf"{_HAN_YEAR}{_HAN_MONTH}", _calendar),
        (rf"{_HAN_MONTH}{_HAN_DAY}", _calendar),
        (rf"\b{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?", _calendar),
        (rf"\b{_MONTH} {_DAY}(?:,? {_YEAR})?", _calendar),
        (rf"\b{_MONTH},? {_YEAR}", _calendar),
        (rf"\b{_YEAR}-(?P<m>0[1-9]|1[0-2])\b", _calendar),
        (rf"\b(?:in|of|during|since|until|by|early|late|mid)[ -]{_MONTH}", _calendar),
        (rf"(?P<n>{_HAN_NUMBER}+)个?(?P<unit>天|日|周|星期|礼拜|月|年)(?:之前|以前|前)", _ago),
        (rf"\b(?P<n>{_DIGITS})(?: of)? (?P<unit>{_UNIT}) ago\b", _ago),
        (rf"{_HAN_MONTH}份?", _calendar),
        (_HAN_YEAR, _calendar),
        (r"\bday before yesterday\b|前天", _before(2)),
        (r"\byesterday\b|\blast night\b|昨[天晚日]", _before(1)),
        (r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今[天晚早日]", _before(0)),
        (rf"\blast (?P<weekday>{'|'.join(WEEKDAYS)})\b", _last_weekday),
        (rf"上个?{_HAN_WEEK}(?P<weekday>[一二三四五六日天])", _weekday_of_last_week),
        (rf"\blast week(?:end)?\b|上个?{_HAN_WEEK}", _weeks(1)),
        (rf"\bthis week(?:end)?\b|[这本]个?{_HAN_WEEK}", _weeks(0)),
        (r"\blast month\b|上个?月", _months(1)),
        (r"\bthis month\b|[这本]个?月", _months(0)),
        (r"\blast year\b|去年", _years(1)),
        (r"\bthis year\b|今年", _years(0)),
        ("前年", _years(2)),
        (rf"\b{_YEAR}", _calendar),
    ]
]
