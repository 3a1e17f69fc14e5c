"""Diagrams: a menu that shows something, drawn as a table would draw it on paper.

The choices behind its ways are laid out in tracks, so that a step is set or taken back in one go. All that is
drawn is worked out from what the texts show beside their questions (`showing`), in the game in which the
panel is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import NamedTuple

from ruleloom.runtime.program.program import Choose, Modal, Row
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.options import Keys, Option, Refusal
from ruleloom.runtime.search.showing import ShownValue, figures, figures_of
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.panels import AskedField, after_answer, follows, panel
from ruleloom.table.questions import forced, type_of


class TrackStep(NamedTuple):
    """What a spell, a deal or a plan is set to, or can be: the answers that take it, and those that take it
    back if it is taken."""

    label: str
    figures: Sequence[ShownValue]
    take: list[Keys] | None
    take_back: list[Keys] | None
    of: tuple[str, Dynamic]
    """The type and the value that is chosen."""
    rank: int
    """Its place among the values of its type."""


class Diagram(NamedTuple):
    """A question that shows something, with the choices that its ways lead to laid out in tracks."""

    tracks: Mapping[str, Sequence[TrackStep]]
    shown: Sequence[ShownValue]
    ways: frozenset[str]
    """The keys of the ways that lead to the tracks."""
    shut: Sequence[Refusal]
    """The usual ways that are not on offer."""
    goes_on: bool
    """Is there a usual way, so that any other gives up what was laid out?"""


def diagram(field: AskedField) -> Diagram | None:
    """The tracks behind the ways of a menu that shows something; None without any.

    What is taken is marked by a truth that is shown, and stands in the track of the first value of a type
    of its own.
    """
    row = field.view.game.node.row
    if not isinstance(row, Modal) or not row.showing:
        return None
    tracks: dict[str, list[TrackStep]] = {}
    behind = [(one.key, [*_steps_behind(field.view, (one.key,))]) for one in field.prompt.options]
    for step in chain.from_iterable(steps for _, steps in behind):
        _lay_out(tracks.setdefault(track_of(step.figures), []), step)
    _by_way(tracks, {one.key: one.label for one in field.prompt.options})
    ways = frozenset(way for way, steps in behind if steps)
    shown = figures(field.view.game.node, field.view.seat)
    laid_out = {title: _in_order(steps) for title, steps in tracks.items()}
    usual = {slug(str(mode.label)) for mode in row.modes if mode.usual}
    shut = [one for one in field.view.refusals if one.key in usual]
    return Diagram(laid_out, shown, ways, shut, bool(usual)) if ways else None


def diagram_of(
    view: AuthorisedView, fields: Sequence[AskedField]
) -> tuple[list[Keys], Diagram] | None:
    """The diagram of a panel with these answers, and those before it; None without one."""
    before: list[Keys] = []
    for field in panel(view, [one.keys for one in fields if one.keys is not None]):
        if (found := diagram(field)) is not None:
            return before, found
        before.append(field.keys or ())
    return None


def step_of(view: AuthorisedView, fields: Sequence[AskedField], number: int) -> list[Keys] | None:
    """The answers of a panel that take a numbered step of its diagram, or take it back."""
    found = diagram_of(view, fields)
    if found is None:
        return None
    before, drawn = found
    steps = [one for track in drawn.tracks.values() for one in track]
    if not 0 <= number < len(steps):
        return None
    return [*before, *(steps[number].take_back or steps[number].take or ())]


def _lay_out(track: list[TrackStep], step: TrackStep) -> None:
    """Put a step on a track; where one way takes a value and another takes it back, it is one step."""
    for at, other in enumerate(track):
        if other.of == step.of and not (other.take and step.take):
            marked, free = (step, other) if step.take_back else (other, step)
            track[at] = marked._replace(take=marked.take or free.take)
            return
    track.append(step)


def _by_way(tracks: dict[str, list[TrackStep]], labels: Mapping[str, str]) -> None:
    """Call what stands on no track of its own by its way, if several ways lead there."""
    besides = tracks.pop("", [])
    several = len({one.take[0] for one in besides if one.take}) > 1
    for one in besides:
        [way] = (one.take or one.take_back or [("",)])[0]
        tracks.setdefault(labels[way] if several else "", []).append(one)


def _in_order(steps: Sequence[TrackStep]) -> list[TrackStep]:
    """The steps of a track, without the first word where all have the same one: `Range: near`."""
    found = sorted(steps, key=lambda one: one.rank)
    same = {one.label.partition(": ")[0] for one in found}
    if len(same) > 1:
        return found
    return [one._replace(label=one.label.partition(": ")[2] or one.label) for one in found]


def _steps_behind(view: AuthorisedView, way: Keys) -> Iterator[TrackStep]:
    """The options of the choice that a way leads to, if it shows something."""
    game = after_answer(view, way)
    if game is None or game.over or not follows(game, view.game):
        return
    then = replace(view, game=game)
    if then.prompt is None or not _shows_options(game.node.row):
        return
    is_only = forced(then.prompt) is not None
    for at, option in enumerate(then.prompt.options):
        given = [way] if is_only else [way, (option.key,)]
        yield _step(then, option, at, given)


def _step(view: AuthorisedView, option: Option, at: int, given: list[Keys]) -> TrackStep:
    """An option as a step, with the answers that choose it; `at` is its place in the question."""
    node, of = view.game.node, type_of(view.game.node)
    shown = figures_of(node, view.seat, option.value)
    is_taken = any(one.value is True for one in shown)
    take, back = (None, given) if is_taken else (given, None)
    rank = _rank(option.value, node.linked.layout.enums.get(of, ()), at)
    return TrackStep(option.label, shown, take, back, (of, option.value), rank)


def _shows_options(row: Row) -> bool:
    """Is it a choice of one that shows something?"""
    return isinstance(row, Choose) and row.count == "one" and bool(row.showing)


def _rank(value: Dynamic, names: Sequence[Dynamic], at: int) -> int:
    """The place of a value among those of its type; `at` if only the question has an order."""
    if value is None:
        return -1
    if isinstance(value, int):
        return value
    return names.index(value) if value in names else at


def track_of(shown: Sequence[ShownValue]) -> str:
    """The track of an option: the first value of an enum or an entity that is shown of it."""
    return next((one.text for one in shown if one.is_track), "")


def tracks_drawn(diagram: Diagram, first: int) -> list[str]:
    """The tracks behind a question, their steps numbered from `first` on; those taken stand in brackets."""
    about = ", ".join(f"{one.words}: {one.text}" for one in diagram.shown)
    lines = [safe_text(f"      {about}")] if about else []
    number = count(first)
    for title, steps in diagram.tracks.items():
        said = [
            f"{next(number)} [{_priced(one)}]"
            if one.take_back
            else f"{next(number)} {_priced(one)}"
            for one in steps
        ]
        lines.append(safe_text(f"      {title or 'besides'}: {'; '.join(said)}"))
    return lines


def _priced(step: TrackStep) -> str:
    numbers = [one.text for one in step.figures if one.is_number]
    return f"{step.label} ({', '.join(numbers)})" if numbers else step.label
