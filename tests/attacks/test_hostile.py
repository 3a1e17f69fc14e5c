"""Hostile files: every attack on YAML and schemas that we know of is refused, at once, with a
place."""

from __future__ import annotations

import http.server
import json
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from referencing.exceptions import Unresolvable

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.schema.registry import SchemaError, SchemaStore, schemas_of
from ruleloom.compiler.schema.violations import violations
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.layout import MAX_DEPTH
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from tests.support.expect import check, run_schema, run_yaml, sample_store
from tests.support.stopwatch import within


def codes(found: list[Diagnostic]) -> list[str]:
    return [one.code for one in found]


SETTING = "kind: setting\nid: hand_size\nvalue: 3\nenglish: the most cards\n"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        "[" * 30_000,
        "{" * 500_000,
        "- " * 500_000,
        "{a: " * 300_000,
        "a: " + "[[" * 200_000,
        "? " * 300_000,
        "[" * 1_000 + "]" * 1_000,
    ],
)
def test_deep_nesting_is_refused_while_scanning(text: str):
    with within(0.25):
        found = run_yaml(text)
    assert codes(found) in (
        ["nested-too-deep"],
        ["bad-key"],
    )  # a map within a key has no depth to reach


def test_depth_at_the_limit_and_above():
    for opening, closing in (("[", "]"), ("{a: ", "}")):
        depth = MAX_DEPTH
        assert run_yaml(opening * depth + "1" + closing * depth) == []
        assert codes(run_yaml(opening * (depth + 1) + "1" + closing * (depth + 1))) == [
            "nested-too-deep"
        ]


def test_values_at_the_limit_and_above():
    for count, expected in ((9, []), (10, ["too-many-values"])):
        report = Report()
        compose(Source.from_text(f"[{', '.join('1' * count)}]", "a.yaml"), report, most=10)
        assert codes(report.diagnostics()) == expected


def test_the_largest_list_that_fits_a_file_is_refused_in_time():
    # As in the command: what else this process of many tests holds is not gone through again and
    # again.
    with within(4):
        assert codes(run_yaml("[" + "1," * 1_000_000 + "1]")) == ["too-many-values"]


def test_lengths_at_the_limit_and_above():
    assert run_yaml(f"{'k' * 200}: 1\n") == []
    assert codes(run_yaml(f"{'k' * 201}: 1\n")) == ["too-long"]
    for written in ("a: {}\n", "a: '{}'\n", 'a: "{}"\n', "a: >-\n  {}\n"):
        assert run_yaml(written.format("x" * 20_000)) == []
        assert codes(run_yaml(written.format("x" * 20_001))) == ["too-long"]
    assert run_yaml(f"a: |-\n  {'x' * 32_768}\n") == []
    assert codes(run_yaml(f"a: |-\n  {'x' * 32_769}\n")) == ["too-long"]


def test_a_huge_text_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.write(b"a: ")
        file.seek(50_000_000)
        file.write(b"x")
    with within(0.1), pytest.raises(SourceError) as caught:
        Source.read(path, "huge.yaml")
    assert caught.value.code == "file-too-big"


@pytest.mark.parametrize(
    ("before", "letter", "after", "told"),
    [
        ("a: ", "x", "", "too-long"),
        ("", "#", "", "empty-file"),
        ('a: "', "x", "", "unclosed-quote"),
        ("a: ", "\\", "\n b: 1", "bad-indentation"),
    ],
)
def test_a_text_as_large_as_a_file_may_be(before: str, letter: str, after: str, told: str):
    with within(1.5):
        assert codes(run_yaml(before + letter * 2_000_000 + after)) == [told]


