"""A block's version as its ETag, and what a change has to say about it (RFC 9110, 13.1; RFC 6585, 3)."""

from __future__ import annotations

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request

# Proxies that compress make an ETag weak, and hands leave the quotes out: the number is what counts.
_TAG = re.compile(r'(?:W/)?"([0-9]{1,9})"|([0-9]{1,9})')

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description='The version that you saw, as the ETag gave it: `"3"`.',
)
ETAG = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=True, description="The version.")


class VersionNeeded(APIException):
    """428."""

    status_code = 428
    default_detail = 'Say which version you change: send its ETag, as in If-Match: "3".'
    default_code = "version_needed"


class NoSuchVersion(APIException):
    """412."""

    status_code = 412
    default_detail = 'If-Match holds no version. Send the ETag, as in If-Match: "3".'
    default_code = "no_such_version"


def expected_version(request: Request) -> int:
    """The version in If-Match. Raises VersionNeeded where none is named, NoSuchVersion for anything else."""
    given = request.headers.get("If-Match", "").strip()
    if given in {"", "*"}:
        raise VersionNeeded
    tag = _TAG.fullmatch(given)
    if tag is None:
        raise NoSuchVersion
    return int(tag[1] or tag[2])
