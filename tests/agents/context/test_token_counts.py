"""Tokens are counted with the model's own tokenizer, offline, whatever the text is."""

import pytest

from agents.context.tokens import (
    OFFERED,
    TOKENS_PER_CALL,
    TOKENS_PER_MESSAGE,
    TOKENS_PER_REQUEST,
    guess_tokenizer,
    tokenizer,
)

# Counted with tiktoken and with the tokenizers of the models.
KNOWN = [("o200k_base", "hello world", 2), ("cl100k_base", "hello world", 2), ("llama3", "hello world", 2)]


@pytest.mark.parametrize(("name", "text", "tokens"), KNOWN)
def test_it_counts_as_the_model_does(name: str, text: str, tokens: int) -> None:
    assert tokenizer(name).count(text) == tokens


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize(
    "text",
    ["", "\ud83d", "a\0b", "\u0300" * 1000, "我不吃香菜" * 100, "<|endoftext|><|im_start|>", "\u2028\ufffe"],
)
def test_it_counts_any_text(name: str, text: str) -> None:
    assert tokenizer(name).count(text) >= bool(text)


@pytest.mark.parametrize("name", OFFERED)
def test_it_counts_names_of_special_tokens_as_plain_text(name: str) -> None:
    assert tokenizer(name).count("<|endoftext|>") > 1


def test_it_takes_the_default_for_a_name_that_is_not_offered() -> None:
    assert tokenizer("no-such-thing").name == "o200k_base"
    assert tokenizer("no-such-thing") is tokenizer("o200k_base")


def test_it_counts_all_that_a_message_holds() -> None:
    counter = tokenizer("o200k_base")
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"query": "香菜"}'}}
    message = {"role": "assistant", "content": "One moment.", "tool_calls": [call]}
    texts = counter.count("One moment.") + counter.count("look") + counter.count('{"query": "香菜"}')
    assert counter.count_message(message) == texts + TOKENS_PER_MESSAGE + TOKENS_PER_CALL


@pytest.mark.parametrize("content", [None, "", [], [{"type": "image_url"}]])
def test_it_counts_the_frame_of_a_message_without_text(content: object) -> None:
    message = {"role": "assistant", "content": content, "tool_calls": None}
    assert tokenizer("o200k_base").count_message(message) == TOKENS_PER_MESSAGE


def test_it_counts_a_whole_request() -> None:
    counter = tokenizer("o200k_base")
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]
    tools = [{"type": "function", "function": {"name": "look", "description": "Looks."}}]
    parts = sum(map(counter.count_message, messages)) + counter.count_tools(tools) + TOKENS_PER_REQUEST
    assert counter.count_request(messages, tools) == parts


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-5-mini", "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("o4-mini", "o200k_base"),
        ("Qwen/Qwen3-8B", "qwen3"),
        ("qwen2.5:7b", "qwen3"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3"),
        ("meta-llama/Meta-Llama-3-8B", "llama3"),
        ("llama3.1:8b", "llama3"),
        ("deepseek-chat", "o200k_base"),
        ("", "o200k_base"),
        ("我的模型", "o200k_base"),
    ],
)
def test_it_guesses_from_the_name_of_a_model(model: str, name: str) -> None:
    assert guess_tokenizer(model) == name
