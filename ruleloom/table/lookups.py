"""Lookups at the table: the rule behind a prompt, the text of a card or rule, a value's derivation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, takewhile
from typing import Any

from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.output import derivation_text as derivation
from ruleloom.output.derivation_text import DerivationLine
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import (
    SECRET,
    field_words,
    number_text,
    title_text,
    unnamed,
    worded,
)
from ruleloom.runtime.play import corrections
from ruleloom.runtime.play.corrections import CorrectionTarget
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, Moment, beginning, moments
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.language import FORMED_HOLE, in_form
from ruleloom.runtime.program.program import Function, Jump, Modal, Origin, Use, Words
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Frame, State, TemplateScope, frames
from ruleloom.runtime.program.texts import CallText, OptionalPart, read_call, settled
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.runtime.search.options import question
from ruleloom.scenes.scene import NOBODY, start_of
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.questions import Choice


def asking_rules(linked: Linked, state: State) -> Iterator[tuple[str, str]]:
    """The powers in progress, innermost first, as (id, gloss in words)."""
    glosses = dict(linked.program.glosses)
    for frame in frames(state.frame):
        id = linked.routines[frame.routine].id
        if gloss := glosses.get(id):
            moment = TemplateScope(id, state.world, frame.slots, state.scope, frame.ignored)
            told = worded(linked, _words(linked, moment, frame, gloss), moment, (NOBODY,))
            yield id, f"{told[:1].upper()}{told[1:]}."


def said_in_general(linked: Linked, id: str) -> str:
    """The gloss of a power before its use, with kinds as placeholders."""
    gloss = dict(linked.program.glosses).get(id, "")
    routine = linked.program.routines[linked.routine_index[id]] if gloss else None
    if routine is None:
        return ""
    given = {name: routine.slot_types[slot] for slot, name in enumerate(routine.params)}

    def one(found: re.Match[str]) -> str:
        name = found[1]
        if name not in given:
            return _in_force(linked, name)
        type_ = Type.parse(given[name])
        if type_.name not in linked.entities:
            return linked.language.said("some")
        many = linked.entities[type_.name].plural
        return many if type_.many else in_form(unnamed(linked, type_.name, 1), found[2])

    told = FORMED_HOLE.sub(one, settled(gloss, lambda part: part.otherwise))
    return f"{told[:1].upper()}{told[1:]}."


def _in_force(linked: Linked, name: str) -> str:
    """The value of a setting in a gloss; for anything else, its name in words."""
    return str(linked.settings[name]) if name in linked.settings else name.replace("_", " ")


def says_more(rule: str, question: str) -> bool:
    """Does a rule say more than the prompt?"""
    own = set(re.findall(r"\w+", question.lower()))
    return not own.issuperset(set(re.findall(r"\w+", rule.lower())) - {"a", "an", "the"})


def _words(linked: Linked, moment: TemplateScope, frame: Frame, gloss: str) -> Words:
    """The gloss of a power, with its arguments filled in."""
    routine = linked.program.routines[frame.routine]
    given = {
        name: (("slot", slot), routine.slot_types[slot]) for slot, name in enumerate(routine.params)
    }

    def chosen(part: OptionalPart) -> str:
        is_told = part.name in given and _is_told(linked, moment, *given[part.name])
        return part.given if is_told else part.otherwise

    pieces = FORMED_HOLE.split(settled(gloss, chosen))
    words: list[Any] = pieces[:1]
    for name, form, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        value = given.get(name)
        words += [
            _in_force(linked, name) if value is None else (*value, *filter(None, [form])),
            text,
        ]
    return tuple(words)


def _is_told(linked: Linked, moment: TemplateScope, slot: tuple[str, int], type_: str) -> bool:
    """Is a parameter public, and neither none nor false?"""
    value, secrecy = moment.slots[slot[1]], secrecy_of(linked)
    if value is None or value is False or value == ():
        return False
    derived = secrecy.derived.of(moment.routine, slot)
    return not secrecy.hides(NOBODY, Type.parse(type_), value, (moment.world,), derived)


# ---------------------------------------------------------------------------------- cards and rules

MOST_FOUND = 3
NOTHING = "nothing is written about it"
NO_MORE = "nothing more follows from it"


def _is_number_of_one(word: str, choices: Sequence[Choice]) -> bool:
    return word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= len(choices)


def read_up(
    game: Game, word: str, choices: Sequence[Choice], in_full: bool, look: Look
) -> list[str]:
    """The rules text of a thing by name, by its space, or by an option's number or text; else of a rule by
    name."""
    linked = game.linked
    program = linked.language.with_rules(linked.program)
    texts = dict(program.texts)
    cards = texts if in_full else {**texts, **program.card_texts()}
    if _is_number_of_one(word, choices):
        choice = choices[int(word) - 1]
        if isinstance(game.node.row, Modal):
            return _way_told(game, choice, texts, in_full, look)
        if not find_things(linked, game, choice.keys[0]):
            told = f"{safe_text(choice.text)}: {look.said(NO_MORE)}"
            return wrapped(told, look.width, "      ", "  ")
        word = choice.keys[0].partition("#")[0]
    elif shown := next((one.keys[0] for one in choices if one.text == word), ""):
        word = shown.partition("#")[0] if find_things(linked, game, shown) else word
    found = dict.fromkeys(
        (linked.layout.titles[kind][number], _id_of(linked, kind, number, texts))
        for kind, number in find_things(linked, game, word)
    ) or {(id.partition(":")[2], id): None for id in _ids_called(word, texts)}
    if not found:
        said = "there is no card `{word}`, and none on a space of that name"
        return [f"  {look.said(said, word=word)}"]
    return _told(list(found)[:MOST_FOUND], cards, look)


def _told(found: Iterable[tuple[str, str]], cards: Mapping[str, str], look: Look) -> list[str]:
    """The text of each of these, by id, below its title."""
    lines = []
    for title, group in groupby(found, lambda one: one[0]):
        lines.append(f"  {safe_text(title)}")
        for row in "\n".join(cards.get(id, "") for _, id in group).splitlines() or [
            look.said(NOTHING)
        ]:
            lines += _fitted(row, look)
    return lines


def _way_told(
    game: Game, choice: Choice, texts: Mapping[str, str], in_full: bool, look: Look
) -> list[str]:
    """The steps of a way in a menu; in full, with those of the powers that it uses."""
    node, used = game.node, list[str]()
    taken = next(one.value for one in game.prompt.options if one.key == choice.keys[0])
    if isinstance(node.row, Modal) and isinstance(taken, int):
        rows = node.routine.rows[node.row.modes[taken].to :]
        way = takewhile(lambda one: not isinstance(one, Jump), rows)
        used = [one.routine for one in way if isinstance(one, Use)]
    steps = way_in(texts.get(game.node.routine.id, ""), choice.text)
    if steps is None:
        steps = " ".join(filter(None, (said_in_general(game.linked, id) for id in used)))
    lines = [f"  {safe_text(choice.text)}", *_fitted(steps or look.said(NO_MORE), look)]
    for id in used if in_full else ():
        lines += [line for row in texts.get(id, "").splitlines() for line in _fitted(row, look)]
    return lines


def way_in(text: str, label: str) -> str | None:
    """The text of a way in a menu; empty if it has none, None if the menu does not list it."""
    rows = text.splitlines()
    way = re.compile(rf"( +)[a-z]+\. {re.escape(label)}(?:, (?:if|as long) .*?)?([:.])", re.I)
    at, found = next(((n, one) for n, row in enumerate(rows) if (one := way.match(row))), (0, None))
    if found is None:
        return None
    own = rows[at][found.end() :].strip() if found[2] == ":" else ""
    inner = list(takewhile(lambda row: row.startswith(f"{found[1]} "), rows[at + 1 :]))
    # Nested steps keep their marks, so that the end of a list is visible.
    margin = inner[0][: -len(inner[0].lstrip())] if inner else ""
    steps = [re.sub(rf"^{margin}[a-z]+\. ", "", row).strip() for row in inner]
    told = " ".join([own, *steps]).strip()
    return f"{told[:1].upper()}{told[1:]}"


def _fitted(row: str, look: Look) -> list[str]:
    """A row of text with its indent, in lines that fit."""
    text = safe_text(row.lstrip())
    margin = " " * (4 + len(row) - len(row.lstrip()))
    further = "   " if re.match(r"[0-9a-z]+\. |- ", text) else ""
    return wrapped(text, look.width, margin + further, margin)


def _id_of(linked: Linked, kind: str, number: int, texts: dict[str, str]) -> str:
    """The id of the item that describes a thing: its power, or the item of its name."""
    entity = linked.entities[kind]
    if entity.powers and entity.powers[number]:
        return entity.powers[number]
    for id in _ids_called(entity.names[number], texts):
        if id.partition(":")[2].partition("/")[0].replace("-", "") == kind.lower():
            return id
    return ""


def _ids_called(word: str, texts: dict[str, str]) -> list[str]:
    """The ids of the items with this name; a number at its end is ignored."""
    asked = word.lower().replace(" ", "-").replace("_", "-").partition("#")[0]
    names = (asked, re.sub(r"-?[0-9]+$", "", asked))
    for name in names:
        found = [id for id in texts if id.rpartition("/")[2].replace("_", "-").lower() == name]
        if found:
            return sorted(found)
    return []


def _as_named(words: str) -> str:
    return words.lower().replace(" ", "-")


def find_things(linked: Linked, game: Game, word: str) -> list[tuple[str, int]]:
    """The things for a word, as (kind, number): by name or title, else by their space."""
    wanted = _as_named(word)
    named = [
        (kind, number)
        for kind, names in linked.layout.names.items()
        for number, (name, title) in enumerate(zip(names, linked.layout.titles[kind], strict=True))
        if wanted in map(_as_named, (name, title, linked.language.bare(title)))
    ]
    try:
        spot = None if named else parse_point(word.partition("@")[2] or word)
    except ValueError:
        spot = None
    if spot is None:
        return named
    # Only public zones, or a space would reveal what lies on it.
    zones = [zone for zone in linked.program.zones if zone.at and zone.seen_by == "all"]
    columns = [(zone.of, game.state.world[linked.layout.index[zone.name]]) for zone in zones]
    return [(kind, column[spot]) for kind, column in columns if spot in column]


# ---------------------------------------------------------------------------------- values

CORRECTION = re.compile(
    r"(?P<what>.+?)\s*(?:=|\bto\b)\s*(?P<value>.*?)\s+because\s+(?P<reason>.+)", re.DOTALL
)
CORRECT_LIKE_THIS = "write it as: correct FIELD(NAME) = VALUE because REASON"
NO_NAME = "`{text}` is no name; write a field and what it is of: FIELD(NAME)"
TOO_MANY_WORDS = "`{name}` takes a name, and perhaps the entry of a table, not {count} words"


def named(text: str) -> CallText:
    """The name and arguments that were typed."""
    call = read_call(text)
    if call is None:
        raise Refused(NO_NAME, text=text.strip())
    return call


def place_named(game: Game, asked: CallText) -> CorrectionTarget:
    """The changeable value that is named; Refused if none."""
    name, words = asked
    if len(words) > 2:
        raise Refused(TOO_MANY_WORDS, name=name, count=str(len(words)))
    variable = corrections.same_name(name, game.linked.scope_index) is not None
    # A variable takes one argument: the key of its table, not a thing.
    thing, key = (*((None,) if variable and len(words) < 2 else ()), *words, None, None)[:2]
    return corrections.place_of(game.linked, game.state, name, thing, key)


def corrected(game: Game, text: str) -> Game:
    """The game after the correction typed after `correct`; Refused if invalid."""
    match = CORRECTION.fullmatch(text.strip())
    if match is None:
        raise Refused(CORRECT_LIKE_THIS)
    return corrected_value(game, match["what"], match["value"], match["reason"])


def corrected_value(game: Game, what: str, typed: str, reason: str) -> Game:
    """The game after `what` was set to the typed value, for a reason; Refused if invalid."""
    asked = named(what)
    place = place_named(game, asked)
    value = corrections.spoken(place.type, typed)
    thing, key = (*((None,) if place.thing is None else ()), *asked.words, None, None)[:2]
    return game.correct(place.name, thing, value, reason=reason.strip(), key=key)


def call_named(game: Game, asked: CallText) -> tuple[Function, tuple[Any, ...]] | None:
    """The function that is named, with its arguments; None if there is none."""
    linked = game.linked
    by_name = {slug_of(one.id): one for one in linked.program.functions}
    name = corrections.same_name(asked.name, by_name)
    if name is None:
        return None
    function = by_name[name]
    if len(asked.words) != len(function.params):
        shape = f"{name}({', '.join(function.params)})" if function.params else name
        raise Refused("`{name}` is asked as {shape}", name=name, shape=shape)
    types = [Type.parse(type_ or "Int") for type_ in function.param_types]
    args = (
        corrections.value_as(linked, game.state.world, type_, corrections.spoken(type_, typed))
        for type_, typed in zip(types, asked.words, strict=True)
    )
    return function, tuple(args)


def unknown(game: Game, name: str) -> Refused:
    """The refusal of an unknown name."""
    linked = game.linked
    fields: list[str] = []
    for entity in linked.program.entities:
        static = dict(entity.static)
        fields += (one.name for one in entity.fields if one.name not in static)
    known = [*fields, *linked.scope_index, *(slug_of(one.id) for one in linked.program.functions)]
    help = did_you_mean(name, known) or choices_text(name, sorted({*fields, *linked.scope_index}))
    return Refused(f"there is no field, variable or number `{name}`; {help}")


DEPTH = 3
MARGIN = "  "
# The event in words, the old and new values, its origin, and whether it was a correction.
Change = tuple[str, Any, Any, Origin | None, bool]
HIDDEN = "that depends on something that not everybody sees"


def why(game: Game, text: str, viewer: int, look: Look) -> list[str]:
    """The derivation of the typed value, in escaped lines; Refused if the name is unknown.

    If a field and a number of the rules share the name, both are explained.
    """
    asked = named(text)
    call, refused = None, None
    try:
        call = call_named(game, asked)
    except Refused as error:
        refused = error
    place = _place(game, asked, call is not None or refused is not None)
    if place is None and call is None:
        raise refused or unknown(game, asked.name)
    lines: list[str] = []
    if place is not None:
        lines += change_lines(game, place, viewer, look)
    if call is not None:
        lines += [*([""] if lines else []), *derivation_lines(game, *call, look)]
    return [f"{MARGIN}{line}".rstrip() for line in lines]


def _place(game: Game, asked: CallText, known: bool) -> CorrectionTarget | None:
    """The changeable value of this name; None if there is none, or `known` as another."""
    try:
        return place_named(game, asked)
    except Refused:
        names = {f.name.lower() for e in game.linked.program.entities for f in e.fields}
        names.update(one.lower() for one in game.linked.scope_index)
        if known or asked.name.rpartition(".")[2].replace("-", "_").lower() not in names:
            return None
        raise


def change_lines(game: Game, place: CorrectionTarget, viewer: int, look: Look) -> list[str]:
    """A changeable value with every change since the game began."""
    secrecy, value = secrecy_of(game.linked), place.value(game.state)
    derived = place.name in secrecy.derived.scope
    worlds = (game.state.world,)
    if place.thing is None and secrecy.hides(viewer, place.type, value, worlds, derived):
        raise Refused(HIDDEN)
    now = value_text(game, place, value)
    head = derivation.equation(safe_text(called(game, place)), now, look.colour)
    lines = list(_lines(game, place, viewer))
    return [head, *derivation.aligned_lines(lines, look.colour, look.width - len(MARGIN))]


def called(game: Game, place: CorrectionTarget) -> str:
    """A place's name: `pi of Anna`, `ends bleeding of Anna`, `day`."""
    kind, _, name = place.name.rpartition(".")
    linked, world = game.linked, game.state.world
    words = field_words(linked, name)
    if place.by:
        words += f" {title_text(linked, world, Type(place.by), place.key)}"
    return f"{words} of {title_text(linked, world, Type(kind), place.thing)}" if kind else words


