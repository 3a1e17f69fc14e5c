"""Reads the pages of a site as a browser would: anchors, links, and what could run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br"}
OWN_SCRIPTS = {"search.js"}


class PageReader(HTMLParser):
    """Collects the ids and links of a page; notes what is nested wrongly, or could run."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.faults: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag brings."""
        values = dict(attrs)
        if len(values) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values[name] or "" for name in ("href", "src") if name in values]
        self.faults += [f"<{tag} {name}> runs" for name in values if name.startswith("on")]
        if tag == "script":
            self.scripts.append(values.get("src") or "(inline)")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close a tag, which must be the last that was opened."""
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        """Keep what a reader reads."""
        self.words.append(data)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The ids of the page."""
        return frozenset(self.ids)

    @property
    def text(self) -> str:
        """All that a reader reads."""
        return "".join(self.words)


def read_pages(files: Mapping[str, str]) -> dict[str, PageReader]:
    """The pages of a site, each read once."""
    return {name: PageReader(text) for name, text in files.items() if name.endswith(".html")}


def faults_of(files: Mapping[str, str], pages: Mapping[str, PageReader]) -> list[str]:
    """What is wrong with a site: links that lead nowhere, anchors twice, anything that could run."""
    found = []
    for name, page in pages.items():
        found += [f"{name}: {fault}" for fault in page.faults]
        found += [f"{name}: script {one}" for one in page.scripts if one not in OWN_SCRIPTS]
        found += [
            f"{name}: anchor {id} twice" for id, many in Counter(page.ids).items() if many > 1
        ]
        links = dict.fromkeys(page.links)
        found += [f"{name}: {link}" for link in links if not leads(link, name, files, pages)]
    return found


def leads(link: str, at: str, files: Mapping[str, str], pages: Mapping[str, PageReader]) -> bool:
    """Whether a link leads to a file of the site, and to an anchor that is there."""
    file, sign, anchor = link.partition("#")
    if re.match(r"[a-z]+:", file) or "/" in file:
        return False
    page = pages.get(file or at)
    return (file or at) in files if not sign else page is not None and anchor in page.anchors
