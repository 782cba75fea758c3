"""Every text of the pages has its Chinese, and the catalogue holds nothing else."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest

from memsite import messages


def test_the_catalogue_is_complete() -> None:
    messages.check()


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (polib.POEntry(msgid="Save", msgstr="Save"), "not in Chinese"),
        (polib.POEntry(msgid="Save", msgstr=""), "not in Chinese"),
        (polib.POEntry(msgid="Save", msgstr="保存", flags=["fuzzy"]), "fuzzy"),
        (polib.POEntry(msgid="%(n)s left", msgstr="剩余"), "other placeholders"),
        (polib.POEntry(msgid="%(n)s left", msgstr="剩余 %(m)s"), "other placeholders"),
        (polib.POEntry(msgid="a", msgid_plural="b", msgstr_plural={0: "b"}), "not in Chinese"),
    ],
)
def test_it_finds_what_is_wrong_with_a_translation(entry: polib.POEntry, fault: str) -> None:
    assert any(fault in each for each in messages.faults_of(entry))


def test_it_lets_names_stand_that_are_the_same_in_chinese() -> None:
    assert list(messages.faults_of(polib.POEntry(msgid="memsite", msgstr="memsite"))) == []


def test_it_reads_the_texts_of_templates_and_code(tmp_path: Path) -> None:
    template = tmp_path / "page.html"
    template.write_text(
        """{% load i18n %}<p title="{% translate 'Hello' %}">it's {{ x }} <b>
          {% blocktranslate trimmed count n=c with a=b %}One {{ a }}{% plural %}
          {{ n }} of {{ a }}{% endblocktranslate %}
          {% firstof x _("Nothing") %}</b>""",
        encoding="utf-8",
    )
    code = tmp_path / "code.py"
    code.write_text(
        'x = _("Long "\n       "text")\ny = pgettext("verb", "Find")\nz = _(x)\n', encoding="utf-8"
    )
    assert set(messages.texts_in(template)) == {
        (None, "Hello", None),
        (None, "One %(a)s", "%(n)s of %(a)s"),
        (None, "Nothing", None),
    }
    assert set(messages.texts_in(code)) == {(None, "Long text", None), ("verb", "Find", None)}
