"""Answers of a case: the answer to each prompt, and the options that it names.

A meaningless answer is `StepNotUnderstood`; one that is not on offer is left for the game to refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_words import NONE, SPAN, as_list, folded, word
from ruleloom.compiler.diagnostics.suggest import did_you_mean, nearest, quoted_list
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.labels import as_written, title_text, value_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Modal, Roll, RollEach, RollSummed
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type, World
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL, way_asked
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.state import CaseNames
from ruleloom.scenarios.setup.things import unmarked

ABSENT = object()
MOST_WRITTEN_OUT, MOST_SHOWN = 10_000, 40
DONE = {"yes": "do", "do": "do", "no": "skip", "skip": "skip"}


class Answers:
    """The unused answers of one step: by prompt, or a list in strict order."""

    def __init__(self, said: Any) -> None:
        self.in_order = isinstance(said, list)
        entries = said if self.in_order else [said or {}]
        self.left = [(folded(name), name, value) for one in entries for name, value in one.items()]
        # Prompts whose single answer serves every player who chooses in secret.
        self._for_all: set[str] = set()
        self._taken: Counter[str] = Counter()

    def take(self, game: Game) -> Any:
        """Take the answer to the open prompt, or return ABSENT.

        A list is several answers in turn, unless the prompt takes a whole list or asks for each die; a
        mapping has one secret answer per player.
        """
        place = self._place(prompt_names(game.node))
        if place is None:
            return ABSENT
        self._taken[self.left[place][0]] += 1
        if game.prompt.kind == "secret":
            return self._secret(place, asked_of(game))
        takes_lists = game.prompt.kind in SEVERAL or _asks_each(game.node)
        as_a_whole = takes_lists and not _all_of(list, self.left[place][2])
        return self._next(place, in_turn=not as_a_whole and not self.in_order)

    def _place(self, names: Collection[str]) -> int | None:
        """The index of the first answer to a prompt of these names; in strict order, only of the next one."""
        if self.in_order and self.left and self.left[0][0] in self._for_all.difference(names):
            del self.left[0]  # every player has given the shared answer
        among = self.left[:1] if self.in_order else self.left
        return next((n for n, (key, _, _) in enumerate(among) if key in names), None)

    def _next(self, place: int, in_turn: bool) -> Any:
        """Take the answer at this index; of a list of answers in turn, its first."""
        key, written, value = self.left.pop(place)
        if not in_turn or not isinstance(value, list) or not value:
            return value
        if len(value) > 1:
            self.left.insert(place, (key, written, value[1:]))
        return value[0]

    def _secret(self, place: int, player: str) -> Any:
        """Take a player's secret answer: shared, by player, or from rounds of these."""
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
    def unused(self) -> tuple[str, str, Any] | None:
        """The first answer that no prompt asked for: its folded name, its name and the answer."""
        return next((one for one in self.left if one[0] not in self._for_all), None)

    @property
    def left_over(self) -> str | None:
        """The complaint about the first answer that no prompt asked for; None if all were used."""
        if self.unused is None:
            return None
        key, written, value = self.unused
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
    """A prompt's name in a case: the variable, the label of an optional part, or the question."""
    row = node.row
    if isinstance(row, Modal):
        return unmarked(way_asked(node))
    return unmarked(str(getattr(row, "name", "")))


def claimed_name(node: PlayNode) -> str:
    """The name of a prompt to write into a case: that of its menu or power, if it has one."""
    return [*node.called[:-1], name_of(node)][0]


def prompt_names(node: PlayNode) -> set[str]:
    """A prompt's folded names in a case: its name, its text as displayed, and as written in the rules
    with placeholders."""
    row, names = node.row, {folded(name_of(node))}
    if isinstance(row, Modal):
        called = row.prompt or row.modes[0].label
        names.add(row.known_as)
        names.add(folded(unmarked(as_written(node.linked, called, node.routine.id))))
    return names - {""}


def asked_of(game: Game) -> str:
    """The joined names of the players asked."""
    player = game.prompt.player
    who = (player,) if player is not None else game.node.stop.who
    return ", ".join(game.players[one] for one in who) or "nobody"


def offered(game: Game) -> list[str]:
    """The options of the open prompt in case notation."""
    prompt = game.prompt
    if prompt.kind == "optional":
        return ["yes", "no"]
    if isinstance(game.node.row, RollSummed):
        count, sides = game.node.dice
        return [str(total) for total in range(count, count * sides + 1)]
    if prompt.kind == "text":
        return ["a text"] if prompt.least else ["a text", "none"]
    named = Type.parse(str(getattr(game.node.row, "type", "Int"))).name in game.linked.layout.named
    labelled = named or prompt.kind in ("mode", "combine")
    return [unmarked(one.label if labelled else one.key) for one in prompt.options]


