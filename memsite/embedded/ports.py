"""Ports on the loopback interface."""

import errno
import socket
from contextlib import closing

from memsite.embedded.faults import PortBusy, PortForbidden, PortInvalid

LOOPBACK = "127.0.0.1"


def is_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    try:
        _try_to_bind(port)
    except OSError:
        return False
    return True


def free_port(preferred: int = 0) -> int:
    """The preferred port where it is free, else one that the system gives."""
    if preferred and is_free(preferred):
        return preferred
    return _try_to_bind(0)


def site_port(text: str) -> int:
    """The port that PORT names. Raises PortInvalid."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise PortInvalid(port=text)
    return int(text)


def check_site_port(port: int) -> None:
    """Raises PortBusy or PortForbidden where the site could not listen on this port."""
    try:
        _try_to_bind(port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortBusy(port=port, other=port + 1 if port < 65535 else 8000) from error
        raise PortForbidden(port=port, reason=error.strerror) from error


def _try_to_bind(port: int) -> int:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        # Connections of a former run may linger in TIME_WAIT; servers look past them, so this does too.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(1)
        bound: int = listener.getsockname()[1]
        return bound
