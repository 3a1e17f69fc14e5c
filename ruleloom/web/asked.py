"""A question as a page shows it: options that can be pressed, those that cannot with the reason, the
rule that asks, and the odds of the dice that would be thrown.

Nothing here is worked out for anybody but the player who is asked.
"""

from __future__ import annotations

from typing import TypedDict

from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Roll, RollEach
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import Prompt, Refusal, open_roll
from ruleloom.table.asking_rule import asking_rules
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.prompt_text import all_numbers
from ruleloom.table.shown_question import Describing, asking_title, type_of
from ruleloom.web.boards.scene_reader import ref_of

# Of more options it is not looked ahead which dice they throw; more refusals are not listed.
MOST_LOOKED_AT, MOST_REFUSALS = 40, 80


class DiceShown(TypedDict):
    """Dice that are thrown next; each is looked at, or only their sum."""

    count: int
    sides: int
    each: bool


class OptionShown(TypedDict):
    """An option: its keys (several for things alike), its words, the place on the board that it
    stands for, and the dice that it throws."""

    keys: list[str]
    text: str
    ref: str | None
    dice: DiceShown | None


class RefusalShown(TypedDict):
    """An option that is refused now, with the reason."""

    text: str
    reason: str
    ref: str | None


class Asked(TypedDict):
    """A question, for the one who is asked."""

    id: str
    kind: str
    text: str
    title: str
    numbers: bool
    options: list[OptionShown]
    refusals: list[RefusalShown]
    least: int
    most: int
    usual: list[str] | None
    rules: list[str]
    power: str
    dice: DiceShown | None
    """The dice that are typed in, or that are thrown once a text is written."""


def asked(view: AuthorisedView, prompt: Prompt, id: str, drawing: Describing) -> Asked:
    """The open prompt of a seat as plain data, with the id by which the seat answers it."""
    game, node = view.game, view.game.node
    kind = type_of(node)
    return {
        "id": id,
        "kind": prompt.kind,
        "text": prompt.text[:1].upper() + prompt.text[1:],
        "title": asking_title(prompt, node, view.seat),
        "numbers": bool(prompt.options) and all_numbers(prompt.options),
        "options": _options(view, prompt, drawing, kind),
        "refusals": _refusals(view, kind),
        "least": prompt.least,
        "most": prompt.most,
        "usual": _usual(prompt),
        "rules": [text for _, text in asking_rules(game.linked, game.state)],
        "power": prompt.power,
        "dice": _dice_behind(node, node.found[0]) if node.writes else dice_at(node),
    }


def _options(
    view: AuthorisedView, prompt: Prompt, drawing: Describing, kind: str
) -> list[OptionShown]:
    node = view.game.node
    values = {option.key: option.value for option in prompt.options}
    choices = view.choices(drawing)
    is_one = not (node.chance or node.secret or node.takes_sets)
    look_ahead = len(choices) <= MOST_LOOKED_AT and is_one
    return [
        {
            "keys": list(one.keys),
            "text": one.text,
            "ref": ref_of(view.game, kind, values[one.keys[0]]),
            "dice": _dice_behind(node, values[one.keys[0]]) if look_ahead else None,
        }
        for one in choices
    ]


def _refusals(view: AuthorisedView, kind: str) -> list[RefusalShown]:
    """The refused options; of things alike only one."""
    found = {(one.label.partition("#")[0], one.reason): one for one in reversed(view.refusals)}
    first = list(reversed(found.values()))
    return [_refusal(view.game, kind, one) for one in first[:MOST_REFUSALS]]


def _refusal(game: Game, kind: str, one: Refusal) -> RefusalShown:
    is_place = kind in game.linked.entities or kind in game.linked.layout.points
    return {
        "text": one.label,
        "reason": one.reason,
        "ref": f"{kind}:{one.key}" if is_place else None,
    }


def _usual(prompt: Prompt) -> list[str] | None:
    if prompt.usual is not None:
        return list(prompt.usual)
    return None if prompt.default is None else [prompt.default]


def dice_at(node: PlayNode) -> DiceShown | None:
    """The dice that are asked for at a node."""
    return _dice_of(node) if node.chance else None


def _dice_of(node: PlayNode) -> DiceShown | None:
    if not isinstance(node.row, Roll):
        return None
    count, sides = node.dice
    return (
        {"count": count, "sides": sides, "each": isinstance(node.row, RollEach)} if count else None
    )


def _dice_behind(node: PlayNode, value: Dynamic) -> DiceShown | None:
    """The dice that an answer throws at once, if everybody may know which they are."""
    try:
        after = open_roll(node, value)
        return None if after is None else _dice_of(after)
    except RuntimeFault:  # reported when the option is taken
        return None
