"""Printed fields of items: fields without effect, duplicate values, duplicate titles.

A field may need another (`needs: {aim: active}`), or an effect that reads it (`asks: {target: aim}`: an
effect that reads `target`, directly or through its uses, has no result if the item has no `aim`); a
value may belong to one item of its kind (`unique: [number]`). The values that a pack adds to another's
enum must be covered by the tables and printed fields of that enum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean, quoted_list
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import COMMON_KINDS, Item, slug_of
from ruleloom.compiler.patch.edits import show
from ruleloom.compiler.resolve.declare import hole_help, hole_place
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.compiler.yaml.node import YamlNode, items_of, text_of, to_data
from ruleloom.runtime.program.texts import SETTING_HOLE

TEXTS = ("effect", "abilities", "text")
NO = (None, "no", "none")
SHOWN = 3


def ignored_fields(build: Build) -> None:
    """Report every field whose needed field is missing or no."""
    symbols, report = build.symbols, build.report
    for kind, needs in _said_of_kinds(build, "needs"):
        known = [*printed_fields(kind, symbols), *TEXTS]
        named = [(name, needs.key_place(name)) for name in needs.entries]
        named += [(str(one.value), one.place) for one in needs.entries.values()]
        found = [is_printed(*one, known, report) for one in named]  # report all
        if all(found):
            for item in build.content.by_kind(kind):
                _check_item(item, needs, symbols, report)


def allowed_requirements(build: Build) -> None:
    """Report each note of the GM on a requirement that there is not."""
    known = [item.slug for item in build.content.by_kind("requirement")]
    for item in build.content.items:
        for entry in items_of(item.fields.get("allowed")):
            node = entry.get("requirement")
            if node is not None and slug_of(text_of(node)) not in known:
                message = f"there is no requirement `{text_of(node)}`"
                help = did_you_mean(text_of(node), known) or choices_text(text_of(node), known)
                build.report.error("unknown-name", node.place, message, help)


def text_holes(build: Build) -> None:
    """Report each hole in the text of a thing that no setting fills."""
    settings, known = build.symbols.settings, build.symbols.poisoned
    for item in build.content.items:
        text = item.fields.get("text")
        if item.kind in COMMON_KINDS or text is None:
            continue
        for hole in SETTING_HOLE.finditer(text.text or ""):
            build.symbols.used.add(hole[1])
            if hole[1] not in settings and not known.may_declare(hole[1]):
                message = (
                    f"no setting fills the hole `{hole[0]}`, so that it is printed as it stands"
                )
                help = hole_help(hole[1], settings) or "write it without braces"
                build.report.error("unknown-name", hole_place(text, hole), message, help)


def _said_of_kinds(build: Build, word: str) -> Iterator[tuple[str, YamlNode]]:
    """Yield each kind with its node under a word."""
    for kind, node, _ in sections(build.content, "kinds"):
        if word in node.entries:
            yield kind, node.entries[word]


def printed_fields(kind: str, symbols: Symbols) -> list[str]:
    """The names of the printed fields of a kind's items."""
    entity = symbols.kinds.get(kind, "")
    return [name for name, of in symbols.fields.items() if entity in of and of[entity].static]


def is_printed(name: str, place: Place, known: Sequence[str], report: Report) -> bool:
    """Whether a name is a printed field of a kind's items; reports any other."""
    if name not in known:
        choices = choices_text(name, known)
        message = f"nothing called `{name}` is printed on items of this kind; {choices}"
        report.error("unknown-field", place, message, did_you_mean(name, known))
    return name in known


def _idle(item: Item, needs: YamlNode, symbols: Symbols) -> dict[str, list[str]]:
    """The fields without effect, by the needed field that is empty."""
    idle: dict[str, list[str]] = {}
    for name in item.fields:
        wanted = needs.get(name)
        if wanted is not None and says_something(item, name, symbols):
            other = str(wanted.value)
            if not says_something(item, other, symbols):
                idle.setdefault(other, []).append(name)
    return idle


def _check_item(item: Item, needs: YamlNode, symbols: Symbols, report: Report) -> None:
    """Report each missing field once, at the first field that needs it."""
    for other, names in _idle(item, needs, symbols).items():
        said = " and ".join(f"`{name}`" for name in names)
        mean, count = ("mean", "they count") if len(names) > 1 else ("means", "it counts")
        note = Note(needs.entries[names[0]].place, f"`{names[0]}` counts only with `{other}`")
        message = f"{said} {mean} nothing here: {count} only with `{other}`"
        field = symbols.fields.get(other, {}).get(symbols.kinds[item.kind])
        value = "true" if field is not None and field.type.present.name == "Bool" else "..."
        help = f"add `{other}: {value}`, or take {said} out"
        report.error("means-nothing", place_of(item, names[0]), message, help, [note])


def says_something(item: Item, name: str, symbols: Symbols) -> bool:
    """Whether a field is set to a value other than no, none and its default."""
    written = item.fields.get(name)
    if written is None or written.value is False or written.value in NO:
        return False
    field = symbols.fields.get(name, {}).get(symbols.kinds[item.kind])
    default = field.default if field is not None else None
    return default is None or written.kind != default.kind or written.value != default.value


