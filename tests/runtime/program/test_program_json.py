"""Programs as JSON: exact both ways, one form only, and refused in words when something is
wrong."""

from __future__ import annotations

import copy
import io
import json
import re
import subprocess
import sys
import tokenize
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.canonical_json import SaveError, canonical, read_json
from ruleloom.runtime.program.expr import expressions_of
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import (
    Choose,
    Condition,
    Function,
    Lock,
    Origin,
    Program,
    Roll,
    Use,
)
from ruleloom.runtime.program.program_json import (
    program_data,
    program_hash,
    program_of,
    program_text,
)
from ruleloom.runtime.program.values import FrozenMap
from ruleloom.runtime.program.verify import check_program
from tests.conftest import ROOT
from tests.support.command import another_hash_seed
from tests.support.evening import PROGRAM, bind
from tests.support.program_schema import program_schema, save_schema, written
from tests.support.rows import const

TEXT = program_text(PROGRAM)


def test_there_and_back():
    again = program_of(read_json(TEXT))
    assert again == PROGRAM
    assert program_text(again) == TEXT
    assert hash(replace(again, notation=None)) == hash(replace(PROGRAM, notation=None))


def test_origins_survive():
    again = program_of(read_json(TEXT))
    for before, after in zip(PROGRAM.routines, again.routines, strict=True):
        assert [row.origin for row in before.rows] == [row.origin for row in after.rows]
        assert before.origin == after.origin


def test_one_form_only():
    plain = json.dumps(json.loads(TEXT), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert plain == TEXT
    assert "\n" not in TEXT
    assert "“quickly”" in TEXT
    assert re.fullmatch("[0-9a-f]{64}", program_hash(PROGRAM))


def test_the_hash_does_not_depend_on_the_hash_seed():
    code = (
        "from tests.support.evening import PROGRAM; from ruleloom.runtime.program.program_json import *; "
        "print(program_hash(PROGRAM))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONHASHSEED": another_hash_seed()},
        capture_output=True,
        check=True,
    ).stdout
    assert found == program_hash(PROGRAM).encode() + b"\n"


def test_hash_sees_every_change():
    assert program_hash(
        replace(PROGRAM, lock=(Lock("orchard", "1.0.1", "0" * 64),))
    ) != program_hash(PROGRAM)


def test_half_a_character_is_spelled_out():
    odd = replace(PROGRAM, title="x\udc80")
    assert program_of(read_json(program_text(odd))) == odd
    program_hash(odd)


