"""`python -m benchmarks.english [--game moonstone] [--failing] [--item ID]`: does the generated
English say what items do?

The cards and full texts of 120 items, a third of them homebrew, are held against `sheet/GAME.yaml`:
facts about each item, written from its YAML by hand. An item is complete if its card tells every
fact; right if neither text says what the sheet forbids, or has a slip of grammar; short if its card has
at most 60 words besides what its author has printed on it.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.english.figures import COMPLETE_AIM, RIGHT_AIM, figures, judge_all, table
from benchmarks.english.judging import MOST_WORDS, Judgement, Texts
from benchmarks.english.sheet_of_facts import GAMES, read_sheet
from ruleloom.runtime.program.safe_text import safe_text


def main() -> int:
    """Judge and print; 1 if the aims are not reached."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.english", description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game")
    parser.add_argument("--failing", action="store_true", help="list what is missing and wrong")
    parser.add_argument("--item", help="only items whose id has these words, with both texts")
    options = parser.parse_args()
    entries = read_sheet(tuple(options.game or GAMES))
    if options.item is not None:
        entries = [one for one in entries if options.item in one.item]
    judged = judge_all(entries)
    for _, texts, one in judged:
        failing = not (one.complete and one.right and one.short)
        if options.item is not None or (options.failing and failing):
            print(told(one, texts, whole=options.item is not None), end="\n\n")
    by_game = [(game, [one for entry, _, one in judged if entry.game == game]) for game in GAMES]
    rows = [(game, figures(some)) for game, some in by_game if some]
    everything = figures([one for _, _, one in judged])
    print(table([*rows, ("all", everything)]))
    print(
        f"aim: {COMPLETE_AIM:.0%} complete, {RIGHT_AIM:.0%} right: "
        f"{'kept' if everything.kept else 'NOT KEPT'}"
    )
    return 0 if everything.kept else 1


def told(judgement: Judgement, texts: Texts, whole: bool) -> str:
    """One item: what is missing, wrong and too long, and the text that says it so."""
    lines = [f"{judgement.item}:"]
    lines += [f"  missing: {one}" for one in judgement.missing]
    lines += [f"  wrong: {one}" for one in judgement.wrong]
    if not judgement.short:
        lines.append(f"  long: {judgement.words} words, of at most {MOST_WORDS}")
    lines += [f"  | {line}" for line in texts.card.splitlines()]
    if whole:
        lines += ["  full:", *(f"  | {line}" for line in texts.full.splitlines())]
    return "\n".join(map(safe_text, lines))


if __name__ == "__main__":
    sys.exit(main())
