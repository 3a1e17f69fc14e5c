"""Which parts of Witchgates a session has met: what ran, told from frames, events and the lines
that they come from.

`Met` knows for each line of effect text which power, trigger, component or other item it belongs
to. `SUBSYSTEMS` lists what the sessions have to meet between them, by the sections of the rule
ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import Origin
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.search.node import PlayNode

# What has to be met of each. `power/x` and the like are what ran, `operation/x` what was done,
# `roll/x` what was rolled, `wound/x` what came.
SUBSYSTEMS: Mapping[str, tuple[str, ...]] = {
    "action rolls": ("roll/action_roll", "power/make_attempt", "power/agree_on_approach", "power/bring_about"),
    "ability rolls": ("roll/ability_roll", "power/try_ability"),
    "roll modifiers": (
        "operation/take_aspect_die", "power/persevere", "power/hinder", "operation/lose_penalty_dice",
        "operation/hindrance_over", "roll/npc_roll",
    ),
    "casting spells": (
        "roll/spell_roll", "power/arrange", "operation/spell_works", "operation/spell_fails",
        "operation/put_in", "power/take_out", "power/widen_trouble", "power/raise_dice",
        "operation/write_formula", "power/choose_targets", "power/leave_spares", "power/spend_charges",
    ),
    "every arcana": (
        "component/energy-strike", "component/insulate", "component/alter-energy", "component/store-energy",
        "component/stir-instinct", "component/transfer-harm", "component/transform", "component/durability",
        "component/read-minds", "component/transfer-stress", "component/command", "component/far-sight",
        "component/step", "component/binding", "component/summon-spirit", "component/shape-ectoplasm",
        "component/look-ahead", "component/echo", "component/parallel-effort", "component/rewind",
    ),
    "metaspells": (
        "component/unhurried", "component/ritual", "component/empower", "component/intensify",
        "component/discreet", "component/selective", "component/delayed", "component/anchored",
    ),
    "maintained spells": (
        "operation/keep_spell", "power/fade", "trigger/minds_let_go", "trigger/spells_run_out",
        "operation/hold_back", "power/set_off",
    ),
    "enchanting": ("operation/invest", "power/take_back"),
    "mana": ("operation/spend_mana", "operation/mana_returns", "power/put_mana", "power/resist_magic"),
    "mage sight": ("power/see_auras", "power/bear_auras", "trigger/sight_closes"),
    "splices": (
        "operation/wake", "power/splice_with", "operation/has_stirred", "operation/sleep",
        "operation/name_splice", "splice/static-halo", "splice/bark-skin", "splice/glass-hand#1",
        "splice/echo-thoughts", "splice/slipped-step", "splice/haunted", "splice/stutter",
    ),
    "splice-triggers": ("operation/health_triggers", "operation/stress_triggers"),
    "harm": (
        "wound/bashing", "wound/severe", "wound/aggravated", "power/mark_point", "power/worsen",
        "power/gm_hurts",
    ),
    "armor": (
        "power/suffer_damage", "operation/spend_armor", "operation/set_magic_armor", "power/mend_by_craft",
        "power/mend_by_spell", "operation/restore_armor",
    ),
    "stress": ("operation/take_stress", "operation/set_stress", "operation/drop_out", "power/return_to_others"),
    "resisting": (
        "power/resist_consequence", "power/resist_damage", "power/pay_to_resist", "power/roll_to_resist",
    ),
    "vocation": (
        "power/pursue_vocation", "power/free_time", "power/stay_behind", "power/join_again",
        "power/play_another",
    ),
    "captivation": (
        "operation/captivated", "captivation/lost", "captivation/antagonist", "captivation/burned-bridge",
        "captivation/splicing", "captivation/friend",
    ),
    "consequences": (
        "consequence/harm", "consequence/complication", "consequence/escalation", "consequence/reduced-effect",
        "consequence/use-resources", "consequence/worse-position", "consequence/lost-opportunity",
    ),
    "fortune": ("operation/spend_fortune", "operation/fortune_returns", "power/luck_brings"),
    "flashbacks": ("power/flash_back",),
    "aspects": (
        "operation/make_aspect", "operation/end_aspect", "power/create_by_check", "power/set_spares_aside",
        "power/negate_aspect", "power/lend",
    ),
    "clocks": ("operation/start_clock", "operation/tick", "operation/clock_is_full", "operation/stop_clock"),
    "load and gear": (
        "operation/set_out", "operation/take_from_stash", "power/happens_to_have", "power/find_something",
        "operation/put_in_stash", "operation/unload", "operation/pick_up", "operation/put_down",
    ),
    "lifestyle and cash": (
        "operation/pay", "operation/live_at", "operation/split_cash", "operation/lose_purse", "operation/earn",
        "power/sell_down", "power/buy_up", "power/changed_income",
    ),
    "experience": (
        "operation/mark_skill", "operation/mark_arcana", "operation/gain_in_skill", "operation/gain_in_arcana",
        "operation/gain_general", "power/nominate", "power/move_experience", "power/settle",
    ),
    "levelling": (
        "operation/raise_skill", "operation/raise_arcana", "operation/raise_ability", "operation/raise_merit",
        "operation/raise_mana", "operation/raise_fortune", "operation/raise_specialty",
        "operation/learn_specialty", "operation/learn_knack", "operation/make_knackless",
    ),
    "lowering splices": ("power/buy_magic", "operation/set_rank"),
    "rest and recovery": (
        "power/rest", "operation/has_rested", "power/treat", "operation/heal_segments", "power/ease_wounds",
        "operation/go_away",
    ),
    "fights": ("power/react", "power/npc_hurts", "operation/hurt_npc", "power/hit_with_weapon"),
    "merits": ("merit/steady-nerves#1", "merit/thick-hide#1"),
    "NPCs": ("operation/introduce", "operation/npc_enters", "operation/npc_leaves", "operation/spirit_comes"),
}  # fmt: skip

# What somebody meets by name, which need not ask or do anything itself; it stands second in what is
# done.
HAPPENS = {
    "befall": ("consequence", "Consequence"),
    "captivated": ("captivation", "Captivation"),
    "has_stirred": ("splice", "Splice"),
}


@lru_cache(maxsize=8)
def lines_of(linked: Linked) -> dict[Origin, str]:
    """Whose each line of effect text is."""
    found: dict[Origin, str] = {}
    for routine in linked.program.routines:
        for row in routine.rows:
            found[row.origin] = short(routine.id)
    return found


def short(routine: str) -> str:
    """A routine without its pack, and without what marks the part of an ability."""
    return routine.partition(":")[2].rstrip("#")


class Met:
    """Counts what ran in one session."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.lines = lines_of(linked)
        self.names = [short(routine.id) for routine in linked.program.routines]
        self.sort = linked.scope_index["sort_of_roll"]
        self.counts: Counter[str] = Counter()

    def after(self, node: PlayNode) -> None:
        """Count what ran on the way to a node, and what is running there."""
        found: set[str] = set()
        for event in node.events:
            if event.kind == "operation":
                found.add(f"operation/{event.name}")
                if event.origin is not None:
                    found.add(self.lines.get(event.origin, "?"))
                if event.name == "damage_comes":
                    found.add(f"wound/{event.args[1]}")
                elif event.name in HAPPENS:
                    kind, entity = HAPPENS[event.name]
                    found.add(f"{kind}/{self.linked.layout.names[entity][event.args[1]]}")
                elif event.name == "spell_works":
                    found.update(f"component/{one}" for one in self._pieces(event))
            elif event.kind == "rolled" and event.name == "thrown":
                found.add(f"roll/{node.state.scope[self.sort]}")
            elif event.kind == "said" and not event.name:
                found.add(self._said(event.args[1]))
        if not node.over:
            frame: Any = node.frame
            while frame is not None:
                found.add(self.names[frame.routine])
                frame = frame.parent
        self.counts.update(found)

    def _pieces(self, event: Event) -> list[str]:
        """What is in a spell that works, whatever it does, be it only a word."""
        names, has = self.linked.layout.names["Component"], self.linked.layout.index["Working.has"]
        return [
            str(names[piece]) for piece, times in event.before[has][event.args[0]].items() if times
        ]

    def _said(self, moment: Any) -> str:
        return short(moment.routine)


def never(met: Collection[str]) -> list[str]:
    """What was never met of the declared list, by its subsystem."""
    return [
        f"{name}: {one}" for name, wanted in SUBSYSTEMS.items() for one in wanted if one not in met
    ]


def told(met: Counter[str]) -> list[str]:
    """How often each subsystem was met, by its part that was met the least."""
    lines = []
    for name, wanted in SUBSYSTEMS.items():
        many, rarest = min((met[one], one) for one in wanted)
        lines.append(
            f"{name}: {rarest} {many:,}" + (f", of {len(wanted)}" if len(wanted) > 1 else "")
        )
    return lines