@pytest.mark.parametrize("name", ["program", "save"])
def test_schema_is_that_of_the_classes(name, request):
    path = ROOT / "schemas" / f"{name}.schema.json"
    wanted = written({"program": program_schema, "save": save_schema}[name]())
    if request.config.getoption("--reset"):
        path.write_text(wanted, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == wanted, "run `pytest --reset` and read `git diff`"


def test_schema_takes_the_program_and_nothing_odd():
    schema = program_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    data = json.loads(TEXT)
    assert validator.is_valid(data)
    data["routines"][0]["rows"][0]["value"] = ["value"]
    assert not validator.is_valid(data)


# ---------------------------------------------------------------------------------- formats


@pytest.mark.parametrize("found", [0, 1, 3, 99, -1])
def test_other_formats_are_named(found):
    data = {**program_data(PROGRAM), "format": found}
    message = f"the program is of format {found}; this version of Ruleloom reads format 2 only"
    with pytest.raises(SaveError, match=re.escape(message)):
        program_of(data)


@pytest.mark.parametrize("found", [None, "1", True, 1.0, [1]])
def test_a_format_is_a_number(found):
    with pytest.raises(SaveError, match="does not say its format"):
        program_of({**program_data(PROGRAM), "format": found})


# ---------------------------------------------------------------------------------- shapes


def changed(way: str, value: Any) -> dict[str, Any]:
    """The evening's data with one part replaced (or, for `...`, taken out)."""
    data = copy.deepcopy(json.loads(TEXT))
    *path, last = [int(word) if word.isdecimal() else word for word in way.split("/")]
    place: Any = data
    for word in path:
        place = place[word]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        ("title", 3, "title: a text was expected, not a number"),
        ("title", "x" * 100_001, "title: a text of 100,001 characters"),
        ("edition", True, "edition: a whole number was expected, not true or false"),
        ("edition", 2**53, "edition: a number beyond 2^53"),
        ("edition", ..., "`edition` is missing"),
        ("spare", 1, "`spare` does not belong there"),
        ("zones", {}, "zones: a list was expected, not a table"),
        ("zones/0", [], "zones[0]: a table was expected, not a list"),
        ("zones/0/lazy", 0, "zones[0].lazy: true or false was expected"),
        ("lock/0/hash", None, "lock[0].hash: a text was expected, not nothing"),
        ("enums/0", ["Colour"], "enums[0]: a list of 2 was expected, not of 1"),
        ("routines/0/rows/0/row", "Jmp", "routines[0].rows[0]: `Jmp` is no kind of row"),
        (
            "routines/0/rows/0/row",
            "__class__",
            "routines[0].rows[0]: `__class__` is no kind of row",
        ),
        ("routines/0/rows/0/row", ["Let"], "`list` is no kind of row"),
        (
            "routines/0/rows/0/origin",
            ["orchard", "x", 1],
            "routines[0].rows[0].origin: a place is a list",
        ),
        ("routines/0/rows/0/value", {"value": 1}, "routines[0].rows[0].value: a list was expected"),
        ("routines/0/rows/0/value", ["value", {}], "a whole number was expected, not a table"),
        (
            "routines/1/rows/1/modes/0/label",
            None,
            "routines[1].rows[1].modes[0].label: a text was expected",
        ),
        ("functions/0/english", "plain", "functions[0].english: a list was expected, not a text"),
        ("notation", {"x": 1.5}, "a whole number was expected"),
    ],
)
def test_wrong_shapes_say_where(way, value, message):
    with pytest.raises(SaveError) as caught:
        program_of(changed(way, value))
    assert message in str(caught.value)
    assert str(caught.value).startswith("the program is damaged at")


def test_nesting_is_bounded():
    deep: Any = 1
    for _ in range(101):
        deep = [deep]
    for way in ("notation", "routines/0/rows/0/value"):
        with pytest.raises(SaveError, match="nested too deep"):
            program_of(changed(way, deep))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested too deep"),
        ('{"a": 1, "a": 2}', "`a` stands there twice"),
        ("9" * 5000, "a number of 5,000 digits"),
        ("1.5", "`1.5` is not a whole number"),
        ("1e9", "not a whole number"),
        ("NaN", "not a whole number"),
        ("-Infinity", "not a whole number"),
        ('{"a":', "not JSON at character"),
        ("", "not JSON at character 1"),
        ('"\x00"', "not JSON"),
        ("{} {}", "not JSON at character 4"),
    ],
)
def test_json_is_read_without_trust(text, message):
    with pytest.raises(SaveError, match=re.escape(message)):
        read_json(text)


# ---------------------------------------------------------------------------------- meaning


def with_value(expr: Any) -> Program:
    """The evening with the first row's expression replaced."""
    return program_of(changed("routines/0/rows/0/value", expr))


def nested(form: Any, times: int) -> Any:
    """A form put into itself."""
    expr: Any = ["value", 1]
    for _ in range(times):
        expr = form(expr)
    return expr


def test_the_evening_passes():
    check_program(program_of(read_json(TEXT)))


