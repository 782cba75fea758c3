"""CPU seconds and memory of running processes, as Linux counts them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Group:
    """Some processes under one name, such as every process of PostgreSQL."""

    name: str
    pids: tuple[int, ...]

    def seconds(self) -> float:
        """CPU seconds so far, of the processes and of their children that have ended."""
        return sum(_seconds(pid) for pid in self.pids)

    def megabytes(self) -> float:
        """Memory that is theirs alone or shared by share (PSS)."""
        return sum(_pss(pid) for pid in self.pids) / 1024


def serving(name: str, port: int) -> Group:
    """The process that listens on a loopback port, and all that descend from it."""
    inodes = {line.split()[9] for line in _listening() if line.split()[1].endswith(f":{port:04X}")}
    owner = next(pid for pid in _pids() if inodes & _sockets(pid))
    return family(name, owner)


def family(name: str, pid: int) -> Group:
    """A process and all that descend from it."""
    parents = {each: _parent(each) for each in _pids()}
    members = {pid}
    while grown := {each for each, parent in parents.items() if parent in members} - members:
        members |= grown
    return Group(name, tuple(sorted(members)))


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _seconds(pid: int) -> float:
    fields = _stat(pid)
    return sum(map(int, fields[11:15])) / TICKS if fields else 0.0


def _parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def _listening() -> list[str]:
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return [line for line in lines if line.split()[3] == "0A"]


def _sockets(pid: int) -> set[str]:
    """Inodes of a process's open sockets."""
    try:
        links = [os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return set()
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