def written_out(said: Sequence[Any]) -> Iterator[Any]:
    """Options in case notation, one by one: `2 .. 30` stands for all numbers from 2 to 30."""
    for one in said:
        span = SPAN.fullmatch(one) if isinstance(one, str) else None
        if span is None:
            yield one
        elif int(span[2]) - int(span[1]) not in range(MOST_WRITTEN_OUT):
            raise StepNotUnderstood(f"`{one}` is no span of 1 to {MOST_WRITTEN_OUT:,} numbers")
        else:
            yield from range(int(span[1]), int(span[2]) + 1)


def answer_keys(game: Game, said: Any, words: CaseNames) -> tuple[str, ...]:
    """The option keys that an answer names."""
    if isinstance(game.node.row, Roll):
        faces = _faces(game.node, said)
        return faces if isinstance(game.node.row, RollEach) else (str(sum(map(int, faces))),)
    match game.prompt.kind:
        case "text":  # `none` where the text is optional
            return ("" if word(said) == NONE and None in game.node.found else word(said),)
        case "optional":
            return (DONE[word(said)],)
        case "secret" if isinstance(said, Mapping) or said == []:
            raise StepNotUnderstood(f"{asked_of(game)} has no answer to `{name_of(game.node)}`")
        case "subset" | "order":  # none at all for `none`, unless an option has that name
            is_empty = word(said) == NONE and NONE not in offered(game)
            return tuple(_key(game, one, words) for one in ([] if is_empty else as_list(said)))
    return (_key(game, said, words),)


def as_called(reason: str, keys: Sequence[str], said: Any) -> str:
    """The reason of a refusal, with option keys replaced by the case's own words."""
    for key, one in zip(keys, as_list(said), strict=False):
        reason = reason.replace(f"`{key}`", f"`{word(one)}`")
    return reason


def _asks_each(node: PlayNode) -> bool:
    """Does this roll keep each die, in the text that rolls?"""
    return isinstance(node.row, RollEach) and not isinstance(node.row, RollSummed)