ROWS = [["value", [1, "a"]], ["value", [2, [3, 4]]], ["value", None]]


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        ([], "not a list that starts with its form"),
        ([["value", 1]], "is no form of expression"),
        ([1], "`int` is no form of expression"),
        ([True], "is no form of expression"),
        (["__import__", "os"], "`__import__` is no form of expression"),
        (["source", 1], "`source` is no form of expression"),
        (["value"], "a constant has one value"),
        (["value", 1, 2], "a constant has one value"),
        (["value", [[[[[1]]]]]], "a constant list is too long or too deep"),
        (["value", list(range(10_001))], "a constant list is too long"),
        (["value", "x" * 20_001], "a constant text of more than"),
        (["slot", "0"], "there is no slot `0`"),
        (["slot", True], "there is no slot `bool`"),
        (["slot", -1], "there is no slot -1"),
        (["slot", 99], "there is no slot 99"),
        (["slot", None], "there is no slot `NoneType`"),
        (["slot"], "`slot` has one number"),
        (["scope", "you"], "there is no scope `you`"),
        (["scope", ["me"]], "there is no scope `tuple`"),
        (["scope", "me", ["value", 1]], "`scope` does not take 1 parts"),
        (["setting", "me"], "there is no setting `me`"),
        (["field", "Basket.weight", ["value", 0]], "there is no field `Basket.weight`"),
        (["static", "Basket.size", ["value", 0]], "there is no static `Basket.size`"),
        (["zone", "hand", None], "`zone` does not take 1 parts"),
        (["zone", "hand"], "`zone` does not take 0 parts"),
        (["at", "hand", ["value", 0]], "there is no at `hand`"),
        (["query", "beside", ["value", 0]], "`query` does not take 1 parts"),
        (["query", "baskets'); import os #"], "there is no query"),
        (["function", "orchard:rule/room"], "`function` does not take 0 parts"),
        (
            ["allowed", "orchard:measure/worth", ["value", 0]],
            "there is no allowed `orchard:measure/worth`",
        ),
        (["each", "product", None, 0, ["players"], None], "`product` is no way to sum up"),
        (["each", "sum", None, "x", ["players"], None], "there is no slot `x`"),
        (["each", "sum", None, True, ["players"], None], "there is no slot `bool`"),
        (["each", "sum", None, 1_000, ["players"], None], "there is no slot 1000"),
        (["each", "sum", None, 0, ["players"]], "`each` has five parts"),
        (["table", ["value", 1]], "`table` has four parts"),
        (["table", ["slot", 99], *ROWS], "there is no slot 99"),
        (["table", ["value", 1], ["slot", 0], *ROWS[1:]], "the rows of a table are constants"),
        (["table", ["value", 1], [], *ROWS[1:]], "the rows of a table are constants"),
        (["table", ["value", 1], 7, *ROWS[1:]], "the rows of a table are constants"),
        (
            ["table", ["value", 1], *ROWS[:2], ["setting", "most"]],
            "the rows of a table are constants",
        ),
        (["table", ["value", 1], ["value"], *ROWS[1:]], "a constant has one value"),
        (["table", ["value", 1], ["value", 1], *ROWS[1:]], "not have one value for each key"),
        (["table", ["value", 1], ["value", [1]], *ROWS[1:]], "not have one value for each key"),
        (
            ["table", ["value", 1], ["value", [1, 1]], *ROWS[1:]],
            "a key of a table stands there twice",
        ),
        (
            ["table", ["value", 1], ["value", [1, True]], *ROWS[1:]],
            "a key of a table stands there twice",
        ),
        (["table", ["value", 1], ["value", [1, None]], *ROWS[1:]], "a key of a table is a number"),
        (["table", ["value", 1], ["value", [1, [2]]], *ROWS[1:]], "a key of a table is a number"),
        (
            ["table", ["value", 1], ["value", list(range(10_001))], *ROWS[1:]],
            "a constant list is too long",
        ),
        (["+", ["value", 1]], "`+` does not take 1 parts"),
        (["not", None], "not a list that starts with its form"),
        (["players", ["value", 1]], "`players` does not take 1 parts"),
        (nested(lambda e: ["not", e], 64), "nested more than 64 deep"),
        (["list", *[["value", 1]] * 20_000], "has more than 20,000 parts"),
        (nested(lambda e: ["each", "sum", e, 0, ["players"], None], 13), "13 deep; 12 is the most"),
    ],
)
def test_hostile_expressions_are_refused(expr, message):
    with pytest.raises(SaveError) as caught:
        check_program(with_value(expr))
    assert message in str(caught.value)
    assert "routine `orchard:flow/set_up`, row 0" in str(caught.value)


