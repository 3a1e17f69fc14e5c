"""The history of an item's field: its printed value, then each patch, with their lines.

`weapon/carbine.price` names a field; pack, kind and field are optional if unambiguous.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.named_items import item_named
from ruleloom.cli.options import Wanted
from ruleloom.cli.why.number_query import FIELD_NAME, brief, is_field
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.load import load_content
from ruleloom.compiler.packs.content import Change, Content, Item
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.output.derivation_text import DerivationLine, aligned_lines, equation
from ruleloom.output.terminal import colour_wanted, paint
from ruleloom.runtime.program.safe_text import safe_text

SIGNS = {
    "scale": "x {}",
    "set": "set to {}",
    "settings": "set to {}",
    "append": "with {}",
    "remove": "without {}",
}


OF_STEPS = {
    "before-step": "before `{}`: {}",
    "after-step": "after `{}`: {}",
    "replace-step": "in place of `{}`: {}",
    "remove-step": "without `{}`",
}


class FieldHistory(NamedTuple):
    """The history of a field: printed value, changes, current value; none if disabled."""

    item: Item
    field: str
    printed: Any
    value: Any
    steps: tuple[Change, ...]


def histories(words: str, content: Content) -> list[FieldHistory]:
    """The history of one field, or of every changed field of an item."""
    match = FIELD_NAME.fullmatch(words)
    assert match is not None, "the caller has checked `is_field`"
    _, kind, name, field = match.groups()
    items = [item for item in (*content.items, *content.disabled) if item.kind != "patch"]
    renamed = content.renamed.get((kind or "", name))
    item = item_named(words.partition(".")[0], items, renamed)
    history = content.history
    if (item.id, "") in history:
        return [FieldHistory(item, "", None, None, history[item.id, ""])]
    own = content.changes_of(item)
    fields = [*own] if field is None else _fields_named(item, field, [*own])
    return [_history(item, one, own.get(one, ())) for one in fields]


def _history(item: Item, field: str, steps: tuple[Change, ...]) -> FieldHistory:
    """The history of a field that these steps changed."""
    node = item.fields.get(field) or _row(item, field)
    value = None if node is None else to_data(node)
    return FieldHistory(item, field, steps[0].old if steps else value, value, steps)


def _fields_named(item: Item, field: str, changed: Sequence[str]) -> list[str]:
    """The field with this name, or the changed rows of a table. Raises WrongUse."""
    known = {*item.fields, *changed}
    rows = [one for one in changed if one.startswith(f"{field}.") and field not in changed]
    if rows or field in known or _row(item, field) is not None:
        return rows or [field]
    help = did_you_mean(field, known) or choices_text(field, sorted(known))
    raise WrongUse(f"`{item.id}` has no field `{field}`", help)


def _row(item: Item, field: str) -> Any:
    root, dot, row = field.partition(".")
    node = item.fields.get(root)
    return node.get(row) if dot and node is not None else None


def history_lines(found: FieldHistory, content: Content, colour: bool) -> list[str]:
    """The lines of a history: one for the printed value, and one for each change."""
    item, steps = found.item, found.steps
    if not found.field:
        who = [f"  {safe_text(step.by)}  {_place(content, step)}" for step in steps]
        return [f"{paint(item.id, 'bold', on=colour)} is out of the game, disabled by", *who]
    root = found.field.partition(".")[0]
    # A field that is not printed has no place: use that of its item.
    printed = root in (item.node.key_spans or {}) and found.printed is not None
    origin = content.origin(item.node.key_place(root) if printed else item.place)
    place = safe_text(f"{origin.pack}/{origin.path}:{origin.line}")
    other = content.item_at(item.node.key_place(root)) if printed else None
    said = "as printed" if other in (None, item) else f"like {safe_text(other.id)}"
    lines = [DerivationLine(said, brief(found.printed), place)]
    for step in steps:
        place = _place(content, step)
        if step.op not in ("set", "settings", "replace-effect", *OF_STEPS):
            place = f"-> {brief(step.new)}  {place}"
        lines.append(DerivationLine(safe_text(step.by), _change_text(step), place))
    head = equation(safe_text(f"{item.id}.{found.field}"), brief(found.value), colour)
    return [head, *aligned_lines(lines, colour)]


def _change_text(step: Change) -> str:
    """A step's change in brief."""
    if step.op == "add":
        amount = str(step.amount)
        return amount if amount.startswith("-") else f"+{amount}"
    if step.op == "replace-effect":
        return "another effect"
    if step.op in OF_STEPS:
        [(name, lines)] = step.amount.items()
        return OF_STEPS[step.op].format(safe_text(name), brief(lines))
    return SIGNS.get(step.op, step.op).format(brief(step.amount))


def _place(content: Content, step: Change) -> str:
    pack, path = content.files[step.path]
    return safe_text(f"{pack}/{path}:{step.line}")


def as_data(found: FieldHistory, content: Content) -> dict[str, Any]:
    """A history as JSON data."""
    data: dict[str, Any] = {"item": found.item.id, "field": found.field or None}
    data |= {"printed": found.printed, "value": found.value, "steps": []}
    for step in found.steps:
        pack, path = content.files[step.path]
        entry = {name: getattr(step, name) for name in ("by", "op", "amount", "old", "new")}
        data["steps"].append({**entry, "at": {"pack": pack, "path": path, "line": step.line}})
    return data


def tell_fields(wanted: Wanted) -> int:
    """Print the history of a field, or of an item's changed fields; `path` may name it instead."""
    words, named = wanted.number, [wanted.path, *wanted.packs]
    if words is None:
        words, named = wanted.path, _packs_of_field(wanted.path, wanted.packs)
    report, sources = Report(), dict[str, Source]()
    content = load_content(named, report, sources=sources, scenarios=False)
    if content is None or report.has_errors:
        texts = {shown: source.text for shown, source in sources.items()}
        sys.stdout.write(render(report.diagnostics(), texts, "text"))
        return FINDINGS
    found = histories(words, content)
    if wanted.form == "json":
        data = [as_data(one, content) for one in found]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    colour = colour_wanted(wanted.color)
    told = ("\n".join(history_lines(one, content, colour)) for one in found)
    print("\n\n".join(told) if found else "no patch changes any of its fields")
    return CLEAN


def _packs_of_field(words: str, packs: Sequence[str]) -> list[str]:
    """The packs to search for a field without a path. Raises WrongUse."""
    if not is_field(words) or Path(words).exists():
        raise WrongUse("what number?", f'write its name behind the file: "{words} PR"')
    match = FIELD_NAME.fullmatch(words)
    named = [*packs] or ([match[1]] if match and match[1] else [])
    if not named:
        help = f"write `--pack DIR`, or the pack: PACK {words}"
        raise WrongUse(f"which pack is `{words}` in?", help)
    return named
