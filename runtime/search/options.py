"""Prompts made from nodes: the same question as the machine asks, with keys, labels and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.runtime.link.steps import RollStep
from ruleloom.runtime.machine.free_text import LONGEST_TEXT
from ruleloom.runtime.machine.labels import slug, title_text, unique_keys, value_text
from ruleloom.runtime.machine.prompt import Option, Prompt, Refusal
from ruleloom.runtime.machine.roll import Falls
from ruleloom.runtime.machine.templates import Readers, as_written, moment_of, worded
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Draw,
    Modal,
    Pick,
    Roll,
    RollEach,
    Secret,
    Words,
)
from ruleloom.runtime.program.values import DICE, INT, Type
from ruleloom.runtime.search.node import PlayNode

MOST_TOTALS = 2_000


def prompts_of(node: PlayNode, serial: int) -> tuple[Prompt, ...]:
    """What is asked at `node`: one prompt, or one for each player who still owes a secret
    answer."""
    if node.over:
        return ()
    if node.secret:
        return tuple(
            _prompt(node, f"{serial}.{p}", p, node.secret_options(p)) for p in node.stop.who
        )
    player = None if node.chance else node.stop.who[0]
    return (_prompt(node, str(serial), player, node.options),)


def keys_of(node: PlayNode, values: Sequence[Any]) -> list[str]:
    """The key of each of these answers, in order."""
    row = node.row
    if isinstance(row, Modal):
        if row.kind == "optional":
            return ["do" if v == 0 else "skip" for v in values]
        return [slug(str(row.modes[v].label)) for v in values]
    if isinstance(row, Ask):
        return ["" if value is None else value for value in values]
    type_ = rolled_type(row) if isinstance(row, Roll) else Type.parse(_type_name(row))
    world = node.state.world
    return unique_keys(value_text(node.linked, world, type_, v) for v in values)


def rolled_type(row: Roll) -> Type:
    """The type of what a roll gives: a sum, or the face of each die."""
    return DICE if isinstance(row, RollEach) else INT


def _type_name(row: Any) -> str:
    name: str = row.type
    return name


def _labels(node: PlayNode, values: Sequence[Any]) -> list[str]:
    row = node.row
    if isinstance(row, Modal):
        return [_shown(node, row.modes[v].label, node.stop.who) for v in values]
    if isinstance(row, Roll):
        return keys_of(node, values)
    if isinstance(row, Ask):
        return ["nothing" if value is None else value for value in values]
    type_ = Type.parse(_type_name(row))
    return unique_keys(title_text(node.linked, node.state.world, type_, v) for v in values)


def keyed(node: PlayNode, values: Sequence[Any]) -> dict[str, Any]:
    """The answers by key. Keys count equal names over everything found, so that they stay the same
    however many of them look-ahead leaves over."""
    row = node.row
    if isinstance(row, Choose) and row.count == "one":
        every = dict(zip(keys_of(node, node.found), node.found, strict=True))
        kept = set(values)
        return {key: value for key, value in every.items() if value in kept}
    return dict(zip(keys_of(node, values), values, strict=True))


def keys_for(node: PlayNode, values: Sequence[Any]) -> list[str]:
    """The keys of some of the answers, as they are among all."""
    row = node.row
    if not isinstance(row, Choose):
        return keys_of(node, values)
    by_value = dict(zip(node.found, keys_of(node, node.found), strict=True))
    return [by_value[value] for value in values]


def _prompt(node: PlayNode, id_: str, player: int | None, values: Sequence[Any]) -> Prompt:
    row, linked = node.row, node.linked
    if (
        node.chance and len(values) > MOST_TOTALS
    ):  # a roll so large is answered by its number, without a list
        values = ()
    if isinstance(row, Ask):  # what may be written cannot be listed
        values = [value for value in values if value is None]
    by_key = keyed(node, values)
    labels = dict(zip(values, _labels(node, values), strict=True))
    options = tuple(Option(key, labels[value], value) for key, value in by_key.items())
    least, most = node.limits()
    by_value = {option.value: option.key for option in options}
    usual = None
    if node.takes_sets and node.has_default and all(one in by_value for one in node.default):
        usual = tuple(by_value[one] for one in node.default)
    default_key = next(
        (o.key for o in options if node.has_default and o.value == node.default), None
    )
    if isinstance(row, Ask):
        least, most, default_key = 0 if values else 1, LONGEST_TEXT, node.default
    if isinstance(row, Modal) and row.kind == "optional":
        default_key = "skip"
    name = "" if isinstance(row, Modal) else getattr(row, "name", "")
    return Prompt(
        id=id_, kind=_kind(row), player=player, name=name, text=question(node, player), options=options, least=least,
        most=most, default=default_key, power=linked.routines[node.frame.routine].id, within=_within(node),
        origin=row.origin, weights=weights(node) if node.chance else (),
        usual=usual,
    )  # fmt: skip


def _kind(row: Any) -> str:
    match row:
        case Choose():
            if row.count != "one":
                return "subset"
            return "number" if row.type == "Int" else "choose"
        case Ask():
            return "text"
        case Modal():
            return {"choose": "mode", "optional": "optional"}.get(row.kind, "combine")
        case Secret():
            return "secret"
        case Roll():
            return "roll"
        case _:
            return "draw"


def _shown(node: PlayNode, words: Words, readers: Readers, player: int | None = None) -> str:
    """A text of the row that asks, as `readers` see it; with `player` as it is for one of several
    who are asked."""
    if isinstance(words, str):
        return words
    moment, row = moment_of(node.linked, node.state), node.row
    if isinstance(row, Secret) and player is not None:
        slots = list(moment.slots)
        slots[row.player_slot] = player
        moment = moment._replace(slots=tuple(slots))
    return worded(node.linked, words, moment, readers)


def question(node: PlayNode, player: int | None = None) -> str:
    """What is asked at `node`, in words, for the player who is asked (None: the first of them)."""
    row = node.row
    who = player if player is not None or not node.stop.who else node.stop.who[0]
    match row:
        case Choose() | Secret() | Modal() | Ask():
            if row.prompt:
                return _shown(node, row.prompt, () if who is None else (who,), who)
            if isinstance(row, Ask):
                return f"write {row.name.replace('_', ' ')}"
            return (
                f"choose {row.name.replace('_', ' ')}"
                if not isinstance(row, Modal)
                else "choose one"
            )
        case Roll():
            count, sides = node.dice
            return f"roll {count}d{sides}" + (
                " and look at each" if isinstance(row, RollEach) else ""
            )
        case Draw():
            return f"draw from the {row.pile.replace('_', ' ')}"
        case Pick():
            return f"draw {row.name.replace('_', ' ')}"
        case _:
            return ""


def way_key(node: PlayNode, name: str) -> str:
    """The key of the way that a slug means. Doing what is optional also goes by its label, filled
    or as written."""
    row = node.row
    if not isinstance(row, Modal) or row.kind != "optional":
        return name
    routine = node.linked.routines[node.frame.routine].id
    label = row.modes[0].label
    return (
        "do"
        if name in (slug(way_asked(node)), slug(as_written(node.linked, label, routine)))
        else name
    )


def way_asked(node: PlayNode) -> str:
    """What a prompt of several ways is called: its question, or the first of the ways."""
    row = node.row
    assert isinstance(row, Modal)
    return question(node) if row.prompt else _labels(node, (0,))[0]


def _within(node: PlayNode) -> tuple[str, ...]:
    names = []
    frame = node.frame.parent
    while frame is not None:
        names.append(node.linked.routines[frame.routine].id)
        frame = frame.parent
    return tuple(reversed(names))


def weights(node: PlayNode) -> tuple[int, ...]:
    """How many ways lead to each option of a roll or draw; nothing for more dice than a table can
    hold."""
    if not isinstance(node.step, RollStep):
        return (1,) * len(node.options)
    if len(node.options) > MOST_TOTALS:
        return ()
    if isinstance(node.options, Falls):
        return node.options.ways()
    count, sides = node.dice
    ways = {0: 1}
    for _ in range(count):
        ways = _one_more_die(ways, sides)
    return tuple(ways[total] for total in node.options)


def _one_more_die(ways: dict[int, int], sides: int) -> dict[int, int]:
    result: dict[int, int] = {}
    for total, count in ways.items():
        for face in range(1, sides + 1):
            result[total + face] = result.get(total + face, 0) + count
    return result


def refusals_of(node: PlayNode) -> tuple[Refusal, ...]:
    """Every candidate that is not offered, with the reason."""
    if node.over or node.chance or node.secret or node.writes:
        return ()
    offered = set(node.options)
    values = tuple(dict.fromkeys(v for v in node.candidates() if v not in offered))
    keys = keys_of(node, values)
    labels = _labels(node, values)
    refused = []
    for key, label, value in zip(keys, labels, values, strict=True):
        reason = node.why_not(value)
        if reason:
            refused.append(Refusal(key, label, reason))
    return tuple(refused)
