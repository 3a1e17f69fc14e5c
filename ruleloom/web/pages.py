"""The files of the page, read once into an index; no other path is served.

One of them is the catalogue of all English texts of server and page, ready for translation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

CATALOGUE = "/static/en.json"
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    """A file of the page: its body, media type and entity tag."""

    body: bytes
    type: str
    mark: str


@lru_cache(maxsize=1)
def page_files() -> dict[str, PageFile]:
    """Every file of the page, by path."""
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


@lru_cache(maxsize=1)
def catalogue() -> dict[str, str]:
    """Every text, by name."""
    found: dict[str, str] = json.loads(page_files()[CATALOGUE].body)
    return found


def told(text_name: str, **values: object) -> str:
    """A text of the catalogue, with these values for its placeholders, such as `{so}`."""
    text = catalogue()[text_name]
    for hole, value in values.items():
        text = text.replace("{" + hole + "}", str(value))
    return text
