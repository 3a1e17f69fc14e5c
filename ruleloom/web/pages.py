"""The files of the page, read once into an index: what is not in it does not exist."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    """A file as it is sent."""

    body: bytes
    type: str
    mark: str


@lru_cache(maxsize=1)
def page_files() -> dict[str, PageFile]:
    """Every file of the page, by its path."""
    return dict(_found(files("ruleloom.web").joinpath("static"), "/static"))


def _found(folder: Traversable, path: str) -> Iterator[tuple[str, PageFile]]:
    for one in folder.iterdir():
        here = f"{path}/{one.name}"
        kind = TYPES.get(one.name.rpartition(".")[2])
        if one.is_dir():
            yield from _found(one, here)
        elif kind is not None:
            body = one.read_bytes()
            yield here, PageFile(body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
