"""Finds versions of packs that fit together, by `resolvelib`: what is wished, and all that this requires.

Where packs come from is not known here: a function offers the candidates of an id, the best first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version
from resolvelib import AbstractProvider, BaseReporter, ResolutionImpossible, Resolver
from resolvelib.resolvers import ResolutionTooDeep

from ruleloom.compiler.packs.index_file import IndexEntry
from ruleloom.compiler.packs.manifest import allows
from ruleloom.getting.written_sources import NotGot
from ruleloom.runtime.dataclass import Frozen

MOST_ROUNDS = 20_000


class Wish(Frozen):
    """A pack in some versions, wished by another pack or, without one, by the user."""

    id: str
    wanted: SpecifierSet
    by: str = ""


class Offered(Frozen):
    """A version of a pack that is to be had; `origin` is for who offered it."""

    id: str
    version: Version
    requires: Mapping[str, SpecifierSet]
    origin: Any = None


def newness(one: Offered | IndexEntry) -> tuple[bool, Version]:
    """What the versions of a pack are sorted by: previews come before all others."""
    return not one.version.is_prerelease, one.version


Offer = Callable[[str], Sequence[Offered]]


class _Provider(AbstractProvider[Wish, Offered, str]):
    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def identify(self, requirement_or_candidate: Wish | Offered) -> str:
        return requirement_or_candidate.id

    def get_preference(self, identifier: str, *_: Any, **__: Any) -> Any:
        return len(self._offer(identifier)), identifier

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[Wish]],
        incompatibilities: Mapping[str, Iterator[Offered]],
    ) -> Iterable[Offered]:
        wishes, unfit = [*requirements[identifier]], [*incompatibilities[identifier]]
        return [
            one
            for one in self._offer(identifier)
            if one not in unfit and all(allows(wish.wanted, one.version) for wish in wishes)
        ]

    def is_satisfied_by(self, requirement: Wish, candidate: Offered) -> bool:
        return allows(requirement.wanted, candidate.version)

    def get_dependencies(self, candidate: Offered) -> Iterable[Wish]:
        by = f"{candidate.id} {candidate.version}"
        return [Wish(id, wanted, by) for id, wanted in candidate.requires.items()]


def resolve(wishes: Sequence[Wish], offer: Offer) -> Mapping[str, Offered]:
    """A version of each pack that is wished or required. Raises NotGot if none fit together."""
    resolver = Resolver(_Provider(offer), BaseReporter[Wish, Offered, str]())
    try:
        return resolver.resolve(wishes, max_rounds=MOST_ROUNDS).mapping
    except ResolutionImpossible as error:
        raise _conflict([one.requirement for one in error.causes], offer) from None
    except ResolutionTooDeep:
        message = f"no versions that fit together were found in {MOST_ROUNDS:,} steps"
        raise NotGot(message, "name a version of some packs: `house==1.2`") from None


def _conflict(causes: Sequence[Wish], offer: Offer) -> NotGot:
    """What cannot be met, in words."""
    id = causes[0].id
    own = [one for one in causes if one.id == id]
    told_of = [one for one in own if one.by or one.wanted] or own
    wishes = sorted(set(map(_wish_text, told_of)))
    there = [str(one.version) for one in offer(id)]
    told = " and ".join(wishes)
    if not there:
        help = (
            f"name where `{id}` is in the same command, or name an index that lists it: `--index`"
        )
        return NotGot(f"{told} of the pack `{id}`, which is in no index", help)
    message = f"{told} of the pack `{id}`, and there is {', '.join(there[:10])}"
    help = "name versions that fit in the same command, or stay with what is kept: `ruleloom list`"
    return NotGot(message, help)


def _wish_text(wish: Wish) -> str:
    who = f"{wish.by} wants" if wish.by else "you want"
    return f"{who} {range_text(wish.wanted) or 'any version'}"


def range_text(wanted: SpecifierSet) -> str:
    """A range of versions as people write it, the lower bound first."""
    return ",".join(sorted(map(str, wanted), reverse=True))
