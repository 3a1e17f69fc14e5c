"""Menus: the options of a named `choose one`, with those of items of the kind `way`.

The author's own ways come first, as written; a way that is `instead_of` one of these replaces or
removes it. The others follow in the order of their packs, and of their ids within each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.check.asking import MOST_WAYS
from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import did_you_mean, offer, quoted_list
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import claim
from ruleloom.compiler.resolve.embedded import Meaning, Passage, read_text
from ruleloom.compiler.resolve.items import params_of
from ruleloom.compiler.resolve.symbols import Menu, Offer, ParamSymbol, Way
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.syntax.tree import nodes_of

Found = Mapping[str, tuple[Passage, ast.ChooseOneStmt, ast.MenuName]]


def enter_menus(build: Build) -> None:
    """Add every named menu, with the ways that other items add or change."""
    found = dict(_named(build))
    joining: dict[str, list[Way]] = {name: [] for name in found}
    rank = {pack.id: number for number, pack in enumerate(build.content.packs)}
    # An action without a menu is reported where it is read.
    actions = [item for item in build.content.by_kind("action") if "to" in item.fields]
    ways = [*build.content.by_kind("way"), *actions]
    for item in sorted(ways, key=lambda one: (rank[one.pack], one.name)):
        way = _read(build, item)
        if way is not None:
            build.symbols.ways[item.id] = way
            if _is_known(build, way, found):
                joining[str(item.data("to"))].append(way)
    for name, (text, node, called) in found.items():
        offers = _joined(build, text, node, joining[name])
        build.symbols.menus[name] = Menu(text, node, called, offers)


def _named(build: Build) -> Iterator[tuple[str, tuple[Passage, ast.ChooseOneStmt, ast.MenuName]]]:
    """Yield each named menu, after an error for a duplicate name."""
    seen: set[int] = set()
    for text, statements in build.bodies.texts():
        for node in nodes_of(statements, ast.ChooseOneStmt):
            # The ability of a keyword occurs wherever the keyword is used.
            if node.menu and id(node) not in seen:
                seen.add(id(node))
                place = text.place(node.menu.name.span)
                uses, meaning = build.symbols.uses, Meaning("menu", node.menu.name.id)
                uses.note(text, node.menu.name.span, meaning, declares=True)
                for name in node.menu.told:
                    uses.note_local(text, name)
                if claim(build.symbols, build.report, "menu", node.menu.name.id, place):
                    yield node.menu.name.id, (text, node, node.menu)


def _read(build: Build, item: Item) -> Way | None:
    """Read a way without its menu; None after an error."""
    fields, report = item.fields, build.report
    takes = params_of(build.content, item, build.symbols, report)
    when = read_text(build.content, fields.get("when"), parse_expr, report)
    block = build.bodies.blocks.get(item.id)
    broken = ("when" in fields and when is None) or ("effect" in fields and block is None)
    if takes is None or broken or not _is_whole(build, item, takes):
        return None
    label = str(item.data("label") or "")
    return Way(item, label, takes, when, block[1] if block is not None else None)


def _is_whole(build: Build, item: Item, takes: Sequence[ParamSymbol]) -> bool:
    """Whether a way has no defaults and all required fields; False after an error."""
    if any(param.default is not None for param in takes):
        message = "the menu passes this value, so it needs no default"
        build.report.error("wrong-form", item.fields["takes"].place, message, "leave out `= ...`")
        return False
    if "instead_of" in item.fields:
        return True
    missing = [f"`{name}:`" for name in ("label", "effect") if name not in item.fields]
    if missing:
        message = f"a new way needs {' and '.join(missing)}"
        help = "`instead_of:` and a label of the menu takes that way away"
        build.report.error("missing-field", item.place, message, help)
    return not missing


def _is_known(build: Build, way: Way, found: Found) -> bool:
    """Whether the menu of a way exists and passes all its parameters."""
    to = str(way.item.data("to"))
    if to not in found:
        blocks, poisoned = build.bodies.blocks.values(), build.symbols.poisoned
        if None not in blocks and not poisoned:
            help = did_you_mean(to, found) or "`choose one named ...:` gives a menu its name"
            message = f"no menu of the game is called `{to}`"
            build.report.error("unknown-name", way.place("to"), message, help)
        return False
    told = [name.id for name in found[to][2].told]
    for param in way.takes:
        if param.name not in told:
            what = f"passes {quoted_list(told)}" if told else "passes nothing"
            message = f"`{to}` {what}, and no `{param.name}`"
            slip = did_you_mean(param.name, told)
            build.report.error("unknown-name", way.place("takes"), message, slip)
    return all(param.name in told for param in way.takes)


def _joined(
    build: Build, text: Passage, node: ast.ChooseOneStmt, ways: Sequence[Way]
) -> tuple[Offer, ...]:
    """The offers of one menu, after errors for those that do not fit."""
    instead = _instead(build, [mode.label.value for mode in node.modes], ways)
    offers = [_changed(mode, instead.get(mode.label.value)) for mode in node.modes]
    offers += [Offer(None, way) for way in ways if "instead_of" not in way.item.fields]
    kept = list(filter(None, offers))
    _refuse_twins(build, text, kept)
    if not kept:
        place = max(instead.values(), key=lambda way: way.item.id).place("instead_of")
        message = "this removes the last option of the menu"
        build.report.error("unreachable", place, message, "leave one, or add one")
    elif len(kept) > MOST_WAYS and (last := kept[MOST_WAYS].way) is not None:
        message = f"with this the menu has {len(kept)} options, and {MOST_WAYS} is the limit"
        build.report.error("too-much-work", last.item.place, message)
    return tuple(kept) or tuple(map(Offer, node.modes))


def _instead(build: Build, own: Collection[str], ways: Sequence[Way]) -> dict[str, Way]:
    """The ways that replace the menu's own, by the labels of those, after errors for a label that the
    menu lacks or that another way replaces.
    """
    instead: dict[str, Way] = {}
    for way in ways:
        label, to = str(way.item.data("instead_of") or ""), way.item.data("to")
        if label and label not in own:
            message = f"`{to}` has no way `{label}` of its own"
            help = offer(label, own)
            build.report.error("unknown-name", way.place("instead_of"), message, help)
        elif (other := instead.get(label)) is not None:
            message = f"two ways replace `{label}` in `{to}`"
            help = f"a patch of `{other.item.id}` that says `disable: true`"
            notes = [Note(other.place("instead_of"), "the other one")]
            build.report.error("patch-conflict", way.place("instead_of"), message, help, notes)
        elif label:
            instead[label] = way
    return instead


def _changed(mode: ast.ModeClause, way: Way | None) -> Offer | None:
    """Return the offer for a way of the author: kept, replaced or reworded; None if removed."""
    if way is None:
        return Offer(mode)
    if way.body is not None:
        return Offer(None, replace(way, label=way.label or mode.label.value))
    return Offer(mode, way) if way.label or way.when is not None else None


def _refuse_twins(build: Build, text: Passage, offers: Sequence[Offer]) -> None:
    """Report a way of an item with the label of another one of its menu."""
    first: dict[str, Offer] = {}
    for one in sorted(offers, key=lambda each: each.way is not None):
        twin = first.setdefault(one.label, one)
        if twin is not one and one.way is not None:
            mode, way = twin.mode, twin.way
            place = way.place("label") if way is not None else text.place((0, 0))
            if way is None and mode is not None:
                place = text.place(mode.label.span)
            message = f"two of these are called `{one.label}`"
            note, item = (Note(place, "the first one"),), one.way.item
            is_met = build.symbols.belonging.are_strangers(place, item.place)
            help = f"a patch of `{item.id}` that says `set: {{label: ...}}`" if is_met else None
            build.report.error("same-label", one.way.place("label"), message, help, note)
