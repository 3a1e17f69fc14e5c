"""Texts on top of the quarrel's vocabulary, whose players have no part in its own rules.

With tests/support/quarrel/dice they look at dice one by one, raise and keep them: `begun` starts that
with a set-up of one's own. With tests/support/quarrel/duel they hurt and heal one another and hold
charms. A case of it is its charms, each with abilities, and what a turn does; `started` deals the
charms out and begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.values import with_entry
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import compile_files, game_files, schemas
from tests.support.pack_examples import NO_PACKS, manifest, write
from tests.support.quarrel_table import QUARREL

SET_UP = '- {kind: flow, id: set_up, effect: "pay(me, 0)"}\n'


@cache
def text_of(folder: str) -> str:
    """The text of that name on top of the quarrel."""
    return (QUARREL / folder / f"{folder}.yaml").read_text(encoding="utf-8")


def on_quarrel(text: str, **more: str) -> Mapping[str, str]:
    """The files of a pack that has the quarrel's vocabulary, this text, and what stands in more
    files."""
    game = game_files(QUARREL)
    files = {name: game[name] for name in ("pack.yaml", "vocabulary.yaml")}
    return {**files, "text.yaml": text, **{f"{name}.yaml": more[name] for name in more}}


def block(text: str, deep: int = 4) -> str:
    """A text as a YAML block, indented."""
    return "".join(f"{' ' * deep}{line}\n" for line in text.strip("\n").splitlines())


# ------------------------------------------------------------------------- dice one by one


def dice_game(effect: str) -> Program:
    """The dice, with a set-up that is this effect."""
    set_up = f"- kind: flow\n  id: set_up\n  effect: |\n{block(effect)}"
    files = on_quarrel(text_of("dice").replace(SET_UP, set_up))
    result = compile_files(files, QUARREL)
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program


def begun(effect: str, seed: int | None = None) -> Game:
    """The dice of one player, at the first question of a set-up that is this effect."""
    program = dice_game(effect)
    return new_game(link_game(program, driver_of(program.game), ("ann",)), seed)


# ------------------------------------------------------------------------- the duel


def charm(name: str, abilities: str) -> str:
    """A charm with these abilities, as an entry of a list."""
    head = f"- kind: charm\n  id: {name}\n  title: {name}\n  power: 2\n"
    return f"{head}  abilities: |\n{block(abilities)}"


def result_of(turn: str, *items: str, more: str = "") -> CompileResult:
    """What the compiler says to a duel of these items, with `more` beside them."""
    flows = "- {kind: flow, id: set_up, effect: stop}\n"
    flows += f"- kind: flow\n  id: turn\n  effect: |\n{block(turn)}"
    items_and_more = {"items": "".join(items) or "[]", **({"more": more} if more else {})}
    files = on_quarrel(text_of("duel"), flow=flows, **items_and_more)
    return compile_files(files, QUARREL, texts=True)


def result_with_packs(turn: str, items: str, *packs: str) -> CompileResult:
    """What the compiler says to a duel of these items, with packs on top of it: a, b, c, ..., each a
    text that may begin with the lines of its manifest and `---`."""
    flows = "- {kind: flow, id: set_up, effect: stop}\n"
    flows += f"- kind: flow\n  id: turn\n  effect: |\n{block(turn)}"
    base = on_quarrel(text_of("duel"), flow=flows, items=items or "[]")
    files = {f"quarrel/{name}": text for name, text in base.items()}
    for name, text in zip("abcdef", packs, strict=False):
        head, mark, rest = text.rpartition("---\n")
        files[f"{name}/pack.yaml"] = manifest(name, *head.splitlines(), game="quarrel")
        files[f"{name}/items.yaml"] = rest if mark else text
    with TemporaryDirectory() as folder:
        write(Path(folder), files)
        found = [Path(folder) / name for name in ("quarrel", *"abcdef"[: len(packs)])]
        return compile_paths(found, builtin=NO_PACKS, schemas=schemas(QUARREL), texts=True)


def sound(result: CompileResult) -> Program:
    """The program of a result, which must be right, also by way of a save."""
    assert [one for one in result.diagnostics if one.severity == "error"] == []
    assert result.program is not None
    check_program(result.program)
    assert program_of(program_data(result.program)) == result.program
    return result.program


@cache
def program_of_duel(turn: str, *items: str) -> Program:
    """The program of a duel, which must be right, also by way of a save."""
    return sound(result_of(turn, *items))


def started(program: Program, *held: Sequence[str], seed: int | None = None) -> Game:
    """A duel of two or more that begins; `held` are the charms of each player, in order of
    seats."""
    names = list("ABCD"[: max(2, len(held))])
    linked = link_game(program, driver_of(program.game), names)
    charms = program.entity("Charm").names
    hands = [tuple(charms.index(one) for one in hand) for hand in held]
    hands += [()] * (len(names) - len(hands))
    world = empty_world(linked.layout)
    return new_game(linked, seed, with_entry(world, linked.layout.index["held"], tuple(hands)))


ASK = 'choose one:\n    "go":\n        say "gone"\n'
"""A turn that asks first, so that the game stands before anything has happened."""


def played(turn: str, *items: str, held: Sequence[Sequence[str]] = ()) -> Game:
    """The game after one turn of a duel; the next turn is about to begin."""
    return started(program_of_duel(f"{turn}\n{ASK}", *items), *held)


def codes(*items: str) -> list[str]:
    """The codes of what is wrong with a duel of these items."""
    found = result_of("hurt(me, 1)\nheal(me, 1)\nchoose one from seen\n", *items).diagnostics
    return sorted(one.code for one in found if one.severity == "error")


def resumed(game: Game) -> Game:
    """The game as a save gives it back."""
    return loaded("\n".join(saved_lines(game)) + "\n", driver_of).game


def lives(game: Game) -> list[int]:
    """How each player stands."""
    found: list[int] = list(game.state.world[game.linked.layout.index["Player.life"]])
    return found[: len(game.players)]


def variable(game: Game, name: str) -> Any:
    """A variable of the game."""
    return game.state.scope[game.linked.scope_index[name]]


def told(game: Game) -> list[str]:
    """The events since the last answer, each by its name and what it was about."""
    return [f"{one.name}{one.args}" for one in game.events if one.kind in ("operation", "said")]
