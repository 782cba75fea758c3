"""Of several things of a kind each keeps its line in core memory: numbers, ordinals and names that say which
one is meant belong to what a fact is about, and are never its value."""

import pytest

from tests.agents.llm.offline.chat import Chat

SEVERAL = {
    "numbered notes": [f"Note {n}: shelf {3 * n} in room {n} holds {n} crates" for n in range(3, 15)],
    "numbered servers": ["Server 1 has 32 GB", "Server 2 has 64 GB"],
    "numbered servers of ours": ["Our server 1 runs Debian 11", "Our server 2 runs Debian 12"],
    "numbered friends": [f"My friend number {n} is called Person{n} and lives in Town{n}" for n in range(3)],
    "ordinals": ["My first car is a Volvo", "My second car is now a Saab"],
    "ordinals of one name": ["My first cat is called Tom", "My second cat is called Tom"],
    "names": ["My sister Ada lives in Rome", "My sister Eva lives in Oslo now"],
    "ordinals, Chinese": ["我的第一个朋友叫小明", "我的第二个朋友叫小红", "我的第三个朋友现在叫小刚"],
    "numbers, Chinese": ["一号仓库在北京", "二号仓库在上海"],
    "projects": ["Project Apollo uses Postgres", "Project Gemini switched to MySQL"],
    "projects that we switched": ["Project Apollo uses Postgres", "We switched Project Gemini to MySQL"],
    "one more": ["My car is a Volvo", "My second car is now a Saab"],
    "one more, Chinese": ["我的朋友叫小明", "我的第二个朋友现在叫小红"],
    "numbers after a change, Chinese": ["一号仓库的密码是111", "二号仓库的密码改成222了"],
}
ONE_OF_SEVERAL = {
    "note": [
        "Note 8: shelf 24 in room 8 is free",
        "Note 9: shelf 27 in room 9 is free",
        "Note 9: shelf 28 in room 9 is free now",
    ],
    "server": ["Server 1 has 32 GB", "Server 2 has 64 GB", "Server 2 now has 128 GB"],
    "car": ["My first car is a Volvo", "My second car is a Saab", "My second car is now a Fiat"],
    "report": [
        "The first report is due on 3 May",
        "The second report is due on 9 May",
        "The second report is due on 11 May",
    ],
    "friend, Chinese": ["我的第一个朋友叫小明", "我的第二个朋友叫小红", "我的第二个朋友现在叫红红"],
    "store, Chinese": ["一号仓库在北京", "二号仓库在上海", "二号仓库现在在广州"],
}

TOLD_SHORTER_OR_LONGER = {
    "name left out": ("My sister Ada lives in Rome", "Actually, my sister lives in Oslo, not Rome"),
    "name added": ("My sister lives in Rome", "Sorry, my sister Ada lives in Oslo, not in Rome"),
    "surname added": ("My sister Ada lives in Rome", "Sorry, my sister Ada Smith lives in Oslo, not in Rome"),
    "with whom left out": ("My meeting with Tom is at 3", "My meeting is at 4, not at 3"),
    "at whose left out": ("My team at Acme uses Java", "My team uses Kotlin now"),
    "what it is called left out": ("Our app Foo runs on Heroku", "Our app runs on Azure now"),
    "what ended": ("My wife Ada is allergic to nuts", "My wife is no longer allergic to nuts"),
    "switched": ("Project Apollo uses Postgres", "Project Apollo switched to MySQL"),
    "migrated": ("Project Apollo uses Postgres", "Project Apollo migrated to MySQL last week"),
    "switched by us": ("Project Apollo uses Postgres", "We switched Project Apollo to MySQL"),
    "an office that switched": ("The Berlin office uses Slack", "The Berlin office switched to Teams"),
    "first name": ("My first name is Tom", "My name is Tim"),
    "a numeral in digits, Chinese": ("一号仓库在北京", "1号仓库现在在上海"),
    "two numerals in digits, Chinese": ("十二号仓库的密码是111", "12号仓库的密码改成222了"),
    "name left out, Chinese": ("我妹妹小红住在北京", "我妹妹现在住在上海"),
}


def kept(facts: list[str]) -> list[str]:
    chat = Chat()
    for words in facts:
        assert chat(f"{words}.").wrote
    return chat.human


@pytest.mark.parametrize("facts", SEVERAL.values(), ids=SEVERAL)
def test_each_of_several_has_a_line(facts: list[str]) -> None:
    assert kept(facts) == facts


@pytest.mark.parametrize("facts", ONE_OF_SEVERAL.values(), ids=ONE_OF_SEVERAL)
def test_a_change_takes_the_place_of_the_same_one(facts: list[str]) -> None:
    assert kept(facts) == [facts[0], facts[2]]


@pytest.mark.parametrize(("first", "second"), TOLD_SHORTER_OR_LONGER.values(), ids=TOLD_SHORTER_OR_LONGER)
def test_what_is_said_anew_of_one_thing_takes_its_place_however_it_is_called(first: str, second: str) -> None:
    assert kept([first]) == [first]
    (line,) = kept([first, second])
    assert line != first
    assert line.split()[-1] in second


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My sister Ada lives in Rome", "My sister Beth lives in Oslo, not in Rome"),
        ("第一个仓库用的是MySQL", "第二个仓库已经从MySQL换成MariaDB了"),
    ],
)
def test_one_that_names_the_value_of_another_leaves_that_alone(first: str, second: str) -> None:
    assert kept([first]) == [first]
    assert kept([first, second]) == [first, second.removesuffix(", not in Rome")]


@pytest.mark.parametrize(
    "words",
    [
        "My first cat is called Tom. My second cat is called Tim.",
        "我的第一个朋友叫小明。我的第二个朋友叫小红。",
    ],
)
def test_two_that_are_told_at_once_both_stand(words: str) -> None:
    chat = Chat()
    chat(words)
    assert len(chat.human) == 2


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Note 9: shelf 27 is free.", "Note 9: shelf 27 is free"),
        ("备忘9：货架27是空的。", "备忘9：货架27是空的"),
        ("Please note: shelf 27 is free.", "Shelf 27 is free"),
        ("备忘：27号货架是空的。", "27号货架是空的"),
        ("记住3：30开会", "3：30开会"),
    ],
)
def test_a_note_keeps_the_number_that_it_has(words: str, line: str) -> None:
    assert kept([words.rstrip(".。")]) == [line]
