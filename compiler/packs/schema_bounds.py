"""Checks that a game's schemas and its vocabulary have the same bounds for static fields.

If only one of them is changed, the change has no effect, or less than intended. A bound that only one
of them gives applies as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import gt, lt

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import ENDING, Schema, SchemaStore
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.runtime.dataclass import Frozen

BOUNDS = {"min": ("minimum", lt), "max": ("maximum", gt)}
"""The schema keyword of each bound, and the test whether one bound is looser than another."""
WAYS = ("anyOf", "oneOf", "allOf")
WITHIN = ("additionalProperties", "items")


Found = tuple[str, Schema]
"""A schema, and the name of its file."""
Disagreement = tuple[YamlNode, str, int]
"""A bound of a static field in the vocabulary, the field's name, and its bound in the schema."""


def check_bounds(
    game: str, vocabulary: Mapping[str, YamlNode], store: SchemaStore, report: Report
) -> None:
    """Report each bound of the patched vocabulary that differs from a schema's."""
    reading = _Reading(store, entries_of(vocabulary.get("entities")))
    for kind, spec in entries_of(vocabulary.get("kinds")).items():
        makes = spec.get("makes")
        if kind not in store.kinds or makes is None or makes.text not in reading.entities:
            continue
        schema = (kind + ENDING, store.schema(kind))
        for node, field, bound in reading.of_entity(makes.text, schema):
            message = f"the schema of `{kind}` says {bound:,} here, of `{field}`"
            help = f"write {bound}, or change `{game}/{kind}.schema.json` in the schemas, too"
            report.error("schema-disagrees", node.place, message, help)


class _Reading(Frozen):
    store: SchemaStore
    entities: dict[str, YamlNode]

    def of_entity(self, entity: str, found: Found) -> Iterator[Disagreement]:
        """The disagreements about an entity's own fields, and about its parts."""
        file, schema = found
        properties = schema.get("properties", {})
        for name, spec in entries_of(self.entities[entity].get("static")).items():
            if name in properties:
                yield from self.of_field(name, spec, (file, properties[name]))
        for part, node in self.entities.items():
            of, under = node.get("part_of"), node.get("under")
            is_part = of is not None and of.text == entity
            if is_part and under is not None and under.text in properties:
                yield from self.of_entries(part, node, (file, properties[under.text]))

    def of_entries(self, part: str, node: YamlNode, found: Found) -> Iterator[Disagreement]:
        """The disagreements about a part's entries."""
        short = node.get("value" if node.get("key") is not None else "short")
        static = entries_of(node.get("static"))
        for way in self.within(found):
            if "properties" in way[1]:
                yield from self.of_entity(part, way)
            elif short is not None and short.text in static:
                yield from self.of_field(short.text, static[short.text], way)

    def of_field(self, name: str, spec: YamlNode, found: Found) -> Iterator[Disagreement]:
        """The disagreements about one field's bounds: of its value, or of each value of a list or table.

        A default may be outside the bounds of printed values.
        """
        for bound, (keyword, outer) in BOUNDS.items():
            node, default = spec.get(bound), spec.get("default")
            if node is None or type(node.value) is not int:
                continue
            for _, one in (*self.ways(found), *self.within(found)):
                if keyword not in one or node.value == one[keyword]:
                    continue
                for_default = default is not None and node.value == default.value
                if not (for_default and outer(node.value, one[keyword])):
                    yield node, name, one[keyword]

    def within(self, found: Found) -> Iterator[Found]:
        """The schemas of the values in a list or table."""
        for file, schema in self.ways(found):
            for keyword in WITHIN:
                if isinstance(schema.get(keyword), dict):
                    yield from self.ways((file, schema[keyword]))

    def ways(self, found: Found) -> Iterator[Found]:
        file, schema = self.store.followed(*found)
        yield file, schema
        for keyword in WAYS:
            for one in schema.get(keyword, ()):
                yield from self.ways((file, one))
