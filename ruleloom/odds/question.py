"""Odds questions: an effect text, what is given, and the expressions asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_model import DO, Case
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, value_text
from ruleloom.runtime.program.program import Jump, Let, Routine, Use
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.setup.made import SOUGHT, unmarked
from ruleloom.scenarios.setup.things import key, make_things, names_of
from ruleloom.scenarios.setup.zones import start
from ruleloom.scenarios.steps.trial_program import begin, linked_to_try, values_sought

LINE = re.compile(r"line (\d+): ")


# Shown instead of a value where the text was called off.
NOTHING = "(it comes to nothing)"


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A question of odds: texts, expressions, and their types."""

    # The text begins at a node of its own for each expression to be told: what only the others need
    # is forgotten on its way, so that more states are equal.
    nodes: tuple[PlayNode, ...]
    words: CaseNames
    asked: tuple[str, ...]  # expressions
    types: tuple[str, ...]  # the type of each, "" where it is not known

    @property
    def linked(self) -> Linked:
        """The game with its given position."""
        return self.words.linked

    def value(self, state: State, number: int) -> tuple[Any, ...]:
        """The value of an expression where the text has ended; empty where it was called off."""
        return values_sought(state, self.linked, (number + 1,))

    def text(self, number: int, value: Any) -> str:
        """A value of one expression, in words."""
        type_ = Type.parse(self.types[number])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | Fraction) and type_.name in ("?", "Int", "Fraction"):
            return number_text(value)
        return unmarked(value_text(self.linked, self.nodes[0].state.world, type_, value))


class NotAsked(Exception):
    """A text, a `given` or an expression that has no meaning; `reasons` say why."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


def ask(
    content: Content,
    text: str,
    told: Sequence[str],
    best: Sequence[str] = (),
    given: Mapping[str, Any] | None = None,
    things: YamlNode | None = None,
) -> OddsQuestion:
    """The question: of what is to be `told`, and of what is to be the `best`.

    NotAsked with all that is wrong; Refused, StepNotUnderstood and RuntimeFault as in cases.
    """
    given = given or {}
    flow = _flow_named(content, text)
    asked = tuple(dict.fromkeys((*told, *best)))
    # Only what is given is looked for by its names before the text is compiled.
    symbols = names_of(content) if given or things is not None else Symbols(game=content.game)
    # The question is a case: the text as its only step, with all that is asked sought.
    text = "" if flow else text
    texts, then = (_step_of(text, bool(flow)),), {"odds": dict.fromkeys(asked)}
    case = Case("odds", (), given, ({DO: text},), then, "", 1, "", things, texts)
    made = make_things(content, symbols, [case], is_last=True)[key(case)]
    if made.program is None:
        raise NotAsked([_placed(one, text, asked) for one in made.complaints])
    routine = next(one for one in made.program.routines if one.id == made.texts[0])
    wanted = frozenset(asked.index(one) + 1 for one in best)
    apart = tuple(_only(routine, wanted | {number}) for number in range(1, len(told) + 1))
    apart = tuple(_behind(flow, one) for one in apart)
    program = replace(made.program, routines=(*made.program.routines, *apart))
    ids = [one.id for one in apart]
    made = replace(made, program=program)
    linked = linked_to_try(program, ids, given)
    words = CaseNames(made, linked)
    state = start(linked, words, symbols, given)
    types = dict(zip(routine.slots, routine.slot_types, strict=True))
    nodes = tuple(map(partial(begin, linked, state), ids))
    known = tuple(types.get(f"{SOUGHT}{number}", "") for number in range(1, len(asked) + 1))
    return OddsQuestion(nodes, words, asked, known)


def _step_of(text: str, may_be_empty: bool = False) -> YamlNode:
    lines = "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))
    written = items_in(f"{DO}: |\n{lines}", "")
    if not written or not (text.strip() or may_be_empty):
        raise NotAsked(["this is no effect text"])
    return written[0].entries[DO]


def _only(routine: Routine, wanted: frozenset[int]) -> Routine:
    """A copy of a text in which nothing is sought but these expressions, by their numbers."""
    names = {f"{SOUGHT}{number}" for number in wanted}
    rows = list(routine.rows)
    for place, row in enumerate(rows):
        name = routine.slots[row.slot] if isinstance(row, Let) else ""
        if name.startswith(SOUGHT) and name not in names:
            rows[place] = Jump(row.origin, place + 1)
    return replace(routine, id=f"{routine.id} {sorted(wanted)}", rows=tuple(rows))


def _flow_named(content: Content, text: str) -> str:
    """The id of the flow that a text names, as a step of a case may; empty for any other text."""
    named = (one.id for one in content.by_kind("flow") if one.name == text.strip())
    return next(named, "")


def _behind(flow: str, routine: Routine) -> Routine:
    """A text that only seeks, to be run once this flow is over, if there is one."""
    if not flow:
        return routine
    rows = [replace(row, to=row.to + 1) if isinstance(row, Jump) else row for row in routine.rows]
    return replace(routine, rows=(Use(routine.origin, flow, (), -1), *rows))


def _placed(complaint: str, text: str, asked: Sequence[str]) -> str:
    """A complaint with its line in the text, or with the expression that it is about."""
    found = LINE.match(complaint)
    if found is None:
        return complaint
    line, lines = int(found[1]) - 1, text.strip("\n").split("\n")
    rest = complaint[found.end() :]
    if line <= len(lines):
        return f"line {line}: {rest}" if len(lines) > 1 else rest
    return f"`{asked[min(line - len(lines), len(asked)) - 1]}`: {rest}" if asked else rest
