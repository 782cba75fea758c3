"""What people state about themselves and their project is found; what only looks like it is not."""

from pathlib import Path

import pytest

from agents.llm.offline.reading import read_message

SAID = Path(__file__).parent / "said"


def lines(name: str) -> list[str]:
    return (SAID / f"{name}.txt").read_text().splitlines()


def stated(words: str) -> list[str]:
    return [fact.text for fact in read_message(words).facts if not fact.weak]


@pytest.mark.parametrize("words", [*lines("english_stated"), *lines("chinese_stated")])
def test_it_finds_what_is_stated(words: str) -> None:
    assert stated(words)


@pytest.mark.parametrize("words", [*lines("english_not_stated"), *lines("chinese_not_stated")])
def test_it_files_nothing_of_what_is_no_statement(words: str) -> None:
    assert stated(words) == []


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (
            "my name is bob, I live in Paris and I don't eat coriander.",
            ["My name is bob", "I live in Paris", "I don't eat coriander"],
        ),
        ("我叫李雷，住在北京，不吃香菜。", ["我叫李雷", "我住在北京", "我不吃香菜"]),
        ("I live in Paris and work at Acme", ["I live in Paris", "I work at Acme"]),
        ("My wife and I live in Berlin", ["My wife and I live in Berlin"]),
        ("I like tea, the sea, and the mountains", ["I like tea, the sea, and the mountains"]),
        ("项目必须无损，不能丢数据", ["项目必须无损", "项目不能丢数据"]),
        ("我老婆叫小美，在医院上班", ["我老婆叫小美", "我老婆在医院上班"]),
        ("我有一只猫，叫咪咪", ["我有一只猫，叫咪咪"]),
        ("我不吃香菜，因为味道像肥皂", ["我不吃香菜，因为味道像肥皂"]),
        ("I used to live in Paris but now I live in Berlin", ["Now I live in Berlin"]),
        ("我以前不吃香菜，现在吃了", ["我现在吃香菜了"]),
        ("I used to hate coriander but now I love it", ["Now I love coriander"]),
        ("I'm Bob. No, I'm Rob.", ["I'm Rob"]),
        ("Hello! By the way, I'm allergic to nuts :)", ["I'm allergic to nuts :)"]),
        ("- My name is Bob\n- The deadline is June 30", ["My name is Bob", "The deadline is June 30"]),
        ("This is Bob here", ["My name is Bob"]),
        ("不吃香菜", ["我不吃香菜"]),
        ("I'm Maria, a nurse from Lisbon", ["I'm Maria", "I'm a nurse from Lisbon"]),
        ("I have a dog, his name is Rex", ["I have a dog, his name is Rex"]),
        ("Could you please keep your answers short?", ["Keep your answers short"]),
        ("老家是成都的，特别能吃辣，但是对芒果过敏", ["我老家是成都的", "我特别能吃辣", "我对芒果过敏"]),
        ("My colleagues all play padel, and so do I.", ["My colleagues all play padel, and so do I"]),
        ("我的同事都用Vim，我也一样", ["我的同事都用Vim，我也一样"]),
        ("I was a lawyer, but that's over; these days I bake bread", ["These days I bake bread"]),
        ("Good news, I quit in May and I don't smoke any more", ["I don't smoke any more"]),
        ("每次回复都先给结论，别啰嗦", ["每次回复都先给结论", "别啰嗦"]),
        ("发布会推迟了，推迟到6月2日", ["发布会推迟了，推迟到6月2日"]),
        ("目前在做一个叫“星河”的项目，要求支持离线", ["我目前在做一个叫“星河”的项目", "项目要求支持离线"]),
    ],
)
def test_it_makes_each_fact_one_line_of_the_persons_own_words(words: str, facts: list[str]) -> None:
    assert stated(words) == facts


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("我的第一个朋友叫小明，住在北京。", ["我的第一个朋友叫小明", "我的第一个朋友住在北京"]),
        (
            "我的第十二个大学同学叫小明，不吃香菜",
            ["我的第十二个大学同学叫小明", "我的第十二个大学同学不吃香菜"],
        ),
        ("我有个女儿，叫小美，今年五岁", ["我有个女儿，叫小美", "我的女儿今年五岁"]),
        ("我们公司的老板姓王，喜欢打高尔夫", ["我们公司的老板姓王", "我们公司的老板喜欢打高尔夫"]),
        ("一号仓库在北京，用MySQL", ["一号仓库在北京", "一号仓库用MySQL"]),
        ("我叫李雷，老婆叫韩梅梅，住在北京", ["我叫李雷，老婆叫韩梅梅"]),
        ("小明是我的朋友，住在北京", ["小明是我的朋友"]),
        ("张三叫小明，住在北京", []),
        ("他住在上海，喜欢喝茶", []),
        ("女儿叫小美，今年五岁", []),
        ("邻居喜欢唱歌，住在楼上", []),
        ("听说小明住在北京，不吃香菜", []),
        ("医生说我血压高，不吃盐", ["我不吃盐"]),
        ("名字叫李雷，住在北京", ["我住在北京"]),
        ("我的第一份工作在北京，现在住在上海", ["我的第一份工作在北京", "我现在住在上海"]),
        ("我的第二外语是法语，喜欢看书", ["我的第二外语是法语", "我喜欢看书"]),
        ("我的第二故乡是成都，喜欢吃火锅", ["我的第二故乡是成都", "我喜欢吃火锅"]),
        ("我的第一志愿是北大，不喜欢清华", ["我的第一志愿是北大", "我不喜欢清华"]),
        ("我的第二任老板姓王，喜欢喝茶", ["我的第二任老板姓王", "我的第二任老板喜欢喝茶"]),
        ("我的第二只猫叫咪咪，喜欢吃鱼", ["我的第二只猫叫咪咪", "我的第二只猫喜欢吃鱼"]),
        ("同事都叫我小李，喜欢喝茶", ["同事都叫我小李", "我喜欢喝茶"]),
        ("朋友都叫我小王，住在北京", ["朋友都叫我小王", "我住在北京"]),
        ("老板姓王，喜欢喝茶", []),
        (
            "My sister Ada lives in Leiden and works at Philips",
            ["My sister Ada lives in Leiden and works at Philips"],
        ),
        ("My parents live in Leiden and work at Philips", ["My parents live in Leiden and work at Philips"]),
        ("The people I met live in Leiden and work at Philips", []),
        ("My parents think I live in Paris and work at Acme", []),
        (
            "My wife and I live in Rome and work at Fiat",
            ["My wife and I live in Rome", "My wife and I work at Fiat"],
        ),
        ("Currently I work at Acme and live in Rome", ["Currently I work at Acme", "I live in Rome"]),
    ],
)
def test_a_clause_without_a_subject_goes_on_with_that_of_the_one_before(words: str, facts: list[str]) -> None:
    assert stated(words) == facts


