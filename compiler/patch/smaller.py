"""Warns of a whole new text that differs from the old one only beside or within steps.

In go the patches that give a text anew; out come warnings that name the patch of steps which would
say the same. It would go together with what other packs do there, and with the next version of the
game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import REPLACING, Edit
from ruleloom.compiler.patch.merge import Work
from ruleloom.compiler.patch.step_edits import AFTER, BEFORE, REMOVE, REPLACE
from ruleloom.compiler.patch.weave import PARSERS
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.formatter import INDENT, format_text
from ruleloom.compiler.syntax.parser import read_steps
from ruleloom.compiler.syntax.steps import NamedStep
from ruleloom.compiler.syntax.tokens import EffectSyntaxError

LEAST_LINES = 6  # of the old text; a shorter one is as soon written anew
MOST_CHANGED = 3  # lines added and removed


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The lines of a step, without its name: from `start` to before `end`."""

    name: str
    start: int
    end: int
    column: int


def warn_of_whole_texts(works: Mapping[str, Work], store: SchemaStore, report: Report) -> None:
    """Warn about each text given anew where a patch of its steps would do."""
    for work in works.values():
        for path, form in store.effect_fields(work.item.kind).items():
            if len(path) == 1 and form in PARSERS:
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
        return  # reported where it is read
    changed, patches = _smaller(lines, steps, others)
    if patches:
        count = "one line" if changed == 1 else f"{changed} lines"
        message = f"this text differs from the one it replaces in {count}, beside or within a step"
        help = f"{quoted_list(patches)} can say it without the rest"
        report.warning("smaller-patch", edit.value.place, message, help)


def _plain(text: str, form: str) -> tuple[list[str], list[_Stretch]]:
    """The lines of a text as if no step had a name, without comments, and where its steps are."""
    tidy = format_text(text, start=form)
    steps = read_steps(tidy, form)
    heads = {step.first: step for step in steps}
    lines: list[str] = []
    before: list[int] = []  # for each line of the text, how many of these stand before it
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
    """How many steps are around a line, without one that begins there."""
    return sum(step.first < at <= step.last for step in steps)


def _smaller(
    old: Sequence[str], steps: Sequence[_Stretch], new: Sequence[str]
) -> tuple[int, list[str]]:
    """How many lines differ, and the operations that would say it; none if none can."""
    if len(old) < LEAST_LINES or not steps:
        return 0, []
    hunks = [
        one for one in SequenceMatcher(None, old, new, False).get_opcodes() if one[0] != "equal"
    ]
    changed = sum(i2 - i1 + j2 - j1 for _, i1, i2, j1, j2 in hunks)
    if not 0 < changed <= MOST_CHANGED:
        return changed, []
    patches = [_patch_of(steps, (i1, i2), new[j1:j2], len(old)) for _, i1, i2, j1, j2 in hunks]
    found = [patch for patch in patches if patch is not None]
    return changed, list(dict.fromkeys(found)) if len(found) == len(patches) else []


def _patch_of(
    steps: Sequence[_Stretch], gone: tuple[int, int], added: Sequence[str], size: int
) -> str | None:
    """The operation that puts lines in the place of others; None if no step is there."""
    start, end = gone
    columns = [len(line) - len(line.lstrip(" ")) for line in added]
    smaller = (step for step in steps if step.end - step.start < size)
    is_arm = bool(added) and added[0].split(maxsplit=1)[0].rstrip(":") in ("elif", "else")
    for step in sorted(smaller, key=lambda one: one.end - one.start):
        fits = min([*columns, step.column]) == step.column
        beside = start == end and fits and columns[0] == step.column and not is_arm
        within = step.start <= start and end <= step.end and (start < end or step.start < start)
        if beside and start in (step.start, step.end):
            return f"{BEFORE if start == step.start else AFTER}: {{{step.name}: ...}}"
        if gone == (step.start, step.end) and not added:
            return f"{REMOVE}: [{step.name}]"
        if within and fits:
            return f"{REPLACE}: {{{step.name}: ...}}"
    return None
