"""Declarations without use: items and operations never used, events that never happen.

An operation with answers that is never done is reported at the answers. A driver may read and set the
fields of its game unseen: if operations do not declare what they set, only fields added by packs are
checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.printed import place_of
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import ODDS
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.schema.registry import ABILITY_FIELDS
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, fields_of
from ruleloom.runtime.program.expr import Callee, reached
from ruleloom.runtime.program.values import Type

# The machine sets this variable itself.
SET_BY_THE_MACHINE = ("me",)
# Fields of items of any kind, which the compiler or players read.
COMMON = frozenset(
    (
        *("kind", "id", "renamed_from", "deprecated", "title", "text", "english", "gloss"),
        *("clauses", "tags"),
        *(*ABILITY_FIELDS[1:], "copies", "allowed"),
    )
)
WORD = re.compile(r"[a-z]\w*")
UNUSED = {
    "power": "nothing uses the power `{}`",
    "rule": "nothing asks for the rule `{}`",
    "measure": "nothing uses the measure `{}`",
    "stat": "nothing uses the stat `{}`",
    "bonus": "no modifier is of the type `{}`",
    "tag": "nothing carries the tag `{}`, and nothing asks for it",
    "keyword": "nothing uses the keyword `{}`",
    "table": "nothing looks anything up in the table `{}`",
    "setting": "nothing reads the setting `{}`",
    "switch": "nothing reads the switch `{}`",
    "fusion": "nothing combines the powers of the fusion `{}`",
}
# Settings that the machine and the bots read.
READ_BY_THE_MACHINE = ("least_players", "positions_judged", "prospects")


def never_happens(build: Build) -> None:
    """Warn about declarations never done, set or read, except in packs built upon."""
    if not build.content.by_kind("flow"):
        # A vocabulary at its beginning: nothing is played yet.
        return
    idle = _Idle(build)
    idle.events()
    idle.operations()
    idle.fields()
    idle.variables()
    idle.data()


class _Idle:
    """The events that can happen in a game, and the warnings about the others."""

    def __init__(self, build: Build) -> None:
        self.content, self.symbols, self.report = build.content, build.symbols, build.report
        self.build = build
        self.below = build.content.built_upon
        self.happening = _happening(build)
        operations = build.symbols.operations.values()
        has_driver = any(one.sets is None for one in operations if one.kind != "moment")
        games = {item.pack for item in self.content.by_kind("vocabulary")}
        self.of_driver = games if has_driver else frozenset[str]()

    def events(self) -> None:
        """Warn about answers to events that never happen."""
        happening = sorted(self.happening)
        for response in self.build.responses():
            event = response.event.name.id
            if event in self.happening or response.item.pack in self.below:
                continue
            place = response.said.place(response.event.name.span)
            operation = self.symbols.operations.get(event)
            notes = (Note(operation.place, "declared here"),) if operation is not None else ()
            message = f"nothing in the game does `{event}`, so this never happens"
            phase, _, power = event.partition(" ")
            if phase in ("rolled", "thrown"):
                named = "" if power in ("any", "each") else f" for `{power}`"
                message = f"no dice are rolled{named} in the game, so this never happens"
            elif power:
                message = f"nothing in the game uses `{power}`, so nothing comes {phase} it"
            elif operation is None:
                message = f"nothing in the game is ever {event}, so this never happens"
            help = did_you_mean(event, happening)
            self.report.warning("never-happens", place, message, help, notes)

    def operations(self) -> None:
        """Warn about operations that are never done. Those with answers are reported there."""
        answered = {one.event.name.id for one in self.build.responses()}
        for name, _, place in self._declared("operations"):
            if name not in self.happening and name not in answered:
                self.report.warning("unused-item", place, f"nothing does the operation `{name}`")
        for name, _, place in self._declared("moments"):
            if f"moment/{name}" not in self.symbols.used and name not in answered:
                self.report.warning("unused-item", place, f"no text raises the moment `{name}`")

    def fields(self) -> None:
        """Warn about fields that are never set, or are set or printed but never read."""
        # A field set by an unused operation is reported with the operation.
        written = {one.field for some in self.build.assignments.values() for one in some}
        for entity, node, _ in self._declared("entities"):
            for name, field, place in fields_of(node.get("fields")):
                column = f"{entity}.{name}"
                if self._is_ours(place) and not is_at_table(field):
                    self._warn(name, place, column in self.symbols.read, column in written)
            self._printed(entity, node)

    def _printed(self, entity: str, node: YamlNode) -> None:
        part = self.symbols.entities[entity].part
        for name, field, place in fields_of(node.get("static")):
            # The owner of a part need not be read by that name.
            is_owner = part is not None and name == part.owner
            is_read = f"{entity}.{name}" in self.symbols.read or is_owner or is_at_table(field)
            if not is_read and self._is_ours(place):
                message = f"`{name}` is printed, but nothing reads it"
                self.report.warning("never-read", place, message)

    def variables(self) -> None:
        """Warn about variables of the game that are never set, or are set but never read."""
        for name, node, place in self._declared("scope"):
            if name not in SET_BY_THE_MACHINE and not is_at_table(node):
                self._warn(name, place, name in self.symbols.used, name in self.symbols.written)

    def _warn(self, name: str, place: Place, read: bool, written: bool) -> None:
        if written and not read:
            self.report.warning("never-read", place, f"`{name}` is set, but nothing reads it")
        elif read and not written:
            self.report.warning("never-set", place, f"`{name}` is read, but nothing sets it")
        elif not read:
            self.report.warning("unused-item", place, f"nothing sets or reads `{name}`")

    def _declared(self, part: str) -> Iterator[tuple[str, YamlNode, Place]]:
        for name, node, place in sections(self.content, part):
            # A pack may have added fields to an entity of the game, or items to a kind.
            if part in ("entities", "kinds") or self._is_own(place):
                yield name, node, place

    def data(self) -> None:
        """Warn about fields in the schema of a kind that are neither read nor prose."""
        # Patches select items by the words of their conditions.
        patches = self.content.by_kind("patch")
        asked = {word for one in patches for word in WORD.findall(str(one.data("where") or ""))}
        for kind, node, _ in self._declared("kinds"):
            read = COMMON | asked | self._read_of(kind, node)
            for name in self.content.schemas.data_fields(kind):
                if name not in read:
                    self._unread(kind, name)

    def _read_of(self, kind: str, node: YamlNode) -> set[str]:
        """The fields of a kind's items that make things, or hold effect text."""
        entity, per = self.symbols.kinds.get(kind, ""), node.get("per")
        parts = (one.part for one in self.symbols.entities.values() if one.part is not None)
        return {
            *(path[0] for path in self.content.schemas.effect_fields(kind)),
            *(name for name, of in self.symbols.fields.items() if entity in of),
            *(part.under for part in parts if part.of == entity),
            *((per.text or "",) if per is not None else ()),
        }

    def _unread(self, kind: str, name: str) -> None:
        """Warn at the first item of each pack with the field."""
        items = [item for item in self.content.by_kind(kind) if name in item.fields]
        first = {item.pack: item for item in reversed(items) if item.pack not in self.below}
        entity = self.symbols.kinds.get(kind)
        noun = with_article(self.symbols.noun(Type(entity or kind)))
        help = f"declare it under `static:` of `{entity}`, and read it" if entity else None
        for item in first.values():
            message = f"`{name}` is printed on {noun}, but nothing reads it"
            self.report.warning("never-read", place_of(item, name), message, help)

    def _is_ours(self, place: Place) -> bool:
        """Whether a place is in a pack that no other builds on, and that has no driver."""
        return self._is_own(place) and self.content.files[place.path][0] not in self.of_driver

    def _is_own(self, place: Place) -> bool:
        return self.content.files[place.path][0] not in self.below