@pytest.mark.parametrize(
    ("words", "fact", "question"),
    [
        ("I'm Bob, what's your name?", "I'm Bob", "what's your name"),
        ("我叫李雷，你叫什么？", "我叫李雷", "你叫什么"),
        ("I don't eat coriander. Where do I live?", "I don't eat coriander", "Where do I live"),
        ("我不吃香菜。我住在哪里？", "我不吃香菜", "我住在哪里"),
    ],
)
def test_it_hears_both_a_statement_and_a_question(words: str, fact: str, question: str) -> None:
    reading = read_message(words)
    assert [one.text for one in reading.facts] == [fact]
    assert reading.questions == (question,)


def test_it_hears_every_question_of_a_sentence() -> None:
    assert read_message("What am I allergic to, and when is the deadline?").questions == (
        "What am I allergic to",
        "when is the deadline",
    )
    assert read_message("我叫什么，住在哪里？").questions == ("我叫什么", "住在哪里")


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("remember that Bob is allergic to nuts", ["Bob is allergic to nuts"]),
        ("Please remember: milk, eggs", ["Milk, eggs"]),
        ("Bob is allergic to nuts, please remember that", ["Bob is allergic to nuts"]),
        ("Can you remember that my birthday is May 3?", ["My birthday is May 3"]),
        ("Don't forget that the key is under the mat", ["The key is under the mat"]),
        ("记住：张三对花生过敏", ["张三对花生过敏"]),
        ("请记住我不吃香菜", ["我不吃香菜"]),
        ("张三不吃香菜，记一下", ["张三不吃香菜"]),
        ("别忘了张三不吃香菜", ["张三不吃香菜"]),
        ("记住：张三住在北京，不吃香菜", ["张三住在北京，不吃香菜"]),
        ("Remember these:\n- milk\n- Bob likes tea", ["Milk", "Bob likes tea"]),
    ],
)
def test_it_keeps_what_it_is_told_to_remember_as_it_is(words: str, lines: list[str]) -> None:
    assert stated(words) == lines


@pytest.mark.parametrize("words", ["remember that", "记住这个", "remember this please", "记一下"])
def test_it_remembers_the_message_before_when_told_so(words: str) -> None:
    assert [fact.text for fact in read_message(words, ["Bob is allergic to nuts"]).facts] == [
        "Bob is allergic to nuts"
    ]


def test_it_takes_a_long_text_for_a_document() -> None:
    reading = read_message("I live in Berlin. " * 200)
    assert (reading.facts, reading.reason) == ((), "long")
