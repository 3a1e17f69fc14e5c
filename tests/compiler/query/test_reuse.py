"""What an earlier build left is reused only where it makes no difference."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler.english.rules_text import Book
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.compiler.query import reuse
from ruleloom.compiler.query.lookups import Marks, Table
from ruleloom.compiler.query.reuse import MOST_ALIKE, Generation
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.program.program import CardText
from tests.conftest import ROOT
from tests.support.pack_examples import manifest, write


def patch(target: str, change: str) -> str:
    name = target.partition("/")[2].replace("_", "-")
    return f"- kind: patch\n  id: other-{name}\n  target: gnostica:{target}\n  {change}\n"


def standing(id: str, text: str) -> str:
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return f"- kind: standing\n  id: {id}\n  for: Player\n  abilities: |\n{lines}"


CARD = (
    '- kind: major\n  id: comet\n  title: Comet\n  number: 91\n  effect: |\n    say "it passes"\n'
)
WAY = '- kind: way\n  id: sing\n  to: turn_menu\n  label: sing\n  effect: say "la"\n'
TIDE = """\
- kind: extension
  id: tides
  moments: {tide_comes: {params: {who: Player}, english: "the tide comes"}}
  entities: {Boat: {noun: [boat, boats], max: 3, records: [boat], static: {size: Int}}}
  kinds: {boat: {makes: Boat}}
