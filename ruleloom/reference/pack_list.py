"""The page of an index: its packs, with what they are and how to get them, and a search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from ruleloom.api.version import version_text
from ruleloom.getting.index_making import IndexedPack
from ruleloom.output.terminal import count_of
from ruleloom.reference.reference_pages import PageLink, Site, page
from ruleloom.runtime.system import way_to


def pages_of_index(packs: Sequence[IndexedPack], title: str, way: str) -> Mapping[str, str]:
    """The files of the page, by name; `way` leads from its folder to that of the index."""
    rows = [_row([*same], way) for _, same in groupby(packs, lambda one: one.manifest.id)]
    menu = [
        (
            game,
            [
                PageLink(f"index.html#{one['id']}", one["title"])
                for one in rows
                if one["game"] == game
            ],
        )
        for game in sorted({one["game"] for one in rows})
    ]
    site = Site(title, (), menu, f"Made by {version_text()} from {count_of(len(rows), 'pack')}.")
    values: Mapping[str, Any] = {"site": site, "file": "index.html", "title": title}
    found = [(one["title"], one["id"], f"index.html#{one['id']}", one["about"]) for one in rows]
    entries = json.dumps(found, separators=(",", ":")).replace("</", "<\\/")
    return {
        "index.html": page("packs.html", packs=rows, **values),
        "style.css": page("style.css"),
        "search.js": page("search.js"),
        "index.js": f"window.referenceIndex = {entries};\n",
    }


def _row(versions: Sequence[IndexedPack], way: str) -> Mapping[str, Any]:
    """One pack, as its newest version says, with all versions."""
    last = versions[-1]
    return {
        "id": last.manifest.id,
        "title": last.data("title") or last.manifest.id,
        "about": last.data("about") or "",
        "authors": ", ".join(map(str, last.data("authors") or ())),
        "licence": last.data("licence") or "",
        "game": last.manifest.game,
        "requires": {id: str(one.value) for id, one in last.manifest.requires.items()},
        "versions": [
            {
                "version": str(one.manifest.version),
                "href": quote(way_to(f"{way}/{one.address}", ".")),
                "sha256": one.sha256,
            }
            for one in reversed(versions)
        ],
    }
