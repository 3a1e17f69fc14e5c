"""Answers of a case: which one a prompt gets, and which options it names.

A meaningless answer is `StepNotUnderstood`; one that is not on offer is for the game to refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ruleloom.compiler.cases.case_words import NONE, SPAN, folded, word
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.compiler.cases.prompts import Prompts
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.labels import as_written, value_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Modal, Roll, RollEach, Words
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL, way_asked
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.made import unmarked

ABSENT = object()
MOST_WRITTEN_OUT, MOST_SHOWN = 10_000, 40
DONE = {"yes": "do", "do": "do", "no": "skip", "skip": "skip"}


class Answers:
    """The answers of one step as they are used up: by prompt, or a list in strict order."""

    def __init__(self, said: Any) -> None:
        self.in_order = isinstance(said, list)
        entries = said if self.in_order else [said or {}]
        self.left = [(folded(name), name, value) for one in entries for name, value in one.items()]
        # The prompts with one answer for everybody who chooses in secret.
        self._for_all: set[str] = set()
        self._taken: Counter[str] = Counter()

    def take(self, game: Game) -> Any:
        """The answer to the open prompt, or ABSENT.

        A list is several answers in turn, unless the prompt takes a list as a whole or asks for
        each die; a mapping answers for each player in secret.
        """
        names = names_of(game.node)
        if self.in_order and self.left and self.left[0][0] in self._for_all.difference(names):
            del self.left[0]  # everybody has chosen what was said once for all
        among = self.left[:1] if self.in_order else self.left
        place = next((n for n, (key, _, _) in enumerate(among) if key in names), None)
        if place is None:
            return ABSENT
        self._taken[among[place][0]] += 1
        if game.prompt.kind == "secret":
            return self._secret(place, asked_of(game))
        takes_lists = game.prompt.kind in SEVERAL or isinstance(game.node.row, RollEach)
        as_a_whole = takes_lists and not _all_of(list, self.left[place][2])
        return self._next(place, in_turn=not as_a_whole and not self.in_order)

    def _next(self, place: int, in_turn: bool) -> Any:
        """The answer at this place; of several that are given in turn, the first."""
        key, written, value = self.left.pop(place)
        if not in_turn or not isinstance(value, list) or not value:
            return value
        if len(value) > 1:
            self.left.insert(place, (key, written, value[1:]))
        return value[0]

    def _secret(self, place: int, player: str) -> Any:
        """The secret answer of a player: one for all, one for each, or rounds of these."""
        key, written, value = self.left[place]
        if not isinstance(value, list | Mapping):
            self._for_all.add(key)
            return value
        if value and _all_of(Mapping, value):
            self.left[place : place + 1] = [(key, written, one) for one in value]
            value = value[0]
        if not isinstance(value, Mapping) or player not in value:
            return self._next(place, in_turn=not self.in_order)
        others = {one: said for one, said in value.items() if one != player}
        self.left[place : place + 1] = [(key, written, others)] if others else []
        return value[player]

    @property
    def unused(self) -> str:
        """The first answer that nothing asked for, by the name of its prompt; empty without one."""
        return next((str(one[1]) for one in self.left if one[0] not in self._for_all), "")

    @property
    def left_over(self) -> str | None:
        """The complaint about the first answer that nothing asked for; None if there is none."""
        left = next((one for one in self.left if one[0] not in self._for_all), None)
        if left is None:
            return None
        key, written, value = left
        times = self._taken[key]
        if not times:
            return f"`{written}` was never asked for"
        if isinstance(value, Mapping):
            return f"`{written}` was not asked of {', '.join(map(word, value))}"
        rest = ", ".join(f"`{word(one)}`" for one in as_list(value))
        often = {1: "once", 2: "twice"}.get(times, f"{times} times")
        return f"`{written}` was asked for {often} only, and not for {rest}"


def _all_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def name_of(node: PlayNode) -> str:
    """A prompt's name in a case: the variable, the label of an option to skip, or the question."""
    row = node.row
    if isinstance(row, Modal):
        return unmarked(way_asked(node))
    return unmarked(str(getattr(row, "name", "")))


