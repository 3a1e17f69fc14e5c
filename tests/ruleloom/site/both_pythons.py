"""What both Pythons do, that of the desk and that of the browser, to be compared: no import of the tests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ruleloom.api.facade import new_game
from ruleloom.bots.arena import make_bot
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.canonical_json import canonical
from ruleloom.runtime.program.program_json import program_data
from ruleloom.table.authorised_view import answered_by

PLAYERS = ("Ann", "Ben")


def save_of(packs: list[str], seed: int, answers: int) -> str:
    """The save of a game that bots have played, so many answers long."""
    game = new_game(packs[0], PLAYERS, seed, packs=packs[1:])
    bots = [make_bot("random", game.linked, seed, seat) for seat in range(len(PLAYERS))]
    for _ in range(answers):
        if game.over:
            break
        player = game.node.stop.who[0]
        game = answered_by(game, bots[player], player)
    return "\n".join(saved_lines(game)) + "\n"


def made_of(folder: str) -> list[str]:
    """What `check` finds in a pack, and the digest of its program."""
    made = compile_paths([folder])
    found = [
        f"{Path(one.place.path).name}:{one.place.line}:{one.place.column}: {one.code}: {one.message}, {one.help}"
        for one in made.diagnostics
    ]
    program = b"" if made.program is None else canonical(program_data(made.program)).encode()
    return [*found, hashlib.sha256(program).hexdigest()]


def main(job: str) -> None:
    """Do a job: write saves or findings to the shared folder, or replay the saves in it."""
    wanted = json.loads(job)
    shared = Path("/shared")
    for seed in wanted.get("seeds", ()):
        text = save_of(wanted["packs"], seed, wanted["answers"])
        (shared / f"browser-{seed}.save").write_text(text, "utf-8")
    for path in sorted(shared.glob("desk-*.save")):
        loaded(
            path.read_text("utf-8"), driver_of
        )  # raises SaveError where the final positions differ
    found = {pack: made_of(str(shared / pack)) for pack in wanted.get("check", ())}
    (shared / "found.json").write_text(json.dumps(found), "utf-8")
