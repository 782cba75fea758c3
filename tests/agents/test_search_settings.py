"""How an agent searches: its own weights, and a second stage that somebody can answer for."""

import pytest
from django.test import override_settings

from agents import retrieval
from agents.models import Agent
from agents.retrieval import BadSettings, Stage
from memory.retrieval import Weights
from tenants.permissions import NotAllowed
from tests.agents.stubbed import Stubbed, stub_model
from tests.cast import Cast, Person, new_agent

SERVER = {"url": "http://127.0.0.1:9/rerank", "model": "", "key": "", "timeout": 1.0}


def fresh(person: Person, agent: Agent) -> Agent:
    with person.scope():
        return Agent.objects.select_related("model__provider").get(id=agent.id)


def test_it_is_as_everywhere_until_somebody_sets_it(alice: Person) -> None:
    agent = new_agent(alice)
    assert retrieval.settings_of(agent) == retrieval.Settings(Weights(), Stage.NONE)
    with alice.scope():
        assert retrieval.stage_of(agent) is None
        kept = retrieval.save_settings(agent.id, weights={"vector": 0, "lexical": 2})
    assert (kept.weights.vector, kept.weights.lexical) == (0, 2)
    assert kept.weights.recency == Weights().recency
    assert retrieval.settings_of(fresh(alice, agent)) == kept
    with alice.scope():
        assert retrieval.save_settings(agent.id, weights={}).weights == Weights()


@pytest.mark.parametrize(
    "weights",
    [
        {"luck": 1},
        *({"vector": wrong} for wrong in (-1, 1e9, float("nan"), "much", True)),
    ],
)
def test_it_refuses_weights_that_are_none(alice: Person, weights: dict[str, object]) -> None:
    agent = new_agent(alice)
    with alice.scope(), pytest.raises(BadSettings) as refused:
        retrieval.save_settings(agent.id, weights=weights)
    assert refused.value.field == "weights"
    assert fresh(alice, agent).retrieval == {}


def test_it_refuses_weights_that_are_all_nothing(alice: Person) -> None:
    agent = new_agent(alice)
    nothing = dict.fromkeys(vars(Weights()), 0)
    with alice.scope(), pytest.raises(BadSettings):
        retrieval.save_settings(agent.id, weights=nothing)


def test_the_offline_model_is_offered_no_second_stage(alice: Person) -> None:
    agent = new_agent(alice)
    with alice.scope():
        assert retrieval.stages_of(agent) == ["none"]
        for wanted in ("model", "endpoint", "luck"):
            with pytest.raises(BadSettings):
                retrieval.save_settings(agent.id, second_stage=wanted)
    with override_settings(RERANK=SERVER), alice.scope():
        assert retrieval.stages_of(agent) == ["none", "endpoint"]
        retrieval.save_settings(agent.id, second_stage="endpoint")
        stage = retrieval.stage_of(fresh(alice, agent))
        assert stage is not None
        assert stage.name == SERVER["url"]
    with alice.scope():
        assert retrieval.stage_of(fresh(alice, agent)) is None


def test_a_chat_model_can_rank_until_the_agent_gets_one_that_cannot(stubbed: Stubbed) -> None:
    with stubbed.person.scope():
        retrieval.save_settings(stubbed.agent.id, second_stage="model")
        stage = retrieval.stage_of(fresh(stubbed.person, stubbed.agent))
        assert stage is not None
        assert stage.name == "model"
    offline = new_agent(stubbed.person).model_id
    with stubbed.person.scope():
        Agent.objects.filter(id=stubbed.agent.id).update(model_id=offline)
        assert retrieval.stage_of(fresh(stubbed.person, stubbed.agent)) is None


def test_editors_set_it(cast: Cast) -> None:
    cast.let_bob_in("member")
    agent = new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, "http://127.0.0.1:9/v1").id)
    with cast.alice.scope():
        assert retrieval.save_settings(agent.id, second_stage="model").second_stage == Stage.MODEL
    with cast.bob.scope(), pytest.raises(NotAllowed):
        retrieval.save_settings(agent.id, second_stage="none")
    with cast.charlie.scope(), pytest.raises(Agent.DoesNotExist):
        retrieval.save_settings(agent.id, second_stage="none")
