"""A row holds as many words as PostgreSQL's `tsvector` does, and its neighbours' words come in even so."""

from __future__ import annotations

import itertools
import string

from memory.models import IndexEntry
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember

SHORT_WORDS = 130_000


def many_short_words() -> str:
    """Different words of three letters and more: each takes more room for its place than for itself."""
    letters = string.ascii_lowercase + string.digits
    made = ("".join(each) for each in itertools.product("qxzj", letters, letters, letters))
    return " ".join(itertools.islice(made, SHORT_WORDS))


def rows(person: Person, word: str) -> int:
    with person.scope():
        return IndexEntry.objects.extra(where=["lexemes @@ %s::tsquery"], params=[f"'{word}'"]).count()


def test_a_chat_goes_on_after_a_message_of_very_many_words(alice: Person) -> None:
    conversation = new_conversation(alice)
    text = many_short_words()
    remember(alice, conversation, text)
    first, last = text.split()[0], text.split()[-1]
    assert rows(alice, first) == 1
    assert rows(alice, last) == 0  # there is no room for it: the message itself is whole
    for number in range(3):
        remember(alice, conversation, " ".join(f"platypus{number}word{place}" for place in range(60)))
    assert rows(alice, "platypus0word1") >= 2
    assert rows(alice, "platypus1word1") == 3 + 1
