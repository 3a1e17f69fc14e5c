"""Warns of a whole new text that differs from the old one only next to or within steps.

The warning names the step edits that would make the same change, which would be compatible with step
edits of other packs, and with the next version of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import REPLACING, Edit
from ruleloom.compiler.patch.merge import Work
from ruleloom.compiler.patch.step_edits import AFTER, BEFORE, REMOVE, REPLACE
from ruleloom.compiler.patch.weave import WOVEN
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.formatter import INDENT, format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import NamedStep, read_steps
from ruleloom.runtime.dataclass import Frozen

LEAST_LINES = 6  # of the old text; a shorter one is as quickly rewritten
MOST_CHANGED = 3  # lines added and removed


class _Stretch(Frozen):
    """The lines of a step without its name, from `start` to before `end`."""

    name: str
    start: int
    end: int
    column: int


def warn_of_whole_texts(works: Mapping[str, Work], store: SchemaStore, report: Report) -> None:
    """Warn about each replaced text where step edits would do."""
    for work in works.values():
        for path, form in store.effect_fields(work.item.kind).items():
            if len(path) == 1 and form in WOVEN:
                for edit in work.edits.get(path[0], ()):
                    if edit.op in REPLACING and edit.patch.name not in work.of_class:
                        _warn(edit, work.item, form, report)


def _warn(edit: Edit, item: Item, form: str, report: Report) -> None:
    old, new = item.fields.get(edit.field), edit.value.text
    if old is None or old.text is None or new is None:
        return
    try:
        lines, steps = _plain(old.text, form)
        others, _ = _plain(new, form)
    except EffectSyntaxError:
        return  # reported where it is parsed
    changed, patches = _smaller(lines, steps, others)
    if patches:
        count = "one line" if changed == 1 else f"{changed} lines"
        message = f"this text differs from the one it replaces in {count}, beside or within a step"
        help = f"{quoted_list(patches)} can say it without the rest"
        report.warning("smaller-patch", edit.value.place, message, help)


def _plain(text: str, form: str) -> tuple[list[str], list[_Stretch]]:
    """The lines of a text without step names and comments, and the lines of its steps."""
    tidy = format_text(text, start=form)
    steps = read_steps(tidy, form)
    heads = {step.first: step for step in steps}
    lines: list[str] = []
    before: list[int] = []  # for each line of the text, the number of these lines before it
    for at, line in enumerate(tidy.rstrip("\n").split("\n")):
        before.append(len(lines))
        words = line.strip().partition(":")[2].strip() if at in heads else line.strip()
        if words and not words.startswith("#"):
            column = len(line) - len(line.lstrip(" ")) - INDENT * _depth(steps, at)
            lines.append(" " * column + words)
    before.append(len(lines))
    return lines, [
        _Stretch(
            step.name,
            before[step.first],
            before[step.last + 1],
            step.column - INDENT * _depth(steps, step.first),
        )
        for step in steps
    ]


def _depth(steps: Sequence[NamedStep], at: int) -> int:
    """The number of steps around a line, without one that begins there."""
    return sum(step.first < at <= step.last for step in steps)


def _smaller(
    old: Sequence[str], steps: Sequence[_Stretch], new: Sequence[str]
) -> tuple[int, list[str]]:
    """The number of differing lines, and the step edits for them; none if that is impossible."""
    matched = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    hunks = [((i1, i2), new[j1:j2]) for op, i1, i2, j1, j2 in matched if op != "equal"]
    changed = sum(i2 - i1 + len(added) for (i1, i2), added in hunks)
    if len(old) < LEAST_LINES or not 0 < changed <= MOST_CHANGED:
        return changed, []
    # The innermost steps first; a step that is the whole text is no smaller.
    smaller = [step for step in steps if step.end - step.start < len(old)]
    smaller.sort(key=lambda step: step.end - step.start)
    found = [_patch_of(smaller, gone, added) for gone, added in hunks]
    return changed, list(dict.fromkeys(found)) if all(found) else []


def _patch_of(steps: Sequence[_Stretch], gone: tuple[int, int], added: Sequence[str]) -> str:
    """The operation that replaces these lines; empty if no step fits."""
    for step in steps:
        margin = " " * step.column
        op = _op_at(step, gone, added) if all(line.startswith(margin) for line in added) else None
        if op is not None:
            return f"{op}: [{step.name}]" if op == REMOVE else f"{op}: {{{step.name}: ...}}"
    return ""


def _op_at(step: _Stretch, gone: tuple[int, int], added: Sequence[str]) -> str | None:
    start, end = step.start, step.end
    if not added and gone == (start, end):
        return REMOVE
    if gone in ((start, start), (end, end)) and _begins_at(step.column, added):
        return BEFORE if gone[0] == start else AFTER
    within = start <= gone[0] <= gone[1] <= end and gone != (start, start)
    return REPLACE if within else None


def _begins_at(column: int, added: Sequence[str]) -> bool:
    """Do these lines begin a statement at a column? An `else` continues the one above."""
    words = added[0].removeprefix(" " * column)
    return not words.startswith((" ", "elif ", "else:"))
