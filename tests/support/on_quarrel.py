"""Texts on top of the quarrel's vocabulary, whose players have no part in its own rules.

With tests/support/quarrel/dice they look at dice one by one, raise and keep them: `begun` starts that
with a set-up of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game, link_game, new_game
from ruleloom.runtime.program.program import Program
from tests.support.check_layer import compile_files, game_files
from tests.support.quarrel_table import QUARREL

SET_UP = '- {kind: flow, id: set_up, effect: "pay(me, 0)"}\n'


@cache
def text_of(folder: str) -> str:
    """The text of that name on top of the quarrel."""
    return (QUARREL / folder / f"{folder}.yaml").read_text(encoding="utf-8")


def on_quarrel(text: str) -> Mapping[str, str]:
    """The files of a pack that has the quarrel's vocabulary, and else this text alone."""
    game = game_files(QUARREL)
    return {**{name: game[name] for name in ("pack.yaml", "vocabulary.yaml")}, "text.yaml": text}


def compiled(text: str) -> CompileResult:
    """What the compiler says to such a pack."""
    return compile_files(on_quarrel(text), QUARREL)


def block(text: str, deep: int = 4) -> str:
    """A text as a YAML block, indented."""
    return "".join(f"{' ' * deep}{line}\n" for line in text.strip("\n").splitlines())


# ------------------------------------------------------------------------- dice one by one


def dice_game(effect: str) -> Program:
    """The dice, with a set-up that is this effect."""
    set_up = f"- kind: flow\n  id: set_up\n  effect: |\n{block(effect)}"
    result = compiled(text_of("dice").replace(SET_UP, set_up))
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program


def begun(effect: str, seed: int | None = None) -> Game:
    """The dice of one player, at the first question of a set-up that is this effect."""
    program = dice_game(effect)
    return new_game(link_game(program, driver_of(program.game), ("ann",)), seed)
