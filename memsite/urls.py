"""Every address of the site."""

from __future__ import annotations

from django.conf import settings
from django.urls import include, path
from django.views.decorators.cache import cache_page
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from memsite import arrival, errors, probes

urlpatterns = [
    path("livez", probes.livez, name="livez"),
    path("readyz", probes.readyz, name="readyz"),
    path("setup/<str:token>/", arrival.setup, name="setup"),
    path("join/<str:token>/", arrival.join, name="join"),
    path("welcome/", arrival.welcome, name="welcome"),
    path("accounts/", include("allauth.account.urls")),
    path("api/schema/", cache_page(300)(SpectacularAPIView.as_view()), name="api-schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("api/v1/", include("tenants.api.urls")),
    path("api/v1/", include("memory.api.urls")),
    path("api/v1/", include("agents.api.urls")),
    path("", include("tenants.web.urls")),
    path("", include("memory.web.urls")),
    path("", include("agents.web.urls")),
]

if settings.ADMIN:
    urlpatterns.append(path("admin/", include("memsite.operators.urls")))

handler400 = errors.bad_request
handler403 = errors.denied
handler404 = errors.not_found
handler500 = errors.broken