@pytest.mark.parametrize(
    "expr",
    [
        nested(lambda e: ["not", e], 63),
        ["list", *[["value", 1]] * 19_999],
        ["value", -(2**53 - 1)],
        nested(lambda e: ["each", "sum", e, 0, ["players"], None], 12),
        nested(lambda e: ["count", ["..", e, ["value", 2]]], 31),
        nested(lambda e: ["in", ["value", 1], ["..", e, ["value", 2]]], 31),
        nested(lambda e: ["allowed", "orchard:rule/room", e], 63),
        nested(lambda e: ["lookup", ["list", e], ["value", 0]], 31),
        nested(lambda e: ["table", e, *ROWS], 62),
        [
            "table",
            ["value", 1],
            ["value", list(range(10_000))],
            ["value", [[1, 2]] * 10_000],
            ["value", 0],
        ],
    ],
)
def test_what_passes_the_check_becomes_python(expr):
    program = with_value(expr)
    check_program(program)
    link_game(program, bind, ("A", "B"))


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        ("set_up", "orchard:flow/none", "there is no routine `orchard:flow/none`"),
        ("scope/0/name", "you", "there is no scope variable `me`"),
        ("entities/0/name", "Person", "there are no players"),
        ("entities/0/most", 65, "the number of players makes no sense"),
        ("entities/1/most", 10_001, "there are more than 10,000 of it"),
        ("entities/1/present", "there", "there is no field `there`"),
        ("entities/1/fields/0/type", "Elephant", "there is no type `Elephant`"),
        ("entities/2/titles", [], "not every name has a title"),
        ("entities/2/powers", ["x"] * 12, "there is no routine `x`"),
        ("entities/2/static/0/1", [1], "`weight` has 1 values for 12"),
        ("zones/0/of", "Basket2", "there is no entity `Basket2`"),
        ("zones/0/at", "Hex", "there is no grid `Hex`"),
        ("zones/0/seen_by", "some", "its seen_by is all, owner or nobody"),
        ("zones/1/name", "hand", "a name of zone stands there twice"),
        ("operations/0/touches", ["nobody"], "there is no parameter `nobody`"),
        ("operations/0/changes", ["nothing"], "there is no column `nothing`"),
        ("triggers/0/event", "exploded", "there is no such event"),
        ("triggers/0/timing", "never", "its timing is immediately or afterwards"),
        ("always/0/operation", "burn", "there is no operation `burn`"),
        ("always/0/args", [], "`drop` takes 1 arguments, not 0"),
        ("always/0/domain/4", ["slot", 0], "there is no slot 0"),
        ("always/0/reads", ["x"], "there is no column `x`"),
        (
            "functions/0/body",
            ["function", "orchard:rule/room", ["slot", 0]],
            "functions call each other in a circle",
        ),
        ("functions/0/body", ["slot", 1], "there is no slot 1"),
        ("requirements/0/entity", "Elephant", "there is no entity `Elephant`"),
        ("requirements/0/level", "fatal", "its level is error, warning or notice"),
        ("requirements/0/where", ["slot", 1], "there is no slot 1"),
        ("requirements/0/holds", ["function", "none"], "there is no function `none`"),
        ("requirements/0/english", [[["slot", 3], "Fruit"]], "there is no slot 3"),
        ("requirements/0/english", [[["slot", 0], "Cart"]], "there is no type `Cart`"),
        ("sheets/0/entity", "Elephant", "there is no entity `Elephant`"),
        ("sheets/0/title", [[["slot", 1], "Fruit"]], "there is no slot 1"),
        ("sheets/0/sections/0/headings", ["card"], "it has three headings or none"),
        ("sheets/0/sections/0/title", [[["slot", 1], "Fruit"]], "there is no slot 1"),
        ("sheets/0/sections/0/rows/0/value", [[["slot", 1], "Fruit"]], "there is no slot 1"),
        ("sheets/0/sections/0/rows/0/label", [[["slot", 0], "Cart"]], "there is no type `Cart`"),
        (
            "sheets/0/sections/0/rows/0/texts",
            [[["function", "none"], "Fruit"]],
            "there is no function `none`",
        ),
        ("sheets/0/sections/1/domain", ["slot", 1], "there is no slot 1"),
        ("sheets/0/sections/1/rows/0/where", ["slot", 2], "there is no slot 2"),
        (
            "sheets/0/sections/1/rows/0/note",
            [[["setting", "none"], "Int"]],
            "there is no setting `none`",
        ),
        ("routines/0/rows/3/to", 99, "there is no row 99 to go on with"),
        ("routines/0/rows/3/to", -1, "there is no row -1 to go on with"),
        ("routines/0/rows/0/slot", -1, "there is no slot -1"),
        ("routines/0/rows/0/slot", 99, "there is no slot 99"),
        ("routines/0/result", 99, "there is no slot 99"),
        ("routines/0/rows", [], "its last row is no `Return`"),
        ("routines/0/params", [str(n) for n in range(50)], "it has more parameters than slots"),
        ("routines/0/slot_types", [], "it does not have one type for each slot"),
        ("routines/2/slot_types/0", "Dragon", "there is no type `Dragon`"),
        ("routines/2/slot_types/0", "List of List of Int", "there is no type `List of Int`"),
        ("functions/0/param_types", ["Int"] * 2, "it does not have one type for each parameter"),
        ("functions/0/param_types/0", "Int??", "there is no type `Int?`"),
        ("routines/0/rows/10/pile", "hand", "nothing is drawn from `hand`"),
        ("routines/0/rows/10/zone", "tree", "nothing is drawn to `tree`"),
        ("routines/0/rows/10/owner", None, "it does not fit whose the zone is"),
        ("routines/1/rows/1/kind", "force", "its kind is choose, optional or combine"),
        ("routines/1/rows/1/modes", [], "the number of ways makes no sense"),
        ("routines/1/rows/1/modes/0/to", 1_000, "there is no row 1000"),
        (
            "routines/1/rows/2/routine",
            "orchard:flow/turn",
            "`orchard:flow/turn` takes 0 arguments, not 1",
        ),
        ("routines/1/rows/2/args", [], "`orchard:power/stride` takes 1 arguments, not 0"),
        ("routines/2/rows/0/count", "many", "its count is one, up_to, exactly, any or order"),
        ("routines/2/rows/0/count", "exactly", "its limit does not fit"),
    ],
)
def test_what_a_program_may_get_wrong(way, value, message):
    with pytest.raises(SaveError) as caught:
        check_program(program_of(changed(way, value)))
    assert message in str(caught.value)


