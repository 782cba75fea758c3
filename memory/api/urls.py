"""Routes of the API that need nothing but memory, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from memory.api import views

urlpatterns = [
    path("blocks/<uuid:block_id>/versions/", views.BlockVersions.as_view(), name="api-block-versions"),
    path("blocks/<uuid:block_id>/operations/", views.BlockOperations.as_view(), name="api-block-operations"),
    path("messages/<uuid:message_id>/", views.MessageDetail.as_view(), name="api-message"),
    path("search/", views.Search.as_view(), name="api-search"),
]
