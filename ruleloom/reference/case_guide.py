"""How cases of a game are written: its shapes, keys, steps and claims, with examples of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ruleloom.compiler.analysis.effect_cursor import USUAL
from ruleloom.compiler.cases.case_model import ATTEMPT, BUILD, PLAYED
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax.errors import ABILITIES, CHOOSE_ONE, FORMS
from ruleloom.compiler.yaml.node import written
from ruleloom.reference.gathered import SHAPES, CaseEntry, Gathered
from ruleloom.reference.names import PageRow, Piece
from ruleloom.runtime.program.program import Roll
from ruleloom.scenarios.notation import Notation

SCENARIOS = "scenarios.schema.json"
# An example is to be short, and yet show something.
LEAST_LINES, LONGEST_VALUE = 3, 120
# What the game's own notation says of a key, in words.
NOTED = {
    "zone": "what lies in ",
    "token": "tokens, each a ",
    "made_by": "put there by ",
    "scope": "the variable ",
    "setting": "the setting ",
    "order_after": "the order, next card first, that a pile has after ",
    "measure": "what it comes to: ",
    "for_each": "for each ",
    "first_true": "for each point one of ",
}


def guide_of(made: Gathered) -> PageRow:
    """How to write a case for this game."""
    cases = [case for file in made.files for case in file.cases if case.shape]
    notation = Notation(made.program)
    return {
        "game": made.program.game,
        "edition": made.program.edition,
        "shapes": list(_shapes(cases)),
        "dice": _with_dice(made, cases),
        "given": _keys(made, cases, "given", notation.given),
        "steps": list(_steps(made, notation, cases)),
        "claims": _keys(made, cases, "then", notation.then),
        "tokens": list(notation.tokens.items()),
    }


def _shapes(cases: Sequence[CaseEntry]) -> Iterator[tuple[str, CaseEntry, int]]:
    """Of each shape that the game uses a short case with what most of them have, and how many."""
    for shape in SHAPES:
        of_it = [case for case in cases if case.shape == shape]
        telling = [one for one in of_it if one.raw.count("\n") >= LEAST_LINES] or of_it
        if not of_it:
            continue
        counts = Counter(chain(*map(_parts, of_it)))
        usual = {part for part, count in counts.items() if count * 3 > len(of_it)}
        best = min(telling, key=lambda one: (-len(usual & _parts(one)), len(one.raw)))
        yield shape, best, len(of_it)


def _with_dice(made: Gathered, cases: Sequence[CaseEntry]) -> CaseEntry | None:
    """The shortest case that tries effect text and answers a roll."""
    rows = (row for routine in made.program.routines for row in routine.rows)
    rolls = {row.name for row in rows if isinstance(row, Roll)}
    found = [one for one in cases if one.shape == "attempt" and rolls & _answered(one)]
    return min(found, key=lambda one: len(one.raw), default=None)


def _answered(case: CaseEntry) -> set[str]:
    """The prompts that a case answers."""
    steps = (one for one in case.case.steps or () if isinstance(one, Mapping))
    said = (one for step in steps for one in as_list(step.get("answers") or {}))
    return {str(name) for one in said if isinstance(one, Mapping) for name in one}


def _parts(case: CaseEntry) -> set[str]:
    """The keys that a case has, at the top, under `given` and `then`, and in its steps."""
    steps = (one for one in case.case.steps or () if isinstance(one, Mapping))
    found = {f"when.{key}" for step in steps for key in step}
    found |= {f"given.{key}" for key in case.case.given} | {f"then.{key}" for key in case.case.then}
    return found


def _keys(
    made: Gathered,
    cases: Sequence[CaseEntry],
    part: str,
    own: Mapping[str, Mapping[str, Any]],
) -> list[PageRow]:
    """The keys that cases use or the game has, those used most first: what each says, how often it is
    used, and the shortest example."""
    described = _described(made, part, "In a case that tries effect text: " if own else "")
    used: Counter[str] = Counter(key for case in cases for key in getattr(case.case, part))
    rows = []
    for name in dict.fromkeys((*own, *used, *described)):
        values = [(case, getattr(case.case, part).get(name)) for case in cases]
        case, value = _shortest(values)
        example = made.names.pieces(f"{name}: {written(value)}") if case is not None else ()
        help = _help(made, own.get(name), described.get(name, ""))
        row = {"name": name, "help": help, "used": used[name], "example": example, "of": case}
        rows.append(((-used[name], name), row))
    return [row for _, row in sorted(rows, key=lambda one: one[0])]


def _described(made: Gathered, part: str, tried: str) -> Mapping[str, str]:
    """The descriptions in the schema of the keys that all games share, most usual cases first."""
    store = made.content.schemas
    forms = store.files.get(SCENARIOS, {}).get("$defs", {})
    found: dict[str, str] = {}
    for form in (PLAYED, ATTEMPT, BUILD):
        keys = forms.get(form, {}).get("properties", {}).get(part, {}).get("properties", {})
        for name, said in keys.items():
            while "$ref" in said:
                _, said = store.resolve(SCENARIOS, said["$ref"])
            told = (tried if form == ATTEMPT else "") + said.get("description", "")
            found.setdefault(name, told)
    return found


def _help(made: Gathered, own: Mapping[str, Any] | None, described: str) -> Sequence[Piece]:
    """The help of a key: from the game's notation, or else from the schema of all games."""
    if not own:
        return (Piece(described),)
    found: list[Piece] = []
    for key, words in NOTED.items():
        if key in own:
            found += [Piece("; " if found else ""), Piece(words)]
            for number, one in enumerate(as_list(own[key])):
                said = ", ".join(map(str, one)) if isinstance(one, Mapping) else str(one)
                found += [*([Piece(", ")] if number else []), *made.names.pieces(said)]
    return found


