"""Prompts of nodes: the machine's question with keys, labels and reasons.

`open_roll` is the roll that an answer leads to, so that its odds can be shown beforehand. Nothing hidden
leaks: the look-ahead stops before a row that reads hidden information, and before it sees a card or
reveals one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from ruleloom.runtime.analysis.derived_variables import DerivedVariables
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.ask import LONGEST_TEXT
from ruleloom.runtime.machine.chance import Falls
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import (
    Readers,
    as_written,
    moment_of,
    title_text,
    unique_keys,
    value_texts,
    worded,
)
from ruleloom.runtime.machine.registers import ASK, BARRIER, Run
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import Callee, called, expressions_of
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.runtime.program.program import Origin, Row, Words
from ruleloom.runtime.program.state import frames
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import DICE, INT, Dynamic, Type, World
from ruleloom.runtime.search.node import PlayNode

MOST_TOTALS = 2_000
Keys = tuple[str, ...]
"""The keys of an answer: one, or several for a set."""


def prompts_of(node: PlayNode, serial: int) -> Iterator[Prompt]:
    """The prompts at `node`: one, or one for each player who still owes a secret answer."""
    if node.secret:
        for who in node.stop.who:
            yield _prompt(node, f"{serial}.{who}", who, node.secret_options(who))
    elif not node.over:
        player = None if node.chance else node.stop.who[0]
        yield _prompt(node, str(serial), player, node.options)


def keys_of(node: PlayNode, values: Sequence[Dynamic]) -> list[str]:
    """The key of each of these answers, in order."""
    return _keys(node.linked, node.row, node.state.world, values)


def _keys(linked: Linked, row: Row, world: World, values: Sequence[Dynamic]) -> list[str]:
    if isinstance(row, p.Modal):
        if row.kind == "optional":
            return ["do" if v == 0 else "skip" for v in values]
        return [slug(str(row.modes[v].label)) for v in values]
    if isinstance(row, p.Ask):
        return ["" if value is None else value for value in values]
    type_ = answer_type(row)
    return unique_keys(value_texts(linked, world, type_, values))


def answer_type(row: Row) -> Type:
    """The type of a row's answer; of a roll a sum, or the face of each die."""
    if isinstance(row, p.Roll):
        return DICE if isinstance(row, p.RollEach) else INT
    assert isinstance(row, p.Choose | p.Ask | p.Secret | p.Draw | p.Peek | p.Pick)
    return Type.parse(row.type)


def _labels(node: PlayNode, values: Sequence[Dynamic]) -> list[str]:
    row = node.row
    if isinstance(row, p.Modal):
        return [_worded(node, row.modes[v].label, node.stop.who) for v in values]
    if isinstance(row, p.Roll):
        return keys_of(node, values)
    if isinstance(row, p.Ask):
        return ["nothing" if value is None else value for value in values]
    type_, world = answer_type(row), node.state.world
    return unique_keys(title_text(node.linked, world, type_, v) for v in values)


def keyed(node: PlayNode, values: Sequence[Dynamic]) -> dict[str, Dynamic]:
    """The answers by key; keys do not depend on which answers look-ahead leaves."""
    row = node.row
    if isinstance(row, p.Choose) and row.count == "one":
        every = dict(zip(keys_of(node, node.found), node.found, strict=True))
        kept = set(values)
        return {key: value for key, value in every.items() if value in kept}
    return dict(zip(keys_of(node, values), values, strict=True))


def keys_among(
    linked: Linked, row: Row, world: World, found: Sequence[Dynamic], values: Sequence[Dynamic]
) -> tuple[str, ...]:
    """The keys of some answers to a row, unique among all that are `found`."""
    if not isinstance(row, p.Choose):
        return tuple(_keys(linked, row, world, values))
    by_value = dict(zip(found, _keys(linked, row, world, found), strict=True))
    return tuple([by_value[value] for value in values])


