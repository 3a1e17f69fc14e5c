"""The choices of manifests: options of switches, and values of settings.

In go the packs in their order and their patched items; out come the options chosen, and the items with
the values chosen. A pack overrules those it requires, directly or not; two that do not must agree. The
sort of a setting is that of the value it is written with, unless its `type` says more, and whatever
replaces that value must be of the same sort. Bounds are checked where settings are declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.content import Change, Item, Pack
from ruleloom.compiler.packs.poison import Poison
from ruleloom.compiler.packs.renames import Renames, notice
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.runtime.program.values import FRACTION, exact

FRACTIONAL = "fraction"
# For each sort: what a value must be, and how it is written.
WANTED = {
    "int": ("a number", "a whole number"),
    FRACTIONAL: ("a number", "a number such as `3`, `1/2` or `0.5`"),
    "bool": ("`true` or `false`", "`true` or `false`"),
    "text": ("a text", "it in quotes"),
}


def sort_of(item: Item) -> str:
    """The sort of a setting; the kind of its value in YAML where that is of none."""
    node, written = item.fields["value"], item.fields.get("type")
    if written is not None:
        return FRACTIONAL if written.text == str(FRACTION) else node.kind
    return FRACTIONAL if node.kind == "text" and amount(node) is not None else node.kind


def amount(node: YamlNode) -> int | Fraction | None:
    """The exact number that stands there, without quotes; None for anything else."""
    if node.kind not in ("int", "text") or node.style is not None:
        return None
    try:
        return exact(node.text if node.text is not None else str(node.value))
    except ValueError:
        return None


def may_be(item: Item, node: YamlNode) -> bool:
    """May this value stand in the place of a setting's own?"""
    sort = sort_of(item)
    if sort == FRACTIONAL:
        return amount(node) is not None
    if sort == "text" and "type" not in item.fields and amount(node) is not None:
        return False  # it would pass for a number
    return node.kind == sort


def in_place_of(item: Item, node: YamlNode) -> YamlNode:
    """The value as the setting would have written it: 3 is a fraction where one stood."""
    return (
        replace(node, kind="text", value=str(node.value)) if sort_of(item) == FRACTIONAL else node
    )


History = Mapping[tuple[str, str], tuple[Change, ...]]
# Who has chosen what: the pack and the node it wrote.
Choice = tuple[Pack, YamlNode]
# Is a choice of this name sound? Complains if not.
Sound = Callable[[str, YamlNode, Place], bool]


def chosen_switches(
    packs: Sequence[Pack],
    items: Iterable[Item],
    poisoned: Poison,
    renames: Renames,
    report: Report,
) -> dict[str, str]:
    """Return the options that packs choose, by the name of the switch in effect text."""
    known = {item.slug: item for item in items if item.kind == "switch"}

    def sound(name: str, node: YamlNode, place: Place) -> bool:
        if not _is_known("switch", name, place, known, poisoned, report):
            return False
        options = list(known[_slug(name)].fields["options"].entries)
        if node.value in options:
            return True
        message = (
            f"`{node.value}` is no option of `{name}`; {choices_text(str(node.value), options)}"
        )
        report.error("unknown-option", node.place, message, did_you_mean(str(node.value), options))
        return False

    chosen = _decided("switch", packs, sound, renames, report)
    return {slug: str(node.value) for slug, (_, node) in chosen.items()}


def with_settings(
    packs: Sequence[Pack],
    items: tuple[Item, ...],
    history: History,
    poisoned: Poison,
    renames: Renames,
    report: Report,
) -> tuple[tuple[Item, ...], History]:
    """Return the items with the settings that packs choose, and the history with those changes.

    A value chosen stands where the setting's own stood, so that whatever is said of it is said of
    the manifest.
    """
    known = {item.slug: item for item in items if item.kind == "setting"}

    def sound(name: str, node: YamlNode, place: Place) -> bool:
        if not _is_known("setting", name, place, known, poisoned, report):
            return False
        item = known[_slug(name)]
        if may_be(item, node):
            return True
        message = f"the value of `{name}` must be {WANTED[sort_of(item)][0]}"
        report.error("type-mismatch", node.place, message, f"such as `{item.fields['value'].raw}`")
        return False

    chosen = _decided("setting", packs, sound, renames, report)
    if not chosen:
        return items, history
    changed, result = dict(history), []
    for item in items:
        if item.kind != "setting" or item.slug not in chosen:
            result.append(item)
            continue
        pack, node = chosen[item.slug]
        before = item.fields["value"]
        old, new = to_data(before), to_data(node)
        step = Change(pack.id, node.place.path, node.place.line, "settings", old, new, pack.id, new)
        changed[item.id, "value"] = (*changed.get((item.id, "value"), ()), step)
        fields = {**item.fields, "value": in_place_of(item, node)}
        origins = {**item.origins, "value": pack.id}
        result.append(replace(item, fields=fields, origins=origins))
    return tuple(result), changed


def _slug(name: str) -> str:
    return name.replace("-", "_")


def _is_known(
    what: str,
    name: str,
    place: Place,
    known: Mapping[str, Item],
    poisoned: Poison,
    report: Report,
) -> bool:
    """Check that a manifest names something known; silent where that is poisoned."""
    slug = _slug(name)
    if poisoned.mentions(name):
        return False
    if slug not in known:
        choices = f"; {choices_text(name, sorted(known))}" if known else ""
        report.error(
            f"unknown-{what}",
            place,
            f"there is no {what} `{name}`{choices}",
            did_you_mean(name, known),
        )
    return slug in known


def _decided(
    what: str, packs: Sequence[Pack], sound: Sound, renames: Renames, report: Report
) -> dict[str, Choice]:
    """Return the choice that stands for each name; complain where packs disagree."""
    chosen: dict[str, Choice] = {}
    for slug, (first, *others) in _setters(what, packs, sound, renames, report).items():
        chosen[slug] = first
        for pack, node in others:
            if _meant(node) != _meant(first[1]):
                values = "options" if what == "switch" else "values"
                message = (
                    f"`{pack.id}` and `{first[0].id}` set the {what} `{slug}` to different {values}"
                )
                note = Note(first[1].place, f"`{first[0].id}` sets it to `{first[1].raw}`")
                help = "a pack that requires both may decide"
                report.error(f"{what}-conflict", node.place, message, help, [note])
    return chosen


def _meant(node: YamlNode) -> object:
    """A value as it counts: `1/4` and `0.25` are the same number."""
    number = amount(node)
    return node.value if number is None else number


def _setters(
    what: str, packs: Sequence[Pack], sound: Sound, renames: Renames, report: Report
) -> dict[str, list[Choice]]:
    """Return who sets what, less those whom a pack that builds on them overrules."""
    built_on = closures({pack.id: pack.needs for pack in packs})
    setters: dict[str, list[Choice]] = {}
    for pack in packs:
        below = built_on[pack.id] - {pack.id}
        field = f"{what}es" if what == "switch" else f"{what}s"
        written = pack.switches if what == "switch" else pack.settings
        for name, node in written.items():
            place = pack.manifest.fields[field].key_place(name)
            renamed = renames.find("", what, name)
            if renamed is not None:
                notice(report, place, name, renamed, renamed.name)
                name = renamed.name
            if sound(name, node, place):
                slug = _slug(name)
                others = [one for one in setters.get(slug, []) if one[0].id not in below]
                setters[slug] = [*others, (pack, node)]
    return setters