def names_of(node: PlayNode) -> set[str]:
    """By what a case may name a prompt: as it reads, and as it is written, with its holes; folded."""
    row = node.row
    written = (
        as_written(node.linked, _called(row), node.routine.id) if isinstance(row, Modal) else ""
    )
    return {folded(name_of(node)), *([folded(unmarked(written))] if written else [])}


def _called(row: Modal) -> Words:
    return row.prompt or row.modes[0].label


@lru_cache(maxsize=8)
def prompts_in(linked: Linked) -> Prompts:
    """All prompts of a game, gone through once for cases that follow one another."""
    program = linked.program
    return Prompts(program.routines, program.entities, (), unmarked)


def asked_of(game: Game) -> str:
    """The names of the players asked."""
    player = game.prompt.player
    who = (player,) if player is not None else game.node.stop.who
    return ", ".join(game.players[one] for one in who) or "nobody"


def offered(game: Game) -> list[str]:
    """The options of the open prompt as a case writes them."""
    prompt = game.prompt
    if prompt.kind == "optional":
        return ["yes", "no"]
    if prompt.kind == "text":
        return ["a text"] if prompt.least else ["a text", "none"]
    named = Type.parse(str(getattr(game.node.row, "type", "Int"))).name in game.linked.layout.named
    labelled = named or prompt.kind in ("mode", "combine")
    return [unmarked(one.label if labelled else one.key) for one in prompt.options]


def written_out(said: Sequence[Any]) -> Iterator[Any]:
    """Options as a case writes them, one by one: `2 .. 30` stands for all numbers from 2 to 30."""
    for one in said:
        span = SPAN.fullmatch(one) if isinstance(one, str) else None
        if span is None:
            yield one
        elif int(span[2]) - int(span[1]) not in range(MOST_WRITTEN_OUT):
            raise StepNotUnderstood(f"`{one}` is no span of 1 to {MOST_WRITTEN_OUT:,} numbers")
        else:
            yield from range(int(span[1]), int(span[2]) + 1)


def answer_keys(game: Game, said: Any, words: CaseNames) -> tuple[str, ...]:
    """The keys of the options that an answer names."""
    name = name_of(game.node)
    if isinstance(game.node.row, Roll):
        faces = _faces(game.node, said)
        return faces if isinstance(game.node.row, RollEach) else (str(sum(map(int, faces))),)
    match game.prompt.kind:
        case "text":
            return (_text(game, said),)
        case "optional":
            if word(said) not in DONE:
                raise StepNotUnderstood(f"`{name}` is answered by yes or no, not `{word(said)}`")
            return (DONE[word(said)],)
        case "secret" if isinstance(said, Mapping) or said == []:
            raise StepNotUnderstood(f"{asked_of(game)} has no answer to `{name}`")
        case "subset" | "order":
            return tuple(_key(game, one, words) for one in _several(game, said))
        case _ if isinstance(said, list | Mapping):
            shape = "list" if isinstance(said, list) else "mapping"
            raise StepNotUnderstood(f"`{name}` takes one answer here, not a {shape}")
    return (_key(game, said, words),)


def _several(game: Game, said: Any) -> list[Any]:
    """What is chosen of several; nothing for `none`, if nothing on offer is called so."""
    return [] if word(said) == NONE and NONE not in offered(game) else as_list(said)


def as_called(reason: str, keys: Sequence[str], said: Any) -> str:
    """The reason of a refusal, with options named as the case names them, not by their keys."""
    for key, one in zip(keys, as_list(said), strict=False):
        reason = reason.replace(f"`{key}`", f"`{word(one)}`")
    return reason


