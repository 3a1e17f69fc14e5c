"""Steps set on a page: as one paragraph, or as a numbered list."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.english.telling import Part, Step
from compiler.english.words import capital, sentence

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def paragraph(steps: Sequence[Step]) -> str:
    """The steps as sentences, one after the other."""
    return " ".join(sentence(text) for text in _texts(steps))


def _texts(steps: Sequence[Step]) -> list[str]:
    texts: list[str] = []
    before = False
    for step in steps:
        texts.append(_inline(step, before))
        before = step.may
    return texts


def _inline(step: Step, after_may: bool = False) -> str:
    head = heading(step, after_may)
    if not step.parts:
        return head
    if step.chooses:
        said = [f"({_LETTERS[at % 26]}) {_mode(part)}" for at, part in enumerate(step.parts)]
        return f"{head}: {'; '.join(said)}"
    texts = _texts(step.parts[0].steps)
    if len(texts) == 1 and not head.startswith(("repeat", "up to", "take this")) and ": " not in head:
        return f"{head}, {texts[0]}"
    return f"{head}: {'; '.join(texts)}"


def _mode(part: Part) -> str:
    texts = _texts(part.steps)
    return f"{part.label}: {', then '.join(texts)}" if texts else part.label


def heading(step: Step, after_may: bool = False) -> str:
    """A step without its parts: who does it or may do it."""
    if step.may:
        return f"{step.who or 'you'} may {'then ' if after_may else ''}{step.text}"
    if step.text.startswith("may ") and not step.who:
        return f"you {step.text}"
    return f"{step.who} {step.text}" if step.who else step.text


def numbered(steps: Sequence[Step], level: int = 0) -> list[str]:
    """The steps as the lines of a list, with lists inside."""
    lines: list[str] = []
    before = False
    for at, step in enumerate(steps):
        mark = f"{'   ' * level}{_mark(level, at)} "
        head = capital(heading(step, before))
        before = step.may
        lines += _entry(step, mark, head, level)
    return lines


def _entry(step: Step, mark: str, head: str, level: int) -> list[str]:
    if not step.parts:
        return [mark + sentence(head)]
    if step.chooses:
        lines = [f"{mark}{head}:"]
        for at, part in enumerate(step.parts):
            inner = f"{'   ' * (level + 1)}{_mark(level + 1, at)} "
            if len(part.steps) == 1 and not part.steps[0].parts:
                lines.append(inner + sentence(f"{part.label}: {heading(part.steps[0])}"))
                continue
            lines.append(f"{inner}{capital(part.label)}{':' if part.steps else '.'}")
            lines += numbered(part.steps, level + 2)
        return lines
    inner_steps = step.parts[0].steps
    if len(inner_steps) == 1 and not inner_steps[0].parts:
        link = ": " if head.startswith(("Repeat", "Up to", "Take this")) or ": " in head else ", "
        return [mark + sentence(f"{head}{link}{heading(inner_steps[0])}")]
    return [f"{mark}{head}:", *numbered(inner_steps, level + 1)]


def _mark(level: int, at: int) -> str:
    if level % 3 == 0:
        return f"{at + 1}."
    if level % 3 == 1:
        return f"{_LETTERS[at % 26]}."
    return f"{_ROMAN[at % len(_ROMAN)]}."