def _shortest(values: Sequence[tuple[CaseEntry, Any]]) -> tuple[CaseEntry | None, Any]:
    """The case with the shortest value that is not empty, and that value; none where all are."""
    found = [(len(written(value)), number) for number, (_, value) in enumerate(values) if value]
    if not found:
        return None, None
    # Very short values show little; of those that fit a line the middle one is a usual one.
    fitting = sorted(one for one in found if one[0] <= LONGEST_VALUE) or [min(found)]
    return values[fitting[len(fitting) // 2][1]]


def _steps(made: Gathered, notation: Notation, cases: Sequence[CaseEntry]) -> Iterator[PageRow]:
    """The kinds of steps of the game's notation: the head, the other keys with the prompts that each
    answers, and a step of some case."""
    for form in notation.forms.values():
        notes = ["ends the turn"] if form.closing else []
        notes += [f"answers `{form.together}` for several players at once"] if form.together else []
        case, step = _shortest([(one, _step_of(form.key, form.word, one)) for one in cases])
        yield {
            "head": form.key if form.word == "*" else f"{form.key}: {form.word}",
            "answering": [(key, as_list(names)) for key, names in form.keys.items()],
            "notes": notes,
            "example": made.names.pieces(written(step)) if case is not None else (),
        }


def _step_of(key: str, word: str, case: CaseEntry) -> Any:
    """The first step of a case that is of one kind."""
    for step in case.case.steps or ():
        if isinstance(step, Mapping) and key in step and word in ("*", str(step[key])):
            return step
    return None


# A line that is much shorter shows nothing; brackets that are left open go on in the next.
LEAST_SIGNS = 12
# The forms are the help of a message.
WRITE, CHOICE = "write ", "a choice is written "
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))


def statements_of(made: Gathered) -> Mapping[str, Sequence[PageRow]]:
    """The statements of effects, and those of abilities, each as it is written and with a line that
    does so; a game need not use all of them."""
    shortest = _shortest_lines(made.items.values())
    choice = f"{FORMS['choose'].removeprefix(CHOICE)}, or {CHOOSE_ONE.removeprefix(WRITE)}"
    found: dict[str, list[PageRow]] = {"effects": [], "abilities": []}
    for word, form in {**FORMS, "choose": choice}.items():
        line, item = shortest.get(word, ("", None))
        row = {
            "word": word,
            "form": form.removeprefix(WRITE),
            "line": made.names.pieces(line),
            "of": made.mention(item.id) if item is not None else None,
        }
        found["abilities" if word in ABILITIES else "effects"].append(row)
    return found


def _shortest_lines(items: Iterable[Item]) -> dict[str, tuple[str, Item]]:
    """By its first word, the shortest line of effect text that stands for itself."""
    found: dict[str, tuple[str, Item]] = {}
    for item in items:
        for line in _lines(item):
            word = line.split(" ")[0].rstrip(":")
            if word not in found or len(line) < len(found[word][0]):
                found[word] = line, item
    return found


def _lines(item: Item) -> Iterator[str]:
    for field in USUAL:
        for line in str(item.data(field) or "").splitlines():
            said = line.strip()
            whole = all(said.count(open) == said.count(shut) for open, shut in BRACKETS)
            if whole and (len(said) >= LEAST_SIGNS or said in ("stop", "else:")):
                yield said
