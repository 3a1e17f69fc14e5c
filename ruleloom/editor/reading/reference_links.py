"""Where the reference of a game, as `ruleloom docs` writes it, tells of a name.

A `ruleloom.toml` says where the reference is: `reference = "../site"`, or an address of the web. No
link is made where nothing is said.
"""

from __future__ import annotations

from ruleloom.editor.names.text_names import Meaning
from ruleloom.reference.anchors import item_link, link_to

CLAUSE = ":clause/"
# Under which sort the reference knows what is no item.
SORTS = {"moment": "operation", "enum": "type"} | {
    sort: sort
    for sort in ("operation", "query", "type", "value", "field", "zone", "variable", "kind")
}


def page_of(meaning: Meaning) -> str:
    """The page and the anchor of a name; empty for what has none, such as a variable of a text."""
    name = meaning.name
    if meaning.table == "item" and CLAUSE in name:
        return link_to("clause", name.partition(CLAUSE)[2])
    if meaning.table == "item":
        return item_link(name)
    sort = SORTS.get(meaning.table, "")
    if sort == "field":  # the reference knows it by the thing that has it
        return link_to(sort, name) if "." in name else ""
    return link_to(sort, name.rpartition(".")[2]) if sort else ""


def link_in(site: str, meaning: Meaning) -> str:
    """The address of a name in the reference at `site`; empty without one."""
    page = page_of(meaning)
    return f"{site.rstrip('/')}/{page}" if site and page else ""
