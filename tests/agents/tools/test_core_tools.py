"""The tools that write core memory: one operation on one block, told with what is left of its limit."""

from agents import blocks
from agents.models import AgentBlock
from memory import core
from memory.core import BlockFields
from memory.models import BlockVersion
from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Cast, new_agent, new_chat, send


def test_it_writes_with_each_of_the_tools(tools: Tools) -> None:
    first = tools.call("core_memory_append", label="human", content="Name: 李雷")
    told = {"label": "human", "version": 2, "used": 8, "limit": 2000, "unit": "characters"}
    assert first == {"status": "ok"} | told
    tools.call("memory_insert", label="human", new_string="City: Ghent", insert_line=0)
    tools.call("core_memory_replace", label="human", old_content="Ghent", new_content="Bruges")
    tools.call("memory_replace", label="human", old_string="李雷", new_string="韩梅梅")
    assert tools.block().value == "City: Bruges\nName: 韩梅梅"
    tools.call("memory_rethink", label="human", new_memory="Short.")
    assert (tools.block().value, tools.block().version) == ("Short.", 6)


def test_it_writes_as_the_agent_with_the_message_as_source(tools: Tools) -> None:
    tools.call("core_memory_append", label="persona", content="Be brief.")
    with tools.person.scope():
        version = BlockVersion.objects.select_related("source").get(block=tools.block("persona"), number=2)
    assert (version.actor_kind, version.actor_id) == ("agent", tools.agent.id)
    assert version.source is not None
    assert version.source.reference == str(tools.turn.message_id)


def test_it_tells_the_room_that_is_left(tools: Tools) -> None:
    with tools.person.scope():
        core.edit_block(
            tools.block().id, BlockFields(value="1234567", limit=10), expected_version=1, actor=core.by_me()
        )
    answer = tools.call("core_memory_append", label="human", content="too long")
    assert (answer["code"], answer["room"], answer["over"]) == ("limit_passed", 3, 6)
    assert tools.block().value == "1234567"


def test_it_tells_the_labels_and_the_faults(tools: Tools) -> None:
    assert tools.call("memory_rethink", label="humans", new_memory="a")["labels"] == ["human", "persona"]
    tools.call("core_memory_append", label="human", content="tea, tea")
    twice = tools.call("core_memory_replace", label="human", old_content="tea", new_content="x")
    assert (twice["code"], twice["times"]) == ("text_found_twice", 2)
    missing = tools.call("core_memory_replace", label="human", old_content="rice", new_content="x")
    assert missing["code"] == "text_not_found"
    with tools.person.scope():
        block = tools.block("persona")
        core.edit_block(block.id, BlockFields(governance="read_only"), expected_version=1, actor=core.by_me())
    assert tools.call("core_memory_append", label="persona", content="a")["code"] == "read_only"


def test_it_proposes_what_is_wider_than_the_conversation(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    tools = make_tools(cast.alice, agent)
    answer = tools.call("core_memory_append", label="persona", content="Alice is ill.")
    assert answer["status"] == "proposed"
    assert tools.block("persona").version == 1
    assert tools.call("core_memory_append", label="human", content="Is ill.")["status"] == "ok"


def test_it_writes_a_team_block_in_a_team_chat_and_sees_no_personal_one(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    tools = Tools(cast.alice, agent, chat, send(cast.alice, chat, "Hello."))
    assert tools.call("core_memory_append", label="persona", content="Be brief.")["status"] == "ok"
    assert tools.call("core_memory_append", label="human", content="x")["labels"] == ["persona"]


def test_each_person_has_a_human_block_of_their_own_with_a_shared_agent(cast: Cast) -> None:
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    hers, his = make_tools(cast.alice, agent), make_tools(cast.bob, agent)
    hers.call("core_memory_append", label="human", content="Alice drinks tea.")
    assert his.block().value == ""
    assert hers.block().value == "Alice drinks tea."
    with cast.alice.scope():
        assert AgentBlock.objects.filter(agent=agent, label=blocks.HUMAN).count() == 1
