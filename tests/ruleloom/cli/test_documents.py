"""Documents of verbs as PDF, by the name of the file."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.support.command import call

try:
    from ruleloom.output.document_pdf import document_pdf
except OSError as missing:
    pytest.skip(f"this system lacks Pango: {missing}", allow_module_level=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sheet", "moonstone", "--blank"), "Raw scores"),
        (("screen", "gnostica"), "A turn"),
    ],
)
def test_a_name_that_ends_in_pdf_makes_a_pdf_that_can_be_searched(
    tmp_path: Path, words: tuple[str, ...], said: str
):
    done = call(*words, "-o", tmp_path / "out.pdf")
    assert done.code == 0, done.err
    document = pypdfium2.PdfDocument(tmp_path / "out.pdf")
    assert said in document[0].get_textpage().get_text_range()
    assert len(document) <= 4


@pytest.mark.parametrize(("paper", "height"), [("a4", 297.0), ("letter", 279.4)])
@pytest.mark.parametrize("over", [5, 90])
def test_no_part_ends_on_an_almost_empty_page(paper: str, height: float, over: int):
    room = height - 2 * 12
    lines = "<p style='margin:0;height:5mm'>words</p>" * round((room + over) / 5)
    html = (
        f"<style>@page {{ margin: 12mm }} body {{ margin: 0 }}</style>{lines}<div id='end-1'></div>"
    )
    document = pypdfium2.PdfDocument(document_pdf(html, paper))
    assert len(document) == (1 if over == 5 else 2)
    wide, high = (side / 72 * 25.4 for side in document[0].get_size())
    assert abs(high - height) < 0.1
    assert abs(wide - {"a4": 210, "letter": 215.9}[paper]) < 0.1


def test_the_paper_is_that_of_a_pdf(tmp_path: Path):
    for words in (("sheet", "moonstone", "--blank"), ("screen", "gnostica")):
        done = call(*words, "--paper", "letter", "-o", tmp_path / "out.html")
        assert (done.code, "`--paper` is for a PDF" in done.err) == (2, True)
    done = call("docs", "gnostica", "--paper", "letter", "-o", tmp_path / "site")
    assert (done.code, "`--paper` is for a PDF" in done.err) == (2, True)
