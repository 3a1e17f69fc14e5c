"""Documents of verbs as PDF, by the name of the file."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.support.command import call

try:
    import weasyprint  # noqa: F401
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