def test_there_may_be_many_things_of_a_kind():
    fruit = next(one for one in PROGRAM.entities if one.powers)
    number = 1_000
    many = replace(
        fruit,
        names=tuple(f"fruit {at}" for at in range(number)),
        titles=("Fruit",) * number,
        powers=fruit.powers[:1] * number,
        places=(),
        static=tuple((name, values[:1] * number) for name, values in fruit.static),
    )
    entities = tuple(many if one is fruit else one for one in PROGRAM.entities)
    check_program(replace(PROGRAM, entities=entities))


def test_a_choice_has_few_conditions():
    at, row = next(
        (at, r) for at, r in enumerate(PROGRAM.routines[2].rows) if isinstance(r, Choose)
    )
    condition = Condition(const(True), ("it is so",))
    rows = [*PROGRAM.routines[2].rows]
    rows[at] = replace(row, conditions=(condition,) * 201)
    routine = replace(PROGRAM.routines[2], rows=tuple(rows))
    with pytest.raises(SaveError, match="there are more than 200 of its conditions"):
        check_program(
            replace(PROGRAM, routines=(*PROGRAM.routines[:2], routine, *PROGRAM.routines[3:]))
        )


def with_row(row: Any) -> Program:
    """The evening, whose stride starts with another row."""
    stride = PROGRAM.routines[2]
    rows = (row, *stride.rows[1:])
    return replace(
        PROGRAM, routines=(*PROGRAM.routines[:2], replace(stride, rows=rows), *PROGRAM.routines[3:])
    )


