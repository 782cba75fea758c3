"""Documents as a person uploads them: dropped, with progress, step by step; and along with a message."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from agents.models import Turn
from memory.models import Document
from tests.browser.conftest import PHONE, Watched
from tests.browser.held import Held
from tests.cast import Person, new_agent
from tests.live import Live
from tests.memory.web.filed import new_archive, upload

HANDBOOK = (
    "# Roof\n\nThe roof of the shed is repaired by Bartholomew.\n\n## Colour\n\nThe door is turquoise.\n"
)
DROP = """(main, [name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/plain" }));
  for (const type of ["dragenter", "dragover", "drop"])
    main.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


def drop(page: Page, name: str, text: str) -> None:
    """Let a file fall onto the page."""
    page.locator("main").evaluate(DROP, [name, text])


def test_a_dropped_file_is_uploaded_read_and_found(at_desk: Watched, alice: Person) -> None:
    new_archive(alice)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/documents/")
    held = Held(page, "**/documents/")
    drop(page, "handbook.md", HANDBOOK)
    expect(page.locator("[data-uploads] li")).to_contain_text("handbook.md")
    expect(page.locator("[data-uploads] progress")).to_be_visible()
    assert at_desk.faults() == []
    held.let_go()
    row = page.locator("#documents li", has_text="handbook.md")
    expect(row).to_contain_text(re.compile(r"\d passages?"))
    expect(page.locator("[data-uploads] li")).to_have_count(0)
    expect(page.locator("#documents")).not_to_have_attribute("hx-trigger", re.compile("every"))
    row.get_by_role("link").click()
    expect(page.locator(".document-parts .part").first).to_contain_text("Bartholomew")
    page.get_by_role("link", name="characters 0 to").click()
    expect(page.locator("mark")).to_contain_text("The roof of the shed")


def test_a_file_that_cannot_be_read_says_so_and_goes_away(at_desk: Watched, alice: Person) -> None:
    new_archive(alice)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/documents/")
    drop(page, "nothing.txt", "")
    line = page.locator("[data-uploads] li")
    expect(line).to_contain_text("nothing.txt: The file is empty.")
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
    held = Held(page, "**/documents/")
    page.locator("#files").set_input_files([{"name": "a.txt", "mimeType": "text/plain", "buffer": b"Hello."}])
    line.get_by_role("button", name="Cancel").click()
    expect(line).to_contain_text("Cancelled")
    held.let_go()
    with alice.scope():
        assert not Document.objects.exists()


def test_a_file_that_is_there_already_is_named_among_the_uploads(at_desk: Watched, alice: Person) -> None:
    document = upload(alice, new_archive(alice), "handbook.md", HANDBOOK)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/documents/")
    drop(page, "again.md", HANDBOOK)
    line = page.locator("[data-uploads] li")
    expect(line).to_have_text(re.compile(r"^handbook\.md: This file is in the archive already\."))
    expect(line.get_by_role("link")).to_have_attribute("href", re.compile(str(document.id)))
    assert at_desk.faults() == []
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)


def test_the_original_is_downloaded_as_it_was(at_desk: Watched, alice: Person) -> None:
    new_archive(alice)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/documents/")
    page.locator("#files").set_input_files(
        [{"name": "周报.html", "mimeType": "text/html", "buffer": b"<p>Hello <script>alert(1)</script></p>"}]
    )
    page.locator("#documents li", has_text="周报.html").get_by_role("link").click()
    with page.expect_download() as begun:
        page.get_by_role("link", name="Download the original").click()
    assert begun.value.suggested_filename == "周报.html"
    assert begun.value.path().read_bytes() == b"<p>Hello <script>alert(1)</script></p>"


def test_without_script_a_plain_form_uploads(
    watch: Callable[..., Watched], live: Live, alice: Person
) -> None:
    session = watch(live, viewport=PHONE, java_script_enabled=False)
    session.enter(alice)
    page = session.open(f"/w/{alice.personal}/documents/")
    page.locator("#files").set_input_files(
        [
            {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": name.encode()}
            for name in ("one", "two")
        ]
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#documents li")).to_have_count(2)
    expect(page.locator(".toast")).to_contain_text("2 files are being read.")


def attach(page: Page, name: str, text: str) -> None:
    given: Any = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()}]
    page.locator("#chat-files").set_input_files(given)


def test_a_file_comes_with_the_first_message_and_the_agent_answers_from_it(
    at_desk: Watched, alice: Person
) -> None:
    agent = new_agent(alice)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/new/?agent={agent.id}")
    attach(page, "handbook.md", HANDBOOK)
    expect(page.locator("[data-attached] li")).to_contain_text("handbook.md")
    expect(page.locator("[data-attached] progress")).to_have_count(0)
    assert at_desk.faults() == []
    at_desk.say("Here is the handbook.")
    page.wait_for_url(re.compile(r"/c/[0-9a-f]{8}-"))
    at_desk.await_answer()
    chip = page.locator(".message .attachment")
    expect(chip).to_contain_text("handbook.md")
    expect(chip).not_to_contain_text("waiting")
    expect(chip).not_to_contain_text("reading")
    with alice.scope():
        assert Document.objects.get().message_id == Turn.objects.get().message_id
    at_desk.say("Which colour does the door have?")
    at_desk.await_answer()
    expect(page.locator(".turn").last).to_contain_text("turquoise")
    chip.get_by_role("link").click()
    expect(page.locator("#document")).to_contain_text("turquoise")


def test_a_message_waits_for_its_file_and_those_after_it_wait_for_their_turn(
    at_desk: Watched, alice: Person
) -> None:
    page = at_desk.begin(alice, new_agent(alice), "Hello.")
    at_desk.await_answer()
    held = Held(page, "**/files/")
    drop(page, "handbook.md", HANDBOOK)
    expect(page.locator("[data-attached] progress")).to_be_visible()
    at_desk.say("Read this.")
    at_desk.say("My cat is called Miso.")
    expect(page.locator(".pending")).to_have_count(2)
    held.let_go()
    at_desk.await_answer()
    expect(page.locator(".message .box")).to_have_text(["Hello.", "Read this.", "My cat is called Miso."])
    expect(page.locator(".message").nth(1).locator(".attachment")).to_contain_text("handbook.md")


def test_what_was_attached_by_mistake_is_taken_out_again(at_desk: Watched, alice: Person) -> None:
    page = at_desk.begin(alice, new_agent(alice), "Hello.")
    at_desk.await_answer()
    attach(page, "secret.txt", "A secret.")
    with page.expect_response(re.compile("/delete/")):
        page.get_by_role("button", name="Remove: secret.txt").click()
    expect(page.locator("[data-attached] li")).to_have_count(0)
    with alice.scope():
        assert Document.objects.get().retired_at is not None
    page.reload()
    expect(page.locator(".toast")).to_contain_text("secret.txt is deleted")


def test_a_bad_file_holds_its_message_back(at_desk: Watched, alice: Person) -> None:
    page = at_desk.begin(alice, new_agent(alice), "Hello.")
    at_desk.await_answer()
    held = Held(page, "**/files/")
    attach(page, "nothing.txt", "")
    at_desk.say("Read this.")
    held.let_go()
    expect(page.locator(".toast")).to_contain_text("The file is empty.")
    page.get_by_role("button", name="Send again").click()
    at_desk.await_answer()
    expect(page.locator(".message .box")).to_have_text(["Hello.", "Read this."])