def test_bombs_of_aliases_and_merges():
    letters = "abcdefghi"
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, after in pairwise(letters)
    )
    merge = "a: &a {x: 1}\n" + "b: {<<: [*a, *a, *a, *a, *a, *a, *a, *a]}\n"
    with within(0.1):
        assert codes(run_yaml(bomb)) == ["anchor"]
        assert codes(run_yaml(merge)) == ["anchor"]
        assert codes(run_yaml("<<: {a: 1}\n")) == ["merge-key"]
        assert codes(run_yaml("&a [*a]\n")) == ["anchor"]
        assert codes(run_yaml("*a\n")) == ["anchor"]


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system [true]\n",
        "a: !!python/name:os.system x\n",
        "!!binary aGVsbG8=\n",
        "a: !!int 3\n",
        "a: ! x\n",
        "!<tag:yaml.org,2002:str> a: 1\n",
        "%TAG ! tag:x,2000:\n---\na: !y z\n",
    ],
)
def test_tags_are_refused(text: str):
    assert codes(run_yaml(text)) in (["tag"], ["directive"])


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",
        'name: 1\n"n\\u0061me": 2\n',
        "1: a\n'1': b\n",
        "true: a\n'true': b\n",
        "{a: 1, 'a': 2}\n",
    ],
)
def test_a_key_given_twice_is_told_with_both_places(text: str):
    found = run_yaml(text)
    assert codes(found) == ["duplicate-key"]
    assert found[0].notes[0].place < found[0].place


def test_many_keys_that_would_collide_as_numbers():
    keys = "".join(f"{(2**61 - 1) * i}: 1\n" for i in range(30_000))
    with within(3):
        assert run_yaml(keys) == []


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *(
            (text, text)
            for text in (
                "no",
                "yes",
                "on",
                "off",
                "NO",
                "True",
                "Null",
                "1/5",
                "i",
                "ii",
                "1d6",
                "2d6+1",
            )
        ),
        *(
            (text, text)
            for text in (
                "1e3",
                "3-4",
                "12:30",
                "1:30:00",
                "010",
                "1_000",
                "1.10",
                "0x1F",
                "2024-01-01",
            )
        ),
        *(
            (text, text)
            for text in (".nan", ".inf", "=", "2024-13-45", "0o17", "+5", "--5", "1.", "0b1")
        ),
        ("9" * 16, "9" * 16),
        ("1" * 5_000, "1" * 5_000),
        ("9" * 15, 10**15 - 1),
        ("-" + "9" * 15, 1 - 10**15),
        ("0", 0),
        ("-3", -3),
        ("00", "00"),
        ("true", True),
        ("false", False),
        ("", None),
        ("~", None),
        ("null", None),
        ('"3"', "3"),
        ("'true'", "true"),
        ('""', ""),
        ("３", "３"),
        ("1\u0660", "1\u0660"),
    ],
)
def test_values_are_typed_by_us(written: str, value: object):
    report = Report()
    root = compose(Source.from_text(f"a: {written}\n", "a.yaml"), report)
    assert report.diagnostics() == []
    assert root is not None
    data = to_data(root)
    assert data == {"a": value}
    assert isinstance(data, dict)
    assert type(data["a"]) is type(value)


def test_numbers_written_to_be_slow_are_text():
    with within(0.5):
        run_yaml("a: 0x" + "f" * 1_000_000)
        run_yaml("a: " + ":59" * 200_000)
        run_yaml("a: " + "1" * 1_000_000)


def test_control_characters_behind_escapes_are_refused():
    for escape in ("\\0", "\\x1b", "\\x9b", "\\u2028", "\\ufeff", "\\x7f", "\\r"):
        assert codes(run_yaml(f'a: "{escape}"\n')) == ["control-character"]
    assert codes(run_yaml('a: "\\ud800"\n')) == ["bad-escape"]
    assert codes(run_yaml('a: "\\Uffffffff"\n')) == ["bad-escape"]
    assert run_yaml('a: "\\t\\n\\u00e9\\U0001f680"\n') == []


def test_bytes_that_are_no_text():
    assert codes(run_yaml(b"a: \x00\n")) == ["control-character"]
    assert codes(run_yaml(b"a: \xff\n")) == ["not-utf8"]
    assert codes(run_yaml("a: 1\n".encode("utf-16"))) == ["not-utf8"]


