"""The sections about what is done: the steps of flows, powers and items, and what lies below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.english.word import sentence
from ruleloom.compiler.packs.content import Item
from ruleloom.reference.rulebook.document import Block, Detail, Part, Prose, Steps
from ruleloom.reference.rulebook.telling import Telling

# A summary of so few words says no more than any heading.
FEW = 3


def anchor_of(item: Item) -> str:
    """Where an item is told, whatever chapter that is in."""
    return f"{item.kind}-{item.name}" if item.id.count(":") else item.name


def doing(telling: Telling, item: Item) -> Iterator[Block]:
    """What an item does: all the time, then step by step."""
    told = telling.told(item)
    for line in told.passive:
        yield Prose(line.text)
        if line.inner:
            yield Steps(line.inner, numbered=False)
    if told.options:
        yield Prose(told.options, soft=True)
    if len(told.steps) == 1:
        only = told.steps[0]
        yield Prose(only.text)
        if only.inner:
            yield Steps(only.inner)
    elif told.steps:
        yield Steps(told.steps)


def summary(telling: Telling, item: Item) -> Iterator[Block]:
    """What it comes to in a sentence, where its heading is shorter."""
    said = telling.summary(item)
    if len(said) > len(telling.heading(item)) and len(said.split()) > FEW:
        yield Prose(sentence(said), soft=True)


def section(telling: Telling, id: str, below: Sequence[str]) -> Part:
    """The section of a power, and a section below it for each one that only it needs."""
    item = telling.items[id]
    return Part(
        telling.heading(item),
        anchor_of(item),
        (*summary(telling, item), *doing(telling, item)),
        tuple(section(telling, one, ()) for one in below),
        telling.source(item),
    )


def details(telling: Telling, ids: Sequence[str]) -> Iterator[Detail]:
    """What only one item needs, to be told below it."""
    for id in ids:
        item = telling.items[id]
        blocks = (*summary(telling, item), *doing(telling, item))
        yield Detail(telling.heading(item), anchor_of(item), blocks)
