"""A model's answer with a pulse: the caller gets control back while the model is silent."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator
from dataclasses import dataclass

from agents.llm.base import Delta, LanguageModel, ModelRequest

PULSE_SECONDS = 0.1


@dataclass(frozen=True)
class _End:
    """The model has nothing more to say; `error` where it failed."""

    error: BaseException | None = None


_Arrived = queue.SimpleQueue[Delta | _End]


def pump(model: LanguageModel, request: ModelRequest) -> Generator[Delta | None]:
    """A model's deltas; None for each pulse in which none came. Closing it makes the model's thread end.

    The model is read in a thread of its own, since a blocked read cannot be interrupted: a stop before the
    first token, the lease and the 100 ms of events must not wait for the provider. Raises ModelError.
    """
    arrived: _Arrived = queue.SimpleQueue()
    threading.Thread(target=_read, args=(model, request, arrived), name="model", daemon=True).start()
    try:
        while not isinstance(item := _next(arrived), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        request.abandoned.set()


def _next(arrived: _Arrived) -> Delta | _End | None:
    try:
        return arrived.get(timeout=PULSE_SECONDS)
    except queue.Empty:
        return None


def _read(model: LanguageModel, request: ModelRequest, arrived: _Arrived) -> None:
    stream = model.stream(request)
    try:
        for delta in stream:
            arrived.put(delta)
            if request.abandoned.is_set():
                break
        arrived.put(_End())
    except BaseException as error:  # noqa: BLE001 - carried to the thread that waits
        arrived.put(_End(error))
    finally:
        stream.close()
