"""Every page of archives, documents, skills and search in two languages and sizes: no serious fault."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from agents import archives
from agents import skills as agent_skills
from memory import archival, core, skills
from memory.documents import pipeline
from memory.models import Document
from tests.browser.conftest import Watched
from tests.browser.test_every_page import WAYS
from tests.cast import Cast, ask, new_agent, new_chat
from tests.live import Live
from tests.memory.web.filed import correct, file, new_archive, upload
from tests.memory.web.pages import new_block, write

LONG = "A rather long line about a leaking roof that has no end in sight, and goes on. " * 12
SECTIONS = "\n\n".join(f"## Section {number}\n\n{LONG}" for number in range(12))


@pytest.fixture
def addresses(cast: Cast) -> list[str]:
    """Pages with something on each: found, corrected, deleted, being read, failed."""
    alice = cast.alice
    agent = new_agent(alice, name="季度计划助手 Quarterly planner")
    chat = new_chat(alice, agent)
    ask(alice, chat, "The roof leaks.")
    notes = new_archive(alice, "Notes about a house with a rather long name, and its garden")
    empty = new_archive(alice, "空的")
    leak, weekly, gone = file(
        alice, notes, LONG, "周报用要点列表，发到计划频道。", "Gone.", tags=["计划", "roof"]
    )
    after = correct(alice, leak, LONG.replace("roof", "pipe"))
    with alice.scope():
        archival.retire_passages([gone.id])
    read = upload(alice, notes, "a-handbook-with-a-rather-long-name-of-a-file.md", f"# Roof\n\n{SECTIONS}")
    pipeline.read(read.tenant_id, read.workspace_id, read.id)
    busy, failed, waiting = (
        upload(alice, notes, f"{name}.txt", name) for name in ("季度计划", "locked", "new")
    )
    with alice.scope():
        Document.objects.filter(id=failed.id).update(status="failed", fault="encrypted")
        Document.objects.filter(id=busy.id).update(status="reading", done=2, total=120)
        question = chat.conversation.messages.order_by("id")[0].id
        Document.objects.filter(id__in=[read.id, busy.id]).update(message_id=question)
        skill = skills.create_skill(
            workspace_id=alice.personal,
            name="weekly-report",
            description="When a week ends. 每周五写周报。",
            content=LONG,
            actor=core.by_me(),
        )
        agent_skills.attach(agent.id, skill.id)
        archives.attach(agent.id, notes.id)
    block = new_block(alice, label="house", value="The roof leaks in May.")
    write(alice, block, "The roof leaks in June.")
    home = f"/w/{alice.personal}"
    return [
        f"{home}/archive/",
        f"{home}/archive/?q=leaking+roof&state=all",
        f"{home}/archive/?state=deleted&by=user",
        f"{home}/archive/?tag=nothing-like-it",
        f"{home}/archive/{empty.id}/",
        f"{home}/archive/{notes.id}/",
        f"{home}/archive/{notes.id}/edit/",
        f"{home}/archive/new/",
        f"{home}/archive/passages/new/",
        *(f"{home}/archive/passages/{each.id}/" for each in (after, leak, weekly, gone)),
        f"{home}/archive/passages/{after.id}/edit/",
        f"{home}/documents/",
        f"{home}/documents/?status=deleted",
        f"{home}/documents/?after={uuid.UUID(int=0)}",
        *(f"{home}/documents/{each.id}/" for each in (read, busy, failed, waiting)),
        f"{home}/documents/{read.id}/text/?at=40&to=400",
        f"{home}/documents/{busy.id}/state/",
        f"{home}/search/",
        f"{home}/search/?kind=archive",
        f"{home}/search/?q=roof&state=all&where=everywhere",
        f"{home}/search/?q=roof&kind=skills&person=nobody",
        f"{home}/skills/",
        f"{home}/skills/new/",
        *(f"{home}/skills/{skill.id}/{rest}" for rest in ("", "versions/", "versions/1/")),
        f"{home}/agents/{agent.id}/equipment/",
        f"{home}/agents/{agent.id}/search/",
        f"{home}/c/{chat.conversation_id}/",
        f"/w/{cast.team}/archive/",
        f"/w/{cast.team}/documents/",
        f"/w/{cast.team}/skills/",
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_page_of_the_archive_has_a_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str], way: str
) -> None:
    session = watch(live, **WAYS[way])
    session.enter(cast.alice)
    found: dict[str, list[str]] = {}
    for address in addresses:
        session.open(address)
        for fold in session.page.locator("main details.fold > summary").all()[:4]:
            if fold.is_visible():
                fold.click()
        found[address] = session.faults()
    assert {address: faults for address, faults in found.items() if faults} == {}
