"""Turns names in rendered diagnostics into links to the site that `ruleloom docs` writes.

In goes what a renderer made, which is safe to show; names between backticks that the game knows
become hyperlinks of a terminal, a list of links where there is no colour, `links` in JSON, and
embedded links in SARIF. Nothing else changes, and the site need not be there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ruleloom.compiler.packs.content import Content
from ruleloom.reference.names import KnownNames
from ruleloom.scenarios.setup.things import names_of

FORMS = ("text", "concise", "json", "sarif")
QUOTED = re.compile(r"`([^`\n]+)`")
# A line of a file that is shown below a message: what stands there is not the message.
EXCERPT = re.compile(r" +\d* \|")
# How terminals are told of a link, and of its end (OSC 8).
OPEN, SHUT = "\x1b]8;;{}\x1b\\", "\x1b]8;;\x1b\\"

Links = Callable[[str], str]


def links_into(content: Content, base: str) -> Links:
    """Where a name is told of, below the address of a site; empty for what the game does not know."""
    names = KnownNames(content, names_of(content))
    start = base if base.endswith("/") else f"{base}/"

    def link(word: str) -> str:
        place = names.anywhere(word)
        return f"{start}{place}" if place else ""

    return link


def with_links(rendered: str, form: str, colour: bool, link: Links) -> str:
    """Rendered diagnostics with their names linked."""
    if form == "json":
        return _in_json(rendered, link)
    if form == "sarif":
        return _in_sarif(rendered, link)
    lines = [line if EXCERPT.match(line) else _marked(line, link) for line in rendered.split("\n")]
    return "\n".join(lines) if colour else rendered + "".join(_listed(rendered, link))


def _marked(line: str, link: Links) -> str:
    """A line of text with hyperlinks of a terminal."""

    def replaced(found: re.Match[str]) -> str:
        url = link(found[1])
        return f"{OPEN.format(url)}{found[0]}{SHUT}" if url else found[0]

    return QUOTED.sub(replaced, line)


def _listed(rendered: str, link: Links) -> Iterator[str]:
    """The addresses of all names, one a line, for where no link can be followed."""
    said = (line for line in rendered.split("\n") if not EXCERPT.match(line))
    first: dict[str, str] = {}
    # A name, and how the same is called, lead to one place, which is listed once.
    for name, url in _found("\n".join(said), link).items():
        first.setdefault(url, name)
    for url, name in first.items():
        yield f" see: `{name}`: {url}\n"


def _found(text: str, link: Links) -> dict[str, str]:
    """The names in a text that are known, each with its address."""
    names = dict.fromkeys(QUOTED.findall(text))
    return {name: url for name in names if (url := link(name))}


def _in_json(rendered: str, link: Links) -> str:
    objects: list[dict[str, Any]] = json.loads(rendered)
    for one in objects:
        told = [one["message"], one["help"] or "", *(note["message"] for note in one["notes"])]
        found = _found("\n".join(told), link)
        one["links"] = [{"name": name, "url": url} for name, url in found.items()]
    return json.dumps(objects, indent=2) + "\n"


def _in_sarif(rendered: str, link: Links) -> str:
    log: dict[str, Any] = json.loads(rendered)
    for result in log["runs"][0]["results"]:
        result["message"]["text"] = _embedded(result["message"]["text"], link)
    return json.dumps(log, indent=2) + "\n"


def _embedded(text: str, link: Links) -> str:
    """A message with embedded links, as SARIF writes them; its own brackets are escaped then."""
    if not _found(text, link):
        return text
    parts = QUOTED.split(text)
    for number, part in enumerate(parts):
        url = link(part) if number % 2 else ""
        plain = re.sub(r"([\\\[\]])", r"\\\1", part)
        parts[number] = f"[`{plain}`]({url})" if url else f"`{plain}`" if number % 2 else plain
    return "".join(parts)
