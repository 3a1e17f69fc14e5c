"""What a loop does to several happens at one moment, whatever the order of the items in their file.

Lamps burn on two sides. A snuffer breaks what would go out on the other side; a moth lives on the glow of
what goes out; a mirror makes its own side glow more.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Program
from tests.support.on_quarrel import resumed
from tests.support.pack_examples import manifest, write

VOCABULARY = """\
kind: vocabulary
game: lamps
entities:
  Player: {noun: [player, players], max: 2, fields: {sparks: {type: Int, initial: 0, at_table: true}}}
  Lamp:
    noun: [lamp, lamps]
    max: 20
    records: [lamp]
    static: {wick: {type: Int, default: 1}, side: {type: Int, min: 1, max: 2, default: 1}}
    fields: {lit: {type: Bool, initial: true}, oil: {type: Int, initial: 4}, broken: {type: Bool, initial: false, at_table: true}}
kinds: {lamp: {makes: Lamp, bearer: {entity: Lamp, among: "[this]", when: "self = this and lit(this)"}}}
queries: {seat: {params: {place: Int}, result: Player, reads: [], english: "seat {place}"}}
scope: {me: {type: Player, life: game, english: you}, doomed: {type: List of Lamp, life: game, english: the doomed}}
operations:
  snuff: {params: {what: Lamp}, sets: {lit(what): "no", oil(what): "0"}, english: "{what} goes out", log: "{me} puts {what} out"}
  smash: {params: {what: Lamp}, sets: {lit(what): "no", broken(what): "yes"}, english: "{what} breaks", log: "{what} breaks"}
  light: {params: {what: Lamp}, sets: {lit(what): "yes"}, english: "{what} burns", log: "{what} burns"}
  spark: {params: {who: Player, many: Int}, sets: {sparks(who): sparks(who) + many}, english: "{who} gets {many}", log: "{who} gets {many}"}
"""
RULES = """\
- {kind: setting, id: least_players, value: 2, english: the fewest players}
- {kind: measure, id: holder, takes: "lamp: Lamp", gives: Player, is: seat(side(lamp)), english: "the holder of {lamp}"}
- {kind: stat, id: glow, takes: "lamp: Lamp", is: wick(lamp) + oil(lamp), least: "0", english: "the glow of {lamp}"}
- {kind: power, id: put_out, takes: "lamp: Lamp", gloss: "put {lamp} out", effect: snuff(lamp)}
- {kind: flow, id: set_up, effect: stop}
- kind: flow
  id: turn
  effect: |
    choose any number of chosen from those(l: Lamp where lit(l)) "Which lamps?"
    set doomed = chosen
    choose one "How?":
      "together":
        for each lamp in doomed: snuff(lamp)
      "by a power":
        for each lamp in doomed: use put_out(lamp)
      "each their own":
        each player in players secretly choose own from those(l: Lamp where lit(l)) "Which lamp?"
        for each player in players: snuff(own(player))
      "in turn":
        for each lamp in doomed one by one: snuff(lamp)
      "first dark, then light":
        for each lamp in doomed one by one: smash(lamp)
        for each lamp in doomed: light(lamp)
"""
LAMPS = {
    "snuffer": """\
  wick: 3
  abilities: |
    instead of snuff(what) where side(what) != side(self):
      smash(what)
      spark(holder(self), 100)
""",
    "moth": """\
  wick: 9
  abilities: |
    when snuff(what) where what != self: spark(holder(self), glow(what))
""",
    "mirror": """\
  wick: 2
  abilities: |
    modify glow(each other) by 3 where side(other) = side(self) and other != self as "the mirror"
""",
    "martyr": """\
  abilities: |
    when snuff(self):
      optional "a last spark" by holder(self): spark(holder(self), 1000)
""",
    "herald": """\
  abilities: |
    when light(what): spark(holder(self), 10000)
""",
    "far-wick": "  side: 2\n  wick: 5\n",
}
NAMES = tuple(LAMPS)


def compiled(order: tuple[str, ...], rules: str = RULES) -> CompileResult:
    """The game with its lamps in this order."""
    items = "".join(
        f"- kind: lamp\n  id: {name}\n  title: {name.title()}\n{LAMPS[name]}" for name in order
    )
    files = {"vocabulary.yaml": VOCABULARY, "rules.yaml": rules, "lamps.yaml": items}
    with TemporaryDirectory() as folder:
        game = {f"lamps/{path}": text for path, text in files.items()}
        write(Path(folder), {"lamps/pack.yaml": manifest("lamps", game="lamps"), **game})
        return compile_paths([Path(folder) / "lamps"])


@cache
def program(order: tuple[str, ...] = NAMES, rules: str = RULES) -> Program:
    """The program of the game."""
    found = compiled(order, rules)
    assert found.program is not None, [one.message for one in found.diagnostics]
    assert [one.message for one in found.diagnostics] == []
    return found.program


SOOT = """\
- kind: lasting
  id: soot
  title: Soot
  on: Lamp
  english: soot on {self}
  until: before put_out(self)
