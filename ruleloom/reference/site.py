"""The site of a game: every page of it, by the name of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ruleloom.api.version import version_text
from ruleloom.compiler.packs.content import Content, Pack
from ruleloom.reference.render import page
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page as the menu shows it."""

    file: str
    title: str
    about: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together in the menu."""

    title: str
    pages: tuple[PageLink, ...]


@dataclass(frozen=True, slots=True)
class About:
    """What a pack says of itself."""

    title: str
    version: str
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages show: the title and the menu."""

    title: str
    packs: tuple[About, ...]
    menu: tuple[Group, ...]
    made_by: str


def site_of(content: Content, program: Program) -> Mapping[str, str]:
    """Every file of the site, by name."""
    about = tuple(_about(pack) for pack in content.packs)
    site = Site(about[-1].title, about, (), f"Made by {version_text()}")
    return dict(_files(site))


def _files(site: Site) -> Iterator[tuple[str, str]]:
    yield "style.css", page("style.css")
    yield "search.js", page("search.js")
    yield "index.html", page("index.html", site=site, file="index.html", title="Overview")


def _about(pack: Pack) -> About:
    title, text = (str(pack.manifest.data(name) or "") for name in ("title", "about"))
    return About(title or pack.id, pack.version, text)