@pytest.mark.parametrize(
    ("count", "sides", "beyond"),
    [(-1, 6, "dice"), (1, 0, "sides"), (1_001, 6, "dice"), (1, 10_001, "sides"), ("6", 6, "dice"),
     (True, 6, "dice"), (1, None, "sides"), (Fraction(1, 2), 6, "dice"), ((1, 2), 6, "dice")],
)  # fmt: skip
def test_dice_are_limited(count, sides, beyond):
    origin = PROGRAM.routines[0].origin
    with pytest.raises(SaveError, match=f"a roll of so many {beyond} is beyond the limits"):
        check_program(
            with_row(Roll(origin, 0, "x", ("value", count), ("value", sides), None, None))
        )
    check_program(with_row(Roll(origin, 0, "x", ("value", 1_000), ("value", 10_000), None, None)))
    check_program(with_row(Roll(origin, 0, "x", ("value", 0), ("value", 1), None, None)))


@pytest.mark.parametrize("damaged", [("slot", 900), ("query", "no_such"), ("dice", 1), 6, None])
def test_dice_are_expressions(damaged):
    """What a roll works out is held against the program like any other expression."""
    row = Roll(PROGRAM.routines[0].origin, 0, "x", ("value", 1), ("value", 6), None, None)
    for field in ("count", "sides"):
        with pytest.raises(SaveError):
            check_program(program_of(program_data(with_row(replace(row, **{field: damaged})))))


def test_routines_do_not_use_themselves():
    origin = PROGRAM.routines[0].origin
    with pytest.raises(SaveError, match="routines use each other in a circle"):
        check_program(with_row(Use(origin, "orchard:power/stride", (const(1),), -1)))


def test_functions_cannot_double_the_work_for_ever():
    last: Any = const(1)
    functions = []
    for number in range(31):
        functions.append(Function(f"f{number}", (), (), "Int", last, False, ()))
        call = ("function", f"f{number}")
        last = ("+", call, call)
    with pytest.raises(SaveError, match=r"too much work|more than 32 deep"):
        check_program(replace(PROGRAM, functions=(*PROGRAM.functions, *functions)))


# ---------------------------------------------------------------------------------- eval

HOSTILE = [
    "'); __import__('os').system('true') #",
    '"""+open("x")+"""',
    "x\ny",
    "e[0]] or [1",
    "__builtins__",
    "{0.__class__}",
    "%s%n\\",
    "w, e, s, g: 0) or (lambda",
    "\u2028\x00\x1b[31m",
    "",
]
SAFE_NAME = re.compile(
    r"(lambda|for|in|if|else|and|or|not|is|None|True|False|any|all|len|max|min|sum|tuple|default|[wesgx]"
    r"|_span|_product|_join|_without|_unique|_[a-z]+|[abf][0-9]+|[cqrs][0-9]+)"
)
SAFE_SIGNS = set("()[]:,.=+-*/%<>") | {"==", "!=", "<=", ">=", "//", "->"}
METHODS = {"get", "values"}


