"""A person's language and clock, a new password by a link, and what a session's end does to a message."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from memory.models import Message
from tests.browser.conftest import Watched
from tests.cast import Cast, Person, ask, new_agent, new_chat
from tests.live import Live


def test_language_and_appearance_of_the_person_win(at_desk: Watched, alice: Person) -> None:
    at_desk.enter(alice)
    page = at_desk.open("/me/")
    page.get_by_label("Language").select_option("zh-hans")
    page.get_by_label("Appearance").select_option("dark")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".toast")).to_contain_text("已保存")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 20, 22)"


def test_the_clock_is_the_persons(watch: Callable[..., Watched], live: Live, alice: Person) -> None:
    agent = new_agent(alice)
    chat = new_chat(alice, agent)
    ask(alice, chat, "hello")
    session = watch(live, timezone_id="Asia/Kolkata")
    session.sign_in(alice)  # the zone of the browser is learned here, since she has chosen none
    page = session.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    with alice.scope():
        asked = Message.objects.get(role="user").created_at
    offset = page.locator(".message time").get_attribute("datetime")
    assert offset
    assert offset.endswith("+05:30")
    assert asked.isoformat()[:10] in {offset[:10], page.evaluate("new Date().toISOString().slice(0, 10)")}


def test_a_link_from_the_owner_lets_a_member_choose_a_password(
    watch: Callable[..., Watched], live: Live, cast: Cast
) -> None:
    owner = watch(live)
    owner.enter(cast.alice)
    page = owner.open(f"/w/{cast.alice.personal}/settings/people/")
    page.get_by_role("link", name="Bob").click()
    page.get_by_role("button", name="Password link").click()
    link = page.locator("#link").inner_text()
    assert owner.faults() == []
    member = watch(live, viewport={"width": 390, "height": 844})
    page = member.page
    page.goto(link)
    for name in ("password1", "password2"):
        page.locator(f"input[name={name}]").fill("another long one 7")
    assert member.faults() == []
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_text("The password is changed")).to_be_visible()
    page.goto(link)
    expect(page.get_by_text("This link does not work any more")).to_be_visible()
    member.sign_in(cast.bob, "another long one 7")


def test_an_invited_person_joins_and_chats(watch: Callable[..., Watched], live: Live, cast: Cast) -> None:
    owner = watch(live)
    owner.enter(cast.alice)
    page = owner.open(f"/w/{cast.alice.personal}/settings/invitations/")
    page.get_by_text("Invite somebody").click()
    page.get_by_label("Email", exact=True).fill(f"dora-{cast.alice.user.email}")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#invitation").inner_text()
    guest = watch(live, viewport={"width": 390, "height": 844}, locale="zh-CN")
    page = guest.page
    page.goto(link)
    page.locator("input[name=name]").fill("朵拉")
    page.locator("input[name=password]").fill("一个很长的密码 9")
    page.get_by_role("main").get_by_role("button").click()
    page.get_by_role("link", name="开始会话").click()
    expect(page.locator("#composer")).to_be_visible()
    guest.say("我不吃香菜。")
    expect(page.locator(".chip")).to_contain_text("香菜")


def test_a_message_outlives_the_session_that_ended_before_it(at_desk: Watched, alice: Person) -> None:
    page = at_desk.begin(alice, new_agent(alice), "hello")
    at_desk.await_answer()
    at_desk.context.clear_cookies()
    at_desk.say("My cat is called Miso.")
    expect(page.locator(".pending")).to_contain_text("Not sent. It is kept here.")
    page.locator(".toast").get_by_role("link", name="Sign in").click()
    page.locator("input[name=login]").fill(alice.user.email)
    page.locator("input[name=password]").fill("correct horse battery")
    page.locator("input[name=password]").press("Enter")
    page.locator(".pending").get_by_role("button", name="Send again").click()
    at_desk.await_answer()
    expect(page.locator(".turn .prose").last).to_contain_text("Miso")
    with alice.scope():
        assert Message.objects.filter(role="user").count() == 2


def test_signing_in_again_in_another_tab_is_enough(at_desk: Watched, alice: Person) -> None:
    page = at_desk.begin(alice, new_agent(alice), "hello")
    at_desk.await_answer()
    second = at_desk.another_tab()
    second.goto(at_desk.site.url)
    second.locator("nav .foot summary").click()
    second.get_by_role("button", name="Sign out").click()
    second.locator("input[name=login]").fill(alice.user.email)
    second.locator("input[name=password]").fill("correct horse battery")
    second.locator("input[name=password]").press("Enter")
    second.wait_for_url("**/w/**")
    at_desk.say("My cat is called Miso.", page)
    expect(page.locator(".turn .prose").last).to_contain_text("Miso")


def test_signing_out_leaves_nothing_in_the_browser(at_desk: Watched, alice: Person) -> None:
    agent = new_agent(alice)
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/new/?agent={agent.id}")
    page.locator("#composer").fill("A secret draft")
    page.reload()
    expect(page.locator("#composer")).to_have_value("A secret draft")
    page.locator("nav .foot summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/**")
    assert "secret" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    page.go_back()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
