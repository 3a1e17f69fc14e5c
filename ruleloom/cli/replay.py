"""`ruleloom replay`: tells a saved game again, turn by turn, from its answers."""

from __future__ import annotations

import click

from ruleloom.cli.faults import CLEAN, FINDINGS
from ruleloom.cli.options import colour_option
from ruleloom.cli.output import colour_wanted, count_of
from ruleloom.cli.playing import look_of, rules_blamed, unusable
from ruleloom.table.boards import table_for
from ruleloom.table.notes import Notes
from runtime import journal
from runtime.game import Game
from runtime.games import driver_of
from runtime.plain_json import SaveError
from runtime.replay import beginning, moments
from runtime.state_json import state_hash
from runtime.text import safe_text


@click.command("replay", short_help="tell a saved game again, from its answers")
@click.argument("file")
@click.option(
    "--verify",
    is_flag=True,
    help="Only play it again and compare the position reached; exit code 1 if they differ.",
)
@colour_option
def command(file: str, verify: bool, color: str) -> int:
    """Tell a saved game again, turn by turn, and draw the table as it stands at the end.

    The log is the host's: it names every card. Nothing is written.
    """
    with rules_blamed():
        return _replay(file, verify, color)


def _replay(file: str, verify: bool, color: str) -> int:
    try:
        game = journal.load(file, driver_of).game
    except SaveError as error:
        if verify and error.line is not None and not error.by_rules:
            print(f"differs: {safe_text(str(error))}")
            return FINDINGS
        raise unusable(error) from None
    if verify:
        return _verify(game)
    notes = Notes(game.linked, None)
    notes.see(beginning(game))
    for moment in moments(game):
        page = notes.page
        if notes.see(moment.after):
            print("\n".join(safe_text(line) for line in page.news()) or safe_text(page.heading))
    print("\n".join(safe_text(line) for line in notes.page.news()))
    table = table_for(game.linked, look_of(colour_wanted(color)))
    print(
        "\n".join(["", *table.board(game.state), *table.status(game.state, [""] * len(game.players), None)])
    )
    print(safe_text(_ending(game)))
    return CLEAN


def _verify(game: Game) -> int:
    """Play the answers again and compare the hash of where they lead."""
    after = beginning(game)
    for moment in moments(game):
        after = moment.after
    answers = count_of(len(game.entries), "answer")
    if state_hash(after.state) != state_hash(game.state):
        print(f"differs: {answers} lead to another position")
        return FINDINGS
    print(f"verified: {answers} lead to the position saved, {state_hash(game.state)[:16]}")
    return CLEAN


def _ending(game: Game) -> str:
    if game.outcome is None:
        return f"The game is not finished: {count_of(len(game.entries), 'answer')} so far."
    winner = game.outcome.winner
    result = "drawn" if winner is None else f"won by {game.players[winner]}"
    reason = f": {game.outcome.reason}" if game.outcome.reason else ""
    return f"The game is over, {result}{reason}."