def _prompt(node: PlayNode, id_: str, player: int | None, values: Sequence[Dynamic]) -> Prompt:
    row = node.row
    if node.chance and len(values) > MOST_TOTALS:
        values = ()  # a roll this large is answered by a number, without a list
    if isinstance(row, p.Ask):  # free texts cannot be listed
        values = [None] if None in values else []
    labels = dict(zip(values, _labels(node, values), strict=True))
    options = tuple(Option(key, labels[one], one) for key, one in keyed(node, values).items())
    within = [node.linked.routines[frame.routine].id for frame in frames(node.frame.parent)]
    least, most = node.limits()
    default = _default(node, options)
    if isinstance(row, p.Ask):
        least, most = 0 if values else 1, LONGEST_TEXT
    return Prompt(
        id_,
        _kind(row),
        player,
        getattr(row, "name", ""),
        question(node, player),
        options,
        least,
        most,
        default,
        _usual(node, options, default),
        node.routine.id,
        tuple(reversed(within)),
        row.origin,
        weights(node),
    )


def _default(node: PlayNode, options: Sequence[Option]) -> Keys | None:
    """The keys of the default answer, if it is on offer."""
    row = node.row
    if isinstance(row, p.Modal) and row.kind == "optional":
        return ("skip",)
    if not node.has_default:
        return None
    return _keys_of(node, options, node.default)


def _usual(node: PlayNode, options: Sequence[Option], default: Keys | None) -> Keys | None:
    """The keys of the answer that a table usually gives: the declared one, the default, or nothing."""
    declared = _declared_usual(node, options)
    if declared is not None or default is not None:
        return default if declared is None else declared
    if isinstance(node.row, p.Ask):
        return ("",) if options else None
    none = next((option.key for option in options if option.value is None), None)
    return None if none is None or node.takes_sets else (none,)


def _declared_usual(node: PlayNode, options: Sequence[Option]) -> Keys | None:
    """The keys of the usual answer that the row names, if it is on offer."""
    match node.row:
        case p.Modal(modes=modes):
            usual_ways = [way for way, mode in enumerate(modes) if mode.usual]
            return next(((one.key,) for one in options if one.value in usual_ways), None)
        case p.Choose(usual=tuple() as expr) | p.Ask(usual=tuple() as expr):
            usual = node.value_of(expr)
            return _keys_of(node, options, usual) if _may_be_usual(node, usual) else None
    return None


def _may_be_usual(node: PlayNode, usual: Dynamic) -> bool:
    """May a text be written, and has a set an allowed number?"""
    if not node.takes_sets:
        return not isinstance(node.row, p.Ask) or node.allows(usual)
    least, most = node.limits()
    return isinstance(usual, tuple) and least <= len(usual) <= most


def _keys_of(node: PlayNode, options: Sequence[Option], answer: Dynamic) -> Keys | None:
    """The keys of an answer, if it is on offer."""
    if isinstance(node.row, p.Ask):
        return ("" if answer is None else answer,)
    by_value = {option.value: option.key for option in options}
    values = answer if node.takes_sets else (answer,)
    return tuple(by_value[one] for one in values) if set(values) <= by_value.keys() else None


def _kind(row: Row) -> str:
    match row:
        case p.Modal():
            return "mode" if row.kind == "choose" else row.kind
        case p.Choose(count="one"):
            return "number" if row.type == "Int" else "choose"
        case p.Choose(count="order"):
            return "order"
        case p.Choose():
            return "subset"
        case p.Ask():
            return "text"
        case p.Secret():
            return "secret"
        case p.Roll():
            return "roll"
    return "draw"


def _worded(node: PlayNode, words: Words, readers: Readers, player: int | None = None) -> str:
    """A text of the row as `readers` see it; `player` is the one asked, if several are."""
    words = node.linked.language.of(words)
    if isinstance(words, str):
        return words
    moment, row = moment_of(node.linked, node.state), node.row
    if isinstance(row, p.Secret) and player is not None:
        slots = list(moment.slots)
        slots[row.player_slot] = player
        moment = moment._replace(slots=tuple(slots))
    return worded(node.linked, words, moment, readers)