def place_of(item: Item, name: str) -> Place:
    """The place of a field's key, or of its value if that is from a patch."""
    mine = item.node.entries.get(name)
    return item.node.key_place(name) if mine is item.fields[name] else item.fields[name].place


def missing_fields(build: Build) -> None:
    """Report effects that read a field their item lacks, and fields that no effect reads."""
    for kind, asks in _said_of_kinds(build, "asks"):
        if _may_be_asked(kind, asks, build.symbols, build.report):
            for item in build.content.by_kind(kind):
                if item.id in build.checked:
                    _check_asking(item, asks, build.summaries, build.report)


def _may_be_asked(kind: str, asks: YamlNode, symbols: Symbols, report: Report) -> bool:
    printed = printed_fields(kind, symbols)
    named = [(name, asks.key_place(name), [*printed, *symbols.scope]) for name in asks.entries]
    named += [(str(one.value), one.place, printed) for one in asks.entries.values()]
    wrong = [one for one in named if one[0] not in one[2]]
    for name, place, known in wrong:
        message = f"nothing called `{name}` is asked for, or printed on items of this kind"
        report.error("unknown-field", place, message, did_you_mean(name, known))
    return not wrong


def _check_asking(item: Item, asks: YamlNode, table: Summaries, report: Report) -> None:
    found, sure = _spoken(table, item.id)
    symbols = table.symbols
    for name, field in asks.entries.items():
        wanted = str(field.value)
        variable = name in symbols.scope
        asked = (name if variable else f"{symbols.kinds[item.kind]}.{name}") in found
        there = says_something(item, wanted, symbols)
        note = Note(field.place, f"`{name}` counts only with `{wanted}`")
        if asked and not there:
            why = f"it counts only with `{wanted}`"
            message = f"`effect` asks for `{name}`, which is nothing here: {why}"
            place, help = place_of(item, "effect"), f"add `{wanted}: ...`"
            report.error("means-nothing", place, message, help, [note])
        elif not asked and there and not variable and sure and "abilities" not in item.fields:
            message = f"`{wanted}` means nothing here: `effect` does not ask for it"
            help = f"take `{wanted}` out, or let the effect ask for it"
            report.error("means-nothing", place_of(item, wanted), message, help, [note])


def _spoken(table: Summaries, id: str) -> tuple[frozenset[str], bool]:
    """The variables and printed fields that an item's effect reads, directly or through its uses; and
    whether these are all: some uses are known only in play.
    """
    within = table.within(id)
    sure = all(one in table.routines and not table.outline(one).dynamic for one in within)
    names = (table.names(one) for one in within if one in table.routines)
    read = frozenset[tuple[str, str]]().union(*names)
    return frozenset(name for form, name in read if form in ("scope", "static")), sure


def printed_twice(build: Build) -> None:
    """Report every item with a value that must be unique in its kind, at the later one."""
    for kind, unique in _said_of_kinds(build, "unique"):
        known = printed_fields(kind, build.symbols)
        for name in unique.items:
            if is_printed(str(name.value), name.place, known, build.report):
                _check_items(build.content.by_kind(kind), name, build.report)


def _check_items(items: Sequence[Item], name: YamlNode, report: Report) -> None:
    field = str(name.value)
    first: dict[str, Item] = {}
    for item in items:
        value = item.fields.get(field)
        if value is None or value.value in (None, "none"):
            continue
        data = to_data(value)
        other = first.setdefault(repr(data), item)
        if other is not item:
            notes = [Note(other.fields[field].place, "the first"), Note(name.place, "said here")]
            both = f"`{field}` is {show(data)} here and of `{other.name}`"
            message = f"{both}, and each `{item.kind}` has its own"
            # The players who combine two packs may be the author of neither.
            tell = report.error if other.pack == item.pack else report.warning
            tell("printed-twice", value.place, message, None, notes)


def silent_tables(build: Build) -> None:
    """Report new values that tables or fields do not cover."""
    new = build.symbols.new_values
    if build.symbols.poisoned.may_hold("patch"):
        # A patch with an error may cover them.
        return
    for (enum, value), silences in new.silent.items():
        names = list(dict.fromkeys(one.name for one in silences))
        several = "say" if len(names) > 1 else "says"
        message = f"`{value}` is a new {enum}, and {quoted_list(names)} {several} nothing about it"
        notes = [Note(one.place, f"`{one.name}` stands here") for one in silences[:SHOWN]]
        help = f"add a patch with {silences[0].patch}"
        build.report.error("unsaid-value", new.places[enum][value], message, help, notes)


def same_title(build: Build) -> None:
    """Warn about each item with the title of an earlier one of its kind."""
    below = build.content.built_upon
    first: dict[tuple[str, str], Item] = {}
    for item in build.content.items:
        title = item.fields.get("title")
        if item.kind not in build.symbols.kinds or title is None or not title.text:
            continue
        other = first.setdefault((item.kind, " ".join(title.text.casefold().split())), item)
        if other is not item and item.pack not in below:
            message = f"`{other.name}` has the title `{title.text}`, too"
            notes = [Note(other.fields["title"].place, "the first one")]
            build.report.warning("same-title", title.place, message, "another title", notes)
