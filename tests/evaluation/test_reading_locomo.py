"""LoCoMo files: turns, dates, categories, and evidence as people have mistyped it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.locomo import read_locomo, turn_ids
from evaluation.samples import Malformed
from tests.evaluation.data import shared


def conversation(**fields: Any) -> dict[str, Any]:
    """Two sessions of two turns, one of them with a picture, and the questions that are given."""
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a dog."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red kite"},
            ],
            "session_10_date_time": "12:09 am on 13 September, 2023",
            "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "Rex is ill."}],
            "session_2_date_time": "9:00 am on 25 May, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Good morning."}],
            # A date of a session that never was, as the real file has some.
            "session_11_date_time": "9:00 am on 25 May, 2024",
        },
        "qa": [{"question": "Whose dog is it?", "category": 4, "evidence": ["D1:1"]}],
    } | fields


def written(folder: Path, *conversations: Any) -> Path:
    path = folder / "locomo.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


def test_turns_come_in_the_order_of_their_sessions(tmp_path: Path) -> None:
    [sample] = read_locomo(written(tmp_path, conversation()))
    assert [line.id for line in sample.chats[0].lines] == ["D1:1", "D1:2", "D2:1", "D10:1"]
    assert sample.messages == 4
    assert sample.sessions()["D10:1"] == "10"


def test_a_turn_has_its_speaker_and_the_time_of_its_session(tmp_path: Path) -> None:
    [sample] = read_locomo(written(tmp_path, conversation()))
    first, last = sample.chats[0].lines[0], sample.chats[0].lines[-1]
    assert (first.by, first.text, first.at) == (
        "Ann",
        "I adopted a dog.",
        datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
    )
    assert last.at == datetime(2023, 9, 13, 0, 9, tzinfo=UTC)


def test_what_a_picture_shows_is_part_of_the_text(tmp_path: Path) -> None:
    [sample] = read_locomo(written(tmp_path, conversation()))
    assert sample.chats[0].lines[1].text == "Look! [shares a picture: a red kite]"


@pytest.mark.parametrize(
    ("evidence", "ids"),
    [
        (["D1:3"], {"D1:3"}),
        (["D1:9", "D1:11"], {"D1:9", "D1:11"}),
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D9:1 D4:4 D4:6"], {"D9:1", "D4:4", "D4:6"}),
        (["D22:1, D9:10"], {"D22:1", "D9:10"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D10:1", "D10:1"], {"D10:1"}),
        (["D"], set()),
        ([], set()),
    ],
)
def test_evidence_is_read_however_it_was_written(evidence: list[str], ids: set[str]) -> None:
    assert turn_ids(evidence) == ids


def test_a_question_without_evidence_is_not_asked_but_counted(tmp_path: Path) -> None:
    questions = [
        {"question": "Whose dog?", "category": 1, "evidence": ["D1:1; D10:1"]},
        {"question": "What else?", "category": 5, "evidence": []},
        {"question": "Which turn?", "category": 2, "evidence": ["D7:7"]},
        {"question": "When?", "category": 2, "evidence": ["D2:1", "D7:7"]},
    ]
    [sample] = read_locomo(written(tmp_path, conversation(qa=questions)))
    assert [(each.text, each.kind) for each in sample.questions] == [
        ("Whose dog?", "multi-hop"),
        ("When?", "temporal"),
    ]
    assert sample.questions[0].evidence == {"D1:1", "D10:1"}
    assert sample.questions[1].evidence == {"D2:1"}
    assert (sample.without_evidence, sample.lost_evidence) == (2, 2)


@pytest.mark.parametrize("content", ["not JSON", "{}", "[1]", '[{"qa": []}]', '{"a": 1}'])
def test_another_file_is_refused_in_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Malformed, match="is not a LoCoMo file"):
        read_locomo(path)


def test_a_category_that_is_not_known_is_refused(tmp_path: Path) -> None:
    wrong = conversation(qa=[{"question": "?", "category": 9, "evidence": ["D1:1"]}])
    with pytest.raises(Malformed):
        read_locomo(written(tmp_path, wrong))


def test_the_real_file_is_read_whole() -> None:
    samples = read_locomo(shared("locomo_3.json"))
    assert [sample.name for sample in samples] == ["conv-26", "conv-30", "conv-41"]
    assert [sample.messages for sample in samples] == [419, 369, 663]
    assert sum(len(sample.questions) for sample in samples) == 495
    assert sum(sample.without_evidence for sample in samples) == 2
    assert sum(sample.lost_evidence for sample in samples) == 0
    split = next(each for each in samples[0].questions if {"D8:6", "D9:17"} <= each.evidence)
    assert split.kind in {"multi-hop", "single-hop", "temporal", "open-domain"}