- {kind: trigger, id: sooty, event: light(what), timing: immediately, effect: begin soot on what}
"""


@pytest.mark.parametrize("order", ["", " one by one"])
def test_an_end_that_passes_some_over_is_told_in_loops_of_one_moment_too(order: str):
    loop = "for each lamp in doomed: use put_out(lamp)"
    picking = f"for each lamp in those(l: doomed where wick(l) > 1){order}: use put_out(lamp)"
    assert loop in RULES
    found = compiled(NAMES, RULES.replace(loop, picking) + SOOT)
    assert [one.code for one in found.diagnostics] == ["may-never-end"]


def played(
    doomed: tuple[str, ...], how: str, order: tuple[str, ...] = NAMES, rules: str = RULES
) -> Game:
    """The game after these lamps have gone out."""
    made = program(order, rules)
    game = new_game(link_game(made, driver_of(made), ("A", "B")), 1)
    keys = [one.key for one in game.prompt.options if one.key in doomed]
    game = game.answer(game.prompt.id, keys)
    return game.answer(game.prompt.id, how.replace(",", "").replace(" ", "-"))


def finished(game: Game) -> Game:
    """The game after each martyr has had its last spark."""
    while "skip" in [one.key for one in game.prompt.options]:
        game = game.answer(game.prompt.id, "do")
    return game


def outcome(game: Game) -> dict[str, object]:
    """What has become of each lamp, and the sparks of the first player."""
    world, index = game.state.world, game.linked.layout.index
    names = next(one.names for one in game.linked.program.entities if one.name == "Lamp")
    left = ("lit", "oil", "broken")
    rows = zip(*(world[index[f"Lamp.{name}"]] for name in left), strict=True)
    found: dict[str, object] = {
        name.partition("#")[0].rpartition("/")[2]: row
        for name, row in zip(names, rows, strict=True)
    }
    return {**found, "sparks": world[index["Player.sparks"]][0]}


OUT, BROKEN, LIT = (False, 0, False), (False, 4, True), (True, 4, False)


@pytest.mark.parametrize("how", ["together", "by a power"])
@pytest.mark.parametrize(
    ("doomed", "far", "sparks"),
    [
        ((), LIT, 0),
        (("far-wick",), BROKEN, 100),
        (("snuffer", "far-wick"), BROKEN, 100 + 3 + 4 + 3),
        (("mirror",), LIT, 2 + 4),
        (("mirror", "herald"), LIT, 2 + 4 + 1 + 4 + 3),
        (("moth", "herald"), LIT, 1 + 4 + 3),
        (("martyr",), LIT, 1 + 4 + 3 + 1000),
        (("martyr", "mirror", "moth"), LIT, 1 + 4 + 3 + 1000 + 2 + 4),
    ],
)
def test_what_goes_out_together_is_answered_as_it_was_before(
    doomed: tuple[str, ...], far: object, sparks: int, how: str
):
    found = outcome(finished(played(doomed, how)))
    assert (found["far-wick"], found["sparks"]) == (far, sparks)
    assert all(found[name] == OUT for name in doomed if name != "far-wick")


def test_one_by_one_each_finds_what_the_one_before_has_left():
    assert outcome(finished(played(("snuffer", "far-wick"), "in turn")))["far-wick"] == OUT
    back = ("far-wick", "snuffer", "moth", "mirror", "martyr", "herald")
    found = outcome(finished(played(("snuffer", "far-wick"), "in turn", back)))
    assert found["far-wick"] == BROKEN


def test_what_several_do_at_one_moment_is_told_of_each():
    game = played((), "each their own")
    for player, lamp in enumerate(("moth", "herald")):
        prompt = next(one for one in game.prompts if one.player == player)
        game = game.answer(prompt.id, lamp)
    said = log(game.linked, game.events)
    assert said[1:3] == ["A puts Moth out", "B puts Herald out"]


def test_what_comes_together_sees_each_other_come():
    for order in (NAMES, tuple(reversed(NAMES))):
        found = outcome(played(("herald", "mirror", "moth"), "first dark, then light", order))
        assert found["sparks"] == 30_000


@given(
    st.sets(st.sampled_from(NAMES)),
    st.sampled_from([*permutations(NAMES)][::101]),
    st.sampled_from(["together", "by a power"]),
)
def test_the_order_of_items_makes_no_difference(doomed: set[str], order: tuple[str, ...], how: str):
    expected = outcome(finished(played(tuple(doomed), how)))
    assert outcome(finished(played(tuple(doomed), how, order))) == expected


def test_a_game_is_saved_in_the_middle_of_a_moment():
    doomed = ("snuffer", "mirror", "martyr", "far-wick")
    game = played(doomed, "together")
    assert [one.key for one in game.prompt.options] == ["do", "skip"]
    assert resumed(game).state == game.state
    assert outcome(finished(resumed(game))) == outcome(finished(game))
    assert finished(game).state.scope[game.linked.together or 0] is None


# ---------------------------------------------------------------------------------- powers, lists, payments

HUNGRY = """\
- {kind: power, id: eat, takes: "lamp: Lamp, many: Int", gloss: eat, effect: "spark(seat(1), many * glow(lamp))"}
- {kind: power, id: feed, takes: "times: Int, lamp: Lamp", gloss: feed, effect: "use eat(lamp, times)"}
- {kind: trigger, id: hunger, event: snuff(what), timing: immediately, effect: "use feed(1000000, what)"}
"""


@pytest.mark.parametrize("how", ["together", "by a power", "in turn"])
@pytest.mark.parametrize(
    ("doomed", "glow"), [((), 0), (("mirror",), 6), (("mirror", "herald"), 14)]
)
def test_a_power_that_a_response_uses_reads_what_has_left_as_it_was(
    doomed: tuple[str, ...], glow: int, how: str
):
    game = finished(played(doomed, how, rules=RULES + HUNGRY))
    if how != "in turn" or len(doomed) < 2:
        assert int(str(outcome(game)["sparks"])) // 1_000_000 == glow


CHOIR = """\
- kind: standing
  id: choir
  for: Lamp
  among: "those(l: Lamp where oil(l) > 0)"
  abilities: |
    when snuff(what) where wick(self) = 1: spark(holder(self), 1000000)
    instead of snuff(what) where what = self and wick(self) = 2: smash(what)
