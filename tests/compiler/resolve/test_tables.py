"""Tables: what they give in play, what they say in English, and patches of their rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.program_json import program_of, program_text
from ruleloom.runtime.program.verify import check_program
from tests.compiler.check.test_check import compiled, play
from tests.support.check_layer import NOTHING, compile_case, game_files, schemas
from tests.support.pack_examples import manifest, write

PRICE = """\
- kind: table
  id: price
  by: Colour
  gives: Int
  rows: {red: 1, green: 20}
  otherwise: 7
  english: "the price of {by}"
"""
SIDES = """\
- kind: table
  id: side
  by: Bool
  gives: Text
  rows: {yes: Heads-up, no: tails}
  english: "the side of the coin"
"""
LANDING = """\
- kind: table
  id: landing
  by: Int
  gives: Spot
  rows: {1: 2/-1, -3: 0/0}
  english: "the spot numbered {by}"
"""
SHARE = """\
- kind: table
  id: share
  by: Int
  gives: Fraction
  rows: {1: 1/2, 2: 2.75}
  otherwise: 0
  english: "the share of {by}"
"""
BONUS = """\
- kind: table
  id: bonus
  by: Fruit
  gives: Colour
  rows: {plum: gold, pear#2: green}
  english: "the colour that {by} gives"
"""


@pytest.mark.parametrize(
    ("effect", "day"),
    [
        ("set day = price(red) + price(by: green)", 21),
        ("set day = price(gold)", 7),
        ("set day = (share(1) + share(2)) * 4 div 1", 13),
        ("set day = 3 if share(1) = 1/2 and share(3) = 0 else 4", 3),
        ('set day = 3 if side(day = 1) = "Heads-up" else 4', 3),
        ('set day = 3 if side(day = 2) = "tails" else 4', 3),
        ("set day = 3 if landing(-3) = landing(1) else 4", 4),
        ("set day = 3 if landing(day) is not none and landing(2) is none else 4", 3),
    ],
)
def test_what_a_table_gives(effect: str, day: int):
    assert play(f"{effect}\n", items=(PRICE, SIDES, LANDING, SHARE)).day == day


def test_things_are_looked_up_by_the_ids_of_their_items():
    effect = """\
set day = 0
repeat 3 times:
    draw card from heap to meadow
for each fruit in meadow:
    let colour_given = bonus(fruit)
    if colour_given is not none:
        set day = day + price(colour_given)
"""
    found = play(effect, "plum", "pear", "pear#2", items=(PRICE, BONUS))
    assert found.day == 27


def test_a_program_with_tables_is_read_back_as_it_was():
    program = compiled("set day = price(red)\n", PRICE, LANDING, SIDES, BONUS, SHARE)
    assert {one.body[0] for one in program.functions} >= {"table"}
    again = program_of(read_json(program_text(program)))
    check_program(again)
    assert again == program


def test_a_table_is_printed_row_by_row():
    program = compiled("set day = 1\n", PRICE, SIDES, LANDING, BONUS)
    texts = dict(program.texts)
    assert (
        texts["orchard:table/price"]
        == "The price of a colour.\n\nRed: 1.\nGreen: 20.\nAny other: 7."
    )
    assert texts["orchard:table/side"] == "The side of the coin.\n\nYes: Heads-up.\nNo: tails."
    assert texts["orchard:table/landing"] == "The spot numbered N.\n\n1: 2/-1.\n(-3): 0/0."
    assert texts["orchard:table/bonus"].startswith("The colour that a fruit gives.\n\nPlum: gold.")


def test_a_table_that_nothing_uses_is_pointed_out():
    result = compile_case(PRICE)
    assert [(one.code, one.message) for one in result.diagnostics] == [
        ("unused-item", "nothing looks anything up in the table `price`")
    ]


# ------------------------------------------------------------------------------ columns of mistakes


def test_a_wrong_key_and_a_wrong_value_are_marked_exactly():
    wrong = PRICE.replace("{red: 1, green: 20}", "{grene: 1, green: dear}")
    key, value = compile_case(wrong).diagnostics
    assert (key.code, key.place.line, key.place.column, key.place.end_column) == (
        "unknown-name",
        5,
        10,
        15,
    )
    assert key.help == "did you mean `green`?"
    assert (value.code, value.place.column, value.place.end_column) == ("type-mismatch", 27, 31)


# ------------------------------------------------------------------------------ patches of rows


def patched(folder: Path, *patches: str, target: str = "table/price") -> CompileResult:
    """The orchard with the table of prices, and a pack for each patch of it."""
    files = {f"orchard/{name}": text for name, text in game_files().items()}
    files["orchard/price.yaml"] = PRICE + SHARE
    for number, text in enumerate(patches):
        files[f"p{number}/pack.yaml"] = manifest(f"p{number}", game="orchard")
        files[f"p{number}/patch.yaml"] = f"kind: patch\nid: c{number}\ntarget: {target}\n{text}\n"
    write(folder, files)
    folders = [folder / "orchard", *(folder / f"p{number}" for number in range(len(patches)))]
    return compile_paths(folders, builtin=NOTHING, schemas=schemas())


def rows_of(result: CompileResult, name: str = "price") -> dict[str, object]:
    """The rows of the patched table."""
    assert result.content is not None
    [item] = [item for item in result.content.by_kind("table") if item.name == name]
    rows = item.data("rows")
    assert isinstance(rows, dict)
    return rows


@pytest.mark.parametrize(
    ("texts", "rows"),
    [
        (["set: {rows.red: 5}"], {"red": 5, "green": 20}),
        (["set: {rows.gold: 5}"], {"red": 1, "green": 20, "gold": 5}),
        (["add: {rows.red: 4, rows.green: -1}"], {"red": 5, "green": 19}),
        (['scale: {rows.green: "3/2"}'], {"red": 1, "green": 30}),
        (["remove: {rows: [red]}"], {"green": 20}),
        (["remove: {rows: [red]}", "remove: {rows: [red]}"], {"green": 20}),
        (["remove: {rows: [red]}\nset: {rows.gold: 3}"], {"green": 20, "gold": 3}),
        (["set: {rows: {gold: 3}}"], {"gold": 3}),
        (
            ["add: {rows.red: 1}", "add: {rows.red: 2}", "add: {rows.green: 1}"],
            {"red": 4, "green": 21},
        ),
        (["set: {rows: {red: 3}}", "add: {rows.red: 1}\nafter: [c0]"], {"red": 4}),
        (["set: {rows: {red: 3}}\nafter: [c1]", "add: {rows.red: 1}"], {"red": 3}),
        (["remove: {rows: [red]}", "set: {rows.red: 9}\nafter: [c0]"], {"red": 9, "green": 20}),
    ],
)
def test_patches_of_rows(texts: list[str], rows: dict[str, int], tmp_path: Path):
    result = patched(tmp_path, *texts)
    assert [one for one in result.diagnostics if one.severity == "error"] == []
    assert rows_of(result) == rows
    assert result.program is not None
    price = next(one for one in result.program.functions if one.id == "orchard:table/price")
    assert dict(zip(price.body[2][1], price.body[3][1], strict=True)) == rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("add: {rows.1: 2}", {"1": "5/2", "2": "2.75"}),
        ("scale: {rows.1: 1/3, rows.2: 4}", {"1": "1/6", "2": 11}),
        ("set: {rows.3: 1/8}", {"1": "1/2", "2": "2.75", "3": "1/8"}),
    ],
)
def test_a_row_that_is_a_fraction_stays_exact(text: str, rows: dict[str, object], tmp_path: Path):
    result = patched(tmp_path, text, target="table/share")
    assert [one for one in result.diagnostics if one.severity == "error"] == []
    assert rows_of(result, "share") == rows


def test_the_history_of_a_row(tmp_path: Path):
    result = patched(tmp_path, "add: {rows.red: 4}")
    assert result.content is not None
    [step] = result.content.history["orchard:table/price", "rows.red"]
    assert (step.pack, step.line, step.op, step.old, step.new) == ("p0", 4, "add", 1, 5)


@pytest.mark.parametrize(
    ("texts", "code", "line", "column", "message", "help"),
    [
        (
            ["remove: {rows: [rad]}"],
            *("patch-matches-nothing", 4, 17, "`rows` has no row `rad`, so it cannot be removed"),
            "did you mean `red`?",
        ),
        (
            ["add: {rows.rad: 1}"],
            *("patch-type", 4, 7, "`add` works on a number, and `rows.rad` has no value yet"),
            "did you mean `red`?",
        ),
        (
            ["scale: {rows.red: 1/2}"],
            *("patch-number", 4, 19, "`rows.red` would become 1/2, and it must be a whole number"),
            None,
        ),
        (
            ["remove: {rows.red: [1]}"],
            *("patch-type", 4, 10, "`remove` works on a list, and `rows.red` is a row"),
            "`remove: {rows: [...]}` takes rows out",
        ),
        (
            ["set: {rowz.red: 1}"],
            *("patch-unknown-field", 4, 7, "`table` has no field `rowz.red`"),
            None,
        ),
        (
            ["set: {english.red: 1}"],
            *("patch-unknown-field", 4, 7, "`table` has no field `english.red`"),
            None,
        ),
        (
            ["set: {rows.rde: 1}"],
            *(
                "unknown-name",
                4,
                17,
                "there is no colour `rde`; expected one of `red`, `green`, `gold`",
            ),
            "did you mean `red`?",
        ),
        (
            ["set: {rows.red: dear}"],
            *("type-mismatch", 4, 17, "a number is wanted here"),
            "write it in digits",
        ),
        (
            ["set: {rows.red: 1, rows: {red: 2}}"],
            *("bad-patch", 4, 20, "one patch changes `rows` twice, by `set` and by `set`"),
            "make two patches of it, the second with `after:`",
        ),
        (
            ["set: {rows.red: 1}\nremove: {rows: [red]}"],
            *("bad-patch", 5, 17, "one patch changes `rows.red` twice, by `set` and by `remove`"),
            "make two patches of it, the second with `after:`",
        ),
        (
            ["set: {rows: {red: 3}}", "add: {rows.red: 1}"],
            *(
                "patch-conflict",
                4,
                17,
                "`p0:patch/c0` gives all of `rows`, and `p1:patch/c1` changes `rows.red`",
            ),
            "write `after: [p0:patch/c0]` in `c1`, or the other way round",
        ),
        (
            ["set: {rows.red: 3}", "add: {rows.red: 1}"],
            *("patch-conflict", 4, 17, "gives `4`, the other way round gives `3`"),
            "write `after: [p0:patch/c0]` in `c1`, or the other way round",
        ),
    ],
)
def test_what_a_patch_of_rows_may_not_do(
    texts: list[str],
    code: str,
    line: int,
    column: int,
    message: str,
    help: str | None,
    tmp_path: Path,
):
    [found] = [one for one in patched(tmp_path, *texts).diagnostics if one.severity == "error"]
    assert (found.code, found.place.line, found.place.column) == (code, line, column)
    assert message in found.message
    if help is not None:
        assert found.help == help
    assert found.place.path.endswith(f"p{len(texts) - 1}/patch.yaml")


def test_a_table_may_not_lose_its_last_row(tmp_path: Path):
    result = patched(tmp_path, "remove: {rows: [red, green]}")
    assert [one.severity for one in result.diagnostics] == ["error"]
