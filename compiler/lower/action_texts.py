"""Checks what a game says that its actions begin with and cost, which no action may use yet."""

from __future__ import annotations

from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.action_parts import ACTIONS, COSTS
from ruleloom.compiler.resolve.declare import written_type
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.symbols import ParamSymbol
from ruleloom.compiler.syntax.parser import parse_block, parse_expr, parse_params
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.runtime.program.values import BOOL, INT


def check_action_texts(build: Build) -> None:
    """Check each text with the parameters of its action; a cost, with those of all actions."""
    for vocabulary in build.content.by_kind("vocabulary"):
        every = {"much": ParamSymbol("much", INT)}
        for place in entries_of(vocabulary.fields.get(ACTIONS)).values():
            own = _params(build, place)
            _check_block(build, place.get("begins"), own)
            every |= own
        for cost in entries_of(vocabulary.fields.get(COSTS)).values():
            _check_block(build, cost.get("pays"), every)
            read = build.bodies.read(cost.get("when"), parse_expr, "", tuple(every.values()))
            if read is not None:
                wanted(*read, BOOL, "as when it can be paid")


def _params(build: Build, place: YamlNode) -> dict[str, ParamSymbol]:
    node = place.get("takes")
    found = read_text(build.content, node, parse_params, build.report) if node is not None else None
    if found is None:
        return {}
    text, params = found
    types = ((one, written_type(build.symbols, build.report, text, one.type)) for one in params)
    return {one.name: ParamSymbol(one.name, type_, one.default) for one, type_ in types}


def _check_block(build: Build, node: YamlNode | None, params: dict[str, ParamSymbol]) -> None:
    read = build.bodies.read(node, parse_block, "", tuple(params.values()))
    if read is not None:
        context, tree = read
        context.block(tree)