"""


@pytest.mark.parametrize("how", ["together", "by a power", "in turn"])
def test_what_leaves_a_list_of_bearers_answers_and_replaces(how: str):
    found = outcome(played(("herald", "mirror"), how, ("mirror", "herald"), RULES + CHOIR))
    assert (found["herald"], found["mirror"]) == (OUT, BROKEN)
    assert found["sparks"] == 1_000_000


WARDENS = """\
- kind: standing
  id: wardens
  for: Player
  abilities: |
    instead of snuff(what) where holder(what) = self and lit(what) and sparks(self) > 0:
        spark(self, 0 - 1)
"""


@pytest.mark.parametrize(("sparks", "burning"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_two_replacements_of_one_moment_do_not_pay_with_the_same(sparks: int, burning: int):
    begun = f"for each player in players: spark(player, {sparks})"
    rules = RULES.replace("id: set_up, effect: stop", f'id: set_up, effect: "{begun}"') + WARDENS
    doomed = ("mirror", "herald")
    game = played(doomed, "together", ("mirror", "herald"), rules)
    found = outcome(game)
    assert [found[one] for one in doomed].count(LIT) == burning
    assert [found[one] for one in doomed].count(OUT) == 2 - burning
    said = log(game.linked, game.events)
    assert sum("puts" in line for line in said) == 2 - burning
    assert found["sparks"] == max(0, sparks - 2)


OWN = ("each their own", {0: "moth", 1: "herald"})
TWICE = """\
- kind: standing
  id: wardens
  for: Player
  abilities: |
    instead of snuff(what) where holder(what) = self:
        spark(self, 1)
        snuff(what)
"""


@pytest.mark.parametrize(
    ("wardens", "said"),
    [
        # There is one spark for two lamps: the second goes out after all, and B has put it out.
        (WARDENS, ["B puts Herald out"]),
        (TWICE, ["A puts Moth out", "B puts Herald out"]),
    ],
)
def test_what_is_done_after_all_is_told_of_whose_deed_it_was(wardens: str, said: list[str]):
    how, chosen = OWN
    begun = "for each player in players: spark(player, 1)"
    rules = RULES.replace("id: set_up, effect: stop", f'id: set_up, effect: "{begun}"') + wardens
    game = played((), how, rules=rules)
    for player, lamp in chosen.items():
        prompt = next(one for one in game.prompts if one.player == player)
        game = game.answer(prompt.id, lamp)
    assert [line for line in log(game.linked, game.events) if "puts" in line] == said
    assert resumed(game).state == game.state
