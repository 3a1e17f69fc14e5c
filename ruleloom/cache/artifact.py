"""Artifacts: programs and texts of shipped games that a wheel brings, made while it was built.

An artifact is found by a hash over all that it was made of, and begins with a hash over its name and
content. So one is used only for the very files, code and schemas it came of, and as it was written. That
says nothing about who wrote it: what it holds is to be checked as what is read from a save.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from ruleloom.cache.inputs import HOME, Digest

ARTIFACTS = HOME / "compiled"
"""The folder in an installation; a checkout has none."""
ENDING = ".artifact"
LARGEST = 8 * 1024 * 1024
SUM = 64


def any_artifacts() -> bool:
    """Whether this is an installation that brings some."""
    return ARTIFACTS.is_dir()


def artifact_name(own: str, sort: str, content: str) -> str:
    """The name of what of this `sort` our code makes of packs; `own` and `content` are their hashes."""
    return Digest(*map(str.encode, (own, sort, content))).hex()


def read_artifact(name: str) -> bytes | None:
    """The artifact of this name; None where there is none, or it is not as it was written."""
    with suppress(OSError), _path(name).open("rb") as file:
        data = file.read(LARGEST + 1)
        body = data[SUM:]
        if len(data) <= LARGEST and data[:SUM] == _sum(name, body):
            return body
    return None


def write_artifact(name: str, body: bytes) -> None:
    """Write an artifact; OSError if it cannot be, ValueError if it would be too large to be read."""
    if SUM + len(body) > LARGEST:
        raise ValueError(f"{len(body):,} bytes are more than an artifact may have")
    ARTIFACTS.mkdir(exist_ok=True)
    _path(name).write_bytes(_sum(name, body) + body)


def _path(name: str) -> Path:
    return ARTIFACTS / (name + ENDING)


def _sum(name: str, body: bytes) -> bytes:
    return hashlib.sha256(b"\0".join((name.encode(), body))).hexdigest().encode()
