"""A pack of three items and six cases, written from the generated reference of Moonstone alone."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call

PACK = Path(__file__).parent / "from_reference" / "frost-road"


def test_what_was_written_from_the_reference_alone_is_without_mistakes():
    done = call("check", str(PACK))
    assert (done.code, "no problems" in done.out) == (0, True), done.out


def test_its_cases_hold():
    done = call("test", str(PACK))
    assert done.out.strip().endswith("6 passed, 0 failed, 0 not executable"), done.out
