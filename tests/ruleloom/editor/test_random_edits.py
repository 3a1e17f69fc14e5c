"""Files that are being written: whatever stands there, no feature fails, and at rest the editor says
what `ruleloom check` says."""

from __future__ import annotations

import asyncio
import shutil
from random import Random

import pytest

from tests.conftest import ROOT
from tests.laws.writing import PACKS, Checker, edited, write_at_random
from tests.support.lsp_client import lsp_editor

RIVER = ROOT / "rulesets" / "examples" / "river-folk"


def test_no_edit_breaks_anything():
    print("seed 1")
    found = write_at_random("examples/river-folk", edits=80, seed=1)
    assert found.faults == []
    assert found.compared > 0


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
def test_ten_thousand_edits_break_nothing(pack):
    print("seed 1")
    assert write_at_random(pack, edits=2_000, seed=1).faults == []


@pytest.mark.slow
def test_a_fast_writer_sees_at_rest_what_check_says(tmp_path):
    """A thousand edits sent as fast as they go, with requests between them."""
    pack = tmp_path / "pack"
    shutil.copytree(RIVER, pack)
    random = Random(7)

    async def run() -> None:
        async with lsp_editor(tmp_path, apart=True) as editor:
            uri = await editor.open(pack / "cards.yaml")
            text = right = editor.texts[uri]
            for number in range(1_000):
                text = right if number % 50 == 49 else edited(random, text, [right])
                editor.write(uri, text)
                if number % 20 == 0:
                    await editor.labels(uri, f"|{text[:1]}")
            found = await editor.findings(uri)
            (pack / "cards.yaml").write_text(text, encoding="utf-8", newline="\n")
            checked = [one for one in Checker().said(pack) if one[0].path.endswith("cards.yaml")]  # type: ignore[attr-defined]
            assert len(found) == len(checked)
            assert [one.code for one in found] == [one[2] for one in checked]

    asyncio.run(run())
