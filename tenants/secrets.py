"""Keys of other services, kept encrypted with the site's own key. Nothing of them is shown again."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class Unreadable(Exception):
    """A key cannot be decrypted: it was kept under another MEMSITE_ENCRYPTION_KEY."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def conceal(key: str) -> bytes:
    """A key as it is stored; an empty one stays empty."""
    return _fernet().encrypt(key.encode()) if key else b""


def reveal(stored: bytes | memoryview) -> str:
    """The key, for the call and for nothing else. Raises Unreadable."""
    if not stored:
        return ""
    try:
        return _fernet().decrypt(bytes(stored)).decode()
    except InvalidToken:
        raise Unreadable from None


def _fernet() -> Fernet:
    return Fernet(settings.ENCRYPTION_KEY)
