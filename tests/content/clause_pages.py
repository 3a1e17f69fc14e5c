"""The page that says which clause of a game is proved where, made from the scenarios and the rule
ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

HEAD = """\
# {title}: where each clause is proved

Which scenarios of `rulesets/{game}/scenarios/` cite which clause of the rule ledger. `ruleloom test {game}`
plays them; `ruleloom test {game} --clauses` lists the clauses. This page is made by
`tests/content/test_game_pages.py`, which fails when it is out of date and writes it anew under `--reset`. That a case
cites a clause says that it claims something of it; how many faults put into the rules the cases notice is told in
[lab-book.md](../lab-book.md).

{cited} of {all} clauses are cited by scenarios, {carried} more only by rules, and {nowhere} by nothing.
"""
LEFT = """\
## Clauses that no scenario cites

A clause that is a matter of meaning or of style has nothing that could come out wrong: it is cited where the rules or
the items that carry it out stand. Those marked otherwise can be tried, and nobody has written the case yet.
"""
WHY = {
    "narrative": "meaning and style: nothing to be tried",
    "driver": "the course of play: to be tried by a case that runs a scene",
    "choice": "a choice of the GM or of a player: to be tried",
    "data": "what is printed: to be tried",
}
TO_TRY = "to be tried"

Clause = Mapping[str, Any]


def page(ledger: Path, pack: Path) -> str:
    """The whole page. `ledger` is the file of clauses, `pack` the folder of the ruleset, called as
    the game is."""
    clauses = _read(ledger)
    cases = citations(sorted((pack / "scenarios").glob("*.yaml")))
    rules = citations(sorted(pack.glob("*.yaml")))
    left = [one for one in clauses if one["id"] not in cases]
    nowhere = [one for one in left if one["id"] not in rules]
    cited = len(clauses) - len(left)
    game = pack.name
    head = HEAD.format(
        game=game,
        title=game.capitalize(),
        cited=cited,
        all=len(clauses),
        carried=len(left) - len(nowhere),
        nowhere=len(nowhere),
    )
    parts = [head, *_sections(clauses, cases), _uncited(left, rules)]
    return "\n".join(parts)


def citations(files: Iterable[Path]) -> dict[str, list[str]]:
    """By clause, the names of the files in which a case or an item cites it, in the order of the
    files."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in files:
        for clause in sorted(
            {clause for item in items_of(file) for clause in item.get("clauses", ())}
        ):
            found[clause].append(file.name)
    return found


def _read(file: Path) -> Any:
    return yaml.load(
        file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )


def items_of(file: Path) -> list[Clause]:
    """The cases of a file of scenarios, or the items of any other."""
    data = _read(file)
    if isinstance(data, list):
        return data
    return [*data.get("cases", ()), data]


def _sections(clauses: Iterable[Clause], cases: Mapping[str, list[str]]) -> Iterator[str]:
    sections: dict[str, list[str]] = {}
    for one in clauses:
        if one["id"] in cases:
            sections.setdefault(one["section"], []).append(one["id"])
    for section, ids in sections.items():
        rows = [f"| `{_short(id)}` | {_files(cases[id])} |" for id in ids]
        yield "\n".join([f"## {section}\n", "| clause | cited in |", "|---|---|", *rows, ""])


def _uncited(left: Iterable[Clause], rules: Mapping[str, list[str]]) -> str:
    rows = [
        f"| `{_short(one['id'])}` | {_files(rules.get(one['id'], ())) or 'nowhere'} "
        f"| {WHY.get(one['kind'], TO_TRY)} |"
        for one in left
    ]
    return "\n".join(
        [LEFT, "| clause | cited by the items of | why no case |", "|---|---|---|", *rows, ""]
    )


def _short(id: str) -> str:
    return id.partition(".")[2]


def _files(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
