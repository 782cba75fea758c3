"""The tests' stub model as a process of its own, so that its CPU is counted apart from what is measured.

python -m benchmarks.stub_model --port 9911                 a fixed text in 20 chunks, at once
python -m benchmarks.stub_model --port 9911 --pause 0.02    the same, 20 ms between chunks
python -m benchmarks.stub_model --port 9911 --memory        a core_memory_append call, then the text
"""

from __future__ import annotations

import argparse
import contextlib
import sys

import uvloop

from tests.agents.llm.stub_behaviours import instant, memory_then_text
from tests.agents.llm.stub_server import StubServer


def main() -> None:
    """Serve until interrupted; the first line of output is the base URL."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=9911)
    parser.add_argument("--chunks", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between chunks")
    parser.add_argument("--memory", action="store_true", help="write to core memory first, then speak")
    asked = parser.parse_args()
    behaviour = memory_then_text(number_of_chunks=asked.chunks) if asked.memory else None
    behaviour = behaviour or instant(number_of_chunks=asked.chunks, pause=asked.pause)
    stub = StubServer(otherwise=behaviour, port=asked.port)
    stub.keep_records = False
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(stub.serve(_announce))


def _announce(url: str) -> None:
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
