"""What an agent only repeats, in its answer or by a call, takes no room from what people said."""

import pytest

from agents.context.summaries.lines import HEADINGS
from agents.models import MainContext
from memory.models import Summary
from tests.agents.context.summaries.saying import agent, called, person, rows, said, summary
from tests.cast import Person, ask, new_agent, new_chat

NOTES = {
    "en": [
        f"My {thing} is {name}"
        for thing, name in {
            "dentist": "Doctor Okafor on Keizersgracht 41",
            "plumber": "Walter Brandsma from Zaandam, 020 555 0141",
            "landlord": "Mrs. Petronella Hoekstra of Singel 212",
            "bank": "Triodos in Zeist, branch 7",
            "garage": "Van Dijk Autos on Overtoom 388",
            "dog": "a Portuguese water dog called Biscuit",
            "favourite tea": "Darjeeling from the Margaret's Hope estate",
            "piano teacher": "Ludmila Sokolova at Prinsengracht 9",
            "accountant": "Femke Wiersma from Hilversum, room 3",
            "employer": "Northwind Instruments in Delft",
            "shoe size": "43 and a half, wide",
            "cousin": "Bartholomew Kuipers in Groningen",
            "bicycle": "a green Gazelle with 8 gears",
            "printer": "a Brother HL-2350 on the second floor",
            "gym": "Rockbusters on Marnixstraat 20",
            "doctor": "Anneke Terpstra at Vondelstraat 77",
            "lawyer": "Joost Hamelink from Arnhem",
            "locker": "number 614 in the east hall",
            "favourite wine": "a Riesling from Trittenheim",
            "boat": "the Zeemeeuw, berth 52 in Hoorn",
            "neighbour": "Casper Lindqvist on the third floor",
            "vet": "Marloes Akkerman in Bussum",
            "tailor": "Enzo Caruso on Spuistraat 115",
            "florist": "Bloem 24 in Leidsestraat",
        }.items()
    ],
    "zh": [
        f"我的{thing}是{name}"
        for thing, name in {
            "牙医": "静安寺路41号的欧阳医生",
            "水管工": "住在松江的沈建国师傅",
            "房东": "复兴中路212号的何佩兰",
            "开户银行": "招商银行漕河泾支行",
            "修车师傅": "延安西路388号的范志强",
            "钢琴老师": "徐家汇的柳德米拉老师",
            "会计": "杭州来的魏芬芬",
            "公司": "苏州工业园区的北风仪器公司",
            "表哥": "在哈尔滨的郭宝林",
            "自行车": "绿色的永久牌8速车",
            "打印机": "二楼的兄弟HL-2350",
            "健身房": "茂名南路20号的磐石健身",
            "家庭医生": "武康路77号的安琪医生",
            "律师": "南京的韩俊杰律师",
            "储物柜": "东厅614号",
            "船": "停在52号泊位的海鸥号",
            "邻居": "三楼的林启明",
            "兽医": "闵行的马露医生",
            "裁缝": "四川北路115号的柯师傅",
            "花店": "南昌路24号的花间集",
            "房间": "酒店九层的908号",
            "快递柜": "小区南门的17号柜",
            "英语老师": "来自爱丁堡的莫里森老师",
            "车位": "地下二层B区233号",
        }.items()
    ],
}
REPEATED = [
    ("My sister Ada lives in Leiden.", "Saved to memory: “My sister Ada lives in Leiden”."),
    ("My sister Ada lives in Leiden.", "Got it, your sister Ada lives in Leiden."),
    ("My sister Ada lives in Leiden.", "On 2026-11-30 you wrote: “My sister Ada lives in Leiden.”."),
    ("My sister Ada lives in Leiden.", "My core memory says: “My sister Ada lives in Leiden”."),
    ("我妹妹李梅住在苏州。", "记住了：“我妹妹李梅住在苏州”。"),
    ("我妹妹李梅住在苏州。", "好的，我已经记住了，你妹妹李梅住在苏州。"),
    ("我妹妹李梅住在苏州。", "我的核心记忆里写着：“我妹妹李梅住在苏州”。"),
]
OF_ITS_OWN = [
    ("My sister Ada lives in Leiden.", "Saved. Leiden is 45 km from Utrecht."),
    ("My sister Ada lives in Leiden.", "The register says that Ada lives in Gouda."),
    ("Is the Boerhaave museum open on Mondays?", "The Boerhaave museum is open on Mondays."),
    ("I told Ada that I like fish.", "Ada Byron does not like fish."),
    ("我妹妹李梅住在苏州。", "到苏州的高铁票是39元。"),
    ("博物馆星期一开门吗？", "苏州博物馆星期一开门，9点开始。"),
]
ACTS = [
    "The boiler needs 1.5 bar of pressure",
    "锅炉的压力要保持在1.5巴",
]


