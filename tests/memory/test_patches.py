"""Patches, as models write them: what they make of a text, and why one is refused."""

import pytest

from memory.operations import BadPatch, BlockError, Patch, TextFoundTwice, TextNotFound

HELD = "Name: 李雷\nCity: Ghent\n\nLikes: tea\nLikes: cats"

UNIFIED = """--- a/human
+++ b/human
@@ -1,3 +1,3 @@
 Name: 李雷
-City: Ghent
+City: Lyon

"""
BEGUN = """*** Begin Patch
*** Update File: human
@@ City: Ghent

-Likes: tea
+Likes: coffee
*** End Patch"""
FENCED = """```diff
@@
-Likes: tea
+Likes: coffee

@@
 Likes: cats
+Likes: dogs
```"""


@pytest.mark.parametrize(
    ("held", "patch", "made"),
    [
        (HELD, UNIFIED, "Name: 李雷\nCity: Lyon\n\nLikes: tea\nLikes: cats"),
        (HELD, BEGUN, "Name: 李雷\nCity: Ghent\n\nLikes: coffee\nLikes: cats"),
        (HELD, FENCED, "Name: 李雷\nCity: Ghent\n\nLikes: coffee\nLikes: cats\nLikes: dogs"),
        (HELD, "-City: Ghent", "Name: 李雷\n\nLikes: tea\nLikes: cats"),
        (HELD, "@@ City: Ghent\n+Street: Hoogpoort", HELD.replace("Ghent", "Ghent\nStreet: Hoogpoort")),
        (HELD, UNIFIED.replace("\n", "\r\n"), "Name: 李雷\nCity: Lyon\n\nLikes: tea\nLikes: cats"),
        (HELD, "-Likes: cats\n\\ No newline at end of file\n+Likes: dogs", HELD.replace("cats", "dogs")),
        ("", "+first\n+second", "first\nsecond"),
        ("", "@@ -0,0 +1 @@\n+first", "first"),
        ("a\nb\nc", "@@\n-c\n@@\n-a\n+A", "A\nb"),
        ("a", "-a", ""),
        ("- a\n+ b", "@@\n-- a\n-+ b\n+* c", "* c"),
    ],
)
def test_it_makes_the_text_that_is_meant(held: str, patch: str, made: str) -> None:
    assert Patch(patch).apply(held) == made


@pytest.mark.parametrize(
    ("patch", "error", "said"),
    [
        ("", BadPatch, "changes nothing"),
        ("@@ -1 +1 @@", BadPatch, "changes nothing"),
        ("Replace Ghent by Lyon", BadPatch, "begins with a space"),
        ("+Street: Hoogpoort", BadPatch, "only adds lines"),
        ("-City: Paris\n+City: Lyon", TextNotFound, "'City: Paris'"),
        (" City: Ghent\n Likes: tea\n-Likes: cats", TextNotFound, "does not fit"),
        ("@@ Town\n-Likes: tea", TextNotFound, "'Town'"),
        ("@@ Likes: cats\n-Likes: tea", TextNotFound, "does not fit"),
        ("@@\n-City: Ghent\n@@\n Name: 李雷\n City: Ghent\n+x", BadPatch, "another hunk changes"),
        ("*** Begin Patch\n*** Delete File: human\n*** End Patch", BadPatch, "not done here"),
        ("*** Update File: a\n-x\n*** Update File: b\n-y", BadPatch, "one block"),
        ("".join(f"@@\n-{number}\n" for number in range(201)), BadPatch, "at most 200"),
    ],
)
def test_it_refuses_with_a_reason(patch: str, error: type[BlockError], said: str) -> None:
    with pytest.raises(error, match=said):
        Patch(patch).apply(HELD)


def test_it_refuses_what_fits_in_two_places_until_more_is_given() -> None:
    held = "tea\nwarm\ncoffee\nwarm"
    with pytest.raises(TextFoundTwice, match="more than one place"):
        Patch("-warm\n+hot").apply(held)
    assert Patch(" coffee\n-warm\n+hot").apply(held) == "tea\nwarm\ncoffee\nhot"
    assert Patch("@@ coffee\n-warm\n+hot").apply(held) == "tea\nwarm\ncoffee\nhot"


def test_it_places_a_hunk_of_many_equal_lines_soon() -> None:
    held = "a\n" * 99_000 + "b"
    patch = "".join(" a\n" for _ in range(40_000)) + "-b\n+c"
    assert Patch(patch).apply(held).endswith("a\nc")
