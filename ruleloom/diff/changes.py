"""What a comparison finds: values that other modules make, weigh and write down."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from ruleloom.compiler.yaml.node import Plain
from ruleloom.runtime.machine.labels import number_text

FieldDoes = Literal["added", "removed", "changed", "order"]
ItemDoes = Literal["added", "removed", "renamed", "kind", "changed"]
# What stands at a place: path within the pack (of another pack: behind its id), line and column.
Where = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One value of an item that says something else. `path` leads to it: keys, and `[name]` for an
    entry of a list.

    `form` is what sort of effect text it is; empty if it is none. An `order` change has the same
    entries.
    """

    path: tuple[str, ...]
    does: FieldDoes
    old: Plain
    new: Plain
    old_at: Where | None
    new_at: Where | None
    form: str = ""

    @property
    def name(self) -> str:
        """The path as people write it: `skills.dodging`, `gifts[deep-chest].points`."""
        return ".".join(self.path).replace(".[", "[")


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item that came, went, or says something else. `id` is without the pack where it is the
    pack's own.

    `was` is its former id, where that differs; with `advised`, `renamed_from` could tell of it and
    does not. `text` has its generated rules text before and after, where that differs.
    """

    id: str
    does: ItemDoes
    own: bool
    was: str = ""
    advised: bool = False
    old_at: Where | None = None
    new_at: Where | None = None
    fields: tuple[FieldChange, ...] = ()
    text: tuple[str, str] | None = None
    patched: bool = False

    @property
    def kind(self) -> str:
        """What sort of item it is."""
        return self.id.rpartition(":")[2].partition("/")[0]


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number that came out different although nothing was written about it anew. `of` is the
    thing it is of."""

    id: str
    of: str
    label: str
    old: int | Fraction | bool
    new: int | Fraction | bool


@dataclass(frozen=True, slots=True)
class Changes:
    """All that is different. `manifest` is about the pack itself, `texts` about rules texts that
    say something else although nothing in their item changed: id, old and new text."""

    manifest: tuple[FieldChange, ...] = ()
    items: tuple[ItemChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()
    texts: tuple[tuple[str, str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.manifest or self.items or self.numbers or self.texts)


def value_text(value: int | Fraction | bool) -> str:
    """A number or an answer for reading: `3`, `1 1/2`, `yes`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value)


def plain(value: Any) -> Any:
    """A value for programs: fractions as texts such as `1/2`."""
    return str(value) if isinstance(value, Fraction) else value
