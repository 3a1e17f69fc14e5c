"""`ruleloom upgrade`: a saved game goes on by the version of its packs that lies here, or goes back.

Nothing is lost: the part before the seam stays in the save as it is, and a save that is written over is
kept in a copy beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ruleloom.api.saves import TOOL
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.options import Wanted, colour_option, format_option, option, write_new
from ruleloom.cli.play.saved_games import name_aside
from ruleloom.cli.play.start import unusable
from ruleloom.output.terminal import colour_wanted, count_of
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.files import FileFault, held_alone, read_text, write_atomically
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import Scan, scan
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.upgrade.offer import UpgradeOffer, new_version, offer, taken
from ruleloom.upgrade.upgrade_report import UpgradeChanges, changes_of, report_data, report_lines


@click.command("upgrade")
@click.argument("file", metavar="SAVE")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@option("--with PACK", "Add this pack to the game.", name="coming", multiple=True)
@option("--without ID", "Take the pack of this id out of the game.", name="leaving", multiple=True)
@option("-o, --output FILE", "Write the upgraded game to FILE, and leave SAVE as it is.")
@option("--dry-run", "Show what would change, and write nothing.")
@option("--yes", "Go on without asking.")
@option(
    "--set-aside WHY",
    "Agree to set aside what the new version has no place for; the reason is kept in the save.",
    name="agreed",
    default="",
)
@option("--back", "Go back to the game as it was before its last upgrade.")
@option("--all", "Show every change, even where many are alike.", name="everything")
@format_option("text", "json")
@colour_option
def command(**asked: object) -> int:
    """Take a saved game to the version of its packs that lies here.

    A PACK is the folder or name of one; all others are found by their ids, as shipped with Ruleloom or kept
    in the project. What changes is shown first. What has happened stays: the game goes on from where it is.

    \b
      ruleloom upgrade evening.save --dry-run
      ruleloom upgrade evening.save ../house
      ruleloom upgrade evening.save --without house --with ../inn
      ruleloom upgrade --back evening.save
    """
    wanted = Wanted(**asked)
    try:
        text = read_text(wanted.file)
        found = scan(text)
        if found.trouble is not None:
            raise found.trouble
        if wanted.back:
            return _back(wanted, text, found)
        with refusals_told():
            return _upgrade(wanted, text, found)
    except FileFault as fault:
        raise WrongUse(f"{fault.path}: {fault.reason}") from None
    except SaveError as error:
        raise unusable(error.at(wanted.file, None)) from None


def _upgrade(wanted: Wanted, text: str, found: Scan) -> int:
    game = loaded(text, driver_of).game
    new = new_version(game, wanted.packs, wanted.coming, wanted.leaving)
    if new.is_of(game):
        _say(wanted, f"{wanted.file} plays by this very version already")
        return CLEAN
    one = offer(game, new)
    changes = changes_of(one)
    _tell(wanted, changes)
    if one.carried is None:
        return FINDINGS
    if wanted.dry_run:
        return CLEAN
    agreed = _agreed(wanted, changes)
    if agreed is None:
        print("nothing was changed", file=sys.stderr)
        return FINDINGS
    return _write(wanted, text, one, agreed, str(found.header.get("tool", "")))


def _tell(wanted: Wanted, changes: UpgradeChanges) -> None:
    if wanted.form == "json":
        print(json.dumps(report_data(changes), indent=2, ensure_ascii=False))
        return
    print(safe_text(wanted.file))
    for line in report_lines(changes, colour_wanted(wanted.color), wanted.everything):
        print(line)
    print()


def _agreed(wanted: Wanted, changes: UpgradeChanges) -> str | None:
    """The word of the host for what is set aside, empty if nothing is; None if they do not agree."""
    asks = not wanted.yes and is_asked()
    if changes.aside and not wanted.agreed:
        if not asks:
            number = count_of(len(changes.aside), "thing")
            message = f"{number} would be set aside, and nobody has said that they may be"
            raise WrongUse(message, '--set-aside "WHY" agrees to it; the reason stands in the save')
        print("Set these aside? Say why, or Enter to stop: ", end="", flush=True)
        return sys.stdin.readline().strip() or None
    if asks:
        print("Go on by the new version? [y/N] ", end="", flush=True)
        return wanted.agreed if sys.stdin.readline().strip().lower() in ("y", "yes") else None
    if not wanted.yes and not wanted.agreed:
        raise WrongUse("nobody is asked here whether to go on", "--yes goes on")
    return str(wanted.agreed)


def is_asked() -> bool:
    """Is there somebody at a terminal?"""
    return sys.stdin.isatty()


def _write(wanted: Wanted, text: str, one: UpgradeOffer, agreed: str, tool: str) -> int:
    whole = text if text.endswith("\n") else f"{text}\n"
    game = taken(one, whole, agreed)
    lines = "\n".join(saved_lines(game, tool or TOOL)) + "\n"
    loaded(lines, driver_of)  # a save that could not be resumed is never written
    kept = _replace(wanted, text, lines)
    _say(wanted, f"{wanted.output or wanted.file} goes on by the new version")
    if kept:
        _say(wanted, f"  as it was: {kept}; `ruleloom upgrade --back` goes back")
    return CLEAN


def _back(wanted: Wanted, text: str, found: Scan) -> int:
    """Go back over the last seam: the save as it was, byte for byte."""
    if found.before is None:
        raise WrongUse(f"{wanted.file} was never upgraded", "there is nothing to go back to")
    kept = _replace(wanted, text, found.text)
    answers = count_of(len(found.answers), "answer")
    _say(wanted, f"{wanted.output or wanted.file} is as it was before its last upgrade")
    if kept:
        _say(wanted, f"  with {answers} since then: {kept}")
    return CLEAN


def _say(wanted: Wanted, text: str) -> None:
    """Print what was done; beside JSON, where it is not in the way."""
    print(safe_text(text), file=sys.stderr if wanted.form == "json" else sys.stdout)


def _replace(wanted: Wanted, text: str, lines: str) -> str:
    """Write a save; return the copy of what it was, or nothing for another file."""
    if wanted.output is not None:
        write_new(Path(wanted.output), lines)
        return ""
    with held_alone(wanted.file):
        if read_text(wanted.file) != text:
            raise WrongUse(f"another process has written to {wanted.file}", "ask again")
        kept = name_aside(wanted.file)
        write_new(Path(kept), text)
        write_atomically(wanted.file, lines)
    return kept
