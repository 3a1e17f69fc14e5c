"""A game in play, as a value: prompts to loop over, answers that give the next game.

    game = new_game(linked, seed=7)
    while not game.over:
        prompt = game.prompt
        game = game.answer(prompt.id, prompt.options[0].key)

Dice and draws are answered by the seeded source, or are prompts in a game without a seed. A game can be
replayed by its own journal, gone back in where all agree, and taken to another version of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, told_in
from ruleloom.runtime.machine.ask import own_words
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.labels import value_text
from ruleloom.runtime.machine.step import reopen, run
from ruleloom.runtime.play import corrections
from ruleloom.runtime.play.carry import Aside
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.program.faults import GameOver, Refused, RuntimeFault, StaleAnswer
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Roll, RollEach
from ruleloom.runtime.program.state import Event, Outcome, State
from ruleloom.runtime.program.values import Dynamic, Type, World
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.runtime.search.options import (
    Prompt,
    Refusal,
    keyed,
    keys_among,
    prompts_of,
    refusals_of,
)

LEAST_SEED, MOST_SEED = -(2**63), 2**64 - 1
# The kinds of events that reveal something hidden.
SHOWING = ("drawn", "picked", "revealed", "told", "looked", "shown")


class JournalEntry(NamedTuple):
    """One answer in the journal. `player` is None for dice and decks; `keys` are the options taken.

    An entry with a `correction` is a change by the host. One with `back` is a return, agreed by
    everybody, to the point before the answer of that number.
    """

    serial: int
    player: int | None
    keys: tuple[str, ...]
    correction: Correction | None = None
    back: int | None = None


class Unworded(NamedTuple):
    """An answer whose keys are not yet computed: `words(*of)` makes them."""

    serial: int
    player: int | None
    words: Callable[..., tuple[str, ...]]
    of: tuple[Dynamic, ...]


class Chain:
    """An append-only linked list of entries; keys are computed on reading."""

    __slots__ = ("_last", "before")

    def __init__(self, last: JournalEntry | Unworded, before: Chain | None) -> None:
        self._last = last
        self.before = before

    @property
    def last(self) -> JournalEntry:
        """The newest entry."""
        if isinstance(self._last, Unworded):
            serial, player, words, of = self._last
            self._last = JournalEntry(serial, player, words(*of))
        return self._last

    def entries(self) -> list[JournalEntry]:
        """All entries in order."""
        found = []
        link: Chain | None = self
        while link is not None:
            found.append(link.last)
            link = link.before
        return found[::-1]


@dataclass(frozen=True)
class Game:
    """A position of a game, immutable: answering returns another `Game`.

    `serial` counts answers, chance included. `past` are the positions that undo may return to. `started`
    is the initial world, None for an empty one. With a `seam` the game goes on from another version of its
    rules, and its journal and its numbers begin there.
    """

    linked: Linked
    node: PlayNode
    serial: int
    journal: Chain | None
    past: tuple[Game, ...]
    random: Xoshiro | None
    seed: int | None
    events: tuple[Event, ...]
    started: World | None = None
    seam: Seam | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in seating order."""
        return self.linked.layout.players

    @property
    def state(self) -> State:
        return self.node.state

    @property
    def over(self) -> bool:
        """True once somebody has won or the game is drawn."""
        return self.node.over

    @property
    def outcome(self) -> Outcome | None:
        return self.node.state.outcome

    @property
    def winner(self) -> str | None:
        """The name of the only winner; None otherwise, and while the game goes on."""
        winner = None if self.outcome is None else self.outcome.winner
        return None if winner is None else self.players[winner]

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """The names of the players by rank, those of one rank together; empty for a plain end."""
        ranks = () if self.outcome is None else self.outcome.ranking
        return tuple(tuple(self.players[one] for one in rank) for rank in ranks)

    @cached_property
    def prompts(self) -> tuple[Prompt, ...]:
        """All open prompts; several only while players choose in secret."""
        return tuple(prompts_of(self.node, self.serial))

    @cached_property
    def _first_prompt(self) -> Prompt:
        return next(prompts_of(self.node, self.serial))

    @property
    def prompt(self) -> Prompt:
        """The first of the prompts; GameOver if the game has ended."""
        if self.outcome is not None:
            names = " and ".join(self.players[one] for one in self.outcome.winners)
            many = len(self.outcome.winners) > 1
            result = f"{names} {'have' if many else 'has'} won" if names else "it is a draw"
            raise GameOver(f"the game is over and asks nothing any more: {result}")
        return self._first_prompt

    @cached_property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refused options of this prompt, with reasons."""
        return refusals_of(self.node)

    @property
    def entries(self) -> list[JournalEntry]:
        """The journal, oldest answer first."""
        return self.journal.entries() if self.journal is not None else []

    def answer(self, prompt_id: str, keys: str | Sequence[str]) -> Game:
        """Answer a prompt by the key of an option, or by several keys for a set.

        A free text is its own key. The key of a roll is the sum of the dice, or one key per face; a roll
        that keeps its faces takes only those.

        Raises StaleAnswer if the prompt is not open, and Refused, with the reason, if the answer is not
        on offer. Nothing changes then.
        """
        serial, player = self._addressed(prompt_id)
        if serial != self.serial or self.over:
            raise StaleAnswer(f"prompt {prompt_id} has been answered already")
        wanted = _as_keys(keys)
        if self.node.writes:
            value = self.value_of(wanted, player)
            return self._take(value, ("" if value is None else value,), player)
        return self._take(self.value_of(wanted, player), wanted, player)

    def choose(self, value: Dynamic) -> Game:
        """Answer by a raw option, or a tuple for a set; Refused if it is not on offer."""
        node = self.node
        if node.over or node.secret or not node.allows(value):
            raise Refused("this is not on offer")
        values = value if node.takes_sets else (value,)
        of = (node.linked, node.row, node.state.world, node.found, values)
        return self._reach(value, Unworded(self.serial, self._answering(None), keys_among, of))

    def _addressed(self, prompt_id: str) -> tuple[int, int | None]:
        if not isinstance(prompt_id, str):
            raise Refused("an answer names its prompt by `prompt.id`, which is a text")
        serial, _, player = prompt_id.partition(".")
        if not (_is_number(serial) and (not player or _is_number(player))):
            raise Refused(f"`{prompt_id}` is no prompt of this game")
        if self.over or self.node.secret == bool(player):
            return int(serial), int(player) if player else None
        return -1, None

    def value_of(self, keys: tuple[str, ...], player: int | None = None) -> Dynamic:
        """The raw option or set with these keys; Refused, with the reason, if not on offer."""
        try:
            return self._value_of(keys, player)
        except Refused as refused:
            refused.reason = refused.reason.told(refused.reason, self.node.called)
            raise

    def _value_of(self, keys: tuple[str, ...], player: int | None) -> Dynamic:
        node = self.node
        if node.chance and isinstance(node.row, Roll):
            return _faces(node, keys) if isinstance(node.row, RollEach) else _total(node, keys)
        if node.writes:
            return _written(node, keys)
        if node.secret:
            return self._one(self._known(keys, self._secret_options(player)))
        values = self._known(keys, node.options if node.chance else node.found)
        if node.takes_sets:
            return self._set(values)
        value = self._one(values)
        if not node.allows(value):
            raise Refused(node.why_not(value) or "this is not on offer")
        return value

    def _secret_options(self, player: int | None) -> Sequence[Dynamic]:
        if player is None or player not in self.node.stop.who:
            raise StaleAnswer("that player has answered already")
        return self.node.secret_options(player)

    def _known(self, keys: tuple[str, ...], offered: Sequence[Dynamic]) -> tuple[Dynamic, ...]:
        table = keyed(self.node, offered)
        unknown = next((key for key in keys if key not in table), None)
        if unknown is not None:
            reason = next((one.reason for one in self.refusals if one.key == unknown), "")
            raise (
                Refused(reason)
                if reason
                else Refused("`{key}` is not one of the options", key=unknown)
            )
        return tuple(table[key] for key in keys)

    def _one(self, values: tuple[Dynamic, ...]) -> Dynamic:
        if len(values) != 1:
            raise Refused("exactly one option is asked for")
        return values[0]

    def _set(self, values: tuple[Dynamic, ...]) -> tuple[Dynamic, ...]:
        node, (least, most) = self.node, self.node.limits()
        if node.allows(values):
            return values
        if least <= len(values) <= most and len(set(values)) == len(values):
            raise Refused(node.child(values).dead_reason())
        limits = {"least": str(least), "most": str(most)}
        raise Refused("that takes between {least} and {most} different options", **limits)

    def _take(self, value: Dynamic, keys: tuple[str, ...], player: int | None) -> Game:
        return self._reach(value, JournalEntry(self.serial, self._answering(player), keys), player)

    def _answering(self, player: int | None) -> int | None:
        """The player who answers; None for chance."""
        if player is not None:
            return player
        return None if self.node.chance else self.node.stop.who[0]

    def _reach(
        self, value: Dynamic, entry: JournalEntry | Unworded, player: int | None = None
    ) -> Game:
        node = self.node.after(value, player, self.random)
        past = (*self.past, self) if _may_return(self.node, node, entry.player) else ()
        return _reached(self, node, self.serial + 1, Chain(entry, self.journal), past)

    def correct(
        self, field: str, thing: str | None, value: Dynamic, *, reason: str, key: str | None = None
    ) -> Game:
        """Set a changeable field of a thing, or a variable (`thing` is None), by hand.

        `value` is a number, yes or no, None, the name of anything else, or a list of those; `key` is the
        entry of a field that is a table. The open prompt is asked anew, a secret one of everybody.
        Raises Refused, with the reason, if a part does not fit; nothing changes then.
        """
        if self.over:
            raise Refused("the game is over, and nothing is set right any more")
        linked, state = self.linked, self.state
        place = corrections.place_of(linked, state, field, thing, key)
        meant = corrections.value_meant(linked, state.world, place, value)
        corrections.checked_reason(reason)
        correction = corrections.written(linked, state, place, meant, reason)
        args = (place.thing, place.key, meant, reason)
        try:
            after = corrections.put(state, place, meant)
            told = ("corrected", place.name, args)
            stop = reopen(linked, state.world, after, told, self.random)
            node = settled(linked, stop, dice=self.random)
        except RuntimeFault as fault:
            raise Refused(f"nobody could play on from there: {fault.told}") from None
        chain = Chain(JournalEntry(self.serial, None, (), correction), self.journal)
        past = () if node.over or has_shown(node) else (*self.past, self)
        return _reached(self, node, self.serial + 1, chain, past)

    def undo(self) -> Game:
        """The position before the last answer or correction; Refused at a barrier.

        A roll, a draw, a reveal and another player's answer are barriers. `go_back` of
        `ruleloom.runtime.play.game` crosses them, if everybody agrees.
        """
        if not self.past:
            raise Refused("there is nothing to take back: what has been seen stays seen")
        return self.past[-1]

    def resumed(self, node: PlayNode, back: int) -> Game:
        """This game resumed at a node of its past, before the answer numbered `back`."""
        chain = Chain(JournalEntry(self.serial, None, (), None, back), self.journal)
        return _reached(self, node, self.serial + 1, chain, ())


@dataclass(frozen=True, eq=False)
class Seam:
    """Where a game goes on under another version of its rules: the end of the part `before`, the `text` of
    its save, the new names, and the word of the host for what is set `aside`, which may be empty.

    `state` is what was carried over.
    """

    before: Game
    text: str
    renames: tuple[tuple[str, str], ...]
    agreed: str
    state: State
    aside: tuple[Aside, ...]


class Moment(NamedTuple):
    """One answer or correction, with the game before and after it."""

    entry: JournalEntry
    before: Game
    after: Game


def _as_keys(keys: str | Sequence[str]) -> tuple[str, ...]:
    """One key or several as a tuple; Refused for anything else, as callers may pass any type."""
    found = (keys,) if isinstance(keys, str) or not isinstance(keys, Iterable) else tuple(keys)
    if not all(isinstance(key, str) for key in found):
        raise Refused("an answer is the key of an option, which is a text, or a list of such keys")
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16


def _total(node: PlayNode, keys: tuple[str, ...]) -> int:
    """The sum of a typed roll: given as the sum, or as the face of each die."""
    count, sides = node.dice
    shown = [int(key) if _is_number(key) else -1 for key in keys]
    if len(shown) == 1 and count <= shown[0] <= count * sides:
        return shown[0]
    if len(shown) == count and all(1 <= face <= sides for face in shown):
        return sum(shown)
    faces = f", or name {count} faces from 1 to {sides}" if count > 1 else ""
    raise Refused(f"the dice show a sum from {count} to {count * sides}{faces}")


def _faces(node: PlayNode, keys: tuple[str, ...]) -> tuple[int, ...]:
    """The faces of a typed roll, in any order, as one key or several."""
    count, sides = node.dice
    told = [part for key in keys for part in key.replace(",", " ").split()]
    faces = tuple(sorted((int(one) for one in told if _is_number(one)), reverse=True))
    if len(faces) == len(told) and faces in node.options:
        return faces
    wanted = f"name {count} faces from" if count != 1 else "the die shows"
    raise Refused(f"{wanted} 1 to {sides}")


def _written(node: PlayNode, keys: tuple[str, ...]) -> str | None:
    """A free text, or None where it is optional and empty."""
    if len(keys) != 1:
        raise Refused("one text is asked for")
    nothing = keys[0] == "" and None in node.found
    text = None if nothing else own_words(keys[0])
    if not node.allows(text):
        raise Refused(node.why_not(text) or "this is not on offer")
    return text


def _may_return(before: PlayNode, after: PlayNode, who: int | None) -> bool:
    """Can the answer that led from `before` to `after` be undone?"""
    if who is None or before.secret or after.over or after.chance or after.secret:
        return False
    return after.stop.who == (who,) and not has_shown(after)


def has_shown(after: PlayNode) -> bool:
    """Was anything hidden revealed on the way to this node?"""
    operations = after.linked.operations
    for event in after.events:
        kind = event.kind
        if kind == "operation":
            if operations[event.name].info.reveals:
                return True
        elif kind in SHOWING or (kind == "rolled" and event.args[0]):  # zero dice reveal nothing
            return True
    return False


def _reached(
    game: Game, node: PlayNode, serial: int, chain: Chain | None, past: tuple[Game, ...]
) -> Game:
    """The game at `node`, with the answers of the dice source added to the journal."""
    world = node.state.world
    for type_, value in node.stop.cast:
        of = (game.linked, world, type_, value)
        chain = Chain(Unworded(serial, None, _cast_key, of), chain)
        serial += 1
    random = node.stop.dice or game.random
    begun = (random, game.seed, node.events, game.started, game.seam)
    return Game(game.linked, node, serial, chain, past, *begun)


def _cast_key(linked: Linked, world: World, type_: str, value: Dynamic) -> tuple[str, ...]:
    return (value_text(linked, world, Type.parse(type_), value),)


def new_game(linked: Linked, seed: int | None = None, world: World | None = None) -> Game:
    """Start a game. Without a seed, every roll and draw is a prompt, for real dice and cards."""
    if seed is not None and not LEAST_SEED <= seed <= MOST_SEED:
        raise Refused("a seed is a whole number of at most 64 bits")
    start = world
    if start is None:
        start = linked.driver.start(empty_world(linked.layout))
    state = State(start, linked.initial_scope, None, (), False, None)
    random = Xoshiro.seeded(seed) if seed is not None else None
    node = settled(linked, run(linked, state, True, random), dice=random)
    return _reached(Game(linked, node, 0, None, (), random, seed, (), world), node, 0, None, ())


def prompt_id(game: Game, player: int | None) -> str:
    """The id of the open prompt that `player` (None: chance) answers."""
    return f"{game.serial}.{player}" if game.node.secret else str(game.serial)


def read_in(game: Game, language: Language) -> Game:
    """The same game for readers of a language, with the positions that undo may return to."""
    linked = told_in(game.linked, language)
    if linked is game.linked:
        return game

    def told(one: Game, past: tuple[Game, ...]) -> Game:
        return replace(one, linked=linked, node=PlayNode(linked, one.node.stop), past=past)

    past: tuple[Game, ...] = ()
    for moment in game.past:
        past = (*past, told(moment, past))
    return told(game, past)


def begun_at(seam: Seam, linked: Linked, random: Xoshiro | None, seed: int | None) -> Game:
    """The game at a seam, before any answer under its rules. Raises RuntimeFault if nobody could play on."""
    world = seam.state.world
    told = ("upgraded", "", (versions_told(seam.before.linked, linked), len(seam.aside)))
    node = settled(linked, reopen(linked, world, seam.state, told, random), dice=random)
    game = Game(linked, node, 0, None, (), random, seed, (), None, seam)
    return _reached(game, node, 0, None, ())


def versions_told(old: Linked, new: Linked) -> tuple[str, ...]:
    """Each pack whose version differs, in words: `house 1.0.0 -> 1.1.0`."""
    was = {one.pack: one for one in old.program.lock}
    now = {one.pack: one for one in new.program.lock}
    found = []
    for pack in sorted({*was, *now}):
        before, after = was.get(pack), now.get(pack)
        if before is None or after is None:
            found.append(f"{pack} {'is new' if before is None else 'is gone'}")
        elif before.version != after.version:
            found.append(f"{pack} {before.version} -> {after.version}")
        elif before.hash != after.hash:
            found.append(f"{pack} {before.version} (edited)")
    return tuple(found) or ("the same packs, compiled by another Ruleloom",)


def parts(game: Game) -> list[Game]:
    """The end of each part of a game, the oldest first, and the game itself as the last."""
    found = [game]
    while (seam := found[-1].seam) is not None:
        found.append(seam.before)
    return found[::-1]


def beginning(game: Game) -> Game:
    """The game before any answer, or at its seam. Its dice are prompts, not rolled."""
    if game.seam is not None:
        return begun_at(game.seam, game.linked, None, None)
    return new_game(game.linked, world=game.started)


def again(game: Game, entry: JournalEntry) -> Game:
    """The game after replaying a journal entry; Refused if it does not fit here."""
    if entry.back is not None:
        return go_back(game, entry.back, game.players)
    one = entry.correction
    if one is None:
        return game.answer(prompt_id(game, entry.player), entry.keys)
    return game.correct(one.field, one.thing, one.value, reason=one.reason, key=one.key)


def moments(game: Game) -> Iterator[Moment]:
    """Every answer and correction of a game, chance included, oldest first."""
    now = beginning(game)
    for entry in game.entries:
        after = again(now, entry)
        yield Moment(entry, now, after)
        now = after


def go_back(game: Game, serial: int, agreed: Collection[str]) -> Game:
    """The game resumed before the answer of this number, past anything revealed since.

    Every player must have agreed. Later answers stay in the journal and in the log; dice rolled again
    may fall differently. Refused if somebody has not agreed, or if there is no such question.
    """
    others = [name for name in game.players if name not in agreed]
    if others:
        raise Refused(f"to go back, everybody has to agree; {' and '.join(others)} did not")
    if type(serial) is not int or not 0 <= serial < game.serial:
        raise Refused("there is no such answer to go back to")
    now = beginning(game)
    for entry in standing(game.entries[:serial]):
        now = again(now, entry._replace(serial=now.serial))
    if now.node.chance and game.random is not None:
        raise Refused("dice and decks answer there, and nobody is asked")
    stop, world = now.node.stop, now.state.world
    told = Event("agreed", "", (serial, stop.who), game.state.world, world, None, None)
    return game.resumed(PlayNode(game.linked, stop._replace(events=(told,), cast=())), serial)


def standing(entries: list[JournalEntry]) -> list[JournalEntry]:
    """The entries in force at the end of a journal, without those undone by a return."""
    found: list[JournalEntry] = []
    number = len(entries)
    while number > 0:
        number -= 1
        entry = entries[number]
        if entry.back is None:
            found.append(entry)
        else:
            number = entry.back
    return found[::-1]


def chosen_settings(linked: Linked) -> Mapping[str, Any]:
    """The settings of a game that differ from the defaults of its rules."""
    usual = {one.name: one.value for one in linked.program.settings}
    return {name: value for name, value in linked.settings.items() if value != usual[name]}
