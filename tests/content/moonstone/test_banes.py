"""Moonstone: what scores, disadvantages and paired disadvantages come to, worked out by hand from
the rules."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.pipeline import compile_paths
from tests.conftest import ROOT
from tests.content.moonstone_camp import Camp, camp, hero, several

PACK = ROOT / "rulesets" / "moonstone"
LEDGER = ROOT.parent / "shared" / "rules" / "moonstone.yaml"
OWN_FILES = ("banes.yaml", "pairings.yaml", "gear.yaml", "bonuses.yaml")

SCORES = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")

# Advantages of every rating, so that the tests do not hang on what the pack itself has to offer.
GENERAL = ("I", "II", "III", "IV", "V", "VI", "VII")
SCALED = ("1/5", "1/2", *GENERAL)
GIFTS = "".join(
    [
        f"- {{kind: advantage, id: g{n}, title: G, rating: {r}, text: G.}}\n"
        for n, r in enumerate(GENERAL, 1)
    ]
    + [
        f"- {{kind: advantage, id: s{n}, title: S, rating: {r}, scaled: true, text: S.}}\n"
        for n, r in enumerate(SCALED, 1)
    ]
    + [f"- {{kind: pairing, id: down{n}, title: D, steps: {n}, text: D.}}\n" for n in range(1, 10)]
)
ROWS = {1: "i", 2: "ii", 3: "iii", 4: "iv", 5: "v", 6: "vi", 7: "vii"}
BANES = "".join(
    f"- {{kind: bane, id: {name}, title: B, rating: {rating}, covers: [{', '.join(covers)}], text: B.}}\n"
    for name, rating, covers in [
        *((f"b{n}", rating, ()) for n, rating in ROWS.items()),
        ("b0", "0", ()),
        *((f"equal{n}", "iii", ("hump",)) for n in range(1, 11)),
        ("vague", "0", ("Skl",)),
        ("left-handed", "v", ("Skl",)),
    ]
)


def one(*lines: str) -> Camp:
    """A campaign of one character, Mira, with everything from above at hand."""
    return camp(GIFTS + BANES + hero("mira", *lines))


def among(cases: list[list[str]], lines: list[str], *settings: str) -> tuple[Camp, str]:
    """The campaign with somebody for each of these cases, and who it is that has these lines."""
    return camp(GIFTS + BANES + several(cases), *settings), f"c{cases.index(lines)}"


# ---------------------------------------------------------------------------------- raw scores

PRICES = {
    **{
        1: -50,
        2: -30,
        3: -27,
        4: -24,
        5: -21,
        6: -18,
        7: -15,
        8: -12,
        9: -9,
        10: -6,
        11: -3,
        12: 0,
    },
    **{
        13: 2,
        14: 4,
        15: 6,
        16: 8,
        17: 10,
        18: 14,
        19: 18,
        20: 22,
        21: 26,
        22: 30,
        23: 36,
        24: 42,
        25: 48,
    },
    **{26: 54, 27: 60, 28: 68, 29: 76, 30: 84, 31: 92, 32: 100, 33: 110, 34: 120, 35: 130, 36: 140},
    **{37: 150, 38: 162, 39: 174, 40: 186, 45: 252},
}


@pytest.mark.parametrize(("score", "price"), PRICES.items())
def test_the_price_of_a_raw_score(score: int, price: int):
    found = camp("".join(hero(f"s{one}", f"start: {{Int: {one}}}") for one in PRICES))
    assert found.of("measure/price_of_score", f"s{score}", "Int") == price
    assert found.of("measure/CV", f"s{score}") == price


def test_what_is_not_named_starts_at_12_and_costs_nothing():
    found = one("start: {Str: 14}")
    assert found.of("measure/CV", "mira") == 4
    assert [found.of("stat/score", "mira", which) for which in ("Str", "Int", "Skl")] == [
        14,
        12,
        12,
    ]


def test_a_population_of_tens_costs_minus_48():
    found = one("start: {Int: 10, Wil: 10, Cha: 10, Sen: 10, Str: 10, End: 10, Agl: 10, Skl: 10}")
    assert found.of("measure/CV", "mira") == -48
    assert found.of("stat/max_MI", "mira") == 90


def test_a_raw_score_of_nothing_is_refused():
    found = camp(hero("mira", "start: {Agl: 0}") + hero("nora", "start: {Agl: 1}"))
    assert found.refused == ["no raw score of Mira may start below 1"]


# ------------------------------------------------------------------------ what disadvantages return

RETURNS = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 5, "5": 10, "6": 20, "7": 30}


@pytest.mark.parametrize(("row", "returned"), RETURNS.items())
def test_what_a_rating_returns(row: str, returned: int):
    found = camp(BANES + "".join(hero(f"h{one}", f"flaws: [b{one}]") for one in RETURNS))
    assert found.of("measure/CV", f"h{row}") == -returned


RETURNED = [
    (["flaws: [b2, b4, b5]"], -17),
    (["start: {Str: 13}", "flaws: [b2]"], 0),
    (["start: {End: 10}"], -6),
    # One cause, two disadvantages; and the frog may not add that it withers in dry places.
    (["flaws: [water-dependency, unusual-appearance]"], -5),
    (["flaws: [water-dependency, unusual-appearance, withers-in-drought]"], -5),
    (["flaws: [withers-in-drought, unusual-appearance]"], -4),
    # Told twice: the better counts, in whatever order; a tie is one of them.
    (["flaws: [blind, bad-eye]"], -10),
    (["flaws: [bad-eye, blind]"], -10),
    (["flaws: [paralysed, lame]"], -20),
    (["flaws: [caged-spirit, lame, one-armed]"], -30),
    (["flaws: [lame, lame]"], -3),
    (["flaws: [b4, b4, b4]"], -5),
    (["flaws: [equal1, equal2]"], -3),
    (
        [
            "flaws: [equal1, equal2, equal3, equal4, equal5, equal6, equal7, equal8, equal9, equal10]"
        ],
        -3,
    ),
    # Separate items return more than a vague one.
    (["flaws: [lame, bad-eye]"], -5),
    # Clumsy hands, as a disadvantage (3) or as Skl 10 (6) or as Skl 11 (3), but not as both.
    (["flaws: [clumsy-hands]"], -3),
    (["flaws: [clumsy-hands]", "start: {Skl: 10}"], -6),
    (["flaws: [clumsy-hands]", "start: {Skl: 11}"], -3),
    (["flaws: [left-handed]", "start: {Skl: 10}"], -10),
    (["flaws: [left-handed]", "start: {Skl: 8}"], -12),
    (["flaws: [left-handed]", "start: {Skl: 14}"], -6),
    (["flaws: [clumsy-hands]", "start: {Agl: 10}"], -9),
    (["flaws: [vague]", "start: {Skl: 10}"], -6),
    # What the GM adds or takes is counted whatever the rest returns.
    (["flaws: [{bane: b4, fudge: -3, why: It seldom matters here.}]"], -2),
    (["flaws: [blind, {bane: bad-eye, fudge: 1}]"], -11),
]


@pytest.mark.parametrize(
    ("lines", "cv"),
    RETURNED,
    ids=str,
)
def test_what_disadvantages_come_to(lines: list[str], cv: int):
    cases = [one for one, _ in RETURNED]
    number = cases.index(lines)
    first = (
        number - number % 10
    )  # ten at a time: the flaws of many people at once may be too much to reckon
    assert (
        camp(BANES + several(cases[first : first + 10])).of("measure/CV", f"c{number - first}")
        == cv
    )


def test_the_disadvantages_of_one_are_not_those_of_another():
    found = camp(hero("ann", "flaws: [lame]") + hero("bo", "flaws: [lame, paralysed]"))
    assert [found.of("measure/CV", who) for who in ("ann", "bo")] == [-3, -20]


RETURNS_NOTHING = [
    (["flaws: [water-dependency, unusual-appearance]"], []),
    (["flaws: [water-dependency, withers-in-drought]"], ["Withers in drought"]),
    (["flaws: [clumsy-hands]", "start: {Skl: 10}"], ["Clumsy hands"]),
    (["flaws: [superstition, vague]"], []),
]


@pytest.mark.parametrize(("lines", "noticed"), RETURNS_NOTHING, ids=str)
def test_what_returns_nothing_is_remarked_on(lines: list[str], noticed: list[str]):
    found, who = among([one for one, _ in RETURNS_NOTHING], lines)
    said = "{} returns nothing, as something that returns more says the same"
    assert found.noticed_of(who) == [said.format(title) for title in noticed]
    assert found.refused == []


def test_a_change_of_shape_is_bought_twice_over():
    """Transformation IV costs 5 and the involuntary one returns 3, and neither is a duplicate."""
    found = one("gifts: [g4]", "flaws: [involuntary-transformation]")
    assert (found.of("measure/CV", "mira"), found.noticed) == (2, [])


@pytest.mark.parametrize("rating", ["1/2", "1/5", "viii", "III"])
def test_there_is_no_such_rating(rating: str):
    bad = f"- {{kind: bane, id: worst, title: Worst, rating: {rating}, text: Bad.}}\n"
    assert camp(bad).compiled.program is None


# ----------------------------------------------------------------------------- paired disadvantages


def paired(gift: str, *steps: int, more: str = "") -> str:
    """One gift with paired disadvantages of so many steps."""
    downs = ", ".join(f"down{n}" for n in steps)
    return f"gifts: [{{advantage: {gift}, paired: [{downs}]{more}}}]"


LADDERS: list[tuple[str, str, list[int | Fraction]]] = [
    ("g5", "", [10, 5, 3, 2, 1, 0, 0, 0]),
    ("g7", "", [30, 20, 10, 5, 3, 2, 1, 0, 0]),
    ("g2", "", [2, 1, 0, 0, 0, 0]),
    ("s4", ", points: 6", [12, 6, 3, Fraction(6, 5), 0, 0]),
    ("s9", "", [30, 20, 10, 5, 3, 2, 1, Fraction(1, 2), Fraction(1, 5), 0]),
]


@pytest.mark.parametrize(("gift", "points", "prices"), LADDERS)
def test_the_ladder(gift: str, points: str, prices: list[int | Fraction]):
    heroes = [hero(f"{one}-0", paired(one, more=more)) for one, more, _ in LADDERS]
    heroes += [
        hero(f"{one}-{n}", paired(one, n, more=more))
        for one, more, all in LADDERS
        for n in range(1, len(all))
    ]
    found = camp(GIFTS + "".join(heroes))
    assert [found.of("measure/CV", f"{gift}-{n}") for n in range(len(prices))] == prices


FIFTH, HALF = Fraction(1, 5), Fraction(1, 2)


def test_every_rating_has_its_price_and_the_one_below_it():
    general = [f"g{n}" for n in range(1, 8)]
    scaled = [f"s{n}" for n in range(1, 10)]
    plain = [hero(f"plain-{gift}", f"gifts: [{gift}]") for gift in general + scaled]
    lowered = [hero(f"low-{gift}", paired(gift, 1)) for gift in general + scaled]
    found = camp(GIFTS + "".join(plain + lowered))
    prices = {
        sort: [found.of("measure/CV", f"{sort}-{gift}") for gift in general]
        for sort in ("plain", "low")
    }
    assert prices == {"plain": [1, 2, 3, 5, 10, 20, 30], "low": [0, 1, 2, 3, 5, 10, 20]}
    prices = {
        sort: [found.of("measure/CV", f"{sort}-{gift}") for gift in scaled]
        for sort in ("plain", "low")
    }
    assert prices["plain"] == [FIFTH, HALF, 1, 2, 3, 5, 10, 20, 30]
    assert prices["low"] == [0, FIFTH, HALF, 1, 2, 3, 5, 10, 20]


LOWERED = [
    ("g7", (1, 2), "", 5),
    ("g2", (3, 2), "", 0),
    # I, 0, i, ii, iii after four steps.
    ("g1", (1,), ", worse_than_nothing: true", 0),
    ("g1", (2,), ", worse_than_nothing: true", -1),
    ("g1", (1, 2), ", worse_than_nothing: true", -2),
    ("g1", (4,), ", worse_than_nothing: true", -3),
    ("g1", (5,), ", worse_than_nothing: true", -5),
    ("g1", (8,), ", worse_than_nothing: true", -30),
    ("g1", (4,), "", 0),
    # It is still good for something.
    ("g5", (2,), ", worse_than_nothing: true", 3),
    ("g5", (), ", fudge: -2, why: Nobody flies here.", 8),
]


@pytest.mark.parametrize(
    ("gift", "steps", "worse", "cv"),
    LOWERED,
)
def test_down_to_nothing_and_below(gift: str, steps: tuple[int, ...], worse: str, cv: int):
    cases = [[paired(one, *two, more=three)] for one, two, three, _ in LOWERED]
    found = camp(GIFTS + several(cases))
    who = f"c{cases.index([paired(gift, *steps, more=worse)])}"
    assert (found.of("measure/CV", who), found.refused) == (cv, [])


def test_nothing_is_worse_than_vii():
    found = camp(
        GIFTS
        + hero("mira", paired("g1", 9, more=", worse_than_nothing: true"))
        + hero("nora", paired("g1", 9))
    )
    assert found.refused_of("mira") == ["G is made worse than vii, which nobody can play"]
    assert found.refused_of("nora") == []


GOES_WITH = [
    ("flight", "wings-required", False),
    ("night-eyes", "wings-required", True),
    ("invisibility", "casts-a-shadow", False),
    ("flight", "casts-a-shadow", True),
    ("night-eyes", "only-at-night", False),
    ("flight", "only-at-night", False),
]


@pytest.mark.parametrize(
    ("gift", "pairing", "refused"),
    GOES_WITH,
)
def test_some_go_with_particular_advantages_only(gift: str, pairing: str, refused: bool):
    cases = [[f"gifts: [{{advantage: {one}, paired: [{two}]}}]"] for one, two, _ in GOES_WITH]
    found, who = among(cases, [f"gifts: [{{advantage: {gift}, paired: [{pairing}]}}]"])
    title = gift.replace("-", " ").capitalize()
    said = [f"a paired disadvantage of {title} goes with other advantages only"]
    assert found.refused_of(who) == (said if refused else [])


# ---------------------------------------------------------------------------------- the allowance


ALLOWED = [
    # 30 + 10 is all of it.
    (["gifts: [g7, g5]"], 40, [], []),
    (
        ["gifts: [g7, g5, {advantage: s1, points: 2}, s2]"],
        40,
        ["{} costs 40 9/10 Ad, and the campaign allows 40"],
        [],
    ),
    (["gifts: [g7, g5, g1]"], 40, ["{} costs 41 Ad, and the campaign allows 40"], []),
    (["gifts: [g7, g5, g1]"], 41, [], []),
    # What is given back raises what can be spent: 70 less 30, and one too many.
    (["gifts: [g7, g6, g5, g4, g3, g2]", "flaws: [b6, b5]"], 40, [], []),
    (
        ["gifts: [g7, g6, g5, g4, g3, g2, g1]", "flaws: [b6, b5]"],
        40,
        ["{} costs 41 Ad, and the campaign allows 40"],
        [],
    ),
    (["gifts: [g7, g6]"], 75, [], []),
    (["gifts: [g7, g6, g2]"], 75, [], ["{} costs 52 Ad, more than the 50 of most campaigns"]),
    ([], 30, [], []),
    ([], 29, [], ["{} is made for 29 Ad, less than the 30 of any usual campaign"]),
]


@pytest.mark.parametrize(("lines", "allowance", "refused", "noticed"), ALLOWED, ids=str)
def test_the_allowance(lines: list[str], allowance: int, refused: list[str], noticed: list[str]):
    cases = [one for one, most, _, _ in ALLOWED if most == allowance]
    found, who = among(cases, lines, f"cv_allowance: {allowance}")
    assert found.refused_of(who) == [one.format(who.title()) for one in refused]
    assert found.noticed_of(who) == [one.format(who.title()) for one in noticed]


@pytest.mark.parametrize("gifts", ["g7, g5", "g7, g5, g1"])
def test_what_costs_too_much_is_no_game(gifts: str):
    """The allowance where no campaign sets it is 40."""
    found = one(f"gifts: [{gifts}]")
    assert (found.checked.program is None) == (gifts == "g7, g5, g1") == bool(found.refused)


def test_the_example_of_everything_at_once():
    """6 for Str, 3 for swords, 3 for an advantage, less 2 for a disadvantage and 3 for Sen."""
    swords = "- {kind: ability, id: fencing, title: Fencing, scope: focused, base: Agl}\n"
    lines = ["start: {Str: 15, Sen: 11}", "skills: {fencing: 3}", "gifts: [g3]", "flaws: [b2]"]
    assert camp(GIFTS + BANES + swords + hero("mira", *lines)).of("measure/CV", "mira") == 7


# ----------------------------------------------------------------------------- integrities for sale

FOR_SALE = "buy_integrities: true"
NOT_SOLD = "{} buys or gives up integrities, and this campaign does not have that"
LOTS = "MI, PI and EI of {} are bought by fives, MR, PR and ER by twos"
BELOW = "{} sells MR, PR or ER below nothing"
NOTHING_LEFT = "a level of {} would start at nothing"
NO_EI = "{} buys or gives up EI or ER, and this campaign has neither"


BOUGHT = [
    (["bought_mi: 15"], 3, "max_MI", 115),
    (["bought_mi: -20"], -4, "max_MI", 80),
    (["bought_pi: 25"], 5, "max_PI", 125),
    (["bought_pi: -10"], -2, "max_PI", 90),
    (["bought_ei: 40"], 8, "max_EI", 140),
    (["bought_ei: -15"], -3, "max_EI", 85),
    (["start: {Wil: 15}"], 6, "max_MI", 115),
    (["start: {Wil: 15}"], 6, "max_PI", 100),
    (["start: {End: 14}", "bought_pi: 10"], 6, "max_PI", 120),
    (["start: {End: 14}", "bought_pi: 10"], 6, "max_EI", 110),
    (["start: {Int: 16}", "bought_mr: 10"], 13, "MR", 20),
    (["bought_pr: 8"], 4, "PR", 8),
    (["bought_pr: 8"], 4, "MR", 0),
    (["start: {End: 20}", "bought_er: 6"], 25, "ER", 6),
    (["start: {Agl: 17}", "bought_init: 3"], 13, "Init", 5),
    (["start: {Agl: 17}", "bought_init: -4"], 6, "Init", -2),
    # Scales that trouble the neighbours.
    (["bought_pr: 10", "flaws: [unusual-appearance]"], 3, "PR", 10),
    (["bought_mi: -95"], -19, "max_MI", 5),
]


@pytest.mark.parametrize(
    ("lines", "cv", "stat", "number"),
    BOUGHT,
    ids=str,
)
def test_integrities_that_are_bought(lines: list[str], cv: int, stat: str, number: int):
    cases = [one for one, *_ in BOUGHT]
    found = camp(several(cases), FOR_SALE)
    who = f"c{cases.index(lines)}"
    assert (found.of("measure/CV", who), found.of(f"stat/{stat}", who)) == (cv, number)
    assert found.refused == []


REFUSED = [
    ("bought_pi: 10", (), [NOT_SOLD]),
    ("bought_er: 2", (), [NOT_SOLD]),
    ("bought_init: 3", (), []),
    ("bought_init: -4", (), []),
    ("bought_pi: 7", (FOR_SALE,), [LOTS]),
    ("bought_pr: 3", (FOR_SALE,), [LOTS]),
    ("bought_mi: -3", (FOR_SALE,), [LOTS]),
    ("bought_pi: 5", (FOR_SALE,), []),
    ("bought_pr: 4", (FOR_SALE,), []),
    ("bought_mr: -10", (FOR_SALE,), [BELOW]),
    ("bought_mi: -95", (FOR_SALE,), []),
    ("bought_mi: -100", (FOR_SALE,), [NOTHING_LEFT]),
    ("bought_pi: -100", (FOR_SALE,), [NOTHING_LEFT]),
    ("bought_ei: -100", (FOR_SALE,), [NOTHING_LEFT]),
    ("bought_ei: -100", (FOR_SALE, "omit_ei: true"), [NO_EI]),
    ("bought_er: 2", (FOR_SALE, "omit_ei: true"), [NO_EI]),
    ("bought_pi: 5", (FOR_SALE, "omit_ei: true"), []),
]


@pytest.mark.parametrize(("line", "settings", "refused"), REFUSED)
def test_integrities_that_are_refused(line: str, settings: tuple[str, ...], refused: list[str]):
    found, who = among(
        [[one] for one, set_so, _ in REFUSED if set_so == settings], [line], *settings
    )
    assert found.refused_of(who) == [one.format(who.title()) for one in refused]


# ---------------------------------------------------------------------------- what the content does


WORN = [
    # Agility and armour add up; so does what is grown.
    (["start: {Agl: 17}", "gear: [mail]"], "PR", 22),
    (["start: {Agl: 17}"], "PR", 10),
    (["start: {Agl: 17}", "gear: [mail]", "gifts: [thick-hide]"], "PR", 27),
    # Of two armours only the better counts.
    (["gear: [mail, quilted-coat]"], "PR", 12),
    (["gear: [quilted-coat, leather-coat]", "gifts: [thick-hide]"], "PR", 11),
    (["gear: [plate]"], "Init", -2),
    (["flaws: [lame]"], "Init", -1),
    (["flaws: [blind]"], "Init", -3),
    (["flaws: [paralysed]"], "Init", -6),
    (["flaws: [wasting-curse]"], "max_PI", 85),
]


@pytest.mark.parametrize(
    ("lines", "stat", "number"),
    WORN,
    ids=str,
)
def test_what_is_worn_and_suffered(lines: list[str], stat: str, number: int):
    cases = [one for one, *_ in WORN]
    assert camp(several(cases)).of(f"stat/{stat}", f"c{cases.index(lines)}") == number


SUFFERING = [
    [f"flaws: [{bane}]"]
    for bane in ("bad-eye", "lame", "tinder-flesh", "thin-blood", "insanity", "one-armed")
]


@pytest.mark.parametrize(
    ("bane", "ability", "fine"),
    [
        ("bad-eye", "bows", 11),
        ("bad-eye", "pistols", 11),
        ("bad-eye", "knives", 12),
        ("lame", "dodging", 9),
    ],
)
def test_what_is_done_worse(bane: str, ability: str, fine: int):
    found, who = among(SUFFERING, [f"flaws: [{bane}]"])
    assert found.of("measure/fine", who, found.thing("Ability", ability)) == fine


@pytest.mark.parametrize(
    ("bane", "harm", "part"),
    [
        ("tinder-flesh", "heat", 2),
        ("tinder-flesh", "cold", 1),
        ("thin-blood", "cold", Fraction(3, 2)),
        ("insanity", "horror", Fraction(3, 2)),
        ("lame", "heat", 1),
    ],
)
def test_weaknesses(bane: str, harm: str, part: int | Fraction):
    found, who = among(SUFFERING, [f"flaws: [{bane}]"])
    assert found.of("stat/taken", who, found.thing("DamageType", harm)) == part


def test_one_arm_is_worth_a_point_of_skill_and_costs_no_more_for_it():
    found, who = among(SUFFERING, ["flaws: [one-armed]"])
    assert found.of("stat/score", who, "Skl") == 11
    assert found.of("measure/CV", who) == -5


def test_no_disadvantage_takes_more_than_it_returns():
    """Its numbers, were they sold for points, would not return more than its rating: the rest is in
    the text."""
    banes = camp(hero("mira")).program.entity("Bane").names
    found = camp("".join(hero(f"h-{bane}", f"flaws: [{bane}]") for bane in banes))
    taken = {}
    for bane in banes:
        lost = {
            stat: (100 if stat.startswith("max") else 0) - found.of(f"stat/{stat}", f"h-{bane}")
            for stat in ("max_MI", "max_PI", "max_EI", "Init")
        }
        levels = Fraction(lost["max_MI"] + lost["max_PI"] + lost["max_EI"], 5)
        scores = sum(3 * (12 - found.of("stat/score", f"h-{bane}", which)) for which in SCORES)
        taken[bane] = levels + lost["Init"] + scores
    assert (taken["wasting-curse"], taken["one-armed"], taken["blind"]) == (3, 3, 3)
    assert {
        bane: price for bane, price in taken.items() if price > -found.of("measure/CV", f"h-{bane}")
    } == {}


@pytest.mark.parametrize(
    ("entity", "thing", "dice", "sides", "harm"),
    [
        ("Weapon", "long-sword", 2, 10, "sharp"),
        ("Weapon", "rifle", 4, 10, "ballistic"),
        ("Hazard", "fall", 2, 10, "blunt"),
        ("Hazard", "nightmare", 1, 10, "horror"),
    ],
)
def test_what_hits_has_dice_and_a_type(entity: str, thing: str, dice: int, sides: int, harm: str):
    program = camp(hero("mira")).program
    printed = dict(program.entity(entity).static)
    number = program.entity(entity).names.index(thing)
    assert (printed["dice"][number], printed["sides"][number]) == (dice, sides)
    assert program.entity("DamageType").names[printed["harm"][number]] == harm


def test_the_pack_alone_has_no_mistakes():
    found = with_requirements(compile_paths([PACK]))
    assert [str(one) for one in found.diagnostics if one.severity == "error"] == []


def test_there_is_something_of_every_severity():
    """The shelf: so many of each, and none that says nothing of what it does."""
    content = compile_paths([PACK]).content
    assert content is not None
    ratings = [str(item.data("rating")) for item in content.by_kind("bane")]
    assert set(ratings) == {"0", *ROWS.values()}
    most = {"bane": 21, "pairing": 8, "weapon": 12, "armour": 6, "hazard": 8}
    assert {
        kind: len(content.by_kind(kind)) >= least for kind, least in most.items()
    } == dict.fromkeys(most, True)
    assert [
        item.id for kind in most for item in content.by_kind(kind) if not item.data("text")
    ] == []


@pytest.mark.skipif(not LEDGER.is_file(), reason="the rule ledger does not lie beside the checkout")
@pytest.mark.parametrize("name", OWN_FILES)
def test_every_item_cites_clauses_that_exist(name: str):
    known = set(re.findall(r"^- id: (\S+)", LEDGER.read_text(encoding="utf-8"), re.MULTILINE))
    text = (PACK / name).read_text(encoding="utf-8")
    cited = re.findall(r"moonstone\.[a-z]+\.[a-z0-9-]+", text)
    assert cited
    assert sorted(set(cited) - known) == []
    assert len(re.findall(r"^- kind:", text, re.MULTILINE)) == len(
        re.findall(r"^  clauses:", text, re.MULTILINE)
    )