@pytest.mark.parametrize("language", NOTES)
def test_a_chat_with_the_offline_model_tells_each_note_once(alice: Person, language: str) -> None:
    text = summary_of_chat(alice, NOTES[language])
    told = [note for note in NOTES[language] if note in text]
    assert len(told) >= 10
    assert all(text.count(note) == 1 for note in told)
    assert set(text.splitlines()) <= {*NOTES[language], *HEADINGS[language].values()}


def test_a_chat_that_corrects_a_note_tells_the_new_one_once(alice: Person) -> None:
    notes = ["I live in Utrecht.", "I moved to Haarlem.", *NOTES["en"][:20]]
    text = summary_of_chat(alice, notes)
    assert text.count("Haarlem") == 1
    assert "Utrecht" not in text


@pytest.mark.parametrize(("words", "answer"), REPEATED)
def test_an_answer_that_only_repeats_is_not_kept_beside_the_words(words: str, answer: str) -> None:
    assert rows(summary(said((words, answer)))) == [words.rstrip(".。")]
    assert "agent: " in summary([agent("The fare to Leiden is 12 euros."), *said((words, answer))])


@pytest.mark.parametrize(("words", "answer"), REPEATED)
def test_nor_where_the_words_stand_in_the_summary_before(words: str, answer: str) -> None:
    before = summary(said((words, "OK.")))
    assert summary([agent(answer)], before=before) == before
    assert summary([], before=f"{before}\nagent: {answer}") == before


@pytest.mark.parametrize(("words", "answer"), OF_ITS_OWN)
def test_an_answer_that_says_more_is_kept(words: str, answer: str) -> None:
    assert "agent: " in summary(said((words, answer)))


@pytest.mark.parametrize("fact", ACTS)
def test_a_text_that_stands_there_is_not_told_again_by_what_was_done(fact: str) -> None:
    made = summary(
        [
            person(f"{fact}."),
            *called("core_memory_append", {"label": "human", "content": fact}),
            *called("archival_memory_insert", {"content": fact}),
            *called("send_mail", {"to": "ada@example.org", "text": fact}),
            *called("core_memory_append", {"label": "team", "content": fact}, status="proposed"),
            agent("OK."),
        ]
    )
    assert made.count(fact) == 1
    assert rows(made) == [fact, "send_mail ada@example.org", "proposed, not saved: core_memory_append team"]


@pytest.mark.parametrize(
    ("note", "answer"),
    [
        ("The spare key hangs behind the picture", "Saved to memory: “{}”."),
        ("备用钥匙挂在那幅画的后面", "记住了：“{}”。"),
    ],
)
def test_a_plain_note_that_was_saved_stands_in_the_persons_words(note: str, answer: str) -> None:
    saved = called("core_memory_append", {"label": "human", "content": note})
    made = summary([person(note), *saved, agent(answer.format(note)), *said(("It costs 12 euros.", "OK."))])
    assert rows(made) == [note, "It costs 12 euros"]
    assert note in summary(said(("My dentist is Doctor Okafor.", "OK.")), before=made)


def test_a_text_that_stands_nowhere_else_is_told_by_what_was_done() -> None:
    made = summary(
        [
            person("Look that up, please."),
            *called("archival_memory_insert", {"content": "The tram 12 runs until 00:40"}),
            *called("core_memory_append", {"label": "human", "content": "Asks for the tram 12"}),
            *called("core_memory_replace", {"label": "human", "old_content": "Has a car", "new_content": ""}),
            agent("Done."),
        ]
    )
    assert "archival_memory_insert The tram 12 runs until 00:40" in made
    assert "core_memory_replace human · Has a car ·" in made
    assert "core_memory_append" not in made


def summary_of_chat(alice: Person, notes: list[str]) -> str:
    """The summary of a chat in a window of 4,000 tokens, after notes that do not fit into it."""
    chat = new_chat(alice, new_agent(alice, window=4_000))
    for note in notes:
        ask(alice, chat, note)
    with alice.scope():
        held = MainContext.objects.select_related("summary").get(id=chat.id).summary
        assert isinstance(held, Summary)
        return held.content
