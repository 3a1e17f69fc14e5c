"""The English of games: golden rules texts, why a choice is refused, and words for anything
whatever.

`tests/golden/english/` holds texts of the shipped games and of the orchard: of each kind of item
the one with the shortest effect, and more until each form of syntax has stood in one. Read the
difference after `--reset`: it is how a change of the wording looks to a player. How good the English
is of all other items, `python -m benchmarks.english` says.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.clause import condition
from ruleloom.compiler.english.glossary import Scene, Variable, glossary
from ruleloom.compiler.english.page import Teller, numbered, paragraph
from ruleloom.compiler.english.rules_text import Book, all_texts
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.template import fit
from ruleloom.compiler.english.word import (
    called,
    denied,
    is_noun,
    is_statement,
    lasting,
    numbers_in,
    sentence,
    third_person,
)
from ruleloom.compiler.lower.passes import read_names
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.resolve.records import build_entities
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities, parse_block, parse_expr
from ruleloom.compiler.syntax.tree import walk
from ruleloom.runtime.program.program import Program, Template
from ruleloom.runtime.program.values import Type
from tests.compiler.syntax.test_format import blocks, exprs
from tests.support.check_layer import compile_files, game_files

GAMES = ("gnostica", "moonstone")
SHIPPED = ("gnostica", "monotheism", "moonstone", "witchgates")


@cache
def content_of(game: str) -> tuple[Content, Symbols]:
    """Return the content of a shipped game, or of the orchard, and its names."""
    content = compile_files(game_files()).content if game == "orchard" else load([game], Report())
    assert content is not None
    return content, names_of(content)


def names_of(content: Content) -> Symbols:
    """Return the names of a game, and what its items make."""
    symbols = Symbols(game=content.game)
    read_names(content, symbols, Report())
    symbols.enter_made(build_entities(content, symbols, Report()))
    return symbols


@cache
def texts_of(game: str) -> dict[str, str]:
    """Return the text of every item, by the part of its id behind the pack."""
    return {id.partition(":")[2]: text for id, text in all_texts(Book(*content_of(game))).full}


# ---------------------------------------------------------------------------------- golden texts


@cache
def compiled(game: str) -> tuple[Content, Program]:
    """Return a shipped game, with its texts."""
    result = compile_paths([game], texts=True, reasons=False, scenarios=False)
    assert result.content is not None
    assert result.program is not None
    return result.content, result.program


def forms_of(item: Item) -> tuple[int, set[str]]:
    """Return how long the effect text of an item is, and the forms of syntax in it."""
    parsers = {"effect": parse_block, "ended": parse_block, "abilities": parse_abilities}
    written = [(parse, item.data(name)) for name, parse in parsers.items() if name in item.fields]
    forms = {type(node).__name__ for parse, text in written for node in walk(parse(text))}
    return sum(len(text) for _, text in written), forms


@cache
def chosen() -> dict[str, list[str]]:
    """Return the items whose texts are kept, by game: the shortest of each kind, and the shortest
    with each form of syntax that no other of them has."""
    found: list[tuple[int, str, set[str]]] = []
    for game in SHIPPED:
        content, program = compiled(game)
        told = dict(program.texts)
        for item in content.items:
            if item.id in told:
                length, forms = forms_of(item)
                found.append((length, item.id, forms | {f"{game}: {item.kind}"}))
    left = set().union(*(forms for _, _, forms in found))
    kept: dict[str, set[str]] = {}
    for _, id, forms in sorted(found, key=lambda one: one[:2]):
        if forms & left:
            kept[id], left = forms, left - forms
    for id in list(kept):
        others = set().union(*(forms for one, forms in kept.items() if one != id))
        if kept[id] <= others:
            del kept[id]
    return {game: [id for id in kept if id.startswith(f"{game}:")] for game in SHIPPED}


def page_of(game: str) -> str:
    """Return the chosen texts of a shipped game, each item as its card and then in full.

    Lists of other powers are left out: they stand where these powers do.
    """
    _, program = compiled(game)
    cards, texts = program.card_texts(), dict(program.texts)
    pages = []
    for id in chosen()[game]:
        own = _OF_OTHERS.split(texts[id])[0].replace(cards[id], "", 1).strip()
        pages.append("\n\n".join((f"# {id}", cards[id], *([f"In full:\n{own}"] if own else []))))
    return "\n\n".join(pages) + "\n"


# The list of a power below that of the item that uses it.
_OF_OTHERS = re.compile(r"\n\n(?=[^\n]+:\n(?:\(|1\. ))")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_texts_of_a_shipped_game(game, golden):
    golden(f"english/{game}.txt", page_of(game))


def test_the_texts_of_another_game(golden):
    pages = [f"# {name}\n\n{text}\n" for name, text in texts_of("orchard").items()]
    golden("english/orchard.txt", "\n".join(pages))


@pytest.mark.parametrize("game", [*GAMES, "orchard"])
def test_every_text_reads_aloud(game):
    content, symbols = content_of(game)
    book = Book(content, symbols)
    for name, text in ((item.id, book.rules(item)) for item in content.items):
        for line in text.splitlines():
            assert re.match(r" *(\d+\. |[a-z]\. |[ivx]+\. |\()?[\[“A-Z\d(]", line) or not line, (
                name,
                line,
            )
            assert line == "" or line.endswith((".", ":", "?", "!", ")", "”")), (name, line)
        for wrong in (
            "  ",
            " ,",
            "the the",
            "a the",
            "None",
            "_",
            "{",
            "}",
            "\x01",
            "\x02",
            "\x03",
            "\x04",
        ):
            assert wrong not in re.sub(r"^ +", "", text, flags=re.MULTILINE), (name, wrong)
        assert not re.search(r"\byou (is|has|was|does)\b|\ba [aeio]", text), name


def test_the_text_is_the_same_each_time():
    content, symbols = content_of("gnostica")
    assert all_texts(Book(content, symbols)) == all_texts(Book(content, symbols))


def test_parsed_effects_give_the_same_texts():
    content, symbols = content_of("gnostica")
    effects = {
        item.id: parse_block(item.data("effect")) for item in content.items if item.data("effect")
    }
    assert all_texts(Book(content, symbols, effects)) == all_texts(Book(content, symbols))


def test_brief_and_full():
    content, symbols = content_of("gnostica")
    item = next(item for item in content.items if item.name == "tower")
    book = Book(content, symbols)
    brief, full = book.brief(item), book.full(item)
    assert "\n" not in brief
    assert "1. " in full
    assert book.rules(item) == f"{brief}\n\n{full}"


def test_a_setting_changes_the_text():
    content, _ = content_of("gnostica")
    symbols = Symbols(game="gnostica")
    read_names(content, symbols, Report())
    book = Book(content, symbols)
    book.settings = {**book.settings, "space_limit": 5}
    rule = next(item for item in content.items if item.id == "gnostica:rule/crowding")
    assert "fewer than 5 pieces" in book.brief(rule)


# ---------------------------------------------------------------------------------- single effects


def told_in(game: str, effect: str, thing: str = "card") -> str:
    """Return an effect as a paragraph, in the words of a game."""
    words = glossary(*content_of(game))
    symbols = content_of(game)[1]
    settings = {name: one.value for name, one in symbols.settings.items()}
    return paragraph(render_steps(Teller(words, settings, thing=thing), parse_block(effect)))


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        ("use create", "Use this card as a Create."),
        ('optional "c": use create', "You may use this card as a Create."),
        (
            "repeat 2 times:\n    optional: use create",
            "Up to two times: use this card as a Create.",
        ),
        (
            "combinable:\n    use move\n    use move",
            "You may use this card as a Move twice. If both ",
        ),
        (
            "combinable:\n    use move\n    use attack",
            "You may use this card as a Move, then as an Attack. ",
        ),
        (
            "ignoring crowding: use create",
            "Use this card as a Create, ignoring the limit of 3 pieces on a space.",
        ),
        ("choose card from hand or none", "You may choose a card from your hand."),
        ("choose up to 2 cards from discard_pile", "Choose up to 2 cards from the discard pile."),
        (
            "choose card from hand where value(card) = 2",
            "Choose a card from your hand whose value is 2.",
        ),
        (
            "choose spot from territories where vacant(spot)",
            "one of the territories on which no piece stands",
        ),
        (
            "for each card in hand: discard(card)",
            "Put every card in your hand on the discard pile.",
        ),
        ('finish won by me "so it is"', "You win the game: so it is."),
        (
            "choose seat_of from players by seat(2)\nset me = seat_of",
            "The player in seat 2 chooses a player",
        ),
        ("roll hits = 3d6", "Roll 3d6 (the hits)."),
        ("roll hits = 3 d 6", "Roll 3d6 (the hits)."),
        ("roll hits = hand_limit d 6", "Roll 6d6 (the hits)."),
        (
            "roll hits = count(hand) d 6",
            "Roll as many d6s as the number of cards in your hand (the hits).",
        ),
        (
            "choose card from hand\nroll hits = value(card) d number(card)",
            "Roll as many dice as the value of the card, each with as many sides as the card's number",
        ),
        (
            "roll hits = 1 d (score(me) + 1)",
            "Roll a die with as many sides as your score plus 1 (the hits).",
        ),
        (
            "roll hits = 2 d (score(me) + 1)",
            "Roll two dice, each with as many sides as your score plus 1",
        ),
        ("roll hits = score(me) d 6 by seat(2)", "The player in seat 2 rolls as many d6s as"),
        (
            "let ready = no\nset ready = yes",
            "At first, it is not ready. From here on, it is ready.",
        ),
        (
            "choose card from hand or none\nif card is not none: discard(card)",
            "You may choose a card from your hand. If so, put the card on the discard pile.",
        ),
        (
            "let lender = board(first_spot)\nif lender is not none: discard(lender)",
            "Put the card at first spot on the discard pile.",
        ),
        (
            "let much = 0\nset much = lowest([9, much + 2])",
            "Raise the amount by 2, up to 9.",
        ),
        (
            "let much = 7\nset much = highest([0, much - count(hand)])",
            "Lower the amount by the number of cards in your hand, not below 0.",
        ),
        (
            "let much = 0\nroll face = 1d6\nset much = face",
            "Roll 1d6 (now the amount).",
        ),
        (
            "choose piece from pieces_of(me)\nchoose other from pieces_of(me)"
            " where facing(other) = facing(piece)",
            "of the same facing as the piece",
        ),
        ("repeat score(me) - count(hand) times: use create", "as your score minus the cards in "),
        ("if highest([1, hand_limit]) > 5: use create", "Use this card as a Create."),
        ('optional "turn back":\n    set me = seat(2)', "You may turn back: the player in seat 2"),
        (
            'choose one:\n    "a": stop\n    "b" when count(hand) = 0: stop',
            "no cards in your hand: stop here",
        ),
    ],
)
def test_statements(effect, text):
    assert text in told_in("gnostica", effect)


def test_an_item_that_is_no_card_speaks_of_none():
    assert told_in("gnostica", "use create", "") == "Use a Create."


# ---------------------------------------------------------------------------------- conditions

LOCALS = {
    "piece": "Piece",
    "minion": "Piece",
    "spot": "Space",
    "card": "Card",
    "step": "Int",
    "who": "Player",
    "cards": "List of Card",
    "way": "Facing",
}


def written_out(template: Template, values: Sequence[str]) -> str:
    """Return a template with words in its holes, in order."""
    left = iter(values)
    return "".join(part if isinstance(part, str) else next(left) for part in template)


def reason(text: str, game: str = "gnostica", you: bool = True) -> str:
    """Return the English of a condition, with `[...]` for each hole."""
    words = glossary(*content_of(game))
    scene = Scene(words, {})
    for name, type_ in LOCALS.items():
        scene.declare(name, Type.parse(type_))
    expr = scene.read(parse_expr(text))
    template = condition(words, expr, scene.variables, you)
    names = {slot: variable.name for slot, variable in scene.variables.items()}
    holes = [
        names[part[0][1]] if part[0][0] == "slot" else str(part[0][0])
        for part in template
        if not isinstance(part, str)
    ]
    return written_out(template, [f"[{hole}]" for hole in holes])


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("allowed crowding(spot)", "there are fewer than [function] pieces on [spot]"),
        ("allowed crowding(space(piece))", "there are fewer than [function] pieces on [field]"),
        ("owner(piece) != me", "you are not the owner of [piece]"),
        ("owner(piece) = who", "the owner of [piece] is [who]"),
        ("supplied(me, step)", "you have a [step]-pip piece in the stash"),
        ("supplied(owner(piece), pips(piece) + 1)", "[field] has a [+]-pip piece in the stash"),
        ("value(card) = step", "the value of [card] is [step]"),
        ("step <= worth(spot)", "[step] is at most [function] (the value of [spot])"),
        ("pips(piece) + step > 3", "the pips of [piece] plus [step] are more than 3"),
        ("piece in targets(minion)", "[minion] can target [piece]"),
        ("not piece in targets(minion)", "[minion] cannot target [piece]"),
        ("card in hand", "[card] is in your hand"),
        ("card not in hand", "[card] is not in your hand"),
        ("way in [N, up]", "[way] is north or straight up"),
        ("step in 1 .. 3", "[step] is from 1 to 3"),
        ("board(spot) is none", "there is no card at [spot]"),
        ("board(spot) is not none", "there is a card at [spot]"),
        ("used_card is none", "there is no card in use"),
        ("wasteland(spot)", "[spot] is wasteland"),
        ("not wasteland(spot)", "[spot] is not wasteland"),
        ("not mobile(piece)", "[piece] stands upright"),
        ("not overfull(spot)", "no more than [function] pieces stand on [spot]"),
        ("not vacant(spot)", "a piece stands on [spot]"),
        ("count(hand) = 0", "there are no cards in your hand"),
        ("count(cards) < 3", "there are fewer than 3 cards"),
        ("count(pieces_of(me)) > 0", "you have pieces on the board"),
        ("score(me) >= step", "your score is at least [step]"),
        (
            "exists(p: pieces(at: spot) where owner(p) = me)",
            "there is a piece on [spot] whose owner is you",
        ),
        ("not exists(p: pieces(at: spot))", "there is no piece on [spot]"),
        (
            "every(p: pieces(at: spot) where owner(p) = me)",
            "you are the owner of every piece on [spot]",
        ),
        ("from_hand", "the card in use comes from the hand"),
        ("not from_hand", "the card in use does not come from the hand"),
        ("wasteland(spot) or vacant(spot)", "[spot] is wasteland or no piece stands on [spot]"),
        ("hierophant_targets = own_pieces_too", "the Hierophant may replace a piece of one's own"),
    ],
)
def test_conditions(text, english):
    assert reason(text) == english


def test_a_mixture_of_and_and_or_can_be_heard():
    said = reason("wasteland(spot) and (vacant(spot) or card in hand)")
    assert "either no piece stands on [spot] or [card] is in your hand" in said


def test_another_player_is_not_called_you():
    assert reason("owner(piece) != me", you=False) == "the owner of [piece] is not [scope]"


def test_a_vocabulary_without_english_is_spoken_of_by_its_names():
    content = compile_files(game_files()).content
    assert content is not None
    symbols = Symbols(game="orchard")
    read_names(content, symbols, Report())
    for one in symbols.callables.values():
        one.english = ""
    words = glossary(content, symbols)
    scene = Scene(words, {})
    slot = scene.declare("basket", Type("Basket"))
    expr = scene.read(parse_expr("score(owner(basket)) > 2"))
    template = condition(words, expr, {slot: Variable("basket", Type("Basket"))})
    assert written_out(template, ["B"]) == "the score of B is more than 2"


def test_every_reason_of_a_shipped_game_can_be_filled():
    content, symbols = content_of("gnostica")
    words = glossary(content, symbols)
    for item in content.items:
        for node in wheres(parse_block(item.data("effect"))) if item.data("effect") else ():
            assert condition(words, Scene(words, {}).read(node), {})


def wheres(node: object) -> Iterator[ast.Expr]:
    """Yield every condition of a choice within a stretch of effect text."""
    if isinstance(node, tuple):
        for one in node:
            yield from wheres(one)
    elif isinstance(node, ast.SyntaxNode):
        if isinstance(node, ast.ChooseStmt | ast.ModeClause) and (
            test := getattr(node, "where", None) or getattr(node, "when", None)
        ):
            yield test
        for field in dataclasses.fields(node):
            yield from wheres(getattr(node, field.name))


# -------------------------------------------------------------------------------- anything whatever


@given(blocks)
def test_any_block_can_be_told(block):
    for full in (False, True):
        steps = render_steps(
            Teller(glossary(*content_of("orchard")), {}, thing="fruit", full=full), block
        )
        assert isinstance(paragraph(steps), str)
        assert isinstance(numbered(steps), list)


@given(exprs)
def test_any_condition_can_be_told(expr: ast.Expr):
    words = glossary(*content_of("orchard"))
    scene = Scene(words, {})
    assert isinstance(condition(words, scene.read(expr), scene.variables), tuple)


# ---------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "words", "better"),
    [
        ("{} has a piece", "you", "you have a piece"),
        ("{} alone occupies it", "you", "you alone occupy it"),
        ("{} pieces", "you", "you pieces"),
        ("does {} wait", "you", "do you wait"),
        ("the hand of {}", "you", "your hand"),
        ("the owner of {} waits", "it", "its owner waits"),
        ("a 1-pip piece of {}", "you", "a 1-pip piece of yours"),
        ("a piece in front of {}", "you", "a piece in front of you"),
        ("the number of cards in the hand of {}", "you", "the number of cards in your hand"),
        ("the hands of {} and B", "you", "the hands of you and B"),
        ("move {} pieces", "1", "move 1 piece"),
        ("{} more actions", "1", "1 more action"),
        ("fewer than {} pieces", "1", "fewer than 1 pieces"),
        ("move {} pieces", "11", "move 11 pieces"),
        ("{} times the rank", "2", "twice the rank"),
        ("the {} waits", "the owner", "the owner waits"),
        ("a {} waits", "oak", "an oak waits"),
        ("some {} waits", "a piece", "some piece waits"),
        ("the size of the {} wound", "deep wound", "the size of the deep wound"),
        ("under the name {}", "the name of the lamp", "under the name of the lamp"),
    ],
)
def test_words_agree_with_what_stands_around_them(text: str, words: str, better: str):
    before, _, behind = text.partition("{}")
    before, said, behind = fit(before, (words,), behind, lambda word: "piece" * (word == "pieces"))
    assert "".join((before, *map(str, said), behind)) == better


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("it is full", "it is not full"),
        ("it is not full", "it is full"),
        ("you can target it", "you cannot target it"),
        ("no piece stands there", "a piece stands there"),
        ("whoever wins, or nobody", None),
        ("nobody is there", None),
    ],
)
def test_denied(text, opposite):
    assert denied(text) == opposite


def test_small_words():
    assert third_person("carry") == "carries"
    assert third_person("pass") == "passes"
    assert third_person("put") == "puts"
    assert sentence("stop here") == "Stop here."
    assert called("second", "piece") == "second piece"
    assert called("goal", "space") == "goal"
    assert is_noun("a Move")
    assert not is_noun("move a piece")
    assert is_statement("the turn passes")
    assert not is_statement("move a piece")
    assert numbers_in("Draw up to three cards, then 2 more; twice.") == {2, 3}


@pytest.mark.parametrize(
    ("number", "unit", "said"),
    [
        (1440, "minute", "a day"),
        (60, "minute", "an hour"),
        (90, "minute", "90 minutes"),
        (48, "hour", "2 days"),
        (3, "week", "3 weeks"),
    ],
)
def test_a_time_is_told_in_its_longest_unit(number: int, unit: str, said: str):
    assert lasting(number, unit) == said


@pytest.mark.parametrize(
    ("name", "noun", "said"),
    [
        ("given", "number", "amount given"),
        ("drawn_off", "number", "amount drawn off"),
        ("deed", "number", "deed"),
        ("who_hates", "text", "answer"),
        ("who_tries", "character", "character"),
        ("in_touch", "characters", "characters in touch"),
        ("taken_back", "spell", "taken back spell"),
    ],
)
def test_a_name_that_is_no_noun_gets_one(name: str, noun: str, said: str):
    assert called(name, noun) == said
