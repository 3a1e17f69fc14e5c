"""The record of one item, read again after each change of it: its values, and the mistakes in its fields.

What stands in other items is read once. The item may be new, or one of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.lower.budgets import KindBudget, budgets_of
from ruleloom.compiler.lower.passes import read_names
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.packs.settings import TAGS
from ruleloom.compiler.resolve.items import check_tags, has_own_tags
from ruleloom.compiler.resolve.records import ReadRow, RecordReader
from ruleloom.compiler.resolve.symbols import EntitySymbol, Symbols
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Entity

SHOWN = "record"
"""The path that mistakes in the record show."""


class ReadRecord(Frozen):
    """The rows of a record and its parts by entity, and the mistakes in its fields; without rows where the
    schema of its kind is violated."""

    rows: Mapping[str, tuple[ReadRow, ...]]
    mistakes: tuple[Diagnostic, ...]


def kinds_of(content: Content) -> dict[str, bool]:
    """The kinds whose items make things, and whether they have a budget with an allowance."""
    symbols = Symbols(game=content.game, belonging=Belonging.of(content))
    read_names(content, symbols, Report())
    budgets = budgets_of(content, symbols, Report())
    return {
        kind: any(one.allowed is not None for one in budgets.get(kind, ()))
        for kind, entity in symbols.kinds.items()
        if entity and symbols.is_recorded(entity)
    }


class RecordRows:
    """Reads one record of a kind, new or called `name`, against the other items of a game."""

    def __init__(self, content: Content, kind: str, name: str = "") -> None:
        self.symbols = Symbols(game=content.game, belonging=Belonging.of(content))
        read_names(content, self.symbols, Report())
        self.content = replace(
            content, files={**content.files, SHOWN: (content.packs[-1].id, SHOWN)}
        )
        self.kind, self.budgets = kind, budgets_of(content, self.symbols, Report()).get(kind, ())
        self._reader = RecordReader(self.content, self.symbols, kind, name)

    @property
    def entity(self) -> EntitySymbol:
        """The sort of thing that the record makes."""
        return self._reader.entity

    @property
    def number(self) -> int:
        """The number of the thing that the record makes."""
        return self._reader.number

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All things of the game, and an empty one in place of the record."""
        return self._reader.entities

    @property
    def parts(self) -> tuple[EntitySymbol, ...]:
        """The entities whose things are parts of the record, each after its owner."""
        return self._reader.parts

    def read(self, node: YamlNode) -> ReadRecord:
        """The record that the item of this tree makes."""
        report = Report()
        rows: Mapping[str, tuple[ReadRow, ...]] = {}
        if check_item(node, self.kind, self.content.schemas, report):
            rows = self._reader.read(self.item(node), report)
            tags = node.get(TAGS)
            if tags is not None and not has_own_tags(self.kind, self.content, self.symbols):
                check_tags(tags, self.symbols, report)
        return ReadRecord(rows, tuple(report.diagnostics()))

    def item(self, node: YamlNode) -> Item:
        """The item of this tree, as if it lay in the last pack."""
        named, pack = node.get("id"), self.content.packs[-1].id
        name = str(named.value) if named is not None else ""
        return Item(self.kind, name, pack, node.entries, (named or node).place, node, node.source)


__all__ = ["KindBudget", "ReadRecord", "RecordRows", "kinds_of"]
