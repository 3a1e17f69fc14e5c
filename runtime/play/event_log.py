"""Events in words: the log of a game as one player, or the host, may read it.

The words are an operation's `log`, or its `english`, with its parameters filled in. A thing hidden from
the reader is `a card`. An event without words is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import Viewer, secrecy_of
from ruleloom.runtime.machine.labels import (
    SECRET,
    described,
    field_words,
    joined,
    listed,
    mentioned,
    title_text,
    unnamed,
    worded,
)
from ruleloom.runtime.program.language import FORMED_HOLE, in_form
from ruleloom.runtime.program.program import Ensure, OperationInfo
from ruleloom.runtime.program.state import Event, result_text
from ruleloom.runtime.program.texts import settled
from ruleloom.runtime.program.values import Dynamic, Type, Value

NOBODY = "the game"
DRAWN = "{thing} is drawn"


def log(linked: Linked, events: Iterable[Event], viewer: Viewer = None) -> list[str]:
    """The lines of these events for `viewer`; None is the host, who may read everything."""
    lines = (tell(linked, event, viewer) for event in events)
    return [line for line in lines if line is not None]


def tell(linked: Linked, event: Event, viewer: Viewer = None) -> str | None:
    """One event in words for `viewer`; None if it has none."""
    words = WORDS.get(event.kind)
    return None if words is None else words(linked, event, viewer)


def _words(name: str) -> str:
    return name.partition("#")[0].rpartition("/")[2].replace("_", " ").replace("-", " ")


def _told_name(linked: Linked, event: Event) -> str:
    """The name of a choice or of a text, for reading."""
    return linked.language.said(_words(event.name))


def _pile(linked: Linked, event: Event) -> str:
    """A pile in words."""
    return linked.language.said(f"the {_words(event.name)}")


def _player(linked: Linked, player: int | None) -> str:
    return linked.language.said(NOBODY) if player is None else linked.layout.players[player]


def _operation(linked: Linked, event: Event, viewer: Viewer) -> str | None:
    info = linked.operations[event.name].info
    template = info.told
    if not template or not info.shown:
        return None
    reader = None if info.reveals else viewer
    holes = {"me": _player(linked, event.actor)}
    actor = event.actor if template.startswith("{me} ") else None
    lacking = set()
    for (name, written), value in zip(info.params, event.args, strict=False):
        type_ = Type.parse(written)
        holes[name] = _named(linked, event, reader, type_, value, of=actor)
        if _is_nothing(type_, value):
            lacking.add(name)
    template = settled(
        template, lambda part: part.otherwise if part.name in lacking else part.given
    )
    if info.result and len(event.args) > len(info.params):
        result = event.args[len(info.params)]
        type_ = Type.parse(info.result)
        holes["result"] = _named(linked, event, reader, type_, result, later=True, of=actor)
    return _filled(linked, info, template, holes)


def _is_nothing(type_: Type, value: Dynamic) -> bool:
    """Is a value none, empty, no or 0?"""
    return value is None or value == () or (not value and type_.name in ("Bool", "Int"))


def _filled(linked: Linked, info: OperationInfo, template: str, holes: Mapping[str, str]) -> str:
    """The template with its holes filled, in the singular after a 1."""
    types = {**dict(info.params), "result": info.result}
    texts = FORMED_HOLE.split(template)
    pieces = [(texts[0], "")]
    for name, form, text in zip(texts[1::3], texts[2::3], texts[3::3], strict=True):
        told = in_form(holes.get(name, f"{{{name}}}"), form)
        pieces += [(told, types.get(name, "")), (text, "")]
    return joined(linked, pieces)


def _drawn(linked: Linked, event: Event, viewer: Viewer) -> str:
    card, owner = event.args
    kind = Type(linked.zones[event.name].of)
    thing = _named(linked, event, viewer, kind, card, later=True)
    robbed = _holder(linked, event, kind, card)
    said, who = linked.language.said, _player(linked, owner)
    if robbed is None and owner is None:
        return said(DRAWN, thing=thing)
    if robbed is None:
        return said("{who} draws {thing}", who=who, thing=thing)
    whom = _player(linked, robbed)
    if owner is None:
        return said("{thing} is taken from {whom}", thing=thing, whom=whom)
    return said("{who} takes {thing} from {whom}", who=who, thing=thing, whom=whom)


def _holder(linked: Linked, event: Event, kind: Type, thing: Value) -> int | None:
    """The holder of a thing before the event; None for nobody."""
    zones = (zone for zone in linked.program.zones if zone.of == kind.name and zone.per_player)
    columns = (event.before[linked.layout.index[zone.name]] for zone in zones)
    held = (player for column in columns for player, own in enumerate(column) if thing in own)
    return next(held, None)


def _rolled(linked: Linked, event: Event, viewer: Viewer) -> str | None:
    value, player, person = event.args
    if not value and _may_read(event, viewer):
        return None  # no dice
    purpose = dict(linked.program.rolls).get(event.name.partition("#")[0]) or _words(event.name)
    if not _may_read(event, viewer):
        who = _player(linked, player)
        return linked.language.said("{who} rolls in secret for {what}", who=who, what=purpose)
    who, kind = _player(linked, player), linked.program.rolls_for
    if person is not None and kind is not None:
        who = _named(linked, event, viewer, Type(kind), person)
    shown = value if isinstance(value, int) else ", ".join(map(str, value))
    said = "{who} rolls {number} for {what}"
    return linked.language.said(said, who=who, number=str(shown), what=purpose)


def _written(linked: Linked, event: Event, _: Viewer) -> str:
    text, player = event.args
    return f'{_player(linked, player)}: "{text}"'


def _picked(linked: Linked, event: Event, viewer: Viewer) -> str:
    value, type_, derived = event.args
    kind = Type.parse(type_)
    hidden = secrecy_of(linked).hides(viewer, kind, value, (event.after,), derived)
    if hidden and kind.name not in linked.entities:
        return f"{_told_name(linked, event)}: {linked.language.said(SECRET)}"
    return f"{_told_name(linked, event)}: {_named(linked, event, viewer if hidden else None, kind, value)}"


def _may_read(event: Event, viewer: Viewer) -> bool:
    """May this viewer read the event?"""
    return event.seen_by is None or viewer is None or viewer in event.seen_by


def _looked(linked: Linked, event: Event, viewer: Viewer) -> str:
    """A look at a pile: the order for the looker, the number for all others."""
    things, player = event.args
    kind = linked.zones[event.name].of
    many = len(things)
    what = unnamed(linked, kind, many)
    if _may_read(event, viewer):
        what = f"{what} ({title_text(linked, event.after, Type(kind, many=True), things)})"
    said, who, pile = (
        "{who} looks at {thing} on top of {pile}",
        _player(linked, player),
        _pile(linked, event),
    )
    return linked.language.said(said, who=who, thing=what, pile=pile)


def _put(linked: Linked, event: Event, viewer: Viewer) -> str:
    things, on_top = event.args
    kind = Type(linked.zones[event.name].of, many=True)
    # Sorted: their order in the pile is secret.
    what = _named(linked, event, viewer, kind, tuple(sorted(things)))
    end = "on top of" if on_top else "at the bottom of"
    verb = "is" if len(things) == 1 else "are"
    said = f"{{thing}} {verb} put {end} {{pile}}"
    return linked.language.said(said, thing=what, pile=_pile(linked, event))


def _shown(linked: Linked, event: Event, viewer: Viewer) -> str:
    """Things shown: named for their viewers, counted for all others."""
    things, to = event.args
    type_ = Type.parse(event.name)
    if _may_read(event, viewer):
        what = title_text(linked, event.after, Type(type_.name, many=True), things)
    else:
        what = unnamed(linked, type_.name, len(things))
    verb = "is" if len(things) == 1 else "are"
    whom = ", ".join(_player(linked, player) for player in to)
    return linked.language.said(f"{{thing}} {verb} shown to {{whom}}", thing=what, whom=whom)


def _remark(linked: Linked, event: Event, viewer: Viewer) -> str:
    """The line of a `say`, its holes filled with the values of that moment."""
    if not event.args:
        said = linked.language.of(event.name)
        return said if isinstance(said, str) else event.name
    words, moment = event.args
    return worded(linked, words, moment, () if viewer is None else (viewer,))


def _told(linked: Linked, event: Event, viewer: Viewer) -> str | None:
    """A private message, marked as such for the host."""
    to, words, moment = event.args
    if viewer not in (to, None):
        return None
    text = worded(linked, words, moment, (to,))
    if viewer == to:
        return text
    return linked.language.said("to {whom}: {text}", whom=_player(linked, to), text=text)


def _revealed(linked: Linked, event: Event, viewer: Viewer) -> str:
    """The result of a secret choice, for everybody or for its readers."""
    table, type_ = event.args[0], Type.parse(event.args[1])
    if not _may_read(event, viewer):
        return f"{_told_name(linked, event)}: {linked.language.said(SECRET)}"
    told = (
        f"{_player(linked, player)} {title_text(linked, event.after, type_, table[player])}"
        for player in sorted(table)
    )
    return f"{_told_name(linked, event)}: {', '.join(told)}"


def _fizzled(linked: Linked, event: Event, viewer: Viewer) -> str:
    line = linked.language.said("{what} comes to nothing", what=_told_name(linked, event))
    reason = event.args[0]
    rows = (row for routine in linked.program.routines for row in routine.rows)
    # The machine's reason may mention what only the actor sees; a text of the rules never does.
    public = viewer is None or viewer == event.actor
    public = public or any(isinstance(row, Ensure) and row.reason == reason for row in rows)
    told = linked.language.of(reason)
    return f"{line}: {told if isinstance(told, str) else reason}" if reason and public else line


def _corrected(linked: Linked, event: Event, viewer: Viewer) -> str:
    """A correction by the host. Its reason is public."""
    kind, _, field = event.name.rpartition(".")
    thing, key, value, reason = event.args
    type_ = _type_corrected(linked, event)
    what = field_words(linked, field)
    if key is not None:
        columns, index = linked.layout.columns, linked.layout.index
        by = columns[index[event.name]].by if thing is not None else "Player"
        what += f" {title_text(linked, event.before, Type(by), key)}"
    of = [(what, "")]
    if thing is not None:
        of += [(" of ", ""), (_named(linked, event, viewer, Type(kind), thing), kind)]
    shown = "something"
    if not _hides_value(linked, event, viewer):
        entry = Type(type_.name, type_.many, type_.optional)
        shown = _named(linked, event, viewer, entry, value)
    return joined(linked, [("the GM sets ", ""), *of, (f" to {shown} ({reason})", "")])


def _type_corrected(linked: Linked, event: Event) -> Type:
    if event.args[0] is not None:
        return linked.layout.columns[linked.layout.index[event.name]].type
    return Type.parse(linked.program.scope[linked.scope_index[event.name]].type)


def _hides_value(linked: Linked, event: Event, viewer: Viewer) -> bool:
    """Was a corrected value computed from anything hidden from `viewer`?"""
    secrecy, type_ = secrecy_of(linked), _type_corrected(linked, event)
    derived = event.args[0] is None and event.name in secrecy.derived.scope
    hides = secrecy.hides(viewer, type_, event.args[2], (), derived)
    return hides and type_.name not in linked.entities


def _agreed(linked: Linked, event: Event, _: Viewer) -> str:
    number, who = event.args
    names = linked.language.said(" and ").join(_player(linked, one) for one in who)
    said = "everybody agrees to go back to before answer {number}, of {who}"
    return linked.language.said(said, number=str(number + 1), who=names)


def _upgraded(linked: Linked, event: Event, _: Viewer) -> str:
    """The game goes on under another version of its rules; what was set aside may be secret."""
    versions, aside = event.args
    said = "from here on the rules are other ones: {versions}"
    line = linked.language.said(said, versions=", ".join(versions))
    if not aside:
        return line
    more = "one thing is set aside" if aside == 1 else "{number} things are set aside"
    return f"{line}; {linked.language.said(more, number=str(aside))}"


def _finished(linked: Linked, event: Event, _: Viewer) -> str:
    language = linked.language
    result = result_text(event.args, linked.layout.players, language)
    result, reason = result or language.said("the game is drawn"), language.of(event.name)
    return f"{result}: {reason}" if event.name else result


WORDS: Mapping[str, Callable[[Linked, Event, Viewer], str | None]] = {
    "operation": _operation,
    "drawn": _drawn,
    "rolled": _rolled,
    "picked": _picked,
    "looked": _looked,
    "put": _put,
    "shown": _shown,
    "said": _remark,
    "told": _told,
    "written": _written,
    "revealed": _revealed,
    "fizzled": _fizzled,
    "corrected": _corrected,
    "agreed": _agreed,
    "upgraded": _upgraded,
    "finished": _finished,
}


def _named(
    linked: Linked,
    event: Event,
    viewer: Viewer,
    type_: Type,
    value: Dynamic,
    later: bool = False,
    of: int | None = None,
) -> str:
    """A value of an event in words; things hidden from `viewer` are only counted. `of` is whom the line is
    about."""

    def name(kind: Type, thing: Value) -> str:
        # Named as before the event, unless it was absent then.
        absent = later or kind.name == "Text" or linked.is_gone(kind, thing, event.before)
        world, how = event.after if absent else event.before, linked.layout.described.get(kind.name)
        if how is None:
            return mentioned(linked, world, kind, thing)
        told = bool(how.at) and world[how.present][thing] in event.args  # its place is told anyway
        return described(linked, world, kind.name, thing, False if told else None, of) or ""

    hides = partial(secrecy_of(linked).hides, viewer, worlds=(event.before, event.after))
    return listed(linked, type_, value, hides, name) or linked.language.said("none")
