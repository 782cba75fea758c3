"""The admin speaks the operator's language, in the words of the product."""

import re
from html.parser import HTMLParser

from django.utils import translation

from memory.models import BlockVersion
from memsite.operators.words import THEME
from tests.cast import Cast, ask, new_agent, new_chat
from tests.memsite.operators.staff import Staff, block_of
from tests.memsite.operators.test_lists import LISTS, propose

# What is said in Latin letters in Chinese too: names, e-mail addresses, ids, and words of programs.
NAMES = re.compile(
    r"memsite|token|ID|offline|persona|human|notes|Research|Alice|Bob|Memo|Hello|More|acme-\S+|\S+@\S+|[\w.]+\.\w+"
    r"|[0-9a-f-]{12,}|\w+_\w+|A"
)


class Reader(HTMLParser):
    """What a person reads on a page: text, labels, and what stands in empty fields."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        is_icon = "material-symbols" in (held.get("class") or "")
        if tag not in {"input", "img", "link", "meta", "br", "hr"}:
            self.inside.append("icon" if is_icon else tag)
        self.said += [held[name] or "" for name in ("title", "aria-label", "placeholder") if name in held]

    def handle_endtag(self, tag: str) -> None:
        if self.inside:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside or self.inside[-1] not in {"icon", "script", "style"}:
            self.said.append(data)


def english_on(page: str) -> set[str]:
    """Words of three Latin letters and more that are no names."""
    reader = Reader()
    reader.feed(page[page.index("<body") :])
    return set(re.findall(r"\b[A-Za-z]{3,}\b", NAMES.sub(" ", " ".join(reader.said))))


def test_every_page_is_in_chinese(staff: Staff, cast: Cast) -> None:
    type(staff.user).objects.filter(id=staff.user.id).update(language="zh-hans")
    staff.enter(cast.alice)
    block = block_of(cast.alice, cast.team, value="五月发布。")
    made = propose(cast, block)
    ask(cast.alice, new_chat(cast.alice, new_agent(cast.alice, cast.team)), "你好")
    with cast.alice.scope():
        version = BlockVersion.objects.get(block=block)
    pages = {name: staff.text(name) for name in (*LISTS, "index", "tenant")}
    for name, key in {
        "memory_block_change": block.id,
        "memory_block_history": block.id,
        "memory_proposal_change": made.id,
        "memory_blockversion_change": version.id,
        "tenants_user_change": cast.alice.user.id,
    }.items():
        pages[name] = staff.text(name, key)
    assert {name: english_on(page) for name, page in pages.items() if english_on(page)} == {}


def test_the_theme_has_no_words_but_those_that_are_translated(inside: Staff, cast: Cast) -> None:
    with translation.override("zh-hans"):
        assert [words for words in THEME if translation.gettext(words) == words] == []
