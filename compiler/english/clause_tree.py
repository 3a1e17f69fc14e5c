"""The clause trees of rules texts: what a language other than English makes its words of.

English words are written as soon as a clause is known; `Told` keeps with them the tree that they say. What is
done to the words afterwards (joined, cut, replaced) loses the tree, so that nothing is read from half of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.english.template import Speaker
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Expr


class ClauseTree(Frozen):
    """What is said, before a language has words for it."""


class Told(str):
    """English words, and the tree that they say."""

    tree: ClauseTree

    @classmethod
    def of(cls, words: str, tree: ClauseTree | None) -> str:
        """The words of a tree; as they are without one."""
        if tree is None:
            return words
        made = cls(words)
        made.tree = tree
        return made


class FixedTree(ClauseTree):
    """Words that are the same in every game: `stop here`."""

    english: str


class NounTree(ClauseTree):
    """The thing, number or list that an expression stands for."""

    speaker: Speaker
    expr: Expr


class TestTree(ClauseTree):
    """A condition, or its negation."""

    speaker: Speaker
    expr: Expr
    denied: bool = False


class ActTree(ClauseTree):
    """What an author calls an operation or a power, with its arguments: something to do, or that happens."""

    speaker: Speaker
    english: str
    values: Mapping[str, Expr]
    unsaid: frozenset[str] = frozenset()


class UsesTree(ClauseTree):
    """A card used as one of several powers, as one `then` as another, or as one so many `times`."""

    thing: str
    powers: tuple[ActTree, ...]
    then: bool = False
    times: int = 1


class CalledTree(ClauseTree):
    """A clause with the name of its result, a `kind` of thing: ` (the drawn card)`."""

    of: ClauseTree
    speaker: Speaker
    name: str
    kind: str


class ChoiceTree(ClauseTree):
    """A choice out of a list, of those that fit a condition; `may` leave it, `most` limits how many."""

    speaker: Speaker
    domain: Expr
    slot: int
    where: Expr | None
    tests: tuple[Expr, ...]
    """The conditions that are not about what is chosen."""
    count: str
    may: bool
    most: Expr | None
    name: str
    """What a number that is chosen is called."""


class SecretTree(ClauseTree):
    """A choice that each player makes in secret, out of a list of their own, and that all then show."""

    players: Expr
    player: int
    """The slot of the player in the domain."""
    choice: ChoiceTree


class EventTree(ClauseTree):
    """What happens, when something follows: an operation or a moment in its author's words, or something done
    to a thing."""

    act: ActTree
    yours: bool
    """Whether the reader does it."""


class NumberTree(ClauseTree):
    """What a number is, or a list: `the value of a card: 2`."""

    head: ClauseTree
    value: NounTree


class NoneTree(ClauseTree):
    """What there is none of from here on."""

    speaker: Speaker
    itself: Expr


class LoopTree(ClauseTree):
    """Once for each thing of a list, which is called `name` from there on if that is new."""

    speaker: Speaker
    domain: Expr
    name: str = ""
    kind: str = ""


class ForEachTree(ClauseTree):
    """Something done to each thing of a list, in one clause."""

    act: ActTree
    slot: int
    domain: Expr


class BecomesTree(ClauseTree):
    """What a variable is, or is now: a thing or a number."""

    speaker: Speaker
    name: str
    value: Expr
    kind: str
    """The noun of its type; empty for a variable of the game, whose name its author wrote."""
    when: str = ""
    """`now ` or `at first, `."""


class ChangesTree(ClauseTree):
    """A number that grows or shrinks: `take 1 from the number`."""

    speaker: Speaker
    name: str
    kind: str
    less: bool
    by: Expr


class BelongsTree(ClauseTree):
    """What is now one of a list, or no longer."""

    speaker: Speaker
    value: Expr
    target: Expr
    when: str


class DrawnTree(ClauseTree):
    """The next card of a pile put into a zone."""

    speaker: Speaker
    pile: Expr
    to: Expr


class OftenTree(ClauseTree):
    """How many times something is done."""

    speaker: Speaker
    number: Expr
    up_to: bool


class AgainTree(ClauseTree):
    """`repeat this until ...`, at most so many times."""

    until: TestTree | None
    most: OftenTree | None


class EndsTree(ClauseTree):
    """The end of the game: won by somebody, or drawn; with the author's reason."""

    speaker: Speaker
    winner: Expr | None
    reason: str


class OutcomeTree(ClauseTree):
    """How a game may end, with the author's reason."""

    english: str
    reason: str
    mark: str


class ModeTree(ClauseTree):
    """A clause with the conditions under which it is on offer."""

    of: ClauseTree
    tests: tuple[TestTree, ...]


class IgnoringTree(ClauseTree):
    """Something done while rules do not hold that have these names."""

    of: ClauseTree | None
    speaker: Speaker
    rules: tuple[str, ...]


class OnlyIfTree(ClauseTree):
    """What is allowed only under a condition, with the reason that its author gives."""

    test: TestTree
    reason: str


class SpokenTree(ClauseTree):
    """A text that is said aloud."""

    text: str


class ChanceTree(ClauseTree):
    """One of a list, taken by chance."""

    speaker: Speaker
    domain: Expr


class RuleTree(ClauseTree):
    """What a rule or measure says, and when that is so: under a condition, always, or never."""

    head: ClauseTree
    test: TestTree | None
    truth: bool = True
    lifted: bool = False
    """Whether a card may lift it."""


class FactsTree(ClauseTree):
    """What is printed of an item: a number after each label."""

    numbers: tuple[tuple[str, str], ...]


class FromHereTree(ClauseTree):
    """A condition that holds from here on."""

    test: TestTree


class LineTree(ClauseTree):
    """A step, or a mode, as a line: with its inner steps if `whole`, else they are the lines below."""

    of: Any
    steps: tuple[Any, ...]
    after_may: bool
    link: str
    whole: bool
    is_paragraph: bool = False


class Unspoken(Exception):
    """A tree for which a language has no words or no order, by what it wants."""


def fixed(words: str) -> str:
    """Words that are the same in every game."""
    return Told.of(words, FixedTree(words))


def tree_of(words: str) -> ClauseTree | None:
    """The tree of words that have one."""
    return words.tree if isinstance(words, Told) else None


def called(words: str, speaker: Speaker, name: str, kind: str) -> str:
    """Words with the name of their result, which is empty if it needs none."""
    if not name:
        return words
    tree = tree_of(words)
    return Told.of(f"{words} (the {name})", tree and CalledTree(tree, speaker, name, kind))
