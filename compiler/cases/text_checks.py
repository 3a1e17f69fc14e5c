"""Holds the effect texts of a case against its game, as those of the game's own items are.

A text is checked with the things of the case as if they were given to it, and lowered: what it can
ask is read off its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field, replace

from ruleloom.compiler.cases.case_values import CaseValues, Faults
from ruleloom.compiler.cases.known_names import GameNames
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.reactions import build_reaction
from ruleloom.compiler.lower.routines import Bodies, Contexts
from ruleloom.compiler.lower.stats import Stats
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.query.lookups import StillTable
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Routine
from ruleloom.runtime.program.values import BOOL

TOLD = "renamed"  # the warning that cases have, too


@dataclass(slots=True)
class Lowered:
    """The texts of a case: what they ask, and what they say.

    Of one that is `broken`, nobody knows.
    """

    routines: list[Routine] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    broken: bool = False


class TextChecks:
    """The texts of the cases of a game."""

    def __init__(self, game: GameNames) -> None:
        self.game = game

    def wrong_step(
        self, values: CaseValues, node: YamlNode, odds: Sequence[YamlNode], found: Lowered
    ) -> Faults:
        """The mistakes in the text of a step, which YAML may have rewritten on the way, and with
        the conditions whose `odds` are claimed; what it asks goes to `found`."""
        report = Report()
        effect_text(node.source, node, report)
        if not any(one.code == "unmappable-text" for one in report.diagnostics()):
            yield from self.wrong_text(values, node, found, odds)
            return
        lines = (node.text or "").rstrip("\n").replace("\n", "\n ")
        source = Source(node.source.path, f"|\n {lines}\n")
        block = YamlNode(source, "text", node.text or "", 0, len(source.text), "|")
        for one in self.wrong_text(values, block, found, odds):
            yield replace(one, place=node.place)

    def wrong_text(
        self, values: CaseValues, node: YamlNode, found: Lowered, odds: Sequence[YamlNode] = ()
    ) -> Faults:
        """The mistakes in a text of statements."""
        report, things = Report(), values.names.params
        bodies = self._bodies(report, self.game.build.content)
        read = bodies.read(node, parse_block, "", things)
        if read is not None:
            context, statements = read
            names = tuple(one.name for one in things)
            found.routines.append(bodies.lowered(context, statements, names, node.place).routine)
            found.texts.update(one.value for one in nodes_of(statements, ast.TextLiteral))
            for one in odds:
                asked = read_text(bodies.content, one, parse_expr, report)
                if asked is not None:
                    context.passage = asked[0]
                    wanted(context, asked[1], BOOL)
        found.broken |= report.has_errors
        yield from self._told(report)

    def wrong_odds(self, values: CaseValues, odds: Iterable[YamlNode]) -> Faults:
        """The mistakes in conditions after a step that only names a flow."""
        report = Report()
        bodies = self._bodies(report, self.game.build.content)
        for one in odds:
            found = bodies.read(one, parse_expr, "", values.names.params)
            if found is not None:
                wanted(*found, BOOL)
        yield from self._told(report)

    def wrong_abilities(
        self, values: CaseValues, kind: str, name: str, thing: YamlNode, found: Lowered
    ) -> Faults:
        """The mistakes in the abilities of a thing, given as an item."""
        report, build = Report(), self.game.build
        pack, _ = build.content.files[thing.source.path]
        item = Item(kind, name, pack, thing.entries, thing.place, thing, thing.source)
        content = replace(build.content, items=(*build.content.by_kind("keyword"), item))
        bodies = self._bodies(report, content, values.names.things)
        abilities = bodies.stats.abilities
        for stat, planned in list(abilities.by_stat.items()):
            abilities.by_stat[stat] = [one for one in planned if one.texts[0].item is item]
            bodies.stats.modifiers(bodies.symbols.callables[stat])
        for reacting in abilities.reactions:
            made = build_reaction(bodies, reacting) if reacting.texts[0].item is item else None
            found.routines += [one.routine for one in made.routines.values()] if made else []
        found.broken |= report.has_errors
        yield from self._told(report)

    def _bodies(
        self, report: Report, content: Content, things: Mapping[str, str] | None = None
    ) -> Bodies:
        """The checker of texts against the game, for this report; abilities may name `things`."""
        symbols = self.game.symbols
        if things is not None:
            own = {name: ((entity, 0),) for name, entity in things.items()}
            symbols = replace(symbols, named=StillTable({**symbols.named, **own}))
        bodies = copy(self.game.build.bodies)
        bodies.content, bodies.symbols, bodies.report = content, symbols, report
        bodies.context = Contexts(symbols, report, bodies.functions, None)
        if things is not None:
            bodies.stats = Stats(Abilities(content, symbols, report), bodies.context)
        return bodies

    def _told(self, report: Report) -> Iterator[Diagnostic]:
        """The mistakes; of a name that a patch has taken out of the game, what has become of it."""
        for one in report.diagnostics():
            if one.severity != "error" and one.code != TOLD:
                continue
            word = self._word_at(one.place)
            became = self.game.what_became(word, one.place.path)
            if became is not None:
                message, help = became
                yield replace(one, message=message, help=help)
            elif not self.game.is_gone(word):
                yield one

    def _word_at(self, place: Place) -> str:
        """What stands at a place, if it is on one line of a file."""
        source = self.game.build.content.sources.get(place.path)
        if source is None or not place.line == place.end_line <= len(source.line_starts):
            return ""
        return source.text_at(place)
