"""The API's routes of documents: uploaded, followed, cancelled, read again, deleted, got back as a file."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models.functions import Length
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from memory import core
from memory.api.archive_bodies import DocumentsQuery, Upload
from memory.api.archive_serializers import DocumentSerializer, PassageSerializer
from memory.documents import services
from memory.documents.limits import FILE_BYTES, FORM_BYTES
from memory.models import Archive, Conversation, Document, Passage
from tenants.api.bodies import Nothing, StrictJSON, TooLarge
from tenants.api.pages import Order, PageQuery, answer, cut, page_of, whole
from tenants.api.views import ScopedView


class UploadParser(MultiPartParser):
    """A form with a file (RFC 7578) that is not much longer than a document may be."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        request = (parser_context or {})["request"]
        if int(request.META.get("CONTENT_LENGTH") or 0) > FORM_BYTES:
            raise TooLarge(f"A document has at most {FILE_BYTES:,} bytes.")
        return super().parse(stream, media_type, parser_context)


class ArchiveDocuments(ScopedView):
    """The documents of an archive, the newest first."""

    parser_classes = [UploadParser, StrictJSON]

    @extend_schema(
        operation_id="archive_documents",
        tags=["documents"],
        parameters=[DocumentsQuery],
        responses=page_of(DocumentSerializer),
    )
    def get(self, request: Request, archive_id: uuid.UUID) -> Response:
        asked = self.asked(DocumentsQuery)
        archive = Archive.objects.get(id=archive_id)
        rows = Document.objects.filter(archive=archive, retired_at__isnull=asked["deleted"] == "false")
        if "status" in asked:
            rows = rows.filter(status=asked["status"])
        return answer(request, DocumentSerializer, *cut(rows, asked, Order(descending=True)))

    @extend_schema(
        operation_id="document_upload",
        tags=["documents"],
        request={"multipart/form-data": Upload},
        responses={
            201: DocumentSerializer,
            200: OpenApiResponse(DocumentSerializer, "These bytes are in the archive already."),
        },
        description="Upload a file that is to be read into passages. Follow it at `documents/{id}/`. Another "
        "file of the same name takes the place of the one that is there, once it is ready.",
    )
    def post(self, request: Request, archive_id: uuid.UUID) -> Response:
        said = self.said(Upload)
        if "conversation" in said:
            Conversation.objects.get(id=said["conversation"], deleted_at=None)
        document = services.upload(
            archive_id,
            said["file"].name,
            said["file"].read(),
            actor=core.by_me(),
            conversation_id=said.get("conversation"),
            tags=said.get("tags", ()),
        )
        status = 200 if document.is_known else 201
        return Response(DocumentSerializer(document).data, status=status)


class DocumentDetail(ScopedView):
    """One document, and how far reading it is."""

    @extend_schema(operation_id="document", tags=["documents"], responses=DocumentSerializer)
    def get(self, request: Request, document_id: uuid.UUID) -> Response:
        return Response(DocumentSerializer(Document.objects.get(id=document_id)).data)

    @extend_schema(
        operation_id="document_delete",
        tags=["documents"],
        responses={204: OpenApiResponse(description="It is out of lists and search with its passages.")},
    )
    def delete(self, request: Request, document_id: uuid.UUID) -> Response:
        services.retire_document(document_id)
        return Response(status=204)


class DocumentReturn(ScopedView):
    """Bring a deleted document back with its passages, or one that was replaced by one that is deleted."""

    @extend_schema(
        operation_id="document_return", tags=["documents"], request=None, responses=DocumentSerializer
    )
    def post(self, request: Request, document_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(DocumentSerializer(services.retire_document(document_id, retired=False)).data)


class DocumentCancel(ScopedView):
    """Stop reading a document. One that is read already stays as it is."""

    @extend_schema(
        operation_id="document_cancel", tags=["documents"], request=None, responses=DocumentSerializer
    )
    def post(self, request: Request, document_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(DocumentSerializer(services.cancel(document_id)).data)


class DocumentRetry(ScopedView):
    """Read a document's file again. One that is ready serves until its successor, which is answered, is."""

    @extend_schema(
        operation_id="document_retry", tags=["documents"], request=None, responses=DocumentSerializer
    )
    def post(self, request: Request, document_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(DocumentSerializer(services.read_again(document_id)).data)


class DocumentFileView(ScopedView):
    """A document as it was uploaded, byte for byte."""

    @extend_schema(
        operation_id="document_file",
        tags=["documents"],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, document_id: uuid.UUID) -> HttpResponse:
        name, media_type, data = services.file_of(document_id)
        shown_as = content_disposition_header(True, name) or "attachment"
        return HttpResponse(data, content_type=media_type, headers={"Content-Disposition": shown_as})


class DocumentPassages(ScopedView):
    """The passages that a document was cut into, in their order."""

    @extend_schema(
        operation_id="document_passages",
        tags=["documents"],
        parameters=[PageQuery],
        responses=page_of(PassageSerializer),
    )
    def get(self, request: Request, document_id: uuid.UUID) -> Response:
        asked = self.asked(PageQuery)
        document = Document.objects.get(id=document_id)
        rows = Passage.objects.filter(document=document, supersedes=None, retired_at=None)
        rows = rows if document.status == Document.Status.READY else rows.none()
        rows = rows.select_related("source", "archive", "document")
        page = cut(rows, asked, Order("place", read=whole), Length("content"))
        return answer(request, PassageSerializer, *page)
