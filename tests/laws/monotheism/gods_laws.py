"""What holds after each answer of an evening of Monotheism, reckoned here in plain Python from the
cards alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil
from operator import is_
from typing import Any

from ruleloom.bots.lookahead import measure
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import World
from ruleloom.runtime.search.node import PlayNode
from tests.laws.gnostica.conserve import asking

# The dice that so many players use, as the ledger has them: of each colour so many for each player.
EACH = {"black": Fraction(5), "blue": Fraction(5), "red": Fraction(15, 2)}
# What each of the laws about the whole table reads.
DICE = ("cosmic_pool", "pool", "placed")
CARDS = ("Follower.keeper", "Trait.bearer", "Trait.linked")
SCORES = ("Follower.keeper", "Trait.bearer", "Trait.colour")
EVERY = 40
AT_THE_END = ("end_free_round", "agree_on_theme")
SIZES = (4, 6, 8, 10, 12, 20)
WEAKENS = {"ethos-of-pain": "blue", "ethos-of-affirmation": "red"}


def same(columns: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Are these the very same columns?"""
    return len(columns) == len(others) and all(map(is_, columns, others))


class Laws:
    """The laws of one evening. It counts what happens, too."""

    def __init__(self, linked: Linked, start: PlayNode) -> None:
        self.linked = linked
        self.index = linked.layout.index
        self.players = range(len(linked.layout.players))
        static = dict(linked.entities["Die"].static)
        self.colour, self.sides = static["colour"], static["sides"]
        self.box = self._box()
        pain, affirmation = measure(linked, "pain"), measure(linked, "affirmation")
        assert pain is not None
        assert affirmation is not None
        self.told = {"red": pain, "blue": affirmation}
        self.counts: Counter[str] = Counter()
        self.current: int | None = None
        self.miracles, self.missions = 0, 0
        self.filled = False
        self.answers = 0
        # What was found in order stays so while its columns are the same.
        self.good: dict[tuple[str, ...], tuple[Any, ...]] = {}
        self.scored: tuple[tuple[Any, ...], Counter[tuple[int, str]]] = ((), Counter())

    def _box(self) -> Counter[tuple[str, int]]:
        box: Counter[tuple[str, int]] = Counter()
        for ink, each in EACH.items():
            box.update((ink, SIZES[n % len(SIZES)]) for n in range(ceil(each * len(self.players))))
        return box

    # ---------------------------------------------------------------- reading the table

    def of(self, world: World, name: str) -> Any:
        """A column: a field of all of a sort, or a zone."""
        return world[self.index[name]]

    def columns(self, world: World, names: tuple[str, ...]) -> tuple[Any, ...]:
        """Some columns."""
        return tuple([world[self.index[name]] for name in names])

    def scope(self, node: PlayNode, name: str) -> Any:
        """A variable of the game."""
        return node.state.scope[self.linked.scope_index[name]]

    def ethos(self, world: World, player: int) -> str | None:
        """What is left of a deity; None as long as it is one."""
        found = self.of(world, "Player.ethos")[player]
        return None if found is None else self.linked.layout.names["Ethos"][found]

    def scores(self, world: World) -> Counter[tuple[int, str]]:
        """The traits of each colour on the cards of each player."""
        columns, (then, kept) = self.columns(world, SCORES), self.scored
        if not same(columns, then):
            keeper, bearer, inks = columns
            on_cards = [
                (keeper[card], ink)
                for card, ink in zip(bearer, inks, strict=True)
                if card is not None
            ]
            kept = Counter(one for one in on_cards if one[0] is not None)
            self.scored = (columns, kept)
        return kept

    # ---------------------------------------------------------------- the laws

    def after(self, before: PlayNode, node: PlayNode) -> list[str]:
        """What is wrong with what an answer led to."""
        world = node.state.world
        wrong = self._while_same(DICE, world, lambda: self._dice(world))
        wrong += self._while_same(CARDS, world, lambda: self._cards(world))
        wrong += self._while_same(SCORES, world, lambda: self._totals(node))
        for event in node.events:
            wrong += self._event(event)
        wrong += [*self._action(before, node)]
        if node.over:
            return wrong + self._end(node)
        # Where the free round may be over, whoever comes next is `me` already.
        at_end = node.routine.id.rpartition("/")[2].replace("-", "_") in AT_THE_END
        if self.current is not None and not at_end and self.scope(node, "me") != self.current:
            wrong.append(f"it is the turn of {self.current}, and {self.scope(node, 'me')} acts")
        self.answers += 1
        # To look through all that may be answered takes longer than to play on: it is done now and
        # then.
        asked = asking(node) if self.answers % EVERY == 0 else []
        return wrong + asked + [*self._prompt(node)]

    def _while_same(
        self, read: tuple[str, ...], world: World, law: Callable[[], Iterator[str]]
    ) -> list[str]:
        """What a law says, which is not asked again while what it reads is the same and was in
        order."""
        columns = self.columns(world, read)
        if same(columns, self.good.get(read, ())):
            return []
        wrong = [*law()]
        self.good[read] = () if wrong else columns
        return wrong

    def _dice(self, world: World) -> Iterator[str]:
        lying = [*self.of(world, "cosmic_pool"), *self.of(world, "placed")]
        lying += [die for pool in self.of(world, "pool") for die in pool]
        if len(set(lying)) != len(lying):
            yield "a die lies in two places"
        self.filled = self.filled or bool(lying)
        found = Counter((self.colour[die], self.sides[die]) for die in lying)
        if self.filled and found != self.box:
            yield f"dice gone: {self.box - found}, dice too many: {found - self.box}"

    def _cards(self, world: World) -> Iterator[str]:
        keeper, bearers, names = self.columns(world, CARDS)
        for bearer, linked in set(zip(bearers, names, strict=True)):
            if bearer is not None and keeper[bearer] is None:
                yield f"a trait stands on follower {bearer}, who is gone"
            if linked is not None and (bearer is None or keeper[linked] is None):
                yield f"a trait of follower {bearer} names follower {linked}, and one of them is gone"

    def _totals(self, node: PlayNode) -> Iterator[str]:
        scores = self.scores(node.state.world)
        for player in self.players:
            for ink, told in self.told.items():
                if told(node.state, player) != scores[player, ink]:
                    yield f"{told(node.state, player)} {ink} are told of {player}; there are {scores[player, ink]}"

    # ---------------------------------------------------------------- what happens

    def _event(self, event: Event) -> Iterator[str]:
        if event.kind == "turn":
            self.counts["turns"] += 1
            yield from self._turn(event.args[0])
        elif event.kind == "operation" and event.name == "make_ready":
            card = event.args[0]
            if self.of(event.before, "Follower.keeper")[card] != self.current:
                yield f"follower {card} is readied in the turn of {self.current}"
        elif event.kind == "operation" and event.name == "become":
            self.counts["fallen"] += 1
            yield from self._fall(event)
        elif event.kind == "operation" and event.name == "place_die":
            yield from self._placed(event)

    def _turn(self, who: int) -> Iterator[str]:
        if self.current is not None and who != (self.current + 1) % len(self.players):
            yield f"after {self.current} comes {who}"
        self.current = who
        self.miracles = self.missions = 0

    def _steady(self, world: World, who: int) -> tuple[int, int]:
        """By how much Pain exceeds Affirmation, and the highest face of any die held."""
        scores = self.scores(world)
        faces = (self.sides[die] for die in self.of(world, "pool")[who])
        return scores[who, "red"] - scores[who, "blue"], max(faces, default=0)

    def _is_undone(self, world: World, who: int) -> bool:
        excess, face = self._steady(world, who)
        at_least = self.linked.settings["collapse_at"] == "at_least"
        return excess > face or (at_least and excess == face and excess > 0)

    def _fall(self, event: Event) -> Iterator[str]:
        who = event.args[0]
        if who != self.current or self.ethos(event.before, who) is not None:
            yield f"{who} falls in the turn of {self.current}"
        if not self._is_undone(event.before, who):
            yield f"{who} falls at {self._steady(event.before, who)}"

    def _placed(self, event: Event) -> Iterator[str]:
        who, die = event.args[0], event.args[1]
        if die not in self.of(event.before, "pool")[who]:
            yield f"{who} places a die that is not theirs"
        ethos = self.ethos(event.before, who)
        if ethos is not None and self.colour[die] == WEAKENS[ethos]:
            yield f"{ethos} places a {self.colour[die]} die"

    def _action(self, before: PlayNode, node: PlayNode) -> Iterator[str]:
        """One miracle a turn and before all missions; dice of a miracle shrink, who thwarts has a
        larger one."""
        deed, errand, bids = (self.scope(node, name) for name in ("deed", "errand", "bids"))
        new_turn = any(event.kind == "turn" for event in node.events)
        if deed is not None and (new_turn or self.scope(before, "deed") is None):
            self.counts["miracles"] += 1
            self.miracles += 1
            if self.miracles > 1 or self.missions:
                yield f"miracle {self.miracles} of a turn, after {self.missions} missions"
        sizes = [self.sides[die] for die in bids]
        if deed is not None and any(one <= other for one, other in pairwise(sizes)):
            yield f"dice of a miracle have {sizes} sides"
        if errand is not None and any(
            self.sides[die] <= sizes[0] or self.colour[die] != self.colour[bids[0]]
            for die in bids[1:]
        ):
            yield f"a mission is thwarted with {bids}"
        if errand is not None and self.scope(before, "errand") is None and not new_turn:
            yield from self._sets_out(before, node)

    def _sets_out(self, before: PlayNode, node: PlayNode) -> Iterator[str]:
        self.counts["missions"] += 1
        self.missions += 1
        actor = self.scope(node, "actor")
        if self.of(before.state.world, "Follower.busy")[actor]:
            yield f"follower {actor} is Busy and acts"
        if self.of(before.state.world, "Follower.keeper")[actor] != self.current:
            yield f"follower {actor} acts, and does not serve {self.current}"

    # ---------------------------------------------------------------- what is asked, and the end

    def _prompt(self, node: PlayNode) -> Iterator[str]:
        routine, world = node.routine.id.rpartition("/")[2].replace("-", "_"), node.state.world
        who = self.scope(node, "me")
        if routine == "miracle_step":
            keeper, busy = self.of(world, "Follower.keeper"), self.of(world, "Follower.busy")
            tired = [card for card, owner in enumerate(keeper) if owner == who and busy[card]]
            if tired:
                yield f"followers {tired} of {who} are not ready in their turn"
            ethos = self.ethos(world, who)
            wrong = [
                x
                for x in node.found
                if ethos is not None and x is not None and not self._works(ethos, x)
            ]
            if wrong:
                yield f"{ethos} is offered miracles {wrong}"
        early = self.linked.settings["collapse_check"] == "before_draw"
        if (
            routine == "draw_a_die"
            and early
            and self._stands(world, who)
            and self._is_undone(world, who)
        ):
            yield f"{who} stands at {self._steady(world, who)} and draws"

    def _stands(self, world: World, who: int) -> bool:
        return self.ethos(world, who) is None

    def _works(self, ethos: str, what: int) -> bool:
        only = {"ethos-of-pain": "temptation", "ethos-of-affirmation": "inspiration"}
        return str(self.linked.layout.names["Miracle"][what]) == only[ethos]

    def _end(self, node: PlayNode) -> list[str]:
        outcome = node.state.outcome
        deities = [p for p in self.players if self._stands(node.state.world, p)]
        if outcome is None:
            return ["it is over without an end"]
        if "nobody can do anything" in outcome.reason:
            return list(self._able(node.state.world, deities))
        by_consent = "settled" in outcome.reason
        if by_consent == (len(deities) == 1):
            return [f"it ends with {len(deities)} deities: {outcome.reason}"]
        return []

    def _able(self, world: World, deities: list[int]) -> Iterator[str]:
        """Who could surely have done something, at an end for want of that."""
        if self.of(world, "cosmic_pool"):
            yield "it ends as nobody can do anything, and there are dice to be drawn"
        for who in deities:
            inks = {self.colour[die] for die in self.of(world, "pool")[who]}
            if "black" in inks or ("blue" in inks and who in self.of(world, "Follower.keeper")):
                yield f"it ends as nobody can do anything, and {who} has {sorted(inks)} dice"