def test_many_mistakes_in_one_item_are_told_in_time():
    fields = "".join(f"f{i}: 1\n" for i in range(20_000))
    with within(5):
        found = run_schema(SETTING + fields)
    assert {one.code for one in found} == {"unknown-field"}
    tags = ", ".join(f"Tag{i}" for i in range(50_000))
    with within(5):
        assert run_schema(f"{SETTING}tags: [{tags}]\n")


def test_lists_without_repeats_are_checked_in_linear_time():
    entries = ", ".join(f"{{a: {i}}}" for i in range(20_000))
    with within(5):
        assert run_schema(f"{SETTING}tags: [{entries}]\n")


def test_keys_that_look_like_python():
    found = run_schema(f"{SETTING}__class__: x\n__proto__: y\n1: z\n")
    assert codes(found) == ["unknown-field"] * 3


def test_no_schema_is_ever_fetched(tmp_path: Path):
    asked: list[str] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    local = tmp_path / "other.json"
    local.write_text("{}")
    try:
        for ref in (
            f"http://127.0.0.1:{server.server_port}/x.json",
            local.as_uri(),
            "other.json",
            "#/nowhere",
        ):
            schema = {"type": "object", "properties": {"kind": {"const": "x"}, "a": {"$ref": ref}}}
            store = SchemaStore.of({"x.schema.json": schema})
            with pytest.raises(SchemaError, match="points at no schema"):
                store.passes("x", {"kind": "x", "a": 1})
            with pytest.raises(Unresolvable):
                violations({"kind": "x", "a": 1}, "x", store)
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []


@pytest.mark.parametrize(
    "schema",
    [
        {"format": "date"},
        {"unevaluatedProperties": False},
        {"$dynamicRef": "#x"},
        {"minContains": 2},
        {"multipleOf": 2},
        {"not": {"const": 1}},
        {"patternProperties": {"^x": True}},
        {"x-effect": "poem"},
        {"enum": [1, True]},
        {"const": [1]},
    ],
)
def test_keywords_outside_our_subset_are_our_fault(schema: dict[str, object]):
    store = SchemaStore.of({"x.schema.json": {"properties": {"kind": {"const": "x"}, "a": schema}}})
    with pytest.raises(SchemaError):
        (store.passes("x", {"kind": "x"}), store.effect_fields("x"))


def test_two_schemas_of_one_name_are_our_fault(tmp_path: Path):
    (tmp_path / "game").mkdir()
    for folder in (tmp_path, tmp_path / "game"):
        (folder / "x.schema.json").write_text(json.dumps({"type": "object"}))
    with pytest.raises(SchemaError, match="two schemas"):
        schemas_of(tmp_path, "game")


def test_an_id_ends_where_its_text_ends():
    found = run_schema(SETTING.replace("id: hand_size", 'id: "hand_size\\n"'))
    assert codes(found) == ["bad-id"]


@pytest.mark.parametrize(
    "id", ["con", "nul", "com1", "lpt9", "__proto__", "Fool", "ﬁ", "fооl", "1st", "-a", "a b", ""]
)
def test_ids_that_trick_people_or_machines_are_refused(id: str):
    found = run_schema(SETTING.replace("id: hand_size", f"id: '{id}'"))
    assert codes(found) in (["bad-id"], ["empty-text"])


@pytest.mark.parametrize(("length", "expected"), [(64, []), (65, ["too-long"])])
def test_ids_at_the_limit_and_above(length: int, expected: list[str]):
    assert codes(run_schema(SETTING.replace("hand_size", "x" * length))) == expected


def test_a_file_of_broken_items_tells_of_each():
    text = "".join(f"- {{kind: setting, id: a{i}, value: 1}}\n" for i in range(500))
    report = Report()
    root = compose(Source.from_text(text, "a.yaml"), report)
    assert root is not None
    assert not any(item.is_sound for item in check(root, sample_store(), report))
    assert len(report.diagnostics()) == 500
