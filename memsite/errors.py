"""Errors as people and programs see them: problem+json (RFC 9457) in the API, pages elsewhere."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import DataError, IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from agents.attaching import BadAttachment
from agents.blocks import BlockInUse
from agents.branching import ChatBusy, NotEditable
from agents.context.settings import BadSettings
from agents.context.window import WindowTooSmall
from agents.importing import ImportDiffers, TurnUnfinished
from agents.roster import BadAgent
from agents.services import BadMessage, ClientIdReused, NotRetryable
from agents.summarising.mending import NothingToRebuild
from agents.tools.rules import BadRule
from agents.turns.approvals import BadArguments, DecidedAlready
from memory.archival import BadArchive, BadPassage
from memory.branches import OnLeftBranch
from memory.core import BadBlock, VersionConflict
from memory.documents.faults import UnreadableDocument
from memory.documents.services import DocumentBusy
from memory.importing import BadImport
from memory.operations import BlockError, Deleted
from memory.proposals import NotOpen, ProposalConflict
from memory.retrieval import BadQuery
from memory.skills import BadSkill
from memory.stale import StaleVersion
from memory.texts import storable
from tenants import audit
from tenants.invitations import CannotInvite
from tenants.keys import BadKey
from tenants.members import AuditorStaysOut, HeldByRole, LastAdmin, LastMember
from tenants.middleware import signed_out
from tenants.people import AlreadySeated, BadRole, LastOwner
from tenants.permissions import NotAllowed
from tenants.scope import OutsideScope
from tenants.services import NotShared, WholeOrganisation

log = structlog.get_logger()
PROBLEM = "application/problem+json"
DETAIL_MAX = 500

# Stated errors of the domain and their status; the first that fits counts.
STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (NotAllowed, 403),
    (VersionConflict, 409),
    (ProposalConflict, 409),
    (NotOpen, 409),
    (Deleted, 409),
    (BlockInUse, 409),
    (BadBlock, 400),
    (BlockError, 422),
    (BadQuery, 400),
    (BadPassage, 400),
    (BadArchive, 400),
    (BadSkill, 400),
    (BadImport, 400),
    (StaleVersion, 409),
    (BadAttachment, 409),
    (DocumentBusy, 409),
    (UnreadableDocument, 422),
    (BadAgent, 400),
    (BadSettings, 400),
    (BadRule, 400),
    (BadMessage, 400),
    (ClientIdReused, 409),
    (NotRetryable, 409),
    (TurnUnfinished, 409),
    (DecidedAlready, 409),
    (BadArguments, 422),
    (ImportDiffers, 409),
    (ChatBusy, 409),
    (WindowTooSmall, 409),
    (NotEditable, 409),
    (NothingToRebuild, 409),
    (OnLeftBranch, 409),
    (BadKey, 400),
    (BadRole, 400),
    (CannotInvite, 400),
    (AlreadySeated, 409),
    (LastOwner, 409),
    (LastAdmin, 409),
    (LastMember, 409),
    (AuditorStaysOut, 409),
    (HeldByRole, 409),
    (NotShared, 409),
    (WholeOrganisation, 409),
)
# Errors whose own words are not for callers.
SILENT: tuple[tuple[type[Exception], int, str], ...] = (
    (OutsideScope, 404, "It is not there, or you may not see it."),
    (IntegrityError, 409, "Somebody else did the same at this moment. Look again, then try again."),
    (DataError, 400, "The database cannot hold a value of this request."),
    (OperationalError, 503, "The database does not answer at the moment. Try again."),
)
# What the thing that was not found is called in the API.
WORDS = {
    "AgentBlock": "attachment",
    "BlockVersion": "version",
    "LanguageModel": "model",
    "MainContext": "conversation",
}


class Refusal(exceptions.APIException):
    """A stated error with its status."""

    def __init__(self, status: int, detail: str) -> None:
        self.status_code = status
        super().__init__(detail, code=HTTPStatus(status).name.lower())


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's handler: every stated error has its status here; others are ours, a 500."""
    known = _translated(error)
    response = exception_handler(known, context)
    if response is None:
        return None
    if response.status_code == HTTPStatus.FORBIDDEN:
        _note_refusal(context["request"]._request, error)
    body = _described(response.status_code, response.data) | _facts(error)
    if isinstance(known, exceptions.APIException) and isinstance(known.get_codes(), str):
        body.setdefault("code", known.get_codes())
    response.data = body
    response.content_type = PROBLEM
    if isinstance(error, VersionConflict | ProposalConflict):
        response.headers["ETag"] = f'"{error.theirs.version}"'
    if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "1"
    return response


