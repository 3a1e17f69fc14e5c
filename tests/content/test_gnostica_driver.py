"""The driver of Gnostica, asked and told by hand: geometry, pieces, cards, tokens."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.games import gnostica
from ruleloom.runtime.games.gnostica import PIECES_EACH, Kept
from ruleloom.runtime.program.values import ColumnInfo, FrozenMap, Layout, Type
from tests.conftest import ROOT

PLAYERS = ("A", "B", "C")
CARDS = ("create1", "create2", "move3", "grow4", "attack5", "sun", "fool")
FIELDS = {"owner": "Player", "pips": "Int", "facing": "Facing", "space": "Space?"}
ZONES = {
    "hand": "each",
    "draw_pile": "pile",
    "discard_pile": "pile",
    "aside": "pile",
    "board": "map",
}
COLUMNS = tuple(
    [
        ColumnInfo(f"Piece.{name}", "field", Type.parse(type_), "all")
        for name, type_ in FIELDS.items()
    ]
    + [ColumnInfo(name, kind, Type("Card", many=True), "all") for name, kind in ZONES.items()]
)
LAYOUT = Layout(
    columns=COLUMNS,
    index={column.name: number for number, column in enumerate(COLUMNS)},
    enums={"Facing": ("N", "E", "S", "W", "up")},
    points=frozenset({"Space"}),
    sizes={"Piece": 90, "Card": len(CARDS), "Player": 3},
    names={"Card": CARDS},
    titles={"Card": CARDS},
    players=PLAYERS,
)
DRIVER = gnostica.bind(LAYOUT)
ASK = DRIVER.queries
DO = DRIVER.operations
CROSS = FrozenMap({(0, 0): 0, (1, 0): 1, (5, 5): 5})

points = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


def column(world, name):
    return world[LAYOUT.index[name]]


def fresh(hands=((), (), ()), draw=(), discard=(), aside=(), board=CROSS):
    nobody = (None,) * 90
    return DRIVER.start((nobody, nobody, nobody, nobody, hands, draw, discard, aside, board))


def with_pieces(*pieces, **zones):
    world = fresh(**zones)
    numbers = []
    for piece in pieces:
        world, number = DO["place"](world, *piece)
        numbers.append(number)
    return world, numbers


# ------------------------------------------------------------------ the binding


def vocabulary():
    return yaml.safe_load((ROOT / "rulesets/gnostica/vocabulary.yaml").read_text(encoding="utf-8"))


def left_to_the_driver(part):
    """Return the entries that do not say themselves what they set or find."""
    return {
        name: one for name, one in vocabulary()[part].items() if not {"sets", "of"} & one.keys()
    }


@pytest.mark.parametrize(("part", "bound"), [("queries", ASK), ("operations", DO)])
def test_every_name_of_the_vocabulary_is_bound_and_no_other(part, bound):
    assert set(left_to_the_driver(part)) == set(bound)


@pytest.mark.parametrize(("part", "bound"), [("queries", ASK), ("operations", DO)])
def test_functions_take_what_the_vocabulary_says(part, bound):
    for name, entry in left_to_the_driver(part).items():
        code = bound[name].__code__
        assert code.co_varnames[1 : code.co_argcount] == tuple(entry.get("params", {})), name


# ------------------------------------------------------------------ the table of readings


def test_every_reading_that_is_a_switch_is_in_the_table():
    switches = yaml.safe_load(
        (ROOT / "rulesets/gnostica/switches.yaml").read_text(encoding="utf-8")
    )
    table = (ROOT / "docs/games/gnostica-readings.md").read_text(encoding="utf-8")
    for switch in switches:
        others = [option for option in switch["options"] if option != switch["default"]]
        assert f"`{switch['id']}`" in table
        if switch["id"] != "first_player":
            assert f"`{switch['clause'].removeprefix('gnostica.')}`" in table
            assert all(f"`{option}`" in table for option in others), switch["id"]


# ------------------------------------------------------------------ geometry


@given(points, st.sampled_from("NESW"), st.integers(0, 3), st.integers(0, 3))
def test_going_on_adds_up(start, way, one, other):
    once = gnostica.ahead(start, way, one + other)
    assert gnostica.ahead(gnostica.ahead(start, way, one), way, other) == once
    assert abs(once[0] - start[0]) + abs(once[1] - start[1]) == one + other


def test_north_is_up_and_east_is_right():
    ahead = [gnostica.ahead((0, 0), way, 2) for way in ("N", "E", "S", "W", "up")]
    assert ahead == [(0, 2), (2, 0), (0, -2), (-2, 0), (0, 0)]


@given(points, points, st.booleans())
def test_being_neighbours_is_mutual(one, other, corners):
    assert (one in gnostica.neighbours(other, corners)) == (
        other in gnostica.neighbours(one, corners)
    )


@given(st.lists(points, max_size=8), points, st.booleans())
def test_ground_agrees_with_neighbours(cards, at, corners):
    ground = gnostica.Ground.under(cards)
    beside = any(spot in ground.cards for spot in gnostica.neighbours(at, corners))
    assert (at in ground.beside[corners]) == beside
    assert (at in ground.empty[corners]) == (beside and at not in ground.cards)


def test_start_grid_has_twelve_wastelands_or_sixteen_with_corners():
    grid = gnostica.start_grid(3, 3)
    ground = gnostica.Ground.under(grid)
    assert grid[0] == (0, 0)
    assert ground.territories == tuple(sorted(grid))
    assert (len(ground.empty[False]), len(ground.empty[True])) == (12, 16)


def test_queries_about_the_board():
    world = fresh()
    assert ASK["territories"](world) == ((0, 0), (1, 0), (5, 5))
    assert ASK["beside_territory"](world, (2, 0), False)
    assert not ASK["beside_territory"](world, (2, 1), False)
    assert ASK["beside_territory"](world, (2, 1), True)
    assert not ASK["beside_territory"](world, (5, 5), False), "a lone territory is next to none"
    assert (4, 5) in ASK["empty_spaces"](world, False)
    assert ASK["neighbours"](world, (0, 0), False) == ((0, 1), (1, 0), (0, -1), (-1, 0))


# ------------------------------------------------------------------ pieces


def test_placing_takes_the_first_free_piece_of_the_player():
    world, numbers = with_pieces((1, 1, (0, 0), "N"), (1, 3, (0, 0), "up"), (0, 2, (1, 0), "E"))
    assert numbers == [PIECES_EACH, PIECES_EACH + 1, 0]
    world = DO["return_to_stash"](world, PIECES_EACH)
    assert DO["place"](world, 1, 2, (1, 0), "S")[1] == PIECES_EACH


def test_queries_about_pieces():
    world, (small, large, other) = with_pieces(
        (0, 1, (0, 0), "N"), (0, 3, (0, 0), "up"), (1, 1, (1, 0), "W")
    )
    assert [ASK["pieces_out"](world, 0, size) for size in (1, 2, 3)] == [1, 0, 1]
    assert [ASK["target_space"](world, piece) for piece in (small, large, other)] == [
        (0, 1),
        (0, 0),
        (0, 0),
    ]


def test_a_stash_that_is_empty_gives_nothing():
    world, _ = with_pieces(*[(0, 1, (0, 0), "N")] * PIECES_EACH)
    with pytest.raises(ValueError, match="no piece left"):
        DO["place"](world, 0, 1, (0, 0), "N")


def test_all_of_a_piece_goes_back_to_the_stash():
    world, (piece,) = with_pieces((0, 3, (0, 0), "N"))
    assert DO["return_to_stash"](world, piece) == fresh()


def test_nothing_is_changed_in_place():
    world, (piece,) = with_pieces((0, 3, (0, 0), "N"), hands=((2,), (3,), ()), discard=(4,))
    before = [hash(part) for part in world]
    for name, args in {
        "return_to_stash": (piece,),
        "lay": (2, (0, 0)),
        "raze": ((0, 0),),
        "slide": ((0, 0), (0, 1)),
        "trade_hands": (0, 1),
        "recycle": ((),),
    }.items():
        assert DO[name](world, *args) != world
    assert [hash(part) for part in world] == before


# ------------------------------------------------------------------ cards


def all_cards(world):
    hands = [card for hand in column(world, "hand") for card in hand]
    piles = [
        card for name in ("draw_pile", "discard_pile", "aside") for card in column(world, name)
    ]
    return sorted([*hands, *piles, *column(world, "board").values()])


def test_laying_over_a_card_discards_it():
    world = DO["lay"](fresh(hands=((2,), (), ()), draw=(3,), discard=(4,)), 2, (0, 0))
    assert column(world, "board")[(0, 0)] == 2
    assert column(world, "discard_pile") == (0, 4)
    assert all_cards(world) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("zone", ["hands", "discard", "aside"])
def test_a_card_may_be_laid_from_anywhere_but_the_draw_pile(zone):
    lying = ((), (2,), ()) if zone == "hands" else (2,)
    world = DO["lay"](fresh(**{zone: lying}), 2, (0, 1))
    assert all_cards(world) == [0, 1, 2, 5]
    with pytest.raises(ValueError, match="neither"):
        DO["lay"](fresh(draw=(2,)), 2, (0, 1))


def test_a_territory_slides_and_is_razed():
    world = DO["slide"](fresh(), (1, 0), (2, 0))
    assert column(world, "board") == {(0, 0): 0, (2, 0): 1, (5, 5): 5}
    assert column(DO["raze"](world, (2, 0)), "discard_pile") == (1,)
    with pytest.raises(ValueError, match="come to rest"):
        DO["slide"](world, (0, 0), (2, 0))


def test_cards_go_between_hands_and_piles():
    world = fresh(hands=((2, 3), (4,), ()), discard=(6,))
    world = DO["discard"](world, 3)
    world = DO["take_up"](world, 6, 1)
    world = DO["set_aside"](world, 2)
    assert column(world, "hand") == ((), (4, 6), ())
    assert (column(world, "discard_pile"), column(world, "aside")) == ((3,), (2,))
    assert column(DO["trade_hands"](world, 0, 1), "hand") == ((4, 6), (), ())
    assert column(DO["trade_hands"](world, 1, 1), "hand") == ((), (4, 6), ())


def test_cards_held_out_stay_among_the_discards():
    world = DO["recycle"](fresh(draw=(1,), discard=(2, 3, 4), board=FrozenMap()), (3,))
    assert column(world, "draw_pile") == (1, 2, 4)
    assert column(world, "discard_pile") == (3,)


# ------------------------------------------------------------------ seats and text


def test_seats_go_round_the_table():
    world = fresh()
    assert [ASK["seat"](world, place) for place in (1, 2, 3, 4)] == [0, 1, 2, 0]
    assert ASK["seat_after"](world, 2) == 0
    assert ASK["seat_before"](world, 0) == 2


def test_tokens_name_what_is_on_the_board():
    world, (piece,) = with_pieces((1, 2, (-1, 2), "up"))
    assert DRIVER.token(world, "Piece", piece) == "B2up@-1/2"
    assert DRIVER.token(world, "Piece", piece + 1) is None
    assert DRIVER.token(world, "Card", 0) is None


def test_what_is_kept_is_kept_by_identity():
    asked: list[tuple[int, ...]] = []

    def work(column):
        asked.append(column)
        return len(asked)

    kept = Kept(work, most=2)
    first, second, third = (1,), (2,), (3,)
    assert [kept(first), kept(second), kept(first)] == [1, 2, 1]
    kept(third)
    assert kept(first) == 4, "old answers go when there are too many"
