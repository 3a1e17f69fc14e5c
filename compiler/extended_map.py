"""A map of a YAML file that gets entries of other files, each of which keeps its own place."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.source import Place, Source
from compiler.yaml_node import Node


@dataclass(slots=True, eq=False)
class ExtendedMap:
    """The entries of a map so far. `grown` says whether any came from elsewhere."""

    written: Node
    entries: dict[str, Node]
    spans: dict[str, tuple[int, int]]
    sources: dict[str, Source]
    grown: bool = False

    @classmethod
    def of(cls, written: Node | None, within: Node) -> ExtendedMap:
        """Begin with what is written; where nothing is, with nothing, which stands where `within` begins."""
        if written is None:
            written = Node(within.source, "map", {}, within.start, within.start, None, {})
        sources = dict(written.key_sources or {})
        return cls(written, dict(written.entries), dict(written.key_spans or {}), sources)

    def place(self, key: str) -> Place:
        """Where a key stands."""
        return self.sources.get(key, self.written.source).place(*self.spans[key])

    def add(self, key: str, child: Node, of: Node) -> None:
        """Take over one entry `of` another map."""
        assert of.key_spans is not None, "only a map has keys"
        self.entries[key] = child
        self.spans[key] = of.key_spans[key]
        self.sources[key] = of.source
        self.grown = True

    def put(self, key: str, child: Node) -> None:
        """Give an entry a new value. One that was not there stands where its value does."""
        self.entries[key] = child
        if key not in self.spans:
            self.spans[key] = (child.start, child.end)
            self.sources[key] = child.source

    def node(self) -> Node:
        """The map as a node, at the place of what was written."""
        one = self.written
        return Node(one.source, "map", self.entries, one.start, one.end, one.style, self.spans, self.sources)