def _translated(error: Exception) -> Exception:
    if isinstance(error, ObjectDoesNotExist):
        return exceptions.NotFound(_missing(error))
    for kind, status in STATUSES:
        if isinstance(error, kind):
            return Refusal(status, str(error))
    for kind, status, words in SILENT:
        if isinstance(error, kind):
            log.warning("request refused", status=status, error=str(error))
            return Refusal(status, words)
    return error


def _missing(error: ObjectDoesNotExist) -> str:
    model = type(error).__qualname__.split(".")[0]
    word = WORDS.get(model, model.lower())
    return f"There is no such {word}, or you may not see it."


def _described(status: int, detail: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    if isinstance(detail, dict) and set(detail) == {"detail"}:
        return body | {"detail": _plain(detail["detail"])}
    return body | {"detail": "Some fields are wrong.", "errors": _plain(detail)}


def _plain(value: Any) -> Any:
    """Words that may quote what was sent, as text that can be sent back: short, and without half signs."""
    if isinstance(value, dict):
        return {_plain(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return storable(str(value))[:DETAIL_MAX]


def _facts(error: Exception) -> dict[str, Any]:
    """What a program can read off an error: a code, the field, the numbers."""
    found: dict[str, Any] = dict(getattr(error, "facts", {}))
    if isinstance(error, BlockError | UnreadableDocument):
        found["code"] = error.code
    if isinstance(error, BadBlock | BadArchive | BadSkill | BadAgent | BadSettings | BadKey | CannotInvite):
        found["errors"] = {error.field: [str(error)]}
    if isinstance(error, BadRule):
        found |= {"errors": {"tool_rules": [str(error)]}, "index": error.index}
    if isinstance(error, VersionConflict | ProposalConflict):
        found |= _texts(error)
    return found


def _texts(error: VersionConflict | ProposalConflict) -> dict[str, Any]:
    """The three texts of a conflict, and both changes in one where nobody has to choose."""
    merged = error.merged
    return {
        "base": error.base.value if error.base else None,
        "theirs": error.theirs.value,
        "mine": error.mine,
        "merged": merged.text if merged and merged.is_clean else None,
        "version": error.theirs.version,
    }


def _refuse(request: HttpRequest, status: int, words: str, reference: str = "") -> HttpResponse:
    if not request.path.startswith("/api/"):
        facts = {"status": status, "reference": reference, "LANGUAGE_CODE": get_language()}
        # A fault may be the database's: its page reads neither the session nor the person.
        asker = request if status < HTTPStatus.INTERNAL_SERVER_ERROR else None
        return HttpResponse(render_to_string("error.html", facts, asker), status=status)
    body = _described(status, {"detail": words}) | {"code": HTTPStatus(status).name.lower()}
    if reference:
        body["reference"] = reference
    return JsonResponse(body, status=status, content_type=PROBLEM)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: what is not there, and what one may not see."""
    return _refuse(request, 404, "There is nothing at this address. Addresses of the API end in a slash.")


def _note_refusal(request: HttpRequest, error: Exception) -> None:
    """In the audit log of who is known. What they may not even see is a 404, and is not told there."""
    identity, route = getattr(request, "identity", None), request.resolver_match
    if identity is not None and route is not None:
        method = request.method or ""
        audit.refused(identity, method=method, route=route.view_name, reason=str(error)[:DETAIL_MAX])


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: seen, but the role does not allow it."""
    _note_refusal(request, exception)
    return _refuse(request, 403, "Not allowed.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request cannot be read."""
    return _refuse(request, 400, "Bad request.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form was not made by this site, or the session has ended, which is 401 to script."""
    if request.headers.get("HX-Request") == "true" and not request.user.is_authenticated:
        return signed_out(request)
    return _refuse(request, 403, "This form has expired. Reload the page and try again.")


def broken(request: HttpRequest) -> HttpResponse:
    """500: ours. The page names a reference that stands in the log."""
    reference = uuid.uuid4().hex[:12]
    log.error("request failed", reference=reference, path=request.path, exc_info=True)
    return _refuse(request, 500, "Something broke here.", reference)


class DomainErrors:
    """Middleware: what the domain refuses in a page becomes 404 or 403, never a traceback."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, ObjectDoesNotExist):
            return not_found(request, error)
        if isinstance(error, NotAllowed | PermissionDenied):
            return denied(request, error)
        return None
