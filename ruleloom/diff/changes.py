"""The result of a comparison, as plain values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from ruleloom.compiler.yaml.node import Plain
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import number_text

FieldDoes = Literal["added", "removed", "changed", "order"]
ItemDoes = Literal["added", "removed", "renamed", "kind", "changed"]
# What stands at a place: path within the pack (of another pack: behind its id), line and column.
Where = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A changed value of an item."""

    path: tuple[str, ...]  # keys, with `[name]` for an entry of a list
    does: FieldDoes  # `order`: the same entries in another order
    old: Plain
    new: Plain
    old_at: Where | None
    new_at: Where | None
    form: str = ""  # the sort of effect text, if it is one

    @property
    def name(self) -> str:
        """The path as people write it: `skills.dodging`, `gifts[deep-chest].points`."""
        return ".".join(self.path).replace(".[", "[")


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item added, removed or changed."""

    id: str  # without the pack where it is the pack's own
    does: ItemDoes
    own: bool
    was: str = ""  # its former id, if another
    advised: bool = False  # `renamed_from` is missing
    old_at: Where | None = None
    new_at: Where | None = None
    fields: tuple[FieldChange, ...] = ()
    text: tuple[str, str] | None = None  # its rules text before and after, where that differs
    patched: bool = False

    @property
    def kind(self) -> str:
        """The kind of the item."""
        return self.id.rpartition(":")[2].partition("/")[0]


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number of the thing `of` that changed although its item says the same."""

    id: str
    of: str
    label: str
    old: int | Fraction | bool
    new: int | Fraction | bool


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes: of the `manifest`, of items, and in consequence of numbers and rules `texts`."""

    manifest: tuple[FieldChange, ...] = ()
    items: tuple[ItemChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()
    texts: tuple[tuple[str, str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.manifest or self.items or self.numbers or self.texts)


def value_text(value: int | Fraction | bool) -> str:
    """A number or an answer for reading: `3`, `1 1/2`, `yes`."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else number_text(value)


def plain(value: Any) -> Any:
    """A value for programs: fractions as texts such as `1/2`."""
    return str(value) if isinstance(value, Fraction) else value