def _faces(node: PlayNode, said: Any) -> tuple[str, ...]:
    """The faces that a roll shows; of one that is summed up, its sum may stand for them."""
    count, sides = node.dice
    faces, wanted, low, high = as_list(said), count, 1, sides
    each = isinstance(node.row, RollEach)
    if not each and not isinstance(said, list):
        wanted, low, high = 1, count, count * sides
    if len(faces) != wanted or not all(type(one) is int and low <= one <= high for one in faces):
        asks = f"asks for each die of {count}d{sides}, which cannot be"
        sums = f"is a roll of {count}d{sides}, which cannot come to"
        shown = ", ".join(map(word, faces))
        raise StepNotUnderstood(f"`{name_of(node)}` {asks if each else sums} `{shown}`")
    return tuple(map(str, faces))


def _text(game: Game, said: Any) -> str:
    """A text as it stands; `none` where nothing need be written."""
    if isinstance(said, list | Mapping):
        raise StepNotUnderstood(f"`{name_of(game.node)}` takes one text")
    return "" if word(said) == "none" and None in game.node.found else word(said)


def _key(game: Game, said: Any, words: CaseNames) -> str:
    # A thing of the case itself comes first: other cases may have brought things of the same name.
    meant = _value_key(game, said, words)
    wanted = folded(said)
    choices = [(one.key, one.label) for one in game.prompt.options]
    choices += [(one.key, one.label) for one in game.refusals]
    if meant is not None and any(meant == key for key, _ in choices):
        return meant
    for key, label in choices:
        if wanted in (folded(unmarked(key)), folded(unmarked(label)), slug(unmarked(label))):
            return key
    if meant is not None:
        return meant
    options = offered(game)
    shown = options if len(options) <= MOST_SHOWN else [*options[:MOST_SHOWN], "..."]
    none = f"`{word(said)}` is no answer to `{name_of(game.node)}`: {', '.join(shown)}"
    raise StepNotUnderstood.of_name(none, word(said), options)


def _value_key(game: Game, said: Any, words: CaseNames) -> str | None:
    """The key of a value, on offer or not; None if it is no value of the type asked for."""
    row = game.node.row
    if isinstance(row, Modal):
        return None
    type_ = Type.parse(str(getattr(row, "type", "Int"))).present.item
    try:
        value = words.value(type_, said)
    except StepNotUnderstood:
        return None
    return value_text(game.linked, game.state.world, type_, value)


def usual_keys(game: Game, unused: Iterable[str] = ()) -> tuple[str, ...]:
    """The answer to a prompt that a case leaves out. StepNotUnderstood if it needs one."""
    keys, prompt = without_asking(game), game.prompt
    if keys is None:
        is_roll = prompt.kind == "roll"
        options = prompt.text.removeprefix("roll ") if is_roll else ", ".join(offered(game))
        asked = f"`{name_of(game.node)}`, asked of {asked_of(game)}"
        missed = ", whose default is not on offer" if _has_lost_default(game) else ""
        unused = list(unused)
        slip = nearest(name_of(game.node), unused, 1) or (unused if len(unused) == 1 else [])
        meant = f"; `{slip[0]}` is answered, but not asked" if slip else ""
        raise StepNotUnderstood(f"nobody answers {asked}{missed}: {options}{meant}")
    return tuple(keys)


def without_asking(game: Game) -> Sequence[str] | None:
    """The answer to a prompt that a case leaves out: the usual, the only one, or some text."""
    prompt = game.prompt
    if prompt.usual is not None:
        return prompt.usual
    if prompt.default is not None:
        return (prompt.default,)
    if prompt.kind == "text":
        return (SOME_TEXT,)
    if _has_lost_default(game):
        return None
    if len(prompt.options) == 1 and prompt.least == prompt.most == 1:
        return (prompt.options[0].key,)
    if prompt.kind == "subset" and prompt.least == prompt.most == len(prompt.options):
        return tuple(one.key for one in prompt.options)
    return None


def _has_lost_default(game: Game) -> bool:
    """Has the prompt a default that is not among the options? Nothing else takes its place."""
    prompt = game.prompt
    return game.node.has_default and prompt.default is None and prompt.usual is None