def _faces(node: PlayNode, said: Any) -> tuple[str, ...]:
    """The faces of a roll; the sum may stand for them if the roll is summed up.

    Of dice that answers may look at, a sum stands for faces as even as can be.
    """
    count, sides = node.dice
    if isinstance(node.row, RollSummed) and said in range(count, count * sides + 1):
        return tuple(str((said + place) // count) for place in range(count))
    faces, wanted, low, high = as_list(said), count, 1, sides
    each = _asks_each(node)
    if not each and not isinstance(said, list):
        wanted, low, high = 1, count, count * sides
    if len(faces) != wanted or not all(type(one) is int and low <= one <= high for one in faces):
        asks = f"asks for each die of {count}d{sides}, which cannot be"
        sums = f"is a roll of {count}d{sides}, which cannot come to"
        shown = ", ".join(map(word, faces))
        raise StepNotUnderstood(f"`{name_of(node)}` {asks if each else sums} `{shown}`")
    return tuple(map(str, faces))


def _key(game: Game, said: Any, words: CaseNames) -> str:
    # The case's own thing comes first: other cases may have declared things of the same name.
    meant, wanted = _value_key(game, said, words), folded(said)
    choices = [(one.key, one.label) for one in game.prompt.options]
    choices += [(one.key, one.label) for one in game.refusals]
    for key, label in choices if meant not in dict(choices) else ():
        if wanted in (folded(unmarked(key)), folded(unmarked(label)), slug(unmarked(label))):
            return key
    if meant is not None:
        return meant
    options = offered(game)
    shown = options if len(options) <= MOST_SHOWN else [*options[:MOST_SHOWN], "..."]
    none = f"`{word(said)}` is no answer to `{name_of(game.node)}`: {', '.join(shown)}"
    raise StepNotUnderstood(": ".join(filter(None, (none, did_you_mean(word(said), options)))))


def _value_key(game: Game, said: Any, words: CaseNames) -> str | None:
    """The key of a value, on offer or not; None if it has not the type asked for."""
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
    """The keys of the answer to a prompt that a case leaves out; StepNotUnderstood if it needs one."""
    keys, prompt = without_asking(game), game.prompt
    if keys is not None:
        return tuple(keys)
    is_roll = prompt.kind == "roll"
    options = prompt.text.removeprefix("roll ") if is_roll else ", ".join(offered(game))
    name = name_of(game.node)
    asked = f"`{name}`, asked of {asked_of(game)}"
    missed = ", whose default is not on offer" if _has_lost_default(game) else ""
    unused = list(unused)
    slip = nearest(name, unused, 1) or (unused if len(unused) == 1 else [])
    meant = f"; `{slip[0]}` is answered, but not asked" if slip else ""
    if folded(name) in map(folded, unused):  # in strict order it is not its turn yet
        meant = f"; the answers are in order, and `{unused[0]}` is answered first"
    raise StepNotUnderstood(f"nobody answers {asked}{missed}: {options}{meant}")


def without_asking(game: Game) -> Sequence[str] | None:
    """The keys of an omitted answer: the default, any text, the only one; else None."""
    prompt = game.prompt
    if prompt.default is not None:
        return prompt.default
    if prompt.kind == "text":
        return (SOME_TEXT,)
    is_one = len(prompt.options) == 1 or prompt.kind == "subset"
    takes_all = is_one and prompt.least == prompt.most == len(prompt.options)
    if _has_lost_default(game) or not takes_all:
        return None
    return tuple(one.key for one in prompt.options)


def _has_lost_default(game: Game) -> bool:
    """Has the prompt a default that is not among the options? No other answer replaces it."""
    prompt = game.prompt
    return game.node.has_default and prompt.default is None


MOST_NAMED, MOST_OFFERED = 8, 12

# Given things that play would have made, by their names in the case.
Named = Mapping[str, tuple[str, int]]


def asked_instead(way: Sequence[Game], name: str) -> str:
    """The message part that lists a step's prompts, for an answer whose name is none of them."""
    asked = list(dict.fromkeys(name_of(game.node) for game in way))
    if not asked:
        return "; the step asks nothing"
    more = f" and {len(asked) - MOST_NAMED} more" if len(asked) > MOST_NAMED else ""
    help = did_you_mean(name, [one for one in asked if folded(one) != folded(name)])
    return f"; asked: {quoted_list(asked[:MOST_NAMED])}{more}" + (f"; {help}" if help else "")


def on_offer(game: Game) -> str:
    """The options as a message part, if they are few."""
    options = offered(game)
    return f"; on offer: {', '.join(options)}" if len(options) <= MOST_OFFERED else ""


def things_given(names: CaseNames, made: Mapping[str, Mapping[str, Any]]) -> Named:
    """The given things that play would have made, before the first step."""
    pairs = ((kind, str(name)) for kind, named in made.items() for name in named)
    found = ((kind, name, names.number(kind, name)) for kind, name in pairs)
    return {name: (kind, number) for kind, name, number in found if number is not None}


def changed_since(game: Game, said: Any, given: Named) -> str:
    """The message part on an answer's thing that is gone or has been renamed."""
    names = map(word, as_list(said) if not isinstance(said, Mapping) else ())
    found = (_fate(game.linked, game.state.world, name, given) for name in names)
    told = next(filter(None, found), "")
    return f"; {told}" if told else ""


def _fate(linked: Linked, world: World, name: str, given: Named) -> str:
    """The fate of a given thing, gone or renamed; empty if it is unchanged or unknown."""
    kind, number = given.get(name, ("", 0))
    if not kind:
        return ""
    if linked.is_gone(Type(kind), number, world):
        return f"`{name}` is not there any more"
    now = unmarked(title_text(linked, world, Type(kind), number))
    return f"`{name}` is called `{now}` by now" if now != name else ""


def lost_things(
    names: CaseNames, world: World, claimed: Mapping[str, Any], given: Named
) -> Iterator[str]:
    """The fate of each thing whose numbers are claimed but whose name is no longer found."""
    for name, said in claimed.items():
        kind, _ = given.get(str(name), ("", 0))
        if kind and isinstance(said, Mapping) and names.number(kind, str(name)) is None:
            yield f"{name}: {_fate(names.linked, world, str(name), given)}"


def not_refused(fizzled: Sequence[str]) -> str:
    """The complaint that no refusal happened; a fizzled effect needs another claim."""
    taken = "the last answer was taken, but should be refused"
    if not fizzled:
        return taken
    return f"{taken}: {fizzled[-1]}, which `log: [comes to nothing]` claims, and no `legal: false`"
