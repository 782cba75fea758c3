"""An answer that says "saved" where nothing was: noticed, so that the page can say so.

Words are all there is to go by. What is quoted, asked, denied, conditional or of an earlier time is no claim.
What was proposed is not saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agents.models import Turn
from memory.models import Derivation, Message

READ_MAX = 20_000
_VERBS = r"(?:saved|stored|noted|recorded|remembered|memori[sz]ed|written (?:it|that|this) down|filed)"
_CLAIMS = (
    rf"\bI(?:['’]ve| have)? (?:now |just |also |both )*{_VERBS}\b",
    r"\bI(?:['’]ve| have)? (?:now |just |also )*(?:updated|changed|added\b.{1,60}\bto) "
    r"(?:my |your |the |core )*(?:memory|notes|profile|block)\b",
    r"\bI(?:['’]ll| will) (?:now |always )?(?:remember|keep (?:it|that|this) in mind)\b",
    rf"^(?:ok(?:ay)?|done|great|sure|got it|all right|alright|understood|thanks?(?: you)?)?[\s,.!:–—-]*"
    rf"(?:it['’]s |that['’]s |this is |all |now )*{_VERBS}\b(?! by)",
    rf"\b(?:memory|memories|profile|preferences?|notes)\b.{{0,40}}\bbeen (?:{_VERBS}|updated)\b",
    rf"\bbeen (?:{_VERBS}|added)\b.{{0,40}}\b(?:memory|memories|profile|notes)\b",
    r"(?:已经?|都|刚刚|现在)?(?:帮|为|替|给)?[你您]?(?:保存|记住|记下来?|记录下?来?|记好|存好|存下来?|更新好?)(?:了|啦|好了|完毕|到)",
    r"已经?(?:帮|为|替|给)?[你您]?(?:保存|记住|记下|记录|记好|存好|存下|存入|写入|更新)",
    r"我(?:会|一定|以后会|一定会)(?:一直|永远|牢牢|好好)?(?:记住|记得|记着|牢记)",
)
_CLAIM = re.compile("|".join(_CLAIMS), re.IGNORECASE)
_NO_CLAIM = re.compile(
    r"\b(?:not|nothing|cannot|unable|never|already|earlier|before|above|failed|tried|as I)\b|n['’]t\b"
    r"|^(?:if|once|when|after|until|should|shall|did|have|let me|I can|I could)\b"
    r"|没|未能|无法|不能|不会|之前|早就|早已|上次|以前|失败|如果|要是|的话|等我|是否|要不要|吗|需要我|可以帮|(?<![为帮替给])[你您](?:已经?|刚刚?)?(?:保存|存|记|更新)"
    r"|[?？]\s*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|^>[^\n]*", re.S | re.M
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def claims_saving(text: str) -> bool:
    """Whether an answer says that something is saved now, in English or Chinese."""
    spoken = _QUOTED.sub(" ", text[:READ_MAX])
    sentences = (match.group().strip() for match in _SENTENCE.finditer(spoken))
    return any(_CLAIM.search(each) and not _NO_CLAIM.search(each) for each in sentences)


def mark(turn: Turn, answers: Iterable[Message]) -> None:
    """Mark the answers of a turn that say "saved", where it saved nothing."""
    claiming = [each.id for each in answers if claims_saving(each.content)]
    if not claiming:
        return
    saved = Derivation.objects.filter(parent_id=turn.message_id, child_kind__in=["block_version", "passage"])
    if not saved.exists():
        Message.objects.filter(id__in=claiming).update(claims_unsaved=True)
