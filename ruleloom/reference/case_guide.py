"""How cases of a game are written: its shapes, keys, steps and claims, with examples of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.effect_cursor import USUAL
from ruleloom.compiler.cases.case_model import ATTEMPT, BUILD, PLAYED
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax.errors import ABILITIES, CHOOSE_ONE, FORMS
from ruleloom.compiler.yaml.node import written
from ruleloom.reference.gathered import SHAPES, CaseEntry, Gathered
from ruleloom.reference.names import Piece
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


class KeyRow(NamedTuple):
    """A key of `given` or `then`: what it says, how often it is used, and the shortest example."""

    name: str
    help: tuple[Piece, ...]
    used: int
    example: tuple[Piece, ...]
    of: CaseEntry | None


class StepRow(NamedTuple):
    """A kind of step: its head, its other keys with the prompt that each answers, an example."""

    head: str
    keys: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    example: tuple[Piece, ...]


class Guide(NamedTuple):
    """The page on how to write a case."""

    game: str
    edition: int
    shapes: tuple[tuple[str, CaseEntry, int], ...]
    dice: CaseEntry | None
    given: tuple[KeyRow, ...]
    steps: tuple[StepRow, ...]
    claims: tuple[KeyRow, ...]
    tokens: tuple[tuple[str, str], ...]


def guide_of(made: Gathered) -> Guide:
    """How to write a case for this game."""
    cases = [case for file in made.files for case in file.cases if case.shape]
    notation = Notation(made.program)
    return Guide(
        made.program.game,
        made.program.edition,
        tuple(_shapes(cases)),
        _with_dice(made, cases),
        tuple(_keys(made, cases, "given", notation.given)),
        tuple(_steps(made, notation, cases)),
        tuple(_keys(made, cases, "then", notation.then)),
        tuple(notation.tokens.items()),
    )


def _shapes(cases: Sequence[CaseEntry]) -> Iterator[tuple[str, CaseEntry, int]]:
    """Of each shape that the game uses a short case with what most of them have, and how many."""
    for shape in SHAPES:
        of_it = [case for case in cases if case.shape == shape]
        telling = [one for one in of_it if one.raw.count("\n") >= LEAST_LINES] or of_it
        if not of_it:
            continue
        usual = _usual_parts(of_it)
        best = min(telling, key=lambda one: (-len(usual & _parts(one)), len(one.raw)))
        yield shape, best, len(of_it)


def _usual_parts(cases: Sequence[CaseEntry]) -> set[str]:
    """The parts that more than a third of these cases have."""
    counts = Counter(chain(*map(_parts, cases)))
    return {part for part, count in counts.items() if count * 3 > len(cases)}


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
) -> list[KeyRow]:
    """The keys that cases use or the game has, those used most first."""
    described = _described(made, part, "In a case that tries effect text: " if own else "")
    used: Counter[str] = Counter(key for case in cases for key in getattr(case.case, part))
    names = dict.fromkeys((*own, *used, *described))
    rows = []
    for name in names:
        help = _help(made, own.get(name), described.get(name, ""))
        example = _shortest(cases, partial(_value_of, part, name))
        shown = f"{name}: {written(example[1])}" if example else ""
        rows.append(
            KeyRow(name, help, used[name], _pieces(made, shown), example[0] if example else None)
        )
    return sorted(rows, key=lambda row: (-row.used, row.name))


def _value_of(part: str, name: str, case: CaseEntry) -> Any:
    return getattr(case.case, part).get(name)


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


def _help(made: Gathered, own: Mapping[str, Any] | None, described: str) -> tuple[Piece, ...]:
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
    return tuple(found)


def _shortest(
    cases: Sequence[CaseEntry], value_of: Callable[[CaseEntry], Any]
) -> tuple[CaseEntry, Any] | None:
    """The case with the shortest value that is not empty."""
    found = [
        (len(written(value)), number)
        for number, case in enumerate(cases)
        if (value := value_of(case))
    ]
    if not found:
        return None
    # Very short values show little; of those that fit a line the middle one is a usual one.
    fitting = sorted(one for one in found if one[0] <= LONGEST_VALUE) or [min(found)]
    case = cases[fitting[len(fitting) // 2][1]]
    return case, value_of(case)


def _pieces(made: Gathered, text: str) -> tuple[Piece, ...]:
    return tuple(made.names.pieces(text))


def _steps(made: Gathered, notation: Notation, cases: Sequence[CaseEntry]) -> Iterator[StepRow]:
    """The kinds of steps of the game's notation, each with a step of some case."""
    for form in notation.forms.values():
        keys = tuple((key, tuple(as_list(names))) for key, names in form.keys.items())
        notes = ["ends the turn"] if form.closing else []
        notes += [f"answers `{form.together}` for several players at once"] if form.together else []
        found = _shortest(cases, partial(_step_of, form.key, form.word))
        example = _pieces(made, written(found[1])) if found else ()
        head = form.key if form.word == "*" else f"{form.key}: {form.word}"
        yield StepRow(head, keys, tuple(notes), example)


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


class StatementRow(NamedTuple):
    """A statement by its first word: how it is written, and a line that does so."""

    word: str
    form: str
    line: tuple[Piece, ...]
    of: Piece | None


class Statements(NamedTuple):
    """Statements of effects, and those of abilities."""

    effects: tuple[StatementRow, ...]
    abilities: tuple[StatementRow, ...]


def statements_of(made: Gathered) -> Statements:
    """Every statement; a game need not use it."""
    shortest = _shortest_lines(made.items.values())
    forms = {
        **FORMS,
        "choose": f"{FORMS['choose'].removeprefix(CHOICE)}, or {CHOOSE_ONE.removeprefix(WRITE)}",
    }
    rows = [
        _row(made, word, form.removeprefix(WRITE), shortest.get(word))
        for word, form in forms.items()
    ]
    return Statements(
        tuple(row for row in rows if row.word not in ABILITIES),
        tuple(row for row in rows if row.word in ABILITIES),
    )


def _row(made: Gathered, word: str, form: str, found: tuple[str, Item] | None) -> StatementRow:
    if found is None:
        return StatementRow(word, form, (), None)
    line, item = found
    return StatementRow(word, form, tuple(made.names.pieces(line)), made.mention(item.id))


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
