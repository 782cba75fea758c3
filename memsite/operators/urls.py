"""The addresses of the admin, below /admin/ and in its namespace."""

from __future__ import annotations

from memsite.operators.site import site

app_name = "admin"
urlpatterns = site.get_urls()
