"""English with holes: the templates that the vocabulary, rules and measures are written in.

`{space}` in a template is a hole for the parameter of that name, `{space_limit}` for a setting.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ruleloom.compiler.diagnostics.suggest import Suggestion, nearest
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Expr, Template

HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::[a-z_]+)?\}")


def hole_place(node: YamlNode, hole: re.Match[str]) -> Place:
    """Where a hole of the template at *node* stands; all of it where YAML has rewritten the text."""
    start = node.start + (node.style is not None)
    text = node.text or ""
    if node.style in ("|", ">") or not node.source.text.startswith(text, start):
        return node.place
    return node.source.place(start + hole.start(), start + hole.end())


def hole_help(symbols: Symbols, name: str, known: Collection[str]) -> str | None:
    """The help for a hole that nothing fills: the new name of what was called so, or the nearest."""
    renamed = symbols.old_words.get(name)
    found = renamed is not None and renamed.slug in known
    meant = [renamed.slug] if renamed is not None and found else nearest(name, known, 1)
    return Suggestion(f"{{{name}}}", f"{{{meant[0]}}}") if meant else None


def template(symbols: Symbols, text: str, values: Mapping[str, tuple[Expr, str]]) -> Template:
    """A text with its holes filled by expressions; a hole that means nothing stays as written."""
    parts: list[str | tuple[Expr, str]] = []
    end = 0
    for hole in HOLE.finditer(text):
        value, name = values.get(hole[1]), hole[1]
        if value is None and name in symbols.settings:
            value = ("setting", name), str(symbols.settings[name].type)
        elif value is None and name in symbols.scope:
            value = ("scope", name), str(symbols.scope[name].type)
        if value is None:
            continue
        if hole.start() > end:
            parts.append(text[end : hole.start()])
        parts.append(value)
        end = hole.end()
    if end < len(text):
        parts.append(text[end:])
    return tuple(parts)


def signature_template(symbols: Symbols, callee: Signature, args: tuple[Expr, ...]) -> Template:
    """The English of a callee with these arguments in its holes."""
    pairs = zip(callee.params, args, strict=False)
    values = {param.name: (arg, str(param.type)) for param, arg in pairs}
    return template(symbols, callee.english, values)
