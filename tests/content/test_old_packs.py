"""Packs as they stood in November 2026, before their games had moments to hook in: migrated, they are clean
and pass their cases, but for what a person is told in a line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command import call

OLD = Path(__file__).parent / "old_packs"
SAY_HOW = "goes around `gain_die`, as `take_die` does"
LEFT = {
    "backfire": ["`damage_comes`: say from what"],
    "gifted-followers": [],
    "great-schism": ["`create`: say how the follower comes"],
    "lent-dice": [f"`lend_die` {SAY_HOW}", f"`bring_home` {SAY_HOW}"],
    "moth-and-mirror": [],
    "old-rivals": ["nobody answers `opposed`"],
    "patron-gods": [f"`spare_die` {SAY_HOW}"],
    "river-folk": ["`two-actions` replaces a whole text"],
    "roof-and-bread": [],
    "silver-thread": [],
    "the-forge": ["`return_to_stash`: say how it leaves, and through whom"],
    "wet-ink": [],
}
"""What a person is told of each pack: one line a task."""
QUICK = ("moth-and-mirror",)


@pytest.mark.parametrize(
    "pack",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in sorted(LEFT)],
)
def test_an_old_pack_is_migrated_but_for_what_a_person_is_told(pack: str, tmp_path: Path):
    folder = tmp_path / pack
    shutil.copytree(OLD / pack, folder)
    done = call("migrate", folder)
    told = [line for line in done.out.split("\n") if line.startswith(f"{folder}/")]
    assert len(told) == len(LEFT[pack])
    assert all(part in line for part, line in zip(LEFT[pack], told, strict=True))
    assert done.code == (1 if told else 0)
    assert call("migrate", folder, "--check").out.count(" would change\n") == 0
    checked, tested = call("check", folder, "--no-cache"), call("test", folder)
    assert checked.code == 0
    assert ("warning" in checked.out) == any(
        ": case `" not in one and "replaces" not in one for one in told
    )
    failed = sum(": case `" in one for one in told)
    assert f" passed, {failed} failed" in tested.out


def test_all_old_packs_are_tried():
    assert sorted(LEFT) == sorted(path.name for path in OLD.iterdir())


def test_a_claim_about_another_place_is_for_a_person(tmp_path: Path):
    folder = tmp_path / "moth-and-mirror"
    shutil.copytree(OLD / "moth-and-mirror", folder)
    cases = folder / "cases.yaml"
    text = cases.read_text(encoding="utf-8")
    cases.write_text(text.replace("you alone occupy 0/1", "you alone occupy 0/2"), encoding="utf-8")
    told = call("migrate", folder, "--dry-run").out
    assert "refused for another reason than `you alone occupy 0/2`" in told


def test_what_was_overwritten_is_kept(tmp_path: Path):
    folder = tmp_path / "moth-and-mirror"
    shutil.copytree(OLD / "moth-and-mirror", folder)
    before = (folder / "cards.yaml").read_bytes()
    dry = call("migrate", folder, "--dry-run")
    assert "+    use lay_territory(card, stall)" in dry.out
    assert (folder / "cards.yaml").read_bytes() == before
    call("migrate", folder)
    assert (folder / ".before-migrate" / "cards.yaml").read_bytes() == before
    assert (folder / "cards.yaml").read_bytes() != before