- {kind: boat, id: skiff, title: Skiff, size: 1}
"""
# What a pack of somebody's own may hold.
EDITS = {
    "nothing": "",
    "a setting": patch("setting/space_limit", "set: {value: 4}"),
    "a setting of one value": patch("setting/space_limit", "set: {value: 3, min: 3, max: 3}"),
    "a measure": patch("measure/has_card", 'set: {is: "board(spot) is none"}'),
    "words": patch("measure/has_card", 'set: {english: "{spot} is land"}'),
    "a measure that is wrong": patch("measure/has_card", 'set: {is: "board(spot)"}'),
    "a card": CARD,
    "a rule less": patch("standing/none", "disable: true"),
    "another text": patch("power/pass_on", 'replace-effect: say "on"'),
    "a way": WAY,
    "a line before a step": patch("power/play", 'before-step: {pay: say "dear"}'),
    "an answer": standing("again", 'when before turn(): say "again"'),
    "an answer that sets a variable": standing(
        "from-hand", "when take_up(card, self): set from_hand = no"
    ),
    "an open value": standing(
        "harder", "when attack_falls(piece, damage): set damage = damage + 1"
    ),
    "a replacement": standing("spared", "instead of shrink(piece, damage) where damage > 9: stop"),
    "a restriction": standing("crowds", "restrict crowding(each spot)"),
    "names": TIDE,
    "a power of the game's name": '- {kind: power, id: play, gloss: play, effect: say "no"}\n',
    "a text that does not parse": standing("stops", "when turn: stop"),
    "a measure more": '- {kind: measure, id: stillness, gives: Int, is: "1", english: still}\n',
    "a measure called like a parameter": '- {kind: measure, id: way, gives: Int, is: "1", english: way}\n',
    "a setting called like a parameter": "- {kind: setting, id: begins, value: 3, english: begins}\n",
}


def compiled(compiler: Compiler, folder: Path, items: str) -> CompileResult:
    write(folder, {"house/pack.yaml": manifest("house", game="gnostica"), "house/x.yaml": items})
    return compiler.compile([folder / "house"])


# What the pack holds at a time, one build after the other. No program comes of the wrong ones.
BUILDS: tuple[tuple[str, ...], ...] = (
    ("nothing",),
    ("a setting", "words", "a card"),
    ("a setting of one value", "a line before a step", "an open value"),
    ("a measure that is wrong",),
    ("a measure", "a way", "an answer that sets a variable"),
    ("a rule less",),
    ("another text", "an answer", "a restriction"),
    ("a power of the game's name",),
    ("names", "a replacement"),
    ("a text that does not parse",),
    ("a measure more",),
    ("a measure called like a parameter", "a setting called like a parameter"),
)
WRONG = BUILDS[3::2]


def test_every_edit_is_tried():
    assert sorted(what for build in BUILDS for what in build) == sorted(EDITS)


def test_a_build_is_the_same_whatever_was_built_before(tmp_path: Path):
    used, new = Compiler(), Compiler()
    used.compile(["gnostica"])
    for build in BUILDS:
        new.builds.clear()
        items = "".join(EDITS[what] for what in build) or "[]"
        found, fresh = (compiled(one, tmp_path, items) for one in (used, new))
        assert (found.diagnostics, found.program) == (fresh.diagnostics, fresh.program), build
        assert (found.program is None) == (build in WRONG), (build, found.diagnostics)


def test_what_cannot_have_changed_is_not_checked_again(tmp_path: Path):
    compiler = Compiler()
    game = compiler.compile(["gnostica"]).program
    more = compiled(compiler, tmp_path, EDITS["an open value"]).program
    assert game is not None
    assert more is not None
    rows = {one.id: one.rows for one in game.routines}
    again = [one.id for one in more.routines if one.rows is not rows.get(one.id)]
    assert "gnostica:power/shrink" in again
    assert len(again) < len(rows) / 8, again


def test_what_was_sound_in_a_broken_build_is_not_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    compiler, checked = Compiler(), list[str]()

    def lowered(self: Bodies, ctx: Context, *rest: Any, once: Any = Bodies.lowered) -> Any:
        checked.append(ctx.routine)
        return once(self, ctx, *rest)

    monkeypatch.setattr(Bodies, "lowered", lowered)
    broken = compiled(compiler, tmp_path, EDITS["a text that does not parse"])
    assert broken.program is None
    assert "gnostica:power/shrink" in checked
    first = len(checked)
    assert compiled(compiler, tmp_path, CARD).ok
    assert len(checked) - first < first / 5, checked[first:]


# The first is broken, so it may be what the other asks for.
ASKS = '- {kind: major, id: bell, title: Bell, number: 92, effect: "use toll"}\n'
TOLLS = '- {kind: power, id: toll, gloss: toll, efect: "say \\"dong\\""}\n'


def test_what_a_broken_item_excused_is_told_once_it_is_gone(tmp_path: Path):
    compiler, tolls = Compiler(), tmp_path / "house" / "tolls.yaml"
    write(tmp_path, {"house/tolls.yaml": TOLLS})
    broken = compiled(compiler, tmp_path, ASKS)
    assert [one.code for one in broken.diagnostics] == ["unknown-field"]
    tolls.unlink()
    gone = compiled(compiler, tmp_path, ASKS)
    assert [one.code for one in gone.diagnostics] == ["unknown-power"]


@pytest.mark.parametrize("name", [one for one in Symbols.__match_args__ if one != "lookups"])
def test_every_table_of_names_notes_what_is_looked_up(name: str):
    table = getattr(Symbols(), name)
    assert isinstance(table, Table | Marks) or not isinstance(table, dict | set | list)


@pytest.mark.parametrize(("game", "pack"), [("gnostica", "river-folk"), ("witchgates", "wet-ink")])
def test_hardly_any_rules_text_of_a_game_is_written_again(
    game: str, pack: str, monkeypatch: pytest.MonkeyPatch
):
    compiler, written = Compiler(), list[str]()
    content = compiler.compile([game], texts=True, scenarios=False).content
    assert content is not None

    def card(
        book: Book, item: Item, once: Callable[[Book, Item], CardText] = Book.card
    ) -> CardText:
        written.append(item.pack)
        return once(book, item)

    monkeypatch.setattr(Book, "card", card)
    more = compiler.compile([ROOT / "rulesets" / "examples" / pack], texts=True, scenarios=False)
    assert more.ok
    # Those that go through all of a table, such as all nouns, are written again.
    assert pack in written
    assert written.count(game) < len(content.items) / 20


def test_a_build_with_reasons_takes_over_from_one_without_what_says_none():
    used, options = Compiler(), [(True, True), (False, True), (True, False), (False, False)]
    for texts, reasons in options:
        found, fresh = (
            one.compile(["gnostica"], texts=texts, reasons=reasons, scenarios=False).program
            for one in (used, Compiler())
        )
        assert found == fresh


def test_builds_of_one_game_do_not_crowd_out_those_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reuse, "MOST_KEPT", 4)
    compiler = Compiler()
    for name in ("monotheism", "gnostica"):
        compiler.compile([name])
    for number in range(4):
        compiled(compiler, tmp_path / str(number), CARD)
    kept = Counter(key.packs[0] for key in compiler.builds.kept)
    assert sorted(kept.values()) == [1, MOST_ALIKE]


@pytest.mark.parametrize("what", ["nothing", "a measure that is wrong", "moonstone"])
def test_a_build_that_is_given_up_is_freed_at_once(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made, freed = list[int](), list[int]()

    class Watched(Generation):
        def __init__(self, *parts: Any) -> None:
            super().__init__(*parts)
            made.append(id(self))

        def __del__(self) -> None:
            freed.append(id(self))

    monkeypatch.setattr(reuse, "Generation", Watched)
    compiler = Compiler()
    gc.disable()  # which would find what only holds itself, sooner or later
    try:
        if what in EDITS:
            compiled(compiler, tmp_path, EDITS[what])
        else:
            compiler.compile([what], scenarios=False)
        compiler.forget()
        assert made
        assert sorted(freed) == sorted(made)
    finally:
        gc.enable()