def assert_harmless(source: str) -> None:
    """Only our own names, whole numbers and signs: no text, no attribute but two."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for before, token in zip([None, *tokens], tokens, strict=False):
        kind, text = token.type, token.string
        if kind == tokenize.NAME:
            after_dot = before is not None and before.string == "."
            assert text in METHODS if after_dot else SAFE_NAME.fullmatch(text), (text, source)
        elif kind == tokenize.NUMBER:
            assert re.fullmatch("[0-9]{1,16}", text), source
        elif kind == tokenize.OP:
            assert text in SAFE_SIGNS, (text, source)
        else:
            assert kind in (tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.NL), (token, source)


def test_the_evening_makes_harmless_python():
    sources = sources_of(PROGRAM)
    assert len(sources) > 50
    for source in sources:
        assert_harmless(source)


RENAMED = (
    "day",
    "used",
    "hand_size",
    "most",
    "orchard:rule/room",
    "orchard:measure/worth",
    "lay",
    "crate",
    "sunny",
    "Colour",
    "red",
    "meadow",
    "beside",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_do_not_reach_eval(name):
    data = json.loads(TEXT)
    for number, word in enumerate(RENAMED):
        data = renamed(data, word, f"{name}{number}")
    program = program_of(data)
    check_program(program)
    driver = partial(bind_anything, name)
    sources = sources_of(program, driver, (name + "1", name + "2"))
    assert len(sources) > 50
    for source in sources:
        assert_harmless(source)


def bind_anything(name: str, layout: Any) -> Any:
    """The orchard's driver, whatever its zones, an operation and a query are called."""
    driver = bind(replace(layout, index=link_game(PROGRAM, bind, ("A", "B")).layout.index))
    called = {word: f"{name}{number}" for number, word in enumerate(RENAMED)}
    return replace(
        driver,
        operations={called.get(word, word): made for word, made in driver.operations.items()},
        queries={called.get(word, word): made for word, made in driver.queries.items()},
    )


def renamed(data: Any, old: str, new: str) -> Any:
    """The data with one word replaced wherever it stands alone, or as a type that may be none."""
    if isinstance(data, list):
        return [renamed(item, old, new) for item in data]
    if isinstance(data, dict):
        return {key: renamed(item, old, new) for key, item in data.items()}
    return {old: new, f"{old}?": f"{new}?"}.get(data, data) if isinstance(data, str) else data


CONSTANTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.sampled_from(HOSTILE)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(CONSTANTS)
def test_constants_do_not_reach_eval(value):
    try:
        program = with_value(["value", value])
        check_program(program)
    except SaveError:
        return
    for source in sources_of(program):
        assert_harmless(source)


WAYS: list[tuple[Any, ...]] = []


def _ways(data: Any, way: tuple[Any, ...] = ()) -> None:
    WAYS.append(way)
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, item in items:
        _ways(item, (*way, key))


_ways(json.loads(TEXT))
ODD: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    3,
    2**53,
    "",
    "me",
    "hand",
    "Int",
    "value",
    HOSTILE[0],
    [],
    {},
]
EXPRESSIONS = [
    ["slot", 0],
    ["value", "x"],
    ["value", [1, 2]],
    ["players"],
    ["scope", "me"],
    ["value", None],
]


@given(st.sampled_from(WAYS[1:]), st.sampled_from(ODD + EXPRESSIONS))
def test_any_one_change_is_refused_or_plays(way, value):
    """One part of the program is replaced by something odd: it is refused, or Python stays
    harmless."""
    data = json.loads(TEXT)
    place: Any = data
    for word in way[:-1]:
        place = place[word]
    place[way[-1]] = value
    try:
        program = program_of(data)
        check_program(program)
    except SaveError:
        return
    for source in sources_of(program):
        assert_harmless(source)
    assert program_of(read_json(canonical(program_data(program)))) == program


def sources_of(
    program: Program, driver: Any = bind, players: tuple[str, ...] = ("A", "B")
) -> list[str]:
    """Every source that linking hands to `eval`. A program without its driver, or for more players,
    is refused as every program is."""
    found: list[str] = []
    plain = Codegen._evaluate

    def listen(self: Codegen, source: str, *name: str) -> Any:
        found.append(source)
        return plain(self, source, *name)

    with pytest.MonkeyPatch.context() as patch, suppress(Refused, RuntimeFault, KeyError):
        patch.setattr(Codegen, "_evaluate", listen)
        linked = link_game(program, driver, players)
        new_game(linked, 1)
        for number in range(len(program.routines)):  # each is linked when it is first needed
            for row in linked.routines[number].rows:
                assert all(map(linked.compiled, expressions_of(row)))
    return found


# ------------------------------------------------------------------------------ tables of constants


def with_table(value: Any) -> dict[str, Any]:
    """The evening's data with this printed on the first of its fruits."""
    number = next(i for i, entity in enumerate(PROGRAM.entities) if entity.static)
    return changed(f"entities/{number}/static/0/1/0", value)


