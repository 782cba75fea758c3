"""Every action that the code records has words of its own on the page of the audit log."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from django.utils import translation

from tenants.web.events import actions, sentence
from tenants.web.facts import NAMES, facts_of
from tests.architecture.source import Module, modules

# `kind.verb`, the verb in the past tense: fields of models are named otherwise.
ACTION = re.compile(
    r"[a-z_]+\.(?:[a-z_]+ed|left|made|read|lent|brought_back|handed_over|undone|withdrawn|reset_link_made)"
)


def recorded() -> Iterator[tuple[str, str]]:
    """The actions in the code, with the file of each; names of background work are none."""
    for module in modules():
        if module.path != "tenants/web/events.py" and not module.path.endswith(("tasks.py", "celery.py")):
            yield from ((action, module.path) for action in _actions_of(module))


def _actions_of(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ACTION.fullmatch(node.value):
            yield node.value
        if isinstance(node, ast.Call) and node.args and _name(node.func) == "record":
            yield from _named_by(node.args[0])


def _named_by(first: ast.expr) -> Iterator[str]:
    """An action as it is given: one that is put together from parts has no words that could be found."""
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value
    elif isinstance(first, ast.JoinedStr | ast.BinOp):
        yield ast.unparse(first)


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_every_action_has_words() -> None:
    found = set(recorded())
    assert {"block.edited", "person.removed", "key.revoked"} <= {action for action, _path in found}
    assert {(action, path) for action, path in found if sentence(action) == action} == set()


def test_an_action_put_together_from_parts_is_noticed() -> None:
    given = ast.parse("record(f'approval.{status}', row)\nrecord('approval.' + status, row)", mode="exec")
    calls = [node.args[0] for node in ast.walk(given) if isinstance(node, ast.Call)]
    assert [sentence(found) == found for each in calls for found in _named_by(each)] == [True, True]


def test_the_words_are_chinese_too() -> None:
    codes = [code for _title, group in actions() for code, _words in group if not code.endswith(".")]
    assert len(codes) > 50
    with translation.override("zh-hans"):
        assert [code for code in codes if not re.search("[\u4e00-\u9fff]", sentence(code))] == []


def test_an_unknown_action_is_shown_as_its_code() -> None:
    assert sentence("never.heard") == "never.heard"
    assert ("never.heard", "never.heard") in actions("never.heard")


def told() -> Iterator[str]:
    """What the code tells the log beside the thing itself."""
    known = {"kind", "object_id", "name", "workspace_id", "subject_id", "actor"}
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and _name(node.func) in {"record", "_record", "refused"}:
                yield from (word.arg for word in node.keywords if word.arg and word.arg not in known)


def test_every_particular_has_a_name_in_both_languages() -> None:
    found = set(told())
    assert {"agent_name", "governance", "version", "scopes"} <= found
    assert found - set(NAMES) == set()
    with translation.override("zh-hans"):
        assert [name for name in NAMES.values() if not re.search("[\u4e00-\u9fff]", str(name))] == []


def test_particulars_are_said_in_words_and_empty_ones_not_at_all() -> None:
    given = {"agent_name": "Planner", "governance": "read_only", "filters": [], "to": "", "keys": 0}
    assert facts_of(given) == [("Agent", "Planner"), ("Rule", "read-only"), ("API keys revoked", "0")]
    changed = {"changes": {"admins_read_chats": True}, "fields": ["value", "limit"], "role": "admin"}
    with translation.override("zh-hans"):
        shown = dict(facts_of(changed | {"scopes": ["read", "write"], "unheard_of": "x"}))
    assert shown["unheard_of"] == "x"
    assert shown["角色"] == "管理员"
    assert not re.search("admins_read_chats|value|limit|write|True", " ".join(shown.values()))
