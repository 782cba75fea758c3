"""A newer value takes the place of an older one only where both are of the same thing; in doubt both stay."""

import pytest

from tests.agents.context.summaries.saying import agent, person, rows, summary

SEVERAL = {
    "numbered friends": [f"My friend number {n} is called Person{n} and lives in Town{n}" for n in range(6)],
    "numbered notes": [f"Note {n}: shelf {3 * n} in room {n} holds {n} crates" for n in range(3, 9)],
    "numbered sensors": ["Sensor 3 reads 20 degrees", "Sensor 4 reads 25 degrees"],
    "numbered rooms": ["Room 12 has 3 beds", "Room 13 has 4 beds"],
    "two numbers": ["I paid 300 euros for seat 1", "I paid 400 euros for seat 2"],
    "ordinals": ["My first friend lives in Rome", "My second friend lives in Oslo now"],
    "names": ["Tom lives in Rome", "Ann lives in Oslo now"],
    "names after a noun": ["My colleague Tom works from Rome", "My colleague Ann works from Oslo now"],
    "one that moved": ["My first friend lives in Rome", "My second friend moved from Rome to Oslo"],
    "ordinals of one value": ["My first car is a Volvo", "My second car is a Volvo"],
    "ordinals, Chinese": ["我的第一个朋友叫小明，住在北京", "我的第二个朋友叫小红，住在上海"],
    "ordinals after a change, Chinese": ["第一个仓库用的是MySQL", "第二个仓库已经从MySQL换成MariaDB了"],
    "one's own and a friend's, Chinese": ["我住在北京", "我的朋友小明叫明明，住在上海"],
    "names, Chinese": ["同事张伟住在北京", "同事李娜现在住在上海"],
    "numbered sensors, Chinese": ["3号传感器的读数是20度", "4号传感器的读数是25度"],
}
ONE = {
    "home": ["I live in Utrecht", "I moved to Haarlem"],
    "age": ["My daughter Ann is 7", "My daughter Ann is 8 now"],
    "budget": ["The budget of project Falcon is 300 euros", "The budget of project Falcon is now 500 euros"],
    "a day": ["The deadline is 3 May", "The deadline moved to 9 June"],
    "a version": ["We use PostgreSQL 16", "We use PostgreSQL 17"],
    "the name comes first": ["Tom is our manager", "Ann is our manager now"],
    "the name comes first, Chinese": ["小明是我的老板", "小红现在是我的老板"],
    "home, Chinese": ["我住在北京", "我现在住在上海"],
    "the same friend, Chinese": ["我的第一个朋友住在北京", "我的第一个朋友现在住在上海"],
    "budget, Chinese": ["猎鹰项目的预算是300元", "猎鹰项目的预算是500元"],
    "a day, Chinese": ["截止日期是5月3日", "截止日期改到6月9日"],
}
ORDERS = {
    "en": [f"Always write item number {n} with a dash." for n in (3, 4)],
    "zh": ["以后请把第三章写得简短。", "以后请把第四章写得简短。"],
}


@pytest.mark.parametrize("facts", SEVERAL.values(), ids=SEVERAL)
def test_of_several_things_each_keeps_its_value(facts: list[str]) -> None:
    assert told(facts) == facts


@pytest.mark.parametrize("facts", SEVERAL.values(), ids=SEVERAL)
def test_also_where_one_stands_in_the_summary_before(facts: list[str]) -> None:
    before = summary([person(facts[0])])
    assert rows(summary([person(fact) for fact in facts[1:]], before=before)) == facts


@pytest.mark.parametrize("facts", ONE.values(), ids=ONE)
def test_of_one_thing_the_newest_value_stands_alone(facts: list[str]) -> None:
    assert told(facts[:1]) == facts[:1]
    assert told(facts) == facts[1:]


def test_two_that_are_told_in_one_message_both_stand() -> None:
    made = summary([person("我的第一个朋友叫小明，住在北京。我的第二个朋友叫小红，住在上海。")])
    assert "北京" in made
    assert "上海" in made


def test_of_what_the_agent_said_too_each_keeps_its_value_and_the_newest_stands() -> None:
    answers = [agent(f"{words}.") for words in ("Server 1 has 32 GB", "Server 2 has 64 GB")]
    first, second = rows(summary(answers))
    assert "Server 1 has 32 GB" in first
    assert "Server 2 has 64 GB" in second
    newer = agent("Server 2 has 128 GB.")
    assert rows(summary([*answers, newer])) == [first, second.replace("64", "128")]


@pytest.mark.parametrize("orders", ORDERS.values(), ids=ORDERS)
def test_instructions_for_different_numbers_all_stand(orders: list[str]) -> None:
    assert told(orders) == orders


def test_an_instruction_with_another_number_is_a_change() -> None:
    assert told(["Always answer in at most 3 sentences.", "Always answer in at most 5 sentences."]) == [
        "Always answer in at most 5 sentences."
    ]


def told(facts: list[str]) -> list[str]:
    return rows(summary([person(fact) for fact in facts]))
