"""The words that card texts are made of: verbs by what they do, persons, quantities, directions.

No word of a game is here; a `Lexicon` adds those from the game's vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from ruleloom.compiler.english.word import COUNTS, participle, plain_verb, singular, third_person
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import Symbols


def word_set(words: str) -> frozenset[str]:
    """The words of a list in one text."""
    return frozenset(words.split())


GET, LOSE, BE = "get", "lose", "be"
_VERBS = {
    GET: "get gain receive regain recover restore heal earn obtain mend",
    LOSE: "lose pay spend forfeit sacrifice",
    "discard": "discard throw",
    "take": "take steal pick grab",
    "draw": "draw",
    "put": "put place lay set",
    "move": "move shift push slide advance",
    "turn": "turn face orient rotate spin",
    "stand": "stand",
    "show": "show reveal",
    "look": "look peek see",
    "choose": "choose select name",
    "replace": "replace swap exchange trade",
    "return": "return send",
    "destroy": "destroy remove kill",
    "strike": "strike erase",
    "write": "write",
    "attack": "attack",
    "roll": "roll",
    "use": "use play activate",
    "give": "give",
    "begin": "begin start",
    "end": "end finish",
    "make": "make create",
    "grow": "grow",
    "rest": "rest",
    "hold": "hold have own control",
    "raise": "add raise increase improve",
    "lower": "lower reduce decrease subtract deduct",
    "keep": "keep",
    "tell": "tell say",
    "answer": "answer",
    "ask": "ask",
    "hurt": "hurt harm damage",
    "resist": "resist",
    "win": "win",
    "die": "die",
    "come": "come enter arrive",
    "go": "go leave",
    "shuffle": "shuffle reshuffle",
    "suffer": "suffer",
    "target": "target aim",
    BE: "be become",
}
VERBS = {word: name for name, words in _VERBS.items() for word in words.split()}
_IRREGULAR = {
    **{"is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "has": "have"},
    **{"had": "have", "lost": "lose", "took": "take", "drew": "draw", "went": "go", "gone": "go"},
    **{"gave": "give", "threw": "throw", "chose": "choose", "won": "win", "stood": "stand"},
    **{"began": "begin", "got": "get", "paid": "pay", "felt": "feel", "came": "come"},
    **{"dice": "die", "enemies": "enemy", "allies": "ally", "friends": "friend", "them": "they"},
    **{"foes": "foe", "leaves": "leave", "worse": "worse", "less": "less", "dying": "dying"},
}
FUNCTION_WORDS = word_set(
    "a an the and or but then if when whenever while until unless as at by for from in into of off on "
    "onto out over through to under up down with without within against not no nor so than that who "
    "whom whose which what where how there here only also too again once it its they their them he "
    "she his her him you your yours i my we our can may must should would will shall could might do "
    "does did per each every all any some both either neither other another more less fewer most "
    "least than before after instead otherwise else just even still yet never always now because "
    "since though although about around between during except left right nothing nobody everything somebody "
    "anybody everybody everyone someone anyone something anything whoever whatever be is are was "
    "were been being has have had back away towards toward such exactly"
)

# Persons: who they can be. `you` includes whoever has the card or casts the spell.
YOU, OTHERS, EVERYBODY, GM = "you", "somebody else", "everybody", "the GM"
THOSE = "those whom it is about"
"""All of whom something is so; who they are is not known."""
ACTING = "whoever acts"
"""A thing that acts; the player who acts is `YOU`."""
PERSONS = {
    **dict.fromkeys(("you", "yourself", "me", "bearer", "caster", "wearer", "yours"), YOU),
    **dict.fromkeys(("opponent", "enemy", "foe", "rival", "victim", "adversary"), OTHERS),
    **dict.fromkeys(("target", "neighbour", "neighbor"), OTHERS),
    **dict.fromkeys(("everybody", "everyone"), EVERYBODY),
    **dict.fromkeys(("gm", "referee"), GM),
}
_PEOPLE = ("player", "character", "person", "people", "owner", "creature", "friend", "ally", "hero")
OF_OTHERS = ("another", "other", "enemy", "opposing", "hostile", "opponent", "foe", "rival")

NUMBERS = {word: at for at, word in enumerate(COUNTS) if word} | {"single": 1, "both": 2, "pair": 2}
TIMES = {"once": 1, "twice": 2, "thrice": 3}

SIDES: Mapping[str, tuple[str, ...]] = {
    "side": ("left", "right"),
    "compass": ("north", "east", "south", "west"),
    "end of a pile": ("top", "bottom"),
    "turn around the table": ("clockwise", "counterclockwise"),
}
"""Opposite directions, by axis."""
POINTS = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITES = {
    **{"more": "fewer", "fewer": "more", "less": "more", "least": "most", "most": "least"},
    **{"higher": "lower", "lower": "higher", "better": "worse", "worse": "better", "must": "may"},
    **{"before": "after", "after": "before", "start": "end", "beginning": "end", "end": "start"},
    **{"begins": "ends", "ends": "begins", "highest": "lowest", "lowest": "highest"},
    **{"largest": "smallest", "smallest": "largest"},
}
WAYS = {word: (axis, word) for axis, words in SIDES.items() for word in words}
WAYS |= {f"{word}{tail}": way for word, way in WAYS.items() for tail in ("ward", "wards", "ern")}
WAYS |= {
    "anticlockwise": WAYS["counterclockwise"],
    "topmost": WAYS["top"],
    "uppermost": WAYS["top"],
}

MORE = word_set("higher better more larger greater bigger stronger above extra additional")
LESS = word_set("lower worse less fewer smaller lesser weaker below")
LARGEST = word_set("highest most largest greatest biggest best")
SMALLEST = word_set("lowest fewest smallest least worst")
RAISES = word_set("increase raise add improve gain")
LOWERS = word_set("decrease reduce lower subtract worsen deduct")


class Lexicon:
    """The words of a game: the general ones, and those of its vocabulary."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The heads of noun phrases: things, zones, numbers, and what all games have."""
        symbols = self.symbols
        found = {word.lower() for pair in symbols.nouns.values() for word in pair if word}
        found |= {word for noun in found for word in noun.split()[-1:]}
        found |= {zone.rpartition(" ")[2] for zone in self.zones}
        found |= {name for sort, name, *_ in symbols.words if sort == "counted"} | _NOUNS
        return frozenset(singular(one) for one in found)

    @cached_property
    def people(self) -> frozenset[str]:
        """Who may be anybody: persons, and the things that an operation calls `who` or `whom`."""
        symbols = self.symbols
        types = {
            param.type.name
            for callee in symbols.operations.values()
            for param in callee.params
            if param.name in ("who", "whom")
        }
        nouns = (symbols.nouns[type_][0].lower() for type_ in types if type_ in symbols.nouns)
        return frozenset((*_PEOPLE, *nouns))

    @cached_property
    def zones(self) -> frozenset[str]:
        """The places of cards and pieces: `draw pile`."""
        words, zones = self.symbols.words, self.symbols.zones
        named = (words.get(("zones", name)) or name.replace("_", " ") for name in zones)
        return frozenset(one.removeprefix("the ").lower() for one in named) | {"board"}

    @cached_property
    def verbs(self) -> Mapping[str, str]:
        """What each plain verb does; a verb of the vocabulary alone is its own name."""
        own = dict.fromkeys(self._own_verbs())
        return {**{word: word for word in own}, **VERBS}

    def _own_verbs(self) -> Iterator[str]:
        symbols = self.symbols
        for table in (symbols.operations, symbols.powers):
            for callee in table.values():
                words = HOLE.sub("#", callee.english).split()
                first, second = (*words[:2], "", "")[:2]
                if first == "#" and re.fullmatch(r"[a-z]+[^s]s", second):
                    yield plain_verb(second)
                elif (
                    re.fullmatch("[a-z]{3,}", first)
                    and second in _OBJECTS
                    and first not in FUNCTION_WORDS
                ):
                    yield first

    @cached_property
    def forms(self) -> Mapping[str, str]:
        """The plain verb of each form: `discarded` and `discarding` as `discard`."""
        found: dict[str, str] = {}
        for verb in self.verbs:
            stem = verb.removesuffix("e")
            double = f"{verb}{verb[-1]}ing"
            for form in (third_person(verb), participle(verb), f"{stem}ing", double, f"{stem}ed"):
                found.setdefault(form, verb)
        return {**found, **{verb: verb for verb in self.verbs}, **_IRREGULAR}

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The values of enums, in words, each with its enum."""
        return {name.replace("_", " ").lower(): enum for name, enum in self.symbols.values.items()}

    def lemma(self, word: str) -> str:
        """The plain form of a word: `pieces` as `piece`, `drew` as `draw`."""
        lower = word.lower()
        if word.isupper() and len(word) > 1:
            return word
        if form := self.forms.get(lower):
            return form
        if lower in FUNCTION_WORDS or lower.endswith(("ss", "us", "is")):
            return lower
        if lower.endswith("ies"):
            return f"{lower[:-3]}y"
        return singular(lower)


_OBJECTS = ("", "#", "a", "an", "the", "any", "all", "your", "each", "every", "up")
_NOUNS = word_set(
    "player opponent enemy foe rival victim target neighbour card hand pile deck board table piece space "
    "turn round scene score point pip die damage stress bearer caster wearer GM attack "
    "order number hit miss discard minute hour day week month session margin text"
)
