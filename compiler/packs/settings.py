"""The choices of manifests: options of switches, and values of settings.

A pack overrules those it requires, directly or not; packs that do not build on one another must
agree. The sort of a setting is that of its own value, unless its `type` says more, and a value that
replaces it must be of the same sort. Bounds are checked where settings are declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.content import Change, Item, Pack
from ruleloom.compiler.packs.poison import Poison, slug_of
from ruleloom.compiler.packs.renames import Renames, notice, renamed
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, fields_of, to_data
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import FRACTION, exact

FRACTIONAL = "fraction"
FIELDS = {"switch": "switches", "setting": "settings"}  # of a manifest
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
    is_fraction = sort_of(item) == FRACTIONAL
    return replace(node, kind="text", value=str(node.value)) if is_fraction else node


History = Mapping[tuple[str, str], tuple[Change, ...]]
# Who has chosen what: the pack and the node it wrote.
Choice = tuple[Pack, YamlNode]


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of manifests for the items of one kind, switches or settings."""

    kind: str
    packs: Sequence[Pack]
    items: Sequence[Item]
    poisoned: Poison
    renames: Renames
    report: Report

    def options(self) -> dict[str, str]:
        """Return the options that packs choose, by the name of the switch in effect text."""
        return {slug: str(node.value) for slug, (_, node) in self._decided().items()}

    def applied(self, history: History) -> tuple[tuple[Item, ...], History]:
        """Return the items with the settings that packs choose, the history with those changes.

        A value chosen replaces the setting's own with its place, so that findings lead to the manifest.
        """
        chosen = self._decided()
        changed, result = dict(history), []
        for item in self.items:
            if item.kind != "setting" or item.slug not in chosen:
                result.append(item)
                continue
            pack, node = chosen[item.slug]
            place, old, new = node.place, item.data("value"), to_data(node)
            step = Change(pack.id, place.path, place.line, "settings", old, new, pack.id, new)
            changed[item.id, "value"] = (*changed.get((item.id, "value"), ()), step)
            fields = {**item.fields, "value": in_place_of(item, node)}
            result.append(replace(item, fields=fields))
        return tuple(result), changed

    def _decided(self) -> dict[str, Choice]:
        """Return the choice that stands for each name; report where packs disagree."""
        chosen: dict[str, Choice] = {}
        for slug, (first, *others) in self._setters().items():
            chosen[slug] = first
            winner, wanted = first
            values = "options" if self.kind == "switch" else "values"
            note = Note(wanted.place, f"`{winner.id}` sets it to `{wanted.raw}`")
            for pack, node in (one for one in others if _meant(one[1]) != _meant(wanted)):
                both = f"`{pack.id}` and `{winner.id}`"
                message = f"{both} set the {self.kind} `{slug}` to different {values}"
                help = "a pack that requires both may decide"
                self.report.error(f"{self.kind}-conflict", node.place, message, help, [note])
        return chosen

    def _setters(self) -> dict[str, list[Choice]]:
        """Return who sets what, without the packs overruled by one that builds on them."""
        known = {item.slug: item for item in self.items if item.kind == self.kind}
        built_on = closures({pack.id: pack.needs for pack in self.packs})
        setters: dict[str, list[Choice]] = {}
        for pack in self.packs:
            below = built_on[pack.id] - {pack.id}
            for name, node, place in fields_of(pack.manifest.fields.get(FIELDS[self.kind])):
                item = renamed(self.renames, "", self.kind, name)
                if item is not None:
                    notice(self.report, place, name, item, item.name)
                    name = item.name
                slug = slug_of(name)
                if self._is_sound(name, node, place, known):
                    others = [one for one in setters.get(slug, []) if one[0].id not in below]
                    setters[slug] = [*others, (pack, node)]
        return setters

    def _is_sound(self, name: str, node: YamlNode, place: Place, known: Mapping[str, Item]) -> bool:
        """Check that a manifest names something known; silent where that is poisoned."""
        if self.poisoned.mentions(name):
            return False
        if slug_of(name) in known:
            return self._fits(name, known[slug_of(name)], node)
        choices = f"; {choices_text(name, sorted(known))}" if known else ""
        message = f"there is no {self.kind} `{name}`{choices}"
        self.report.error(f"unknown-{self.kind}", place, message, did_you_mean(name, known))
        return False

    def _fits(self, name: str, item: Item, node: YamlNode) -> bool:
        if self.kind == "setting":
            if may_be(item, node):
                return True
            message = f"the value of `{name}` must be {WANTED[sort_of(item)][0]}"
            help = f"such as `{item.fields['value'].raw}`"
            self.report.error("type-mismatch", node.place, message, help)
            return False
        options, word = list(item.fields["options"].entries), str(node.value)
        if node.value not in options:
            message = f"`{word}` is no option of `{name}`; {choices_text(word, options)}"
            self.report.error("unknown-option", node.place, message, did_you_mean(word, options))
        return node.value in options


def _meant(node: YamlNode) -> object:
    """A value as it counts: `1/4` and `0.25` are the same number."""
    number = amount(node)
    return node.value if number is None else number
