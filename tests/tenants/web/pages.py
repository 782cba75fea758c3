"""Reading pages as somebody, and pressing what stands in a note at the bottom."""

from __future__ import annotations

import html
import re
from typing import Any

from tests.cast import Person


def page(person: Person, address: str, *, fragment: bool = False, status: int = 200) -> str:
    """A page's text, or the fragment that script gets."""
    headers = {"HX-Request": "true"} if fragment else {}
    answer = person.browser.get(address, headers=headers)
    assert answer.status_code == status, (address, answer.status_code)
    return html.unescape(answer.content.decode())


def toast(text: str) -> str:
    """What the notes at the bottom of a page say."""
    return html.unescape(" ".join(re.findall(r'<div class="toast"><span>(.*?)</span>', text)))


def undo(person: Person, text: str) -> Any:
    """Press Undo in the last note at the bottom of a page."""
    found = re.findall(
        r'<form method="post" action="([^"]+)"[^>]*>(?:(?!</form>).)*Undo', text.split('id="toasts"')[1]
    )
    assert found, toast(text)
    answer = person.browser.post(html.unescape(found[-1]))
    assert answer.status_code == 302, answer.content
    return answer
