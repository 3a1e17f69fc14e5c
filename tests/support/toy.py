"""A small game made by hand, without a compiler, that uses every kind of row once at least.

Two to four players hold tokens on a strip of spaces and cards in hand. Set-up deals and takes
secret bids for who starts; a turn walks, plays a card's power, gambles, hides a card or passes.
`PROGRAM` is the program, `bind` its driver; `play(seed, answers)` runs a game with random answers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ruleloom.runtime.play.game import Game, link_game, new_game
from ruleloom.runtime.program.program import (
    Always,
    Bounds,
    Choose,
    Condition,
    Draw,
    Ensure,
    Entity,
    Expr,
    FieldInfo,
    Finish,
    Function,
    Jump,
    JumpUnless,
    Let,
    Lock,
    Modal,
    Mode,
    Operate,
    OperationInfo,
    Origin,
    Program,
    QueryInfo,
    Relax,
    Requirement,
    Return,
    Roll,
    Routine,
    Row,
    Say,
    ScopeVariable,
    Secret,
    SetScope,
    Setting,
    Sheet,
    SheetRow,
    SheetSection,
    Trigger,
    Use,
    UsePower,
    Zone,
)
from ruleloom.runtime.program.values import Driver, Layout, World, with_entry

WIDTH = 5
ME: Expr = ("scope", "me")


def const(value: Any) -> Expr:
    """A constant expression."""
    return ("value", value)


@dataclass
class Text:
    """Writes the rows of one routine; jumps go to labels that may come later."""

    id: str
    params: tuple[str, ...] = ()
    result: str = ""
    types: dict[str, str] = field(default_factory=dict)
    slots: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.slots.extend(self.params)

    def slot(self, name: str) -> int:
        """The slot of a variable."""
        if name not in self.slots:
            self.slots.append(name)
        return self.slots.index(name)

    def get(self, name: str) -> Expr:
        """Read a variable."""
        return ("slot", self.slot(name))

    def origin(self) -> Origin:
        """A place in an invented file."""
        return Origin("toy", f"{self.id}.yaml", len(self.rows) + 1, 5)

    def add(self, cls: type[Row], **parts: Any) -> None:
        """Write a row."""
        self.rows.append(cls(origin=self.origin(), **parts))

    def label(self, name: str) -> None:
        """The next row can be jumped to."""
        self.labels[name] = len(self.rows)

    def choose(self, name: str, type_: str, domain: Expr, **parts: Any) -> None:
        """Write a choice; what is not said has its plain value."""
        plain: dict[str, Any] = dict(
            count="one", limit=None, conditions=(), by=None, or_none=False, default=None, prompt=""
        )
        self.add(
            Choose, slot=self.slot(name), name=name, type=type_, domain=domain, **{**plain, **parts}
        )

    def done(self) -> Routine:
        """The routine, with its labels resolved."""
        self.add(Return)
        rows = tuple(self._resolved(row) for row in self.rows)
        result = self.slot(self.result) if self.result else -1
        return Routine(
            self.id,
            self.params,
            tuple(self.slots),
            tuple(self.types.get(name, "") for name in self.slots),
            result,
            rows,
            self.origin(),
            Bounds(9, 9, 9, True),
        )

    def _resolved(self, row: Row) -> Row:
        labels: Any = self.labels
        match row:
            case Jump(to=to):
                return Jump(row.origin, labels.get(to, to))
            case JumpUnless(condition=condition, to=to):
                return JumpUnless(row.origin, condition, labels.get(to, to))
            case Modal(kind=kind, by=by, prompt=prompt, modes=modes):
                found = tuple(
                    Mode(m.origin, m.label, m.conditions, labels.get(m.to, m.to)) for m in modes
                )
                return Modal(row.origin, kind, by, prompt, found)
        return row

    def mode(self, label: str, to: Any, *conditions: Condition) -> Mode:
        """One way of a modal prompt."""
        return Mode(self.origin(), label, conditions, to)


def field_of(name: str, of: Expr) -> Expr:
    """A field of an entity."""
    return ("field", name, of)


def own_tokens(slot: int) -> Expr:
    """The tokens of the acting player."""
    mine = ("=", field_of("Token.owner", ("slot", slot)), ME)
    return ("each", "those", None, slot, ("query", "tokens"), mine)


# ---------------------------------------------------------------------------------- effect texts


def _set_up() -> Routine:
    t = Text("toy:flow/set_up")
    t.add(Let, slot=t.slot("p"), value=const(0))
    t.label("next")
    t.add(JumpUnless, condition=("<", t.get("p"), ("count", ("players",))), to="bids")
    t.add(Let, slot=t.slot("n"), value=const(0))
    t.label("deal")
    t.add(JumpUnless, condition=("<", t.get("n"), ("setting", "hand_size")), to="dealt")
    t.add(Draw, slot=t.slot("c"), name="c", type="Card", pile="deck", zone="hand", owner=t.get("p"))
    t.add(Let, slot=t.slot("n"), value=("+", t.get("n"), const(1)))
    t.add(Jump, to="deal")
    t.label("dealt")
    t.add(SetScope, name="me", value=t.get("p"))
    t.add(Operate, operation="place", args=(t.get("p"), const((0, 0))), slot=t.slot("token"))
    t.add(Operate, operation="grow", args=(t.get("token"),), slot=-1)
    t.add(Let, slot=t.slot("p"), value=("+", t.get("p"), const(1)))
    t.add(Jump, to="next")
    t.label("bids")
    t.add(
        Secret, slot=t.slot("bid"), name="bid", type="Card", players=("players",), player_slot=t.slot("q"),
        candidate_slot=t.slot("x"), domain=("zone", "hand", t.get("q")), conditions=(), prompt="bid a card",
    )  # fmt: skip
    q = t.slot("q")
    worth = ("function", "worth", ("lookup", t.get("bid"), ("slot", q)))
    best = ("each", "highest", worth, q, ("players",), None)
    first = ("each", "those", None, q, ("players",), ("=", worth, t.get("best")))
    t.add(Let, slot=t.slot("best"), value=best)
    t.add(Let, slot=t.slot("first"), value=first)
    t.choose("starter", "Player", t.get("first"), prompt="who starts?")
    t.add(SetScope, name="me", value=t.get("starter"))
    t.add(Say, text="The strip is laid out.")
    return t.done()


def _turn() -> Routine:
    t = Text("toy:flow/turn")
    t.add(SetScope, name="round", value=("+", ("scope", "round"), const(1)))
    held = Condition((">", ("count", ("zone", "hand", ME)), const(0)), ("you hold a card",))
    t.add(
        Modal, kind="choose", by=None, prompt="what now?",
        modes=(
            t.mode("Walk", "walk"), t.mode("Play a card", "play", held), t.mode("Gamble", "gamble"),
            t.mode("Hide cards", "hide", held), t.mode("Pass", "end"),
        ),
    )  # fmt: skip
    t.label("walk")
    t.add(Use, routine="toy:power/walk", args=(const(2),), slot=t.slot("walked"))
    t.add(Jump, to="end")
    t.label("play")
    t.choose("card", "Card", ("zone", "hand", ME), prompt="which card?")
    t.add(Operate, operation="discard", args=(t.get("card"),), slot=-1)
    t.add(UsePower, entity="Card", of=t.get("card"), scope=(("used", t.get("card")),))
    t.add(Jump, to="end")
    t.label("gamble")
    t.add(Roll, slot=t.slot("luck"), name="luck", count=const(2), sides=const(6), by=None)
    t.add(JumpUnless, condition=(">=", t.get("luck"), const(7)), to="end")
    t.add(Draw, slot=t.slot("won"), name="won", type="Card", pile="deck", zone="hand", owner=ME)
    t.add(Jump, to="end")
    t.label("hide")
    t.choose("kept", "Card", ("zone", "hand", ME), count="up_to", limit=const(2))
    t.add(Let, slot=t.slot("rest"), value=t.get("kept"))
    t.label("hiding")
    t.add(JumpUnless, condition=(">", ("count", t.get("rest")), const(0)), to="hidden")
    t.choose("first", "Card", t.get("rest"))
    t.add(Operate, operation="hide", args=(t.get("first"),), slot=-1)
    t.add(Let, slot=t.slot("rest"), value=("without", t.get("rest"), ("list", t.get("first"))))
    t.add(Jump, to="hiding")
    t.label("hidden")
    t.choose("level", "Int", ("..", const(1), const(3)), default=const(2), or_none=True)
    t.add(
        Let, slot=t.slot("z"), value=("if", ("is_none", t.get("level")), const(0), t.get("level"))
    )
    t.label("end")
    t.add(JumpUnless, condition=(">=", ("scope", "round"), ("setting", "rounds")), to="pass_on")
    t.add(Finish, winner=ME, reason="the last round is over")
    t.label("pass_on")
    seats = ("count", ("players",))
    t.add(SetScope, name="me", value=("mod", ("+", ME, const(1)), seats))
    return t.done()


def _walk() -> Routine:
    types = {"steps": "Int", "token": "Token", "own": "Token", "to": "Space"}
    t = Text("toy:power/walk", ("steps",), result="token", types=types)
    t.choose("token", "Token", own_tokens(t.slot("own")))
    near = ("query", "near", field_of("Token.space", t.get("token")), t.get("steps"))
    room = Condition(
        ("allowed", "room", ("slot", t.slot("to"))),
        ("there is room on ", (("slot", t.slot("to")), "Space")),
    )
    t.choose("to", "Space", near, conditions=(room,))
    t.add(Operate, operation="move", args=(t.get("token"), t.get("to")), slot=-1)
    return t.done()


def _leap() -> Routine:
    """A power that ignores the limit of a space on the way, and must end within it."""
    t = Text("toy:card/leap")
    t.add(Relax, rules=("room", "full"))
    t.add(Use, routine="toy:power/walk", args=(const(3),), slot=t.slot("token"))
    t.add(
        Modal,
        kind="optional",
        by=None,
        prompt="",
        modes=(t.mode("Grow", "grow"), t.mode("Skip", "rest")),
    )
    t.label("grow")
    t.add(Operate, operation="grow", args=(t.get("token"),), slot=-1)
    t.label("rest")
    t.add(Relax, rules=())
    fits = ("function", "room", field_of("Token.space", t.get("token")))
    t.add(Ensure, condition=fits, reason="it must fit")
    return t.done()


def _spy() -> Routine:
    """A power that shows cards, takes some from the discards, and uses another power."""
    t = Text("toy:card/spy")
    t.choose("whom", "Player", ("without", ("players",), ("list", ME)), or_none=True)
    t.add(JumpUnless, condition=("not", ("is_none", t.get("whom"))), to="none")
    hers = ("zone", "hand", t.get("whom"))
    t.choose("shown", "Card", hers, by=t.get("whom"), or_none=True)
    t.add(JumpUnless, condition=("not", ("is_none", t.get("shown"))), to="none")
    t.add(Operate, operation="show", args=(t.get("shown"),), slot=-1)
    t.label("none")
    t.choose("back", "Card", ("zone", "discard", None), count="any")
    t.choose("two", "Player", ("players",), count="exactly", limit=const(2))
    old = (">", ("count", t.get("back")), const(0))
    t.add(JumpUnless, condition=old, to="end")
    t.add(UsePower, entity="Card", of=const(0), scope=())
    t.label("end")
    return t.done()


def _grown() -> Routine:
    t = Text("toy:trigger/grown", ("token",), types={"token": "Token"})
    t.add(
        Modal, kind="combine", by=field_of("Token.owner", t.get("token")), prompt="",
        modes=(t.mode("Cheer", "cheer"), t.mode("Sulk", "end")),
    )  # fmt: skip
    t.label("cheer")
    t.add(Say, text="Hurrah!")
    t.label("end")
    return t.done()


def _moved() -> Routine:
    t = Text("toy:trigger/moved", ("token", "to"))
    t.add(Operate, operation="grow", args=(t.get("token"),), slot=-1)
    return t.done()


# ---------------------------------------------------------------------------------- the program


def _entities() -> tuple[Entity, ...]:
    names = tuple(f"{kind}{number}" for kind in ("leap", "spy", "plain") for number in range(1, 5))
    titles = tuple(f"{name[:-1].title()} {name[-1]}" for name in names)
    powers = tuple({"l": "toy:card/leap", "s": "toy:card/spy", "p": ""}[name[0]] for name in names)
    fields = (
        FieldInfo("owner", "Player", None, None),
        FieldInfo("pips", "Int", 0, 9),
        FieldInfo("space", "Space?", None, None),
    )
    numbers = tuple(int(name[-1]) for name in names)
    colours = tuple("red" if number % 2 else None for number in numbers)
    return (
        Entity("Player", "player", "players", 4, (), (), (), (), (), ""),
        Entity("Token", "token", "tokens", 8, fields, (), (), (), (), "space"),
        Entity("Card", "card", "cards", 12, (), (("number", numbers), ("colour", colours)), names, titles,
               powers, ""),
    )  # fmt: skip


def _operations() -> tuple[OperationInfo, ...]:
    token, card = ("token", "Token"), ("card", "Card")
    spaces = ("Token.space",)
    return (
        OperationInfo(
            "place", (("owner", "Player"), ("to", "Space")), "Token", (*spaces, "Token.owner", "Token.pips"),
            ("result",), False, "put a token of {owner} on {to}", "{owner} puts {result} on {to}",
        ),
        OperationInfo("move", (token, ("to", "Space")), "", spaces, ("token",), False,
                      "move {token} to {to}", "{me} moves {token} to {to}"),
        OperationInfo("grow", (token,), "", ("Token.pips",), (), False, "grow {token}", ""),
        OperationInfo("remove", (token,), "", spaces, (), False,
                      "take {token} away", "{token} is taken away"),
        OperationInfo("discard", (card,), "", ("hand", "discard"), (), False,
                      "discard {card}", "{me} discards {card}"),
        OperationInfo("hide", (card,), "", ("hand", "vault"), (), False, "hide {card}", "{me} hides {card}"),
        OperationInfo("show", (card,), "", ("hand", "board"), (), True, "show {card}", "{me} sees {card}"),
    )  # fmt: skip


def _functions() -> tuple[Function, ...]:
    room: Expr = ("<", ("count", ("query", "on", ("slot", 0))), ("setting", "most"))
    worth: Expr = ("if", ("is_none", ("slot", 0)), const(0), ("static", "Card.number", ("slot", 0)))
    english = ("there is room on ", (("slot", 0), "Space"))
    price: Expr = (
        "table", ("slot", 0), ("value", ("red",)), ("value", (2,)), ("value", None)
    )  # fmt: skip
    return (
        Function("room", ("space",), ("Space",), "Bool", room, True, english),
        Function(
            "worth",
            ("card",),
            ("Card?",),
            "Int",
            worth,
            False,
            ("the worth of ", (("slot", 0), "Card")),
        ),
        Function(
            "price",
            ("colour",),
            ("Colour",),
            "Int?",
            price,
            False,
            ("the price of ", (("slot", 0), "Colour")),
        ),
    )


def _sheet() -> Sheet:
    card, other = ("slot", 0), ("slot", 1)
    line = SheetRow(
        ((card, "Card"),),
        ((("static", "Card.number", card), "Int"),),
        (),
        ((card, "Card"),),
        None,
        True,
    )
    lower = ("<", ("static", "Card.number", other), ("static", "Card.number", card))
    member = SheetRow(((other, "Card"),), (), ("lower",), (), lower, False)
    sections = (
        SheetSection(("It",), ("card", "", ""), True, None, (line,)),
        SheetSection(("Others",), (), False, ("records", "Card"), (member,)),
    )
    return Sheet(
        "toy:sheet/card",
        "Card",
        ("All about ", (card, "Card")),
        "a card",
        sections,
        Origin("toy", "toy.yaml", 2, 1),
    )


def _always() -> tuple[Always, ...]:
    crowd = ("query", "on", field_of("Token.space", ("slot", 0)))
    when: Expr = (
        "and",
        (">", ("count", crowd), ("setting", "most")),
        (">", ("count", crowd), const(0)),
    )
    tokens: Expr = ("query", "tokens")
    return (
        Always("full", tokens, when, "remove", (("slot", 0),), ("Token.space",), "spaces are full"),
    )


def _settings() -> tuple[Setting, ...]:
    return (
        Setting("hand_size", "Int", 3, (), "", "cards in hand"),
        Setting("most", "Int", 2, (), "", "tokens on a space"),
        Setting("rounds", "Int", 20, (), "", "turns in a game"),
        Setting("least_players", "Int", 2, (), "", "players"),
        Setting("mood", "Text", "calm", ("calm", "wild"), "toy.1", "a switch"),
    )


PROGRAM = Program(
    format=2,
    edition=1,
    game="toy",
    title="Toy",
    lock=(Lock("toy", "1.0.0", "0" * 64),),
    enums=(("Colour", ("red", "blue")),),
    points=("Space",),
    entities=_entities(),
    zones=(
        Zone("hand", "Card", True, "", "owner", False),
        Zone("deck", "Card", False, "", "nobody", True),
        Zone("discard", "Card", False, "", "all", False),
        Zone("vault", "Card", False, "", "nobody", False),
        Zone("board", "Card", False, "Space", "all", False),
    ),
    scope=(
        ScopeVariable("me", "Player", "game", 0),
        ScopeVariable("round", "Int", "game", 0),
        ScopeVariable("used", "Card?", "turn", None),
    ),
    queries=(
        QueryInfo("tokens", (), "List of Token", ("Token.space",), 8, "the tokens"),
        QueryInfo("on", (("space", "Space"),), "List of Token", ("Token.space",), 8, "the tokens on {space}"),
        QueryInfo("near", (("space", "Space"), ("steps", "Int")), "List of Space", (), 9, "near {space}"),
    ),
    operations=_operations(),
    settings=_settings(),
    functions=_functions(),
    bonuses=(),
    stats=(),
    routines=(_set_up(), _turn(), _walk(), _leap(), _spy(), _grown(), _moved()),
    triggers=(
        Trigger("toy:trigger/grown", "grow", (">", field_of("Token.pips", ("slot", 0)), const(1)),
                "immediately", False, "toy:trigger/grown"),
        Trigger("toy:trigger/moved", "move", None, "afterwards", True, "toy:trigger/moved"),
        Trigger("toy:trigger/touched", "touched", ("=", const(1), const(2)), "afterwards", False,
                "toy:trigger/grown"),
    ),
    always=_always(),
    set_up="toy:flow/set_up",
    turn="toy:flow/turn",
    texts=(("toy:power/walk", "Walk up to {steps} spaces — “quickly”."),),
    requirements=(
        Requirement("toy:requirement/low", "Card", ("not", ("is_none", ("static", "Card.colour", ("slot", 0)))),
                    ("<", ("static", "Card.number", ("slot", 0)), const(3)), "warning",
                    ((("slot", 0), "Card"), " is high"), "", Origin("toy", "toy.yaml", 1, 1)),
    ),
    sheets=(_sheet(),),
    notation={"steps": [{"walk": ["token", "to"]}], "most": 3, "none": None},
)  # fmt: skip


# ---------------------------------------------------------------------------------- the driver


def bind(layout: Layout) -> Driver:
    """The driver of the toy."""
    space, owner, pips = (layout.index[f"Token.{name}"] for name in ("space", "owner", "pips"))
    hand, discard, vault = (layout.index[name] for name in ("hand", "discard", "vault"))
    board = layout.index["board"]

    def put(world: World, *changes: tuple[int, Any]) -> World:
        columns = list(world)
        for column, value in changes:
            columns[column] = value
        return tuple(columns)

    def tokens(world: World) -> tuple[int, ...]:
        return tuple(i for i, at in enumerate(world[space]) if at is not None)

    def on(world: World, at: Any) -> tuple[int, ...]:
        return tuple(i for i, found in enumerate(world[space]) if found == at)

    def near(world: World, at: Any, steps: int) -> tuple[Any, ...]:
        found = ((at[0] + d, at[1]) for d in range(-steps, steps + 1) if d)
        return tuple(p for p in found if 0 <= p[0] < WIDTH)

    def place(world: World, who: int, at: Any) -> tuple[World, int]:
        token = world[space].index(None)
        changed = [
            (c, with_entry(world[c], token, v)) for c, v in ((space, at), (owner, who), (pips, 1))
        ]
        return put(world, *changed), token

    def move(world: World, token: int, to: Any) -> World:
        return put(world, (space, with_entry(world[space], token, to)))

    def grow(world: World, token: int) -> World:
        return put(world, (pips, with_entry(world[pips], token, world[pips][token] + 1)))

    def remove(world: World, token: int) -> World:
        return put(world, (space, with_entry(world[space], token, None)))

    def out_of_hand(world: World, card: int) -> tuple[int, Any]:
        return hand, tuple(tuple(c for c in cards if c != card) for cards in world[hand])

    def drop(world: World, card: int) -> World:
        return put(
            world, out_of_hand(world, card), (discard, tuple(sorted((*world[discard], card))))
        )

    def hide(world: World, card: int) -> World:
        return put(world, out_of_hand(world, card), (vault, tuple(sorted((*world[vault], card)))))

    def show(world: World, card: int) -> World:
        free = next((x, 0) for x in range(99) if (x, 0) not in world[board])
        return put(world, out_of_hand(world, card), (board, world[board].with_item(free, card)))

    def token(world: World, kind: str, index: int) -> str | None:
        at = world[space][index]
        if kind != "Token" or at is None:
            return None
        return (
            f"{layout.players[world[owner][index]]}'s token {world[pips][index]} on {at[0]}/{at[1]}"
        )

    return Driver(
        queries={"tokens": tokens, "on": on, "near": near},
        operations={"place": place, "move": move, "grow": grow, "remove": remove, "discard": drop,
                    "hide": hide, "show": show},
        token=token,
        position=lambda world: repr(world),
    )  # fmt: skip


def bind_for_game(name: str) -> Any:
    """The driver of a game by its name."""
    return {"toy": bind}[name]


# ---------------------------------------------------------------------------------- playing


def start(
    seed: int | None = 1, players: tuple[str, ...] = ("A", "B", "C"), **settings: Any
) -> Game:
    """A new game of toy."""
    return new_game(link_game(PROGRAM, bind, players, settings), seed)


def step(game: Game, source: random.Random) -> Game:
    """Answer one open prompt at random."""
    prompt = source.choice(game.prompts)
    if prompt.kind == "subset":  # not every set can be used together
        names = {option.value: option.key for option in prompt.options}
        chosen = source.choice(list(islice(game.node.answers(), 40)))
        return game.answer(prompt.id, [names[value] for value in chosen])
    return game.answer(prompt.id, source.choice(prompt.options).key)


def play(game: Game, source: random.Random, answers: int) -> Game:
    """Answer at random, at most so many times."""
    for _ in range(answers):
        if game.over:
            break
        game = step(game, source)
    return game
