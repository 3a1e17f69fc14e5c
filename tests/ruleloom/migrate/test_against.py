"""Patches remember what they were written against, and are told when it has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import ROOT
from tests.support.command import call

RIVER = ROOT / "rulesets" / "examples" / "river-folk"


def test_what_has_changed_under_a_patch_is_told_with_all_texts(tmp_path: Path):
    pack = tmp_path / "river-folk"
    shutil.copytree(RIVER, pack)
    rules = pack / "house-rules.yaml"
    whole = rules.read_text(encoding="utf-8")
    start, end = (
        whole.index("  after-step:\n    act:"),
        whole.index("- kind: power\n  id: act_again"),
    )
    ours = "  replace-effect: |\n    use act_again\n    use pass_on\n\n"
    rules.write_text(whole[:start] + ours + whole[end:], encoding="utf-8")
    assert "`two-actions` replaces a whole text" in call("migrate", pack, "--dry-run").out
    assert "4 texts kept in `against`" in call("fmt", "--against", pack).out
    written = rules.read_text(encoding="utf-8")
    assert written.count('  against: "') == 4
    assert "moved-on" not in call("check", pack, "--no-cache").out
    assert (
        "`two-actions` replaces" not in call("migrate", pack, "--dry-run").out
    )  # it was looked at
    (kept,) = (one for one in (pack / "against").iterdir() if "step act:" in one.read_text())
    was = kept.read_text(encoding="utf-8").replace("giving again", "giving once_more")
    rules.write_text(written.replace(f'"{kept.stem}"', '"00000000"'), encoding="utf-8")
    (pack / "against" / "00000000.txt").write_text(was, encoding="utf-8")
    assert (
        "warning[moved-on]: `gnostica:flow/turn` has changed"
        in call("check", pack, "--no-cache").out
    )
    told = call("migrate", pack, "--dry-run").out
    for words in ("then", "now", "your pack", "giving once_more", "| use act_again"):
        assert words in told
    call("fmt", "--against", pack)
    assert rules.read_text(encoding="utf-8") == written
