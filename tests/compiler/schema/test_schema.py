"""The schema pass: gate and jsonschema agree, effect fields are found, hints can be typed as they
stand."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.schema.validate import effect_nodes
from ruleloom.compiler.schema.violations import violations
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import Plain, to_data
from ruleloom.compiler.yaml.reader import compose
from tests.support.expect import TESTS, check, run_schema, sample_store

# Every keyword of our subset, in one schema a letter.
PARTS: dict[str, object] = {
    "a": {"type": "integer", "minimum": 0, "maximum": 3},
    "b": {"enum": [1, "x", None]},
    "c": {"const": True},
    "d": {"type": ["string", "boolean"], "minLength": 1, "maxLength": 3},
    "e": {"type": "string", "pattern": "^[ab]+$"},
    "f": {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 1,
        "maxItems": 2,
        "uniqueItems": True,
    },
    "g": {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}],
        "items": False,
    },
    "h": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
    "i": {"$ref": "shared.schema.json#/$defs/tree", "minProperties": 1},
    "j": {"$ref": "#/$defs/small", "maximum": 1},
    "k": {"anyOf": [{"type": "integer", "minimum": 2}, {"const": "x"}, {"type": "null"}]},
    "l": {"oneOf": [{"type": "integer"}, {"enum": [1, "x"]}]},
    "m": {"allOf": [{"type": "integer"}, {"minimum": 2}]},
    "n": {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}},
    "o": {
        "type": "object",
        "propertyNames": {"pattern": "^[xy]$"},
        "additionalProperties": {"type": "integer"},
    },
    "p": {
        "type": "object",
        "properties": {"y": True},
        "additionalProperties": False,
    },
    "q": {
        "type": "object",
        "dependentRequired": {"x": ["y"]},
        "required": ["z"],
        "maxProperties": 2,
    },
    "r": {"type": "array", "contains": {"const": 1}},
    "s": {"minimum": 1, "maximum": 2},
    "t": {"type": "array", "uniqueItems": True},
    "u": {"type": ["integer", "boolean"], "enum": [0, 1]},
    "v": {"oneOf": [{"type": "object", "required": ["x"]}, {"type": "object", "required": ["y"]}]},
}
SHARED = {"$defs": {"tree": {"type": "object", "additionalProperties": {"$ref": "#/$defs/tree"}}}}
VARIED = SchemaStore.of(
    {
        "varied.schema.json": {
            "type": "object",
            "$defs": {"small": {"type": "integer", "minimum": 0}},
            "properties": {"kind": {"const": "varied"}, **PARTS},
            "required": ["kind"],
            "additionalProperties": False,
        },
        "shared.schema.json": SHARED,
    }
)

SIMPLE = (
    st.integers(-1, 4)
    | st.booleans()
    | st.none()
    | st.sampled_from(["", "x", "y", "ab", "a\n", "abcd"])
)
VALUES = st.recursive(
    SIMPLE,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(PARTS)), VALUES)
def test_gate_and_jsonschema_agree(part: str, value: Plain):
    data: Plain = {"kind": "varied", part: value}
    assert VARIED.passes("varied", data) == (not violations(data, "varied", VARIED))


@given(
    st.dictionaries(st.sampled_from([*PARTS, "kind", "zz"]), VALUES | st.just("varied"), max_size=4)
)
def test_gate_and_jsonschema_agree_on_whole_items(data: dict[str, Plain]):
    assert VARIED.passes("varied", data) == (not violations(data, "varied", VARIED))


@given(
    st.dictionaries(st.sampled_from([*"abcdefghijklmnopqrstuv", "zz", "kind"]), VALUES, max_size=3)
)
def test_whatever_does_not_pass_is_complained_of(data: dict[str, Plain]):
    text = json.dumps({**data, "kind": "varied"})
    report = Report()
    root = compose(Source.from_text(text, "a.yaml"), report)
    assert root is not None
    assert not report.has_errors
    for item in check(root, VARIED, report):
        assert item.is_sound == (not report.has_errors)
        assert item.is_sound == VARIED.passes("varied", to_data(item.node))


def test_kinds_are_the_schemas_with_a_kind():
    assert sample_store().kinds == ("power", "setting")


def test_a_game_adds_kinds_of_its_own(tmp_path):
    (tmp_path / "inn").mkdir()
    (tmp_path / "common.schema.json").write_text(
        (TESTS / "support" / "sample_schemas" / "common.schema.json").read_text()
    )
    (tmp_path / "inn" / "guest.schema.json").write_text(
        '{"$id": "inn/guest.schema.json", "properties": {"kind": {"const": "guest"},'
        ' "id": {"$ref": "common.schema.json#/$defs/id"}}}'
    )
    store = schemas_of(tmp_path, "inn")
    assert store.kinds == ("guest",)
    assert store.passes("guest", {"kind": "guest", "id": "ann"})
    assert not store.passes("guest", {"kind": "guest", "id": "Ann"})
    assert schemas_of(tmp_path).kinds == ()


def test_effect_fields_are_found_through_lists_and_maps():
    assert sample_store().effect_fields("power") == {
        ("takes",): "params",
        ("gives",): "result",
        ("when", "*"): "expr",
        ("triggers", "*", "on"): "event",
        ("triggers", "*", "do"): "block",
        ("effect",): "block",
    }
    assert sample_store().effect_fields("setting") == {}


def test_effect_nodes_lead_to_the_texts():
    text = (
        "kind: power\nid: a\nwhen: {x: a, y: b}\ntriggers:\n  - {on: c, do: d}\neffect: e\ntakes:\n"
    )
    root = compose(Source.from_text(text, "a.yaml"), Report())
    assert root is not None
    found = [
        (path, node.value, form) for path, node, form in effect_nodes(root, "power", sample_store())
    ]
    assert sorted(found) == [
        (("effect",), "e", "block"),
        (("triggers", "0", "do"), "d", "block"),
        (("triggers", "0", "on"), "c", "event"),
        (("when", "x"), "a", "expr"),
        (("when", "y"), "b", "expr"),
    ]


def setting(**fields: str) -> str:
    return "".join(f"{name}: {value}\n" for name, value in (GOOD | fields).items())


GOOD = {"kind": "setting", "id": "hand_size", "value": "3", "english": "three"}


@pytest.mark.parametrize(
    ("fields", "help"),
    [
        ({"hidden": "no"}, "write `false`, without quotes"),
        ({"hidden": "Yes"}, "write `true`, without quotes"),
        ({"hidden": '"true"'}, "write `true`, without quotes"),
        ({"hidden": "0"}, "write `false`, without quotes"),
        ({"hidden": "perhaps"}, None),
        ({"min": "010"}, "write `10`, without quotes"),
        ({"min": '"7"'}, "write `7`, without quotes"),
        ({"min": "+5"}, "write `5`, without quotes"),
        ({"min": "-007"}, "write `-7`, without quotes"),
        ({"min": "00"}, "write `0`, without quotes"),
        ({"min": "1_000"}, "write `1000`"),
        ({"min": "1,000"}, "write `1000`"),
        ({"min": "1.5"}, "write a whole number"),
        ({"min": "9" * 16}, "write a number of at most 15 digits"),
        ({"min": "three"}, "write it in digits"),
        ({"english": "3"}, 'write "3"'),
        ({"english": "true"}, 'write "true"'),
        ({"english": "{me}"}, "to begin a text with `{`, put the text in quotes"),
        ({"english": "#3"}, "`#` begins a comment; put a text that begins with it in quotes"),
        ({"english": ""}, None),
        ({"tags": "cards"}, "write `[cards]`"),
        ({"tags": "cards, hand]"}, "write `[cards, hand]`"),
        ({"type": "int"}, "did you mean `Int`?"),
        ({"id": "Hand Size!"}, "write `hand_size`"),
        ({"id": "7"}, 'write "7"'),
    ],
)
def test_the_help_can_be_typed_as_it_stands(fields: dict[str, str], help: str | None):
    found = run_schema(setting(**fields))
    assert [one.help for one in found] == [help], found


def test_a_misspelt_field_is_not_also_missing():
    found = run_schema("kind: setting\nid: a\nvalu: 3\nenglich: a\n")
    assert [(one.code, one.help) for one in found] == [
        ("unknown-field", "did you mean `value`?"),
        ("unknown-field", "did you mean `english`?"),
    ]


@pytest.mark.parametrize("field", ["text", "title", "gloss"])
def test_the_field_for_people_is_named(field: str):
    found = run_schema(f"kind: setting\nid: a\nvalue: 3\nenglish: a\n{field}: of a\n")
    assert [(one.code, one.help) for one in found] == [
        ("unknown-field", "what people read of it is `english:`")
    ]


# ------------------------------------------------------------------- what schemas say of themselves

SCHEMAS = TESTS.parent / "schemas"
FILES = {path.relative_to(SCHEMAS).as_posix(): path for path in sorted(SCHEMAS.rglob("*.json"))}
# The parts of a program are told class by class: nobody writes one by hand.
BY_CLASS = "program.schema.json"


def silent(schema: object, path: str, names: bool) -> Iterator[str]:
    """The properties of a schema that neither say what they are, nor lead to something that does,
    nor can be only one thing. What stands below `if` only tells cases apart."""
    if isinstance(schema, list):
        for part in schema:
            yield from silent(part, path, False)
    elif isinstance(schema, dict):
        for name, part in schema.items():
            inner = f"{path}.{name}" if names else path
            said = not isinstance(part, dict) or any(
                word in part for word in ("description", "$ref", "const")
            )
            if names and not said:
                yield inner
            if name != "if" or names:
                yield from silent(part, inner, name == "properties" and not names)


@pytest.mark.parametrize("file", FILES)
def test_a_schema_says_what_it_is(file: str):
    schema = json.loads(FILES[file].read_text(encoding="utf-8"))
    assert {"$schema", "title", "description"} <= schema.keys()


@pytest.mark.parametrize("file", [file for file in FILES if file != BY_CLASS])
def test_every_property_of_a_schema_says_what_it_is(file: str):
    schema = json.loads(FILES[file].read_text(encoding="utf-8"))
    assert not list(silent(schema, "", False))


def test_every_shared_definition_says_what_it_is():
    shared = json.loads(FILES["common.schema.json"].read_text(encoding="utf-8"))["$defs"]
    assert not [
        name for name, part in shared.items() if not {"title", "description"} <= part.keys()
    ]


def test_a_property_that_says_nothing_is_found():
    inner = {"type": "object", "properties": {"b": {"type": "integer"}, "c": {"const": 1}}}
    schema = {
        "properties": {"a": {"description": "said", "items": inner}, "if": {"type": "string"}}
    }
    assert list(silent(schema, "", False)) == [".a.b", ".if"]
