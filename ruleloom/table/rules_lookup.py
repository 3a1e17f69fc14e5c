"""The rule behind a question: the glosses of the powers in progress, as everybody may read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.templates import unnamed, worded
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Jump, Modal, Use, Words
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Frame, State, TemplateScope, frames
from ruleloom.runtime.program.texts import OptionalPart, settled
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.scenes.scene import NOBODY
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.questions import Choice

_HOLE = re.compile(r"\{(\w+)\}")


def asking_rules(linked: Linked, state: State) -> Iterator[tuple[str, str]]:
    """The powers in progress, the asking one first: the id of each, and its gloss in words."""
    glosses = dict(linked.program.glosses)
    for frame in frames(state.frame):
        id = linked.routines[frame.routine].id
        if gloss := glosses.get(id):
            moment = TemplateScope(id, state.world, frame.slots, state.scope, frame.ignored)
            told = worded(linked, _words(linked, moment, frame, gloss), moment, (NOBODY,))
            yield id, f"{told[:1].upper()}{told[1:]}."


def said_in_general(linked: Linked, id: str) -> str:
    """The gloss of a power before its use: kinds of things stand in its holes."""
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
            return "some"
        many = linked.entities[type_.name].plural
        return many if type_.many else unnamed(linked, type_.name, 1)

    told = _HOLE.sub(one, settled(gloss, lambda part: part.otherwise))
    return f"{told[:1].upper()}{told[1:]}."


def _in_force(linked: Linked, name: str) -> str:
    """The value of a setting that a gloss names; of anything else its name in words."""
    return str(linked.settings[name]) if name in linked.settings else name.replace("_", " ")


def says_more(rule: str, question: str) -> bool:
    """Does a rule say more than the question?"""
    own = set(re.findall(r"\w+", question.lower()))
    return not own.issuperset(set(re.findall(r"\w+", rule.lower())) - {"a", "an", "the"})


def _words(linked: Linked, moment: TemplateScope, frame: Frame, gloss: str) -> Words:
    """The gloss of a power with its arguments in the holes."""
    routine = linked.program.routines[frame.routine]
    given = {
        name: (("slot", slot), routine.slot_types[slot]) for slot, name in enumerate(routine.params)
    }

    def chosen(part: OptionalPart) -> str:
        is_told = part.name in given and _is_told(linked, moment, *given[part.name])
        return part.given if is_told else part.otherwise

    pieces = _HOLE.split(settled(gloss, chosen))
    return tuple(
        given.get(one) or _in_force(linked, one) if hole % 2 else one
        for hole, one in enumerate(pieces)
    )


def _is_told(linked: Linked, moment: TemplateScope, slot: tuple[str, int], type_: str) -> bool:
    """Is a parameter publicly known, and neither none nor no?"""
    value, secrecy = moment.slots[slot[1]], secrecy_of(linked)
    if value is None or value is False or value == ():
        return False
    derived = secrecy.derived.of(moment.routine, slot)
    return not secrecy.hides(NOBODY, Type.parse(type_), value, (moment.world,), derived)


MOST_FOUND = 3
NOTHING = "nothing is written about it"
NO_MORE = "nothing more follows from it"


def read_up(
    game: Game, word: str, choices: Sequence[Choice], in_full: bool, look: Look
) -> list[str]:
    """The rules text of a thing by name, by its space, or by the number of an option; else of a
    rule by its name."""
    linked = game.linked
    texts = dict(linked.program.texts)
    cards = texts if in_full else {**texts, **dict(linked.program.cards)}
    if word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= len(choices):
        choice = choices[int(word) - 1]
        if isinstance(game.node.row, Modal):
            return _way_told(game, choice, texts, in_full, look)
        if not find_things(linked, game, choice.keys[0]):
            return wrapped(f"{safe_text(choice.text)}: {NO_MORE}", look.width, "      ", "  ")
        word = choice.keys[0].partition("#")[0]
    found = dict.fromkeys(
        (linked.layout.titles[kind][number], _id_of(linked, kind, number, texts))
        for kind, number in find_things(linked, game, word)
    ) or {(id.partition(":")[2], id): None for id in _ids_called(word, texts)}
    if not found:
        return [f"  there is no card `{word}`, and none on a space of that name"]
    return _told(list(found)[:MOST_FOUND], cards, look)


def _told(found: Iterable[tuple[str, str]], cards: Mapping[str, str], look: Look) -> list[str]:
    """The text of each of these, by its id, below its title."""
    lines = []
    for title, group in groupby(found, lambda one: one[0]):
        lines.append(f"  {safe_text(title)}")
        for row in "\n".join(cards.get(id, "") for _, id in group).splitlines() or [NOTHING]:
            lines += _lines(row, look)
    return lines


def _way_told(
    game: Game, choice: Choice, texts: Mapping[str, str], in_full: bool, look: Look
) -> list[str]:
    """The steps behind a way to go on; in full, with those of the powers that it uses."""
    used = _used_in(game, choice.keys[0])
    steps = way_in(texts.get(game.node.routine.id, ""), choice.text)
    if steps is None:
        steps = " ".join(filter(None, (said_in_general(game.linked, id) for id in used)))
    lines = [f"  {safe_text(choice.text)}", *_lines(steps or NO_MORE, look)]
    for id in used if in_full else ():
        lines += [line for row in texts.get(id, "").splitlines() for line in _lines(row, look)]
    return lines


def way_in(text: str, label: str) -> str | None:
    """The text behind a way in a menu; empty if there is none, None if the menu does not list the way."""
    rows = text.splitlines()
    way = re.compile(rf"( +)[a-z]+\. {re.escape(label)}(?:, (?:if|as long) .*?)?([:.])", re.I)
    at, found = next(((n, one) for n, row in enumerate(rows) if (one := way.match(row))), (0, None))
    if found is None:
        return None
    own = rows[at][found.end() :].strip() if found[2] == ":" else ""
    inner = takewhile(lambda row: row.startswith(f"{found[1]} "), rows[at + 1 :])
    told = " ".join([own, *_plainly(list(inner))]).strip()
    return f"{told[:1].upper()}{told[1:]}"


def _plainly(rows: Sequence[str]) -> list[str]:
    """Steps one after the other. Of steps within them the marks are kept, or nobody could tell where
    a list ends."""
    if not rows:
        return []
    margin = rows[0][: -len(rows[0].lstrip())]
    return [re.sub(rf"^{margin}[a-z]+\. ", "", row).strip() for row in rows]


def _used_in(game: Game, key: str) -> list[str]:
    """The powers that a way to go on uses, by their ids."""
    node, row = game.node, game.node.row
    taken = next(option.value for option in game.prompt.options if option.key == key)
    if not (isinstance(row, Modal) and isinstance(taken, int)):
        return []
    rows = node.routine.rows[row.modes[taken].to :]
    way = takewhile(lambda one: not isinstance(one, Jump), rows)
    return [one.routine for one in way if isinstance(one, Use)]


def _lines(row: str, look: Look) -> list[str]:
    """A row of a text with its indent, in lines that fit."""
    text = safe_text(row.lstrip())
    margin = " " * (4 + len(row) - len(row.lstrip()))
    further = "   " if re.match(r"[0-9a-z]+\. |- ", text) else ""
    return wrapped(text, look.width, margin + further, margin)


def _id_of(linked: Linked, kind: str, number: int, texts: dict[str, str]) -> str:
    """The id of the item that speaks of a thing: that of its power, or of its own name."""
    entity = linked.entities[kind]
    if entity.powers and entity.powers[number]:
        return entity.powers[number]
    for id in _ids_called(entity.names[number], texts):
        if id.partition(":")[2].partition("/")[0].replace("-", "") == kind.lower():
            return id
    return ""


def _ids_called(word: str, texts: dict[str, str]) -> list[str]:
    """The ids of items of this name; one of several alike has a number behind its name."""
    asked = word.lower().replace(" ", "-").replace("_", "-").partition("#")[0]
    names = (asked, re.sub(r"-?[0-9]+$", "", asked))
    for name in names:
        found = [id for id in texts if id.rpartition("/")[2].replace("_", "-").lower() == name]
        if found:
            return sorted(found)
    return []


def find_things(linked: Linked, game: Game, word: str) -> list[tuple[str, int]]:
    """The things that a word means, as (kind, number): by name or title, else by their space."""
    wanted = word.lower().replace(" ", "-")
    named = [
        (kind, number)
        for kind, names in linked.layout.names.items()
        for number, (name, title) in enumerate(zip(names, linked.layout.titles[kind], strict=True))
        if wanted in (name.lower(), title.lower().replace(" ", "-"))
    ]
    try:
        spot = parse_point(word.partition("@")[2] or word)
    except ValueError:
        return named
    # Only zones that everybody sees, or a place would give away what is on it.
    zones = [zone for zone in linked.program.zones if zone.at and zone.seen_by == "all"]
    columns = [(zone.of, game.state.world[linked.layout.index[zone.name]]) for zone in zones]
    return named or [(kind, column[spot]) for kind, column in columns if spot in column]
