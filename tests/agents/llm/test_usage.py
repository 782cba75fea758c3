"""A provider's usage figures correct the counts of its model, and only where they were off."""

import pytest

from agents.context.tokens import is_estimate, tokenizer, tokenizer_of
from agents.llm.usage import learn
from agents.models import LanguageModel, Step
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import make_stubbed
from tests.cast import Person


def row(name: str = "a model", **fields: object) -> LanguageModel:
    made = LanguageModel(name=name, **fields)
    made.save = lambda **_: None  # type: ignore[method-assign]
    return made


@pytest.mark.parametrize(
    ("counted", "told", "ratio"),
    [
        (1000, 1200, 1.2),
        (1000, 700, 0.7),
        (1000, 1049, 1.0),  # near enough
        (200, 400, 1.0),  # too short to tell anything
        (1000, 0, 1.0),  # it said nothing
        (1000, 9000, 1.0),  # no tokenizer is like that
    ],
)
def test_the_first_answer_sets_the_ratio(counted: int, told: int, ratio: float) -> None:
    model = row()
    learn(model, Step(counted_tokens=counted, prompt_tokens=told))
    assert model.usage_ratio == pytest.approx(ratio)


def test_a_model_whose_own_tokenizer_counts_is_not_corrected() -> None:
    model = row("gpt-4o-mini")
    learn(model, Step(counted_tokens=1000, prompt_tokens=1200))
    assert (model.usage_ratio, model.usage_samples) == (1.0, 0)


def test_later_answers_are_weighed_against_those_before() -> None:
    model = row(usage_ratio=1.2, usage_samples=1)
    learn(model, Step(counted_tokens=1000, prompt_tokens=1400))
    assert model.usage_ratio == pytest.approx(1.3)
    assert model.usage_samples == 2


def test_every_count_is_multiplied_and_rounded_up() -> None:
    plain, corrected = tokenizer("o200k_base"), tokenizer_of(LanguageModel(usage_ratio=1.5))
    message = {"role": "user", "content": "hello world"}
    assert plain.count("hello world") == 2
    assert corrected.count("hello world") == 3
    assert corrected.count_message(message) == 9  # (2 and 4 around it) times 1.5
    assert corrected.count_request([message]) == 14  # and 3 at the end of the prompt, 4.5


@pytest.mark.parametrize("name", ["gpt-4o-mini", "o4-mini", "Qwen/Qwen3-8B", "llama3.1:8b", "offline"])
def test_a_known_tokenizer_is_no_estimate(name: str) -> None:
    assert not is_estimate(name)


@pytest.mark.parametrize("name", ["deepseek-chat", "mistral-large", "gemma-3", "claude-5", "我的模型", ""])
def test_another_one_is_said_to_be_an_estimate(name: str) -> None:
    assert is_estimate(name)


def test_a_turn_teaches_the_model_its_ratio(alice: Person) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(alice, server)
        stubbed.queue(text("Hello!", usage={"prompt_tokens": 4000}))
        (step,) = stubbed.steps(stubbed.say("Hello"))
        with alice.scope():
            model = LanguageModel.objects.get(id=stubbed.agent.model_id)
        assert model.usage_ratio == pytest.approx(4000 / step.counted_tokens)


def test_what_the_provider_had_in_its_cache_is_kept(alice: Person) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(alice, server)
        told = {"prompt_tokens": 4000, "prompt_tokens_details": {"cached_tokens": 3500}}
        stubbed.queue(text("Hello!"), text("Hello again!", usage=told))
        (first,) = stubbed.steps(stubbed.say("Hello"))
        (second,) = stubbed.steps(stubbed.say("Hello again"))
        assert first.cached_tokens is None
        assert second.cached_tokens == 3500


def test_a_provider_that_counts_oddly_locks_no_model_out(alice: Person) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(alice, server, window=4_000)
        odd = {"prompt_tokens": 5000}
        stubbed.queue(
            text("Hello!", usage=odd), text("Hello again!", usage={"prompt_tokens": 2400}), text("Yes.")
        )
        assert stubbed.say("Hello").status == "done"
        with alice.scope():
            assert LanguageModel.objects.get(id=stubbed.agent.model_id).usage_ratio > 1.7
        assert stubbed.say("Hello again").status == "done"
        assert stubbed.say("And again").status == "done"


def test_a_prompt_that_is_refused_takes_a_low_ratio_back(alice: Person) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(alice, server)
        stubbed.queue(
            text("Hello!", usage={"prompt_tokens": 1200}), refuse(400, "too many tokens"), text("Yes.")
        )
        stubbed.say("Hello")
        with alice.scope():
            assert LanguageModel.objects.get(id=stubbed.agent.model_id).usage_ratio < 0.9
        assert stubbed.say("Hello again").status == "failed"
        with alice.scope():
            assert LanguageModel.objects.get(id=stubbed.agent.model_id).usage_ratio == 1.0
