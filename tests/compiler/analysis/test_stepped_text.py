"""Two texts of an effect, held against each other at the steps of the first."""

from __future__ import annotations

import pytest

from ruleloom.compiler.analysis.stepped_text import Changes, step_changes

OLD = """\
if count(mine) > 0:
    step act:
        use walk
        use walk
    step rest: use snack(plum)
else:
    step wait:
        if day > 3:
            stop
set day = day + 1
"""
SAME = """\
if count(mine) > 0:
    use walk
    use walk
    use snack(plum)
else:
    if day > 3:
        stop
set day = day + 1
"""
CASES: dict[str, tuple[tuple[str, str], Changes | None]] = {
    "nothing": (("", ""), {}),
    "lines after a step": (
        ("    use snack(plum)\n", "    use snack(plum)\n    use snack(pear)\n"),
        {"after-step": {"rest": "use snack(pear)"}},
    ),
    "lines before a step": (
        ("    if day > 3:\n", '    say "no"\n    if day > 3:\n'),
        {"before-step": {"wait": 'say "no"'}},
    ),
    "other lines in place of a step": (
        ("    use walk\n    use walk\n", "    for each b in mine:\n        fill(b)\n"),
        {"replace-step": {"act": "for each b in mine:\n    fill(b)"}},
    ),
    "a step taken out": (("    use snack(plum)\n", ""), {"remove-step": {"rest": ""}}),
    "a line within a step": (("day > 3", "day > 4"), None),
    "a line outside all steps": (("day + 1", "day + 2"), None),
}


@pytest.mark.parametrize("name", CASES)
def test_a_difference_is_a_change_of_steps_or_none(name: str):
    (was, now), expected = CASES[name]
    assert step_changes(OLD, SAME.replace(was, now, 1) if was else SAME) == expected