@pytest.mark.parametrize(
    ("pairs", "table"),
    [
        ([], {}),
        ([["Str", 3], ["Wit", None]], {"Wit": None, "Str": 3}),
        (
            [[0, [1, 2]], [1, []], [10, [[0, -1]]], [2, "x"]],
            {0: (1, 2), 2: "x", 10: ((0, -1),), 1: ()},
        ),
    ],
)
def test_tables_survive(pairs, table):
    program = program_of(with_table({"map": pairs}))
    check_program(program)
    held = next(entity for entity in program.entities if entity.static).static[0][1][0]
    assert held == FrozenMap(table)
    assert type(held) is FrozenMap
    again = program_of(read_json(program_text(program)))
    assert again == program
    assert program_text(again) == program_text(program)
    assert jsonschema.Draft202012Validator(program_schema()).is_valid(
        json.loads(program_text(program))
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "a whole number was expected, not a table"),
        ({"map": {}}, "a table of constants is `map` with a list of pairs, and nothing else"),
        (
            {"map": [], "more": 1},
            "a table of constants is `map` with a list of pairs, and nothing else",
        ),
        ({"map": [["a"]]}, "a table of constants is a list of pairs"),
        ({"map": [["a", 1, 2]]}, "a table of constants is a list of pairs"),
        ({"map": ["ab"]}, "a table of constants is a list of pairs"),
        ({"map": [["a", 1], ["a", 1]]}, "a table of constants has a key twice"),
        ({"map": [["b", 1], ["a", 1]]}, "a table of constants is not in order"),
        ({"map": [[True, 1]]}, "a whole number was expected, not true or false"),
        ({"map": [[None, 1]]}, "a whole number was expected, not nothing"),
        ({"map": [[[1], 1]]}, "a whole number was expected, not a list"),
        ({"map": [["a", 1.5]]}, "a whole number was expected"),
        ({"map": [["a", 2**53]]}, "a number beyond 2^53"),
        ({"map": [["a", {"map": []}]]}, "`FrozenMap` is no constant"),
        ([{"map": []}], "`FrozenMap` is no constant"),
        ({"map": [["a", "x" * 20_001]]}, "a constant text of more than"),
        ({"map": [[f"{n:05}", n] for n in range(10_001)]}, "a constant table is too long"),
        (nested(lambda e: {"map": [["a", e]]}, 101), "nested too deep"),
    ],
)
def test_tables_that_are_none_are_refused(value, message):
    with pytest.raises(SaveError) as caught:
        check_program(program_of(with_table(value)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "way", ["scope/0/initial", "settings/0/value", "routines/0/rows/2/value/1"]
)
def test_tables_stand_on_records_only(way):
    data = changed(way, {"map": [["a", 1]]})
    if way.endswith("value/1"):
        data["routines"][0]["rows"][2]["value"][0] = "value"
    with pytest.raises(SaveError, match="`FrozenMap` is no constant"):
        check_program(program_of(data))


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (["records", "Basket"], "there is no records `Basket`"),
        (["records", "Player"], "there is no records `Player`"),
        (["records"], "there is no records `NoneType`"),
        (["records", "Fruit", ["value", 1]], "`records` does not take 1 parts"),
    ],
)
def test_records_are_those_of_an_entity_that_has_some(expr, message):
    with pytest.raises(SaveError, match=re.escape(message)):
        check_program(with_value(expr))
    check_program(with_value(["count", ["records", "Fruit"]]))


def test_there_is_a_place_for_every_record_or_for_none():
    number = next(i for i, entity in enumerate(PROGRAM.entities) if entity.names)
    place = Origin("orchard", "fruit.yaml", 3, 5)
    written = ["orchard", "fruit.yaml", 3, 5]
    count = len(PROGRAM.entities[number].names)
    program = program_of(changed(f"entities/{number}/places", [written] * count))
    check_program(program)
    assert program.entities[number].places[0] == place
    with pytest.raises(SaveError, match="not every name has a place"):
        check_program(program_of(changed(f"entities/{number}/places", [written])))
