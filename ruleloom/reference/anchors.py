"""Where the site of a game speaks of a name: the page and the anchor, from the name alone.

An item stands on the page of its kind, at an anchor that is its whole id; all else that has a name
stands on the page of its sort, at `SORT-NAME`. So links from outside last as long as the ids do,
and whoever wants to link to a name need not have built the site.
"""

from __future__ import annotations

import re
from typing import Final

# The page that tells of each sort of name.
PAGES: Final = {
    "operation": "events",
    "event": "events",
    "roll": "events",
    "menu": "events",
    "type": "words",
    "value": "words",
    "field": "words",
    "query": "words",
    "zone": "words",
    "variable": "words",
    "kind": "kinds",
    "prompt": "prompts",
    "clause": "clauses",
    "given": "cases",
    "step": "cases",
    "claim": "cases",
    "statement": "effects",
}
# What may stand in an anchor and in a link alike; any other sign is written by its number.
PLAIN = re.compile(r"[^A-Za-z0-9:/._-]")
# The same for the name of a file: small letters, as some disks hold `A` and `a` to be one.
PLAIN_IN_FILES = re.compile(r"[^a-z0-9.-]")


def spelled_out(text: str, strange: re.Pattern[str] = PLAIN) -> str:
    """A text as it stands in an anchor, other signs by their numbers."""
    return strange.sub(lambda sign: f"_{ord(sign[0]):x}", text)


def anchor_of(sort: str, name: str) -> str:
    """The anchor of a name within its page."""
    return f"{sort}-{spelled_out(name)}"


def link_to(sort: str, name: str) -> str:
    """The page and the anchor of a name that is no item."""
    return f"{PAGES[sort]}.html#{anchor_of(sort, name)}"


def page_of_kind(kind: str) -> str:
    """The page with all items of a kind."""
    return f"kind-{kind}.html"


def item_link(id: str) -> str:
    """The page and the anchor of an item, by its id `pack:kind/name`."""
    return f"{page_of_kind(id.partition(':')[2].partition('/')[0])}#{spelled_out(id)}"


def page_of_cases(pack: str, path: str) -> str:
    """The page with the cases of one file of a pack."""
    parts = [spelled_out(part, PLAIN_IN_FILES) for part in (pack, *path.split("/"))]
    return f"cases-{'~'.join(parts)}.html"


def case_link(pack: str, path: str, id: str) -> str:
    """The page and the anchor of a case."""
    return f"{page_of_cases(pack, path)}#{anchor_of('case', id)}"