def is_at_table(node: YamlNode) -> bool:
    """Whether the vocabulary says that players at the table do, read or set this."""
    said = node.get("at_table")
    return said is not None and said.value is True


def _happening(build: Build) -> set[str]:
    """The events that some text can raise; an answer runs only if its event can happen."""
    answers = {one.routine for one in build.triggers} | {one.routine for one in build.replacements}
    begun = build.checked.keys() - build.items.keys() - answers
    # Rules that always hold raise some, and players at the table others.
    operations = sections(build.content, "operations")
    alone = {name for name, node, _ in operations if is_at_table(node)}
    alone.update(rule.operation for rule in build.always)
    starts = [Callee("event", name) for name in alone] + [Callee("routine", id) for id in begun]
    met = reached(starts, lambda one: build.summaries.all.get(one, ()))
    return {one.name for one in met if one.kind == "event"}


def unused(build: Build) -> None:
    """Warn about items that no text of the game uses."""
    # A pack built upon is left out: a patch of the pack above may have removed the use.
    used, below = build.symbols.used, build.content.built_upon
    for item in build.content.items:
        message = UNUSED.get(item.kind) if item.pack not in below else None
        is_used = item.id in used or item.slug in used or item.slug in READ_BY_THE_MACHINE
        is_used = is_used or ODDS in item.fields
        if message is not None and not is_used:
            build.report.warning("unused-item", item.place, message.format(item.name))


def missing_flows(build: Build) -> None:
    """Report each missing flow of a game with operations."""
    if not build.symbols.operations or not build.content.complete:
        return
    flows, place = build.flows(), build.content.by_kind("vocabulary")[0].place
    for name in ("set_up", "turn"):
        if name not in flows and not build.symbols.poisoned.may_hold("flow"):
            message = f"this game has no flow `{name}`"
            build.report.error("missing-flow", place, message, f"`kind: flow`, `id: {name}`")
