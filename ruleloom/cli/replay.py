"""`ruleloom replay`: prints the log of a saved game, verifies the save, or writes a chronicle."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import Wanted, colour_option, format_option, option, write_output
from ruleloom.cli.play.start import rules_blamed, unusable
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.printed import Chronicle, chronicle_html, chronicle_markdown, chronicle_of
from ruleloom.output.terminal import colour_wanted, count_of, safe_lines
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game, beginning, moments, parts
from ruleloom.runtime.play.parting import parting
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import state_hash
from ruleloom.scenarios.results import by_rules_of, told_of
from ruleloom.table.drawing import table_for
from ruleloom.table.line_screen import look_of
from ruleloom.table.narration import Notes

FORMS: dict[str, Callable[[Chronicle], str]] = {".html": chronicle_html, ".md": chronicle_markdown}


@click.command("replay")
@click.argument("file")
@option(
    "--verify", "Only replay the answers and compare the final position; exit code 1 if it differs."
)
@option(
    "--chronicle FILE",
    "Write a chronicle to FILE instead, as HTML or Markdown by its ending (.html or .md).",
    name="output",
)
@option("--recover", "Tell what is intact of a damaged save.")
@option(
    "--against PACK",
    "Play it by the rules of this pack instead, and tell where it parts; exit code 1 if it does.",
    name="packs",
    multiple=True,
)
@format_option("text", "json", help="The output format of --against.")
@colour_option
def command(**asked: object) -> int:
    """Print the log of a saved game, turn by turn, and the table as it is at the end.

    The log is the host's: it names every card. No file is written without --chronicle.
    """
    wanted = Wanted(**asked)
    _refuse_contradictions(wanted)
    with rules_blamed():
        try:
            loaded = journal.load(wanted.file, driver_of, recover=wanted.recover)
        except SaveError as error:
            if wanted.verify and error.line is not None and not error.by_rules:
                print(f"differs: {safe_text(str(error))}")
                return FINDINGS
            raise unusable(error) from None
        if wanted.packs:
            return _compare(loaded.game, wanted)
        if loaded.lost is not None:
            print(safe_text(f"{wanted.file}: {loaded.lost}"), file=sys.stderr)
        return _verify(loaded.game) if wanted.verify else _replay(loaded.game, wanted)


def _refuse_contradictions(wanted: Wanted) -> None:
    if wanted.packs and (wanted.verify or wanted.output is not None):
        raise WrongUse("--against only compares", "leave out --verify and --chronicle")
    if wanted.form == "json" and not wanted.packs:
        raise WrongUse("--format json tells what --against finds", "add --against PACK")
    if wanted.output is not None:
        _refuse_chronicle(wanted.output, wanted.verify)
    if wanted.recover and wanted.verify:
        raise WrongUse("--verify is about the whole of a save", "leave out --verify or --recover")


def _refuse_chronicle(path: str, verify: bool) -> None:
    if verify:
        raise WrongUse("--verify writes no chronicle", "leave out --verify or --chronicle")
    if Path(path).suffix.lower() not in FORMS:
        help = "name the file chronicle.html or chronicle.md"
        raise WrongUse(f"{path} ends in neither .html nor .md", help)


def _compare(recorded: Game, wanted: Wanted) -> int:
    """Replay a game by the rules of other packs, and report where it diverges."""
    program, _ = sound(compile_paths(wanted.packs, scenarios=False))
    try:
        found = parting(recorded, by_rules_of(recorded, program))
    except Refused as refused:
        raise WrongUse(f"{wanted.file}: {refused.reason}") from None
    answers = len(recorded.entries)
    if wanted.form == "json":
        parted = None if found is None else found._asdict()
        print(json.dumps({"answers": answers, "parted": parted}, indent=2, ensure_ascii=False))
    elif found is None:
        print(f"plays as it was recorded: {count_of(answers, 'answer')}")
    else:
        print(safe_text(told_of(found, answers)))
    return CLEAN if found is None else FINDINGS


def _replay(game: Game, wanted: Wanted) -> int:
    output = wanted.output
    if output is not None:
        chronicle = chronicle_of(game)
        write_output(output, FORMS[Path(output).suffix.lower()](chronicle))
        print(f"wrote {safe_text(output)}: {count_of(len(chronicle.chapters), 'chapter')}")
        return CLEAN
    notes = Notes(game.linked, None)
    notes.catch_up(game)
    for page in notes.pages:
        print(safe_lines(page.text()))
    table = table_for(game.linked, look_of(colour_wanted(wanted.color)))
    print("\n".join(["", *table.board(game.state)]))
    print("\n".join(table.status(game.state, [""] * len(game.players), None)))
    print(safe_text(_ending(game)))
    return CLEAN


def _verify(game: Game) -> int:
    """Replay the answers, each part of the game by its own rules, and compare the hash of each end."""
    played = parts(game)
    for number, part in enumerate(played, 1):
        after = beginning(part)
        for moment in moments(part):
            after = moment.after
        if state_hash(after.state) != state_hash(part.state):
            where = f" in part {number} of {len(played)}" if len(played) > 1 else ""
            print(
                f"differs: {count_of(len(part.entries), 'answer')}{where} lead to another position"
            )
            return FINDINGS
    answers = count_of(sum(len(part.entries) for part in played), "answer")
    upgrades = len(played) - 1
    across = f" across {count_of(upgrades, 'upgrade')}" if upgrades else ""
    print(f"verified: {answers}{across} lead to the position saved, {state_hash(game.state)[:16]}")
    return CLEAN


def _ending(game: Game) -> str:
    if game.outcome is None:
        return f"The game is not finished: {count_of(len(game.entries), 'answer')} so far."
    names = " and ".join(game.players[one] for one in game.outcome.winners)
    result = f"won by {names}" if names else "drawn"
    if game.outcome.ranking:
        result = game.outcome.result(game.players)
    reason = f": {game.outcome.reason}" if game.outcome.reason else ""
    return f"The game is over, {result}{reason}."
