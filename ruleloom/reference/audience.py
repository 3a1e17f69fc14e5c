"""The edition of a game for its players: without what packs mark `for: gm`, and without scenarios."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.program.program import Program


def for_players(content: Content) -> Content:
    """The content without what is for whoever leads the game."""
    hidden = content.for_gm
    items = tuple(item for item in content.items if item.id not in hidden)
    return replace(content, items=items, scenarios=(), cases={})


def texts_for_players(content: Content, program: Program) -> Program:
    """The program without the texts of hidden items, also where they explain other ones."""
    hidden = content.for_gm
    glosses = (content.by_id[id].data("gloss") for id in sorted(hidden))
    heads = [f"{str(one)[:1].upper()}{str(one)[1:]}:" for one in glosses if one]
    texts = ((id, _without(text, heads)) for id, text in program.texts if id not in hidden)
    cards = (card for card in program.cards if card[0] not in hidden)
    return replace(program, texts=tuple(texts), cards=tuple(cards))


def _without(text: str, heads: Collection[str]) -> str:
    """A text without the parts that explain hidden powers, each under its heading."""
    parts = text.split("\n\n")
    return "\n\n".join(part for part in parts if part.partition("\n")[0] not in heads)