def question(node: PlayNode, player: int | None = None, reader: int | None = None) -> str:
    """The words of the question at `node` to a player (None: the first asked), as `reader` (None: that
    player) may read it."""
    row = node.row
    who = player if player is not None or not node.stop.who else node.stop.who[0]
    reader = who if reader is None else reader
    readers = () if reader is None else (reader,)
    if isinstance(row, p.Choose | p.Secret | p.Modal | p.Ask) and row.prompt:
        return _worded(node, row.prompt, readers, who)
    said = node.linked.language.said
    match row:
        case p.Ask():
            return said("write {what}", what=said(row.name.replace("_", " ")))
        case p.Modal():
            return _unworded_modal(node, row, readers)
        case p.Choose() | p.Secret():
            return said("choose {what}", what=said(row.name.replace("_", " ")))
    return _chance_question(node, row)


def _chance_question(node: PlayNode, row: Row) -> str:
    """The question to dice or a deck, and its only readers."""
    match row:
        case p.Roll():
            count, sides = node.dice
            each = " and look at each" if isinstance(row, p.RollEach) else ""
            return f"roll {count}d{sides}{each}{_for_whom(node, row)}"
        case p.Take():
            return f"draw from the {row.pile.replace('_', ' ')}"
        case p.Draw():
            whose = "".join(f" for {node.linked.layout.players[one]}" for one in node.stop.who)
            return f"draw from the {row.pile.replace('_', ' ')}{whose}"
        case p.Peek():
            return f"the next on top of the {row.pile.replace('_', ' ')}"
        case p.Pick():
            return f"draw {row.name.replace('_', ' ')}"
        case _:
            return ""


def _for_whom(node: PlayNode, row: p.Roll) -> str:
    """The person of a roll that everybody sees."""
    kind, whom = node.linked.program.rolls_for, row.whom
    secret = isinstance(row, p.SECRET_ROLLS)
    if secret or whom is None or kind is None or node.value_of(whom) is None:
        return ""
    return _worded(node, (" for ", (whom, kind)), ())


def _unworded_modal(node: PlayNode, row: p.Modal, readers: Readers) -> str:
    """The question of a modal without its own."""
    if row.kind == "optional":
        label = _worded(node, row.modes[0].label, readers)
        return f"{label[:1].upper()}{label[1:]}?"
    words = "How do the two go together?" if row.kind == "combine" else "choose one"
    return node.linked.language.said(words)


def way_key(node: PlayNode, name: str) -> str:
    """The key of the mode with this slug; an optional one is also found by its label."""
    row = node.row
    if not isinstance(row, p.Modal) or row.kind != "optional":
        return name
    written = as_written(node.linked, row.modes[0].label, node.routine.id)
    return "do" if name in (slug(way_asked(node)), slug(written)) else name


def way_asked(node: PlayNode) -> str:
    """The name of a modal prompt: its question, or the first label."""
    row = node.row
    assert isinstance(row, p.Modal)
    return question(node) if row.prompt else _labels(node, (0,))[0]


def weights(node: PlayNode) -> tuple[int, ...]:
    """The ways to each option of a roll or draw; empty elsewhere or beyond `MOST_TOTALS`."""
    if not isinstance(node.row, p.Roll):
        return (1,) * len(node.options) if node.chance else ()
    return () if len(node.options) > MOST_TOTALS else ways_of_dice(node)


def ways_of_dice(node: PlayNode) -> tuple[int, ...]:
    """The ways to each option of a roll, however many there are."""
    return node.options.ways() if isinstance(node.options, Falls) else _ways_of_sums(*node.dice)


@lru_cache(maxsize=256)
def _ways_of_sums(count: int, sides: int) -> tuple[int, ...]:
    """The ways of dice to each sum, lowest first."""
    # The digits of the number are the ways of one die; those of its power are the ways of all.
    width = (sides**count).bit_length() // 8 + 1
    one = int.from_bytes((b"\x01" + bytes(width - 1)) * sides, "little")
    ways = (one**count).to_bytes(width * (count * (sides - 1) + 1), "little")
    return tuple(
        [int.from_bytes(ways[at : at + width], "little") for at in range(0, len(ways), width)]
    )


def refusals_of(node: PlayNode) -> tuple[Refusal, ...]:
    """Every candidate that is not offered, with the reason."""
    if node.over or node.chance or node.secret or node.writes:
        return ()
    offered = set(node.options)
    values = tuple(dict.fromkeys(v for v in node.candidates() if v not in offered))
    reasons = map(node.why_not, values)
    found = zip(keys_of(node, values), _labels(node, values), reasons, strict=True)
    return tuple(Refusal(key, label, reason) for key, label, reason in found if reason)


