"""Fields that a pack adds to the things of a driver, which the driver knows nothing of."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.machine.registers import carried_out
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World, with_entry
from tests.support.pack_examples import manifest, write

FIELDS = """\
- kind: extension
  id: wards
  extends:
    Piece: {fields: {wards: {type: Int, initial: 2}, friend: {type: "Piece?"}, marked: {type: Bool, initial: false}}}
"""
OWN = ("wards", "friend", "marked")
BEGINS = (2, None, False)
WORN = (0, 1, True)


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Linked:
    folder = tmp_path_factory.mktemp("wards")
    write(folder, {"wards/pack.yaml": manifest("wards", game="gnostica"), "wards/x.yaml": FIELDS})
    result = compile_paths([folder / "wards"])
    assert result.program is not None, result.diagnostics
    return link_game(result.program, driver_of("gnostica"), ["A", "B"])


def worn(linked: Linked, piece: int) -> World:
    """The table before anybody has done anything, but for the pack's fields of one piece."""
    world = linked.driver.start(empty_world(linked.layout))
    for name, value in zip(OWN, WORN, strict=True):
        column = linked.layout.index[f"Piece.{name}"]
        world = with_entry(world, column, with_entry(world[column], piece, value))
    return world


def fields(linked: Linked, world: World, piece: int) -> tuple[object, ...]:
    return tuple(world[linked.layout.index[f"Piece.{name}"]][piece] for name in OWN)


def test_a_piece_that_comes_onto_the_board_begins_anew(linked: Linked):
    place = linked.operations["place"].function
    assert place is not None
    _, piece = place(worn(linked, 0), 0, 1, (0, 0), "N")
    after, again = place(worn(linked, piece), 0, 1, (0, 0), "N")
    assert again == piece
    assert fields(linked, after, piece) == BEGINS
    assert after[linked.layout.index["Piece.owner"]][piece] == 0


def test_one_that_is_there_keeps_them(linked: Linked):
    place = linked.operations["place"].function
    assert place is not None
    world, piece = place(worn(linked, 0), 0, 1, (0, 0), "N")
    for name, value in zip(OWN, WORN, strict=True):
        column = linked.layout.index[f"Piece.{name}"]
        world = with_entry(world, column, with_entry(world[column], piece, value))
    scope = linked.initial_scope
    after, _ = carried_out(linked.operations["shift"], world, (piece, (0, 1)), scope, NO_RULES)
    assert fields(linked, after, piece) == WORN


READ = """\
- kind: extension
  id: wards
  extends:
    Piece:
      fields: {wards: {type: Int, initial: 2}, marked: {type: Bool, initial: false}}
    Card: {static: {shine: {type: Int, default: 0}, glow: {type: Int, default: 1}}}
  operations:
    mark: {params: {piece: Piece}, sets: {marked(piece): "yes"}, english: "mark {piece}", log: "{piece} is marked"}
- kind: major
  id: moth
  title: The Moth
  number: 77
  shine: 3
  effect: |
    choose piece from minions where wards(piece) > sum(glow(c) for c: hand)
    mark(piece)
"""


def test_what_a_pack_adds_and_nothing_reads_is_told(tmp_path: Path):
    """The driver cannot know of it; of the game's own fields, it may read and set any."""
    write(tmp_path, {"moth/pack.yaml": manifest("moth", game="gnostica"), "moth/x.yaml": READ})
    found = compile_paths([tmp_path / "moth"]).diagnostics
    assert {(one.place.line, one.code, one.message) for one in found} == {
        (5, "never-set", "`wards` is read, but nothing sets it"),
        (5, "never-read", "`marked` is set, but nothing reads it"),
        (6, "never-read", "`shine` is printed, but nothing reads it"),
    }
