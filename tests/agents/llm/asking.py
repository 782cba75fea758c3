"""Ask a model and read what came, for tests that care about one part of it."""

from agents.llm.base import Delta, ModelError, ModelRequest, TextDelta, ToolCallDelta
from agents.llm.openai import OpenAIModel

HELLO = ModelRequest("", [{"role": "user", "content": "Hello"}])


def ask(model: OpenAIModel, request: ModelRequest = HELLO) -> list[Delta]:
    """All deltas of one answer."""
    return list(model.stream(request))


def text_of(deltas: list[Delta]) -> str:
    """The plain text in them."""
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def calls_of(deltas: list[Delta]) -> list[tuple[str, str]]:
    """Name and arguments of each call, put together as a caller would."""
    calls: dict[int, tuple[str, str]] = {}
    for delta in deltas:
        if isinstance(delta, ToolCallDelta):
            name, arguments = calls.get(delta.index, ("", ""))
            calls[delta.index] = (name or delta.name, arguments + delta.arguments)
    return [calls[index] for index in range(len(calls))]


def ids_of(deltas: list[Delta]) -> list[str]:
    """The ids of the calls, in order."""
    return [delta.id for delta in deltas if isinstance(delta, ToolCallDelta) and delta.id]


def ask_until_it_fails(model: OpenAIModel, request: ModelRequest = HELLO) -> tuple[str, ModelError]:
    """What was said before the error, and the error; no error is an AssertionError."""
    said: list[Delta] = []
    try:
        for delta in model.stream(request):
            said.append(delta)
    except ModelError as error:
        return text_of(said), error
    raise AssertionError(f"no error after {said}")