SEVERAL = ("subset", "order")
"""The kinds of prompt that are answered by several keys."""


class Option(Frozen):
    """One possible answer: a stable `key` to type, and a `label` to read."""

    key: str
    label: str
    value: Dynamic


class Refusal(Frozen):
    """One unavailable answer, with the reason."""

    key: str
    label: str
    reason: NamedReason


class Prompt(Frozen):
    """A question.

    `kind` is choose, number, mode, optional, combine, subset, order, text, secret, roll or draw.
    `player` is the one who answers (None: chance). A subset takes between `least` and `most` options, an
    order all of them, first to last; a text, which is its own key, takes that many characters (none: the
    key is empty). `name` is the name of the choice in the effect text, `power` the routine that asks,
    `within` its callers (outermost first). `default` are the keys of the default answer, `usual` those of
    the answer that a form may be filled in with. `weights` give the chances of a roll or draw.
    """

    id: str
    kind: str
    player: int | None
    name: str
    text: str
    options: tuple[Option, ...]
    least: int
    most: int
    default: Keys | None
    usual: Keys | None
    power: str
    within: tuple[str, ...]
    origin: Origin
    weights: tuple[int, ...] = ()


class HiddenRow(BaseException):
    """A row about to run reads, or reveals, hidden information.

    It is no error, so no `except Exception` may catch it.
    """


def open_roll(node: PlayNode, value: Dynamic) -> PlayNode | None:
    """The node after answering `value`, if it is publicly known to be a roll, and of which dice.

    RuntimeFault if the rules fail on the way there.
    """
    try:
        stop = PlayNode(_halting(node.linked), node.stop).child(value).stop
    except HiddenRow:
        return None
    if stop.state.frame is None or stop.kind not in (ASK, BARRIER):
        return None
    after = PlayNode(node.linked, stop)
    is_open = not isinstance(after.row, p.SECRET_ROLLS)
    return after if is_open and isinstance(after.row, p.Roll) else None


@lru_cache(maxsize=8)
def _halting(linked: Linked) -> Linked:
    """The same game, linked again so that it halts at each row that depends on hidden information."""
    hidden = hidden_rows(linked)

    def halt(r: Run, number: int) -> None:
        if (r.routine.id, number) in hidden:
            raise HiddenRow

    return halting_at(linked, halt)


def halting_at(linked: Linked, halt: Callable[[Run, int], None]) -> Linked:
    """The same game, linked again so that it calls back before each row."""
    codegen = partial(_HaltingCodegen, halt)
    parts = (linked.program, linked.layout, linked.driver, linked.settings, codegen)
    return Linked(*parts, linked.language)


class _HaltingCodegen(Codegen):
    """Code generator whose blocks call back before each row."""

    def __init__(self, ran: Callable[[Any, int], None], *made_of: Any) -> None:
        self.ran = ran
        super().__init__(*made_of)


def hidden_rows(linked: Linked) -> frozenset[tuple[str, int]]:
    """The rows that read hidden information, including conditions of their responses, or that reveal
    something."""
    program, derived = linked.program, secrecy_of(linked).derived
    telling = {Callee("event", one.name) for one in program.operations if one.reveals}
    telling |= {Callee("event", event) for event in _answered_in_secret(program, derived)}

    def is_hidden(routine: str, row: Row) -> bool:
        reads = any(derived.of(routine, expr) for expr in expressions_of(row))
        return reads or called(row) in telling

    rows = ((one.id, pc, row) for one in program.routines for pc, row in enumerate(one.rows))
    return frozenset((id, pc) for id, pc, row in rows if is_hidden(id, row))


def _answered_in_secret(program: p.Program, derived: DerivedVariables) -> Iterator[str]:
    """The events with a response whose condition reads hidden information."""
    answers = [(one.event, one.routine, one.where) for one in program.triggers]
    answers += [(one.operation, one.routine, one.where) for one in program.replacements]
    for event, routine, where in answers:
        if where is not None and derived.of(routine, where):
            yield event