def _lines(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[DerivationLine]:
    """The first value, then each change with its amount, new value and origin."""
    secrecy, worlds = secrecy_of(game.linked), [game.state.world]

    def told(value: Any) -> str:
        """A value as the viewer may see it: an old value may still be hidden."""
        hidden = place.thing is None and secrecy.hides(viewer, place.type, value, worlds)
        return SECRET if hidden else value_text(game, place, value)

    yield DerivationLine("to begin with", told(first_value(game, place)))
    changes = (_of_variable if place.thing is None else _of_field)(game, place, viewer)
    for words, before, now, origin, by_hand in changes:
        after = told(now)
        at = [] if origin is None else [origin]
        notes, amount = [derivation.place_text(at, game.linked.program.game)], f"set to {after}"
        # Things are numbers too, and their difference would identify them.
        counts = place.type.name in ("Int", "Fraction")
        if counts and not by_hand and _is_number(before) and _is_number(now):
            amount = f"{'+' if now > before else ''}{number_text(now - before)}"
            notes.insert(0, f"-> {after}")
        yield DerivationLine(safe_text(words), amount, "  ".join(filter(None, notes)))


def value_text(game: Game, place: CorrectionTarget, value: Any) -> str:
    """A value of a place in words, escaped."""
    return safe_text(title_text(game.linked, game.state.world, place.type, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def derivation_lines(
    game: Game, function: Function, args: tuple[Any, ...], look: Look
) -> list[str]:
    """The derivation of a stat, measure, rule or table now, as in `ruleloom why`."""
    linked, state = game.linked, game.state
    if function.id in secrecy_of(linked).derived.functions:
        raise Refused(HIDDEN)
    rules = state.frame.ignored if state.frame is not None else frozenset()
    places = dict(linked.program.patched)
    reckoning = Reckoning(linked, state.world, state.scope, rules, places)
    try:
        found = reckoning.function(function.id, args, DEPTH)
    except (RuntimeFault, TypeError, LookupError) as fault:
        raise Refused(f"that cannot be computed now: {fault}") from None
    shown, width = derivation.normalised(found), look.width - len(MARGIN)
    return derivation.derivation_text(shown, linked.program.game, False, look.colour, width)


def first_value(game: Game, place: CorrectionTarget) -> Any:
    """The value at a place before the game, or at its seam."""
    if game.seam is not None:
        return place.value(game.seam.state)
    world = start_of(game.linked) if game.started is None else game.started
    return place.held(world, game.linked.initial_scope)


def _of_field(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[Change]:
    """The changes of a field, from every event of the replayed game."""
    start = beginning(game)
    for events in (start.events, *(moment.after.events for moment in moments(game))):
        for event in events:
            before, after = place.held(event.before, ()), place.held(event.after, ())
            if before != after:
                words = tell(game.linked, event, viewer) or event.name.replace("_", " ")
                if event.kind == "operation" and event.origin is None:
                    words += " (by a rule that always holds)"
                yield words, before, after, event.origin, event.kind == "corrected"


def _of_variable(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[Change]:
    """The changes of a variable from answer to answer, since they are not events."""
    before, after = first_value(game, place), place.value(beginning(game).state)
    if before != after:
        yield "set-up", before, after, None, False
    for moment in moments(game):
        before, after = after, place.value(moment.after.state)
        if before != after:
            yield _cause(moment, viewer), before, after, None, moment.entry.correction is not None


def _cause(moment: Moment, viewer: int) -> str:
    """A correction in words, or who answered which prompt; the answer itself may be secret."""
    entry = moment.entry
    if entry.back is not None:
        return f"everybody agreed to go back to before answer {entry.back + 1}"
    if entry.correction is not None:
        event = next(one for one in moment.after.events if one.kind == "corrected")
        return tell(moment.before.linked, event, viewer) or ""
    who = "chance" if entry.player is None else moment.before.players[entry.player]
    return f"{who} has answered: {question(moment.before.node, entry.player, viewer)}"
