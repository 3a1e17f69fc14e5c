"""The packs of a site meet the copies that somebody has edited."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ruleloom.runtime.program.faults import Refused
from ruleloom.site.drafts import Drafts

FILE = "cards.yaml"


@pytest.fixture
def drafts(tmp_path: Path) -> Drafts:
    """A site with one pack, visited once."""
    found = Drafts(tmp_path / "app" / "packs", tmp_path / "kept" / "packs")
    brings(found, "first")
    assert found.renew() == []
    return found


def brings(drafts: Drafts, text: str) -> None:
    (drafts.came / "house").mkdir(parents=True, exist_ok=True)
    (drafts.came / "house" / FILE).write_text(text, encoding="utf-8")


def writes(drafts: Drafts, text: str) -> None:
    (drafts.copies / "house" / FILE).write_text(text, encoding="utf-8")


def reads(drafts: Drafts) -> str:
    return (drafts.copies / "house" / FILE).read_text(encoding="utf-8")


def test_a_pack_nobody_has_changed_is_replaced(drafts: Drafts) -> None:
    assert reads(drafts) == "first"
    brings(drafts, "second")
    assert drafts.renew() == []
    assert reads(drafts) == "second"


def test_a_changed_pack_is_kept_and_told(drafts: Drafts) -> None:
    writes(drafts, "mine")
    assert drafts.renew() == []
    brings(drafts, "second")
    assert drafts.renew() == drafts.renew() == ["house"]
    assert reads(drafts) == "mine"


def test_whoever_keeps_theirs_is_told_of_the_next_version_only(drafts: Drafts) -> None:
    writes(drafts, "mine")
    brings(drafts, "second")
    drafts.decline("house")
    assert drafts.renew() == []
    assert reads(drafts) == "mine"
    brings(drafts, "third")
    assert drafts.renew() == ["house"]


def test_whoever_takes_the_new_one_has_it_renewed_again(drafts: Drafts) -> None:
    writes(drafts, "mine")
    brings(drafts, "second")
    drafts.take("house")
    assert reads(drafts) == "second"
    brings(drafts, "third")
    assert drafts.renew() == []
    assert reads(drafts) == "third"


def test_whoever_has_written_the_same_hears_nothing(drafts: Drafts) -> None:
    writes(drafts, "second")
    brings(drafts, "second")
    assert drafts.renew() == []


def test_a_copy_that_is_gone_comes_again(drafts: Drafts) -> None:
    shutil.rmtree(drafts.copies / "house")
    assert drafts.renew() == []
    assert reads(drafts) == "first"


def test_no_other_pack_is_taken(drafts: Drafts) -> None:
    with pytest.raises(Refused):
        drafts.take("../kept")
