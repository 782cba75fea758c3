"""A sentence of very many clauses is read once from its start to its end."""

from collections.abc import Callable

import pytest

from agents.llm.offline import parts
from agents.llm.offline.chinese import whose

CLAUSES = 60
SENTENCES = {
    "en": ", ".join(["My sister lives in Leiden", *(f"works at Company{n}" for n in range(CLAUSES))]),
    "zh": "，".join(["我的朋友住在莱顿", *(f"喜欢喝第{n}种茶" for n in range(CLAUSES))]),
}


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)
def test_each_clause_is_read_once(sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noting(reader: Callable[[str], object]) -> Callable[[str], object]:
        def noted(part: str) -> object:
            read.append(part)
            return reader(part)

        return noted

    monkeypatch.setattr(parts, "_goes_on", noting(parts._goes_on))
    monkeypatch.setattr(whose, "_subject_of", noting(whose._subject_of))
    assert len(parts.parts(sentence)) == 1
    assert len(read) == 2 * (CLAUSES + 1)
