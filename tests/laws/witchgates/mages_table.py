"""The table of a session of Witchgates, read in plain Python: columns, printed numbers, and what
must hold of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.values import World
from ruleloom.runtime.search.node import PlayNode

Check = tuple[str, tuple[int, ...], Callable[[World], Iterator[str]]]
PARTS = (
    "base_dice", "specialty_dice", "aspect_dice", "stress_dice", "mana_dice", "other_dice",
)  # fmt: skip
PRINTED = ("Character", "Component", "Gear", "Load", "Npc")
LOSSES = ("aspect_loss", "tier_loss", "other_loss")
# What is kept of everybody, and between which bounds it is, whatever happens; nothing is no bound.
BOUNDS: dict[str, tuple[int, int | None]] = {
    "penalty_dice": (0, None), "days_away": (0, None), "armor_lost": (0, None), "magic_armor": (0, None),
    "hindered": (0, 20), "dulled_hits": (0, 20), "foresight": (0, 20), "charges": (0, 5), "worse_position": (0, 2),
    "purse": (0, None), "savings": (0, None), "coming_cash": (0, None), "living": (0, 5), "general_xp": (0, None),
    "mana_spent": (0, None), "fortune_spent": (0, None), "healing": (0, None),
}  # fmt: skip
# The same of what is kept of everybody for each of something.
EACH_BOUNDS: dict[str, tuple[int, int | None]] = {
    "carried": (0, 99), "rank": (0, 20), "skill_xp": (0, 6), "arcana_xp": (0, 8), "skill_marks": (0, 6),
    "arcana_marks": (0, 8), "skill_offered": (0, 6), "arcana_offered": (0, 8),
}  # fmt: skip


class Table:
    """Columns by name, and the laws about numbers."""

    def __init__(self, linked: Linked) -> None:
        self.linked, self.index, self.parts = linked, linked.layout.index, (*PARTS, *LOSSES)
        self.printed = {
            name: dict(linked.entities[name].static)
            for name in ("Character", "Component", "Gear", "Load", "Npc")
        }
        self.sizes = linked.layout.sizes
        self.merits = {name: number for number, name in enumerate(linked.layout.names["Merit"])}
        self.splices = {name: number for number, name in enumerate(linked.layout.names["Splice"])}
        self.benefit_hides = dict(linked.entities["Benefit"].static)["hidden"]
        self.checks: tuple[Check, ...] = tuple(
            (name, tuple(self.index[column] for column in columns), check)
            for name, columns, check in (
                ("stress", ("Character.stress",), self._stress),
                ("fortune", ("Character.fortune_spent", "Character.fortune_gained"), self._fortune),
                ("mana", ("Character.mana_spent", "Character.mana_gained", "Working.caster", "Working.mana_in"),
                 self._mana),
                ("clocks", ("Clock.goes", "Clock.filled", "Clock.segments"), self._clocks),
                ("aspects", ("Aspect.maker",), self._aspects),
                ("bounds", tuple(f"Character.{name}" for name in BOUNDS), self._bounds),
                ("each", tuple(f"Character.{name}" for name in EACH_BOUNDS), self._each),
                ("npcs", ("Npc.harm_taken", "Npc.npc_armor_lost"), self._npcs),
                ("levels", ("Character.ability_gained", "Character.skill_gained", "Character.arcana_gained",
                            "Character.merit_gained"), self._levels),
                ("splices", ("Character.rank", "Character.active", "Character.stirring"), self._splices),
                ("spells", ("Working.caster", "Working.has", "Working.enchanted", "Working.mana_in"), self._spells),
            )
        )  # fmt: skip

    # ---------------------------------------------------------------- reading

    def of(self, world: World, name: str) -> Any:
        """A column."""
        return world[self.index[name]]

    def person(self, world: World, name: str, who: int) -> Any:
        """A field of somebody."""
        return world[self.index[f"Character.{name}"]][who]

    def entry(self, world: World, name: str, who: int, key: int) -> Any:
        """A field that somebody has for each of something."""
        return self.person(world, name, who).get(key, 0)

    def sheet(self, name: str, who: int) -> Any:
        """What is printed about somebody."""
        return self.printed["Character"][name][who]

    def scope(self, node: PlayNode) -> dict[str, Any]:
        """The variables of the game, by name."""
        return {name: node.state.scope[number] for name, number in self.linked.scope_index.items()}

    def people(self, world: World) -> list[int]:
        """Whoever has come in."""
        return [who for who, by in enumerate(self.of(world, "Character.player")) if by is not None]

    # ---------------------------------------------------------------- reckoning

    def most_mana(self, world: World, who: int) -> int:
        """The mana of somebody who has spent and invested none (witchgates.mana.counts)."""
        return int(self.sheet("mana", who) + self.person(world, "mana_gained", who))

    def most_fortune(self, world: World, who: int) -> int:
        """The fortune of somebody who has spent none."""
        return int(self.sheet("fortune", who) + self.person(world, "fortune_gained", who))

    def mana_invested(self, world: World, who: int) -> int:
        """The mana in the enchantments of somebody."""
        casters, much = self.of(world, "Working.caster"), self.of(world, "Working.mana_in")
        return sum(much[spell] for spell, caster in enumerate(casters) if caster == who)

    def money(self, world: World, who: int) -> int:
        """What somebody can pay."""
        return int(self.person(world, "purse", who) + self.person(world, "savings", who))

    def price(self, world: World, spell: int) -> int:
        """The price of a spell in glances, two of which are a hit (witchgates.mana.invest-cost)."""
        part, better = self.printed["Component"], self.of(world, "Working.better")[spell]
        total = 0
        for piece, times in self.of(world, "Working.has")[spell].items():
            hits, glances = part["hits"][piece], part["glances"][piece]
            if better.get(piece, False):
                hits, glances = part["better_hits"][piece] or 0, part["better_glances"][piece] or 0
            total += times * (2 * hits + glances)
            if times:
                moves = self.of(world, "Working.moves")[spell]
                total += sum(
                    many
                    * (
                        2 * part["hits_for"][piece].get(sort, 0)
                        + part["glances_for"][piece].get(sort, 0)
                    )
                    for sort, many in moves.items()
                )
        return total

    def size(self, world: World, who: int, what: int) -> int:
        """The gear boxes that a thing takes of somebody (witchgates.gear.item-sizes)."""
        experts, weapons, brings = (
            self.of(world, f"Specialty.{name}") for name in ("expert", "weapon", "brings")
        )
        for expert, weapon, benefit in zip(experts, weapons, brings, strict=True):
            if (
                expert == who
                and weapon == what
                and benefit is not None
                and self.benefit_hides[benefit]
            ):
                return 0
        named = self.of(world, "Gear.gear_name")[what]
        return int(
            self.of(world, "Gear.found_size")[what] if named else self.printed["Gear"]["size"][what]
        )

    def boxes_marked(self, world: World, who: int) -> int:
        """The gear boxes that somebody has marked."""
        carried = self.person(world, "carried", who)
        return sum(many * self.size(world, who, what) for what, many in carried.items())

    def boxes(self, world: World, who: int) -> int | None:
        """The gear boxes of somebody's load; none if there is no load."""
        load = self.person(world, "load", who)
        return None if load is None else int(self.printed["Load"]["boxes"][load])

    def in_stash(self, world: World, who: int, what: int) -> int:
        """How many of a thing lie in somebody's stash."""
        return int(
            self.sheet("stash", who).get(what, 0) - self.entry(world, "taken_out", who, what)
        )

    def marked(self, world: World, who: int) -> int:
        """The health boxes of somebody that are marked."""
        return sum(wound is not None for wound in self.person(world, "wound", who).values())

    def may_act(self, world: World, who: int) -> bool:
        """Somebody is here, awake and alive, not away, and has not dropped out."""
        out = self.person(world, "out_of_conflict", who) or self.person(world, "days_away", who) > 0
        return bool(
            self.person(world, "here", who)
            and not out
            and self.marked(world, who) < self.sheet("health_boxes", who)
        )

    def pool(self, scope: dict[str, Any]) -> int:
        """The dice of a roll (witchgates.roll.pool-cap-seven, .zero-skill-two-dice-lowest)."""
        return 2 if self.lower(scope) else self._net(scope)

    def lower(self, scope: dict[str, Any]) -> bool:
        """Are there no dice, so that two are rolled and the lower counts?"""
        of_the_base = self.linked.settings["zero_pool"] == "of_the_base"
        return self._net(scope) < 1 or (
            of_the_base and scope["base_dice"] + scope["specialty_dice"] < 1
        )

    def _net(self, scope: dict[str, Any]) -> int:
        added, taken = sum(scope[part] for part in PARTS), sum(scope[part] for part in LOSSES)
        after = self.linked.settings["pool_cap"] == "after_penalties"
        return int(min(7, added - taken) if after else min(7, added) - taken)

    # ---------------------------------------------------------------- what must hold at all times

    def _stress(self, world: World) -> Iterator[str]:
        for who in self.people(world):
            now, most = self.person(world, "stress", who), 2 * self.sheet("stress_boxes", who)
            if not 0 <= now <= most:
                yield f"c{who} has {now} of {most} stress"

    def _fortune(self, world: World) -> Iterator[str]:
        for who in self.people(world):
            now, most = self.person(world, "fortune_spent", who), self.most_fortune(world, who)
            if not 0 <= now <= most:
                yield f"c{who} has spent {now} of {most} fortune"

    def _mana(self, world: World) -> Iterator[str]:
        for who in self.people(world):
            spent, invested = self.person(world, "mana_spent", who), self.mana_invested(world, who)
            if spent < 0 or spent + invested > self.most_mana(world, who):
                yield f"c{who} has spent {spent} and invested {invested} of {self.most_mana(world, who)} mana"

    def _clocks(self, world: World) -> Iterator[str]:
        lines = zip(
            *(self.of(world, f"Clock.{name}") for name in ("goes", "filled", "segments")),
            strict=True,
        )
        for clock, (goes, filled, sections) in enumerate(lines):
            if goes is not None and not (0 <= filled <= sections and sections > 0):
                yield f"clock {clock} stands at {filled} of {sections}"

    def _aspects(self, world: World) -> Iterator[str]:
        makers = [
            maker for maker in self.of(world, "Aspect.maker") if maker is not None and maker != 0
        ]
        if len(makers) != len(set(makers)):
            yield f"a player has two aspects: {makers}"

    def _bounds(self, world: World) -> Iterator[str]:
        for name, (least, most) in BOUNDS.items():
            for who, value in enumerate(self.of(world, f"Character.{name}")):
                if value < least or (most is not None and value > most):
                    yield f"{name} of c{who} is {value}"

    def _each(self, world: World) -> Iterator[str]:
        for name, (least, most) in EACH_BOUNDS.items():
            for who in self.people(world):
                for key, value in self.person(world, name, who).items():
                    if value < least or (most is not None and value > most):
                        yield f"{name} of c{who} for {key} is {value}"

    def _npcs(self, world: World) -> Iterator[str]:
        armor = self.printed["Npc"]["npc_armor"]
        for npc, (harm, lost) in enumerate(
            zip(self.of(world, "Npc.harm_taken"), self.of(world, "Npc.npc_armor_lost"), strict=True)
        ):
            if harm < 0 or not 0 <= lost <= armor[npc]:
                yield f"NPC {npc} has taken {harm} harm and lost {lost} of {armor[npc]} armor"

    def _levels(self, world: World) -> Iterator[str]:
        for who in self.people(world):
            for printed, gained, most in (
                ("scores", "ability_gained", 5),
                ("skills", "skill_gained", 3),
                ("arcana_levels", "arcana_gained", 3),
                ("merits", "merit_gained", 4),
            ):
                for key, more in self.person(world, gained, who).items():
                    level = self.sheet(printed, who).get(key, 0) + more
                    if not 0 <= level <= most:
                        yield f"{printed} of c{who} for {key} come to {level}"

    def _splices(self, world: World) -> Iterator[str]:
        for who in self.people(world):
            for what, active in self.person(world, "active", who).items():
                if active and self.entry(world, "rank", who, what) < 1:
                    yield f"splice {what} of c{who} is awake, and there is none"
            for what, stirring in self.person(world, "stirring", who).items():
                if stirring and not self.entry(world, "active", who, what):
                    yield f"splice {what} of c{who} stirs, and sleeps"

    def _spells(self, world: World) -> Iterator[str]:
        most = self.printed["Component"]["most"]
        for spell, caster in enumerate(self.of(world, "Working.caster")):
            if caster is None:
                continue
            for piece, times in self.of(world, "Working.has")[spell].items():
                if not 0 <= times <= most[piece]:
                    yield f"spell {spell} has component {piece} {times} times"
            if self.of(world, "Working.enchanted")[spell] != (
                self.of(world, "Working.mana_in")[spell] > 0
            ):
                yield f"spell {spell} is enchanted with {self.of(world, 'Working.mana_in')[spell]} mana"

    # ----------------------------------------------- what must hold between one moment and the next

    def quiet(self, world: World) -> Iterator[str]:
        """What holds when nothing is going on."""
        for who in self.people(world):
            full = self.person(world, "stress", who) >= 2 * self.sheet("stress_boxes", who)
            if full and not self.person(world, "out_of_conflict", who):
                yield f"c{who} has no stress box left, and has not dropped out"
            if any(self.person(world, "skill_offered", who).values()) or any(
                self.person(world, "arcana_offered", who).values()
            ):
                yield f"c{who} still offers experience"
            room, marked = self.boxes(world, who) or 0, self.found_boxes(world, who)
            if marked > room:
                yield f"c{who} carries {marked} boxes, and the load has {room}"
        sections = self.linked.settings["healing_sections"]
        for who, healing in enumerate(self.of(world, "Character.healing")):
            if healing >= sections:
                yield f"the healing clock of c{who} stands at {healing} of {sections}"
        dice = self.of(world, "Aspect.dice")
        for aspect, maker in enumerate(self.of(world, "Aspect.maker")):
            if maker is not None and not 1 <= dice[aspect] <= 3:
                yield f"aspect {aspect} has {dice[aspect]} dice"
        for spell, caster in enumerate(self.of(world, "Working.caster")):
            if caster is not None and not self.of(world, "Working.lasts")[spell]:
                yield f"spell {spell} does not last, and is there"

    def found_boxes(self, world: World, who: int) -> int:
        """The gear boxes that somebody has marked, but for what magic has made: that takes hands,
        and no load."""
        made = self.printed["Gear"]["shaped_by"]
        carried = self.person(world, "carried", who)
        return sum(
            many * self.size(world, who, what)
            for what, many in carried.items()
            if made[what] is None
        )
