"""Prompts and options: what a player, a die or a deck is asked, as values."""

from __future__ import annotations

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.values import Dynamic

SEVERAL = ("subset", "order")
"""The kinds of prompt that are answered by several keys."""


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer: a stable `key` that people type, and a `label` to read."""

    key: str
    label: str
    value: Dynamic


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that may not be answered now, and why."""

    key: str
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question.

    `kind` is choose, number, mode, optional, combine, subset, order, text, secret, roll or draw.
    `player` is who answers (None: chance). For a subset between `least` and `most` options are
    taken, for an order all of them, the first one first; a text, which is its own key, has so many
    characters (none: the key is empty). `name` is the name of the choice in the effect text,
    `power` the routine that asks, `within` the routines it runs in (outermost first). `default` is
    the key of the option to take when nothing is said, `usual` the keys where several are taken.
    `weights` give the chances of a roll or draw.
    """

    id: str
    kind: str
    player: int | None
    name: str
    text: str
    options: tuple[Option, ...]
    least: int
    most: int
    default: str | None
    power: str
    within: tuple[str, ...]
    origin: Origin
    weights: tuple[int, ...] = ()
    usual: tuple[str, ...] | None = None
