"""Fields without effect, because a field that they need is missing (`needs: {aim: active}`)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode

TEXTS = ("effect", "abilities", "text")
NO = (None, "no", "none")


def check(build: Build) -> None:
    """Report every field that needs another one which is not there, or says no."""
    symbols, report = build.symbols, build.report
    for vocabulary in build.content.by_kind("vocabulary"):
        for kind, node, _ in section(vocabulary, "kinds"):
            needs = node.get("needs")
            if needs is not None and _are_known(kind, needs, symbols, report):
                for item in build.content.by_kind(kind):
                    _check_item(item, needs, symbols, report)


def printed_fields(kind: str, symbols: Symbols) -> list[str]:
    """The names of the fields that are printed on items of a kind."""
    entity = symbols.kinds.get(kind, "")
    return [name for name, of in symbols.fields.items() if entity in of and of[entity].static]


def is_printed(name: str, place: Place, known: Sequence[str], report: Report) -> bool:
    """Report a name that is not one of those printed on items of a kind."""
    if name not in known:
        choices = choices_text(name, known)
        message = f"nothing called `{name}` is printed on items of this kind; {choices}"
        report.error("unknown-field", place, message, did_you_mean(name, known))
    return name in known


def _are_known(kind: str, needs: YamlNode, symbols: Symbols, report: Report) -> bool:
    known = [*printed_fields(kind, symbols), *TEXTS]
    named = [(name, needs.key_place(name)) for name in needs.entries]
    named += [(str(one.value), one.place) for one in needs.entries.values()]
    found = [is_printed(*one, known, report) for one in named]  # each is reported
    return all(found)


def _check_item(item: Item, needs: YamlNode, symbols: Symbols, report: Report) -> None:
    """Tell once of each field that is missing, at the first of those that need it."""
    idle: dict[str, list[str]] = {}
    for name in item.fields:
        wanted = needs.get(name)
        other = str(wanted.value) if wanted is not None else ""
        counts = wanted is None or says_something(item, other, symbols)
        if not counts and says_something(item, name, symbols):
            idle.setdefault(other, []).append(name)
    for other, names in idle.items():
        said = " and ".join(f"`{name}`" for name in names)
        mean, count = ("mean", "they count") if len(names) > 1 else ("means", "it counts")
        note = Note(needs.entries[names[0]].place, f"`{names[0]}` counts only with `{other}`")
        message = f"{said} {mean} nothing here: {count} only with `{other}`"
        help = _help(item, other, said, symbols)
        report.error("means-nothing", place_of(item, names[0]), message, help, [note])


def says_something(item: Item, name: str, symbols: Symbols) -> bool:
    """Is this field there, with more than no, none, or what it would be anyway?"""
    written = item.fields.get(name)
    if written is None or written.value is False or written.value in NO:
        return False
    field = symbols.fields.get(name, {}).get(symbols.kinds[item.kind])
    default = field.default if field is not None else None
    return default is None or written.kind != default.kind or written.value != default.value


def place_of(item: Item, name: str) -> Place:
    """Where a field is named, or where a patch gave it its value."""
    mine = item.node.entries.get(name)
    return item.node.key_place(name) if mine is item.fields[name] else item.fields[name].place


def _help(item: Item, other: str, said: str, symbols: Symbols) -> str:
    field = symbols.fields.get(other, {}).get(symbols.kinds[item.kind])
    value = "true" if field is not None and field.type.present.name == "Bool" else "..."
    return f"add `{other}: {value}`, or take {said} out"
