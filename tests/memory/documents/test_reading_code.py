"""Source code: functions and classes whole, large classes by their members, and not a character lost."""

import pytest

from memory.documents.kinds import Format, Kind
from memory.documents.pieces import text_of
from memory.documents.reading.code import GRAMMARS
from tests.memory.documents.making import pieces, texts

PYTHON = '''"""A module."""

import re


@decorated
def small(a):
    # inside
    return a


# About the class.
class Large:
    """Many methods."""

    x = 1

'''
METHOD = '''    def method_{}(self):
        """Says {}."""
        text = """
not indented
"""
        return text

'''
PYTHON += "".join(METHOD.format(number, number) for number in range(20))

# A class or module with two functions, in each language: what begins, what holds them, what ends.
MEMBERS = {
    "javascript": ("export default class Large {", "  {}() {{\n{}  }}\n", "    g();\n", "}"),
    "typescript": ("export class Large {", "  {}(a: number): void {{\n{}  }}\n", "    g();\n", "}"),
    "tsx": ("class Large {", "  {}(a: number) {{\n{}    return <b/>;\n  }}\n", "    g();\n", "}"),
    "java": ("public class Large {", "  @Override\n  public void {}() {{\n{}  }}\n", "    g();\n", "}"),
    "rust": ("impl Large {", "  #[inline]\n  fn {}(&self) {{\n{}  }}\n", "    g();\n", "}"),
    "cpp": ("class Large {", "  void {}() {{\n{}  }}\n", "    g();\n", "};"),
    "csharp": ("public class Large {", "  public void {}() {{\n{}  }}\n", "    G();\n", "}"),
    "ruby": ("class Large", "  def {}\n{}  end\n", "    g(1)\n", "end"),
    "php": ("<?php\nclass Large {", "  public function {}() {{\n{}  }}\n", "    g();\n", "}"),
}
FUNCTIONS = {"go": "func {}() {{\n{}}}\n", "c": "int {}(void) {{\n{}}}\n"}


def test_nothing_of_the_code_is_lost() -> None:
    for language in ("python", "lua"):
        assert text_of(pieces(PYTHON.encode(), Format.CODE, language)).strip() == PYTHON.strip()


def test_small_functions_stay_whole_with_what_belongs_to_them() -> None:
    found = texts(PYTHON.encode(), Format.CODE, "python")
    assert "@decorated\ndef small(a):\n    # inside\n    return a" in found


def test_a_large_class_is_cut_into_its_methods_which_say_where_they_stand() -> None:
    found = pieces(PYTHON.encode(), Format.CODE, "python")
    methods = [piece for piece in found if "def method_" in piece.text]
    assert len(methods) == 20
    assert {piece.headings for piece in methods} == {("class Large:",)}
    assert methods[7].text == METHOD.format(7, 7).rstrip()
    heads = [piece for piece in found if "About the class" in piece.text]
    assert [piece.headings for piece in heads] == [()]


@pytest.mark.parametrize("language", sorted(MEMBERS))
def test_methods_are_cut_in_each_language(language: str) -> None:
    begin, member, statement, end = MEMBERS[language]
    body = "\n".join(member.format(name, statement * 60) for name in ("first", "second", "third"))
    code = f"{begin}\n{body}\n{end}\n"
    found = pieces(code.encode(), Format.CODE, language)
    assert text_of(found).strip() == code.strip()
    begins = begin.splitlines()[-1]
    for name in ("first", "second", "third"):
        (piece,) = [each for each in found if f"{name}" in each.text]
        assert piece.headings[:1] == (begins,)


@pytest.mark.parametrize("language", sorted(FUNCTIONS))
def test_functions_are_cut_in_each_language(language: str) -> None:
    code = "\n".join(FUNCTIONS[language].format(name, "  g();\n" * 30) for name in ("first", "second"))
    found = texts(code.encode(), Format.CODE, language)
    assert [text.count("g();") for text in found] == [30, 30]


def test_every_language_of_the_site_has_its_test() -> None:
    assert set(GRAMMARS) == {*MEMBERS, *FUNCTIONS, "python"}


def test_code_with_mistakes_is_cut_all_the_same() -> None:
    code = "def broken(:\n    return (\n\ndef whole():\n    return 1\n"
    found = pieces(code.encode(), Format.CODE, "python")
    assert text_of(found).strip() == code.strip()


def test_an_unknown_language_is_cut_at_empty_lines() -> None:
    code = "function one()\n  local a\n\n  return a\nend\n\nfunction two()\nend\n"
    found = texts(code.encode(), Format.CODE, "lua")
    assert found == ["function one()\n  local a\n\n  return a\nend", "function two()\nend"]


def test_a_kind_tells_its_language() -> None:
    assert str(Kind(Format.CODE, "python")) == "code: python"
