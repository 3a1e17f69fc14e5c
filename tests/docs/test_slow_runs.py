"""What docs/slow-runs.md lists is what `python -m tests.slow` runs, and that leaves nothing slow out."""

from __future__ import annotations

import re
import shlex

from tests.conftest import ROOT
from tests.slow import DONE_BY_TOOLS, RUNS, TOOLS

PAGE = (ROOT / "docs" / "slow-runs.md").read_text(encoding="utf-8")


def test_the_page_shows_every_command():
    shown = re.findall(r"^python -m (.+)$", PAGE, re.M)
    assert shown == ["tests.slow", *TOOLS.values()]


def test_the_page_has_figures_of_every_run():
    assert re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.M) == list(RUNS)


def test_what_is_left_to_the_tools_is_a_slow_test():
    """A test that was renamed would silently be run twice."""
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")
    )
    for name in DONE_BY_TOOLS:
        assert re.search(rf"@pytest\.mark\.slow\n(@.+\n)*def {name}\(", texts), name


def test_every_tool_is_a_module():
    for command in TOOLS.values():
        path = ROOT.joinpath(*shlex.split(command)[0].split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), command
