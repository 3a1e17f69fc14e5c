"""Writes a page of a report: as plain text, as Markdown, or as one HTML file that needs no other.

Text that packs bring is made safe here, for each form in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ruleloom.output.printed import templates_in
from ruleloom.output.terminal import count_of
from ruleloom.reports.charts import svg_of
from ruleloom.reports.page import FigureTable, ReportPage, ReportSection
from ruleloom.runtime.program.safe_text import safe_text

MARKS = re.compile(r"([\\`*_\[\]<>#|~])")


def text_of(page: ReportPage) -> str:
    """The page as plain text: aligned tables, no charts."""
    lines = [safe_text(page.title)]
    for section in page.sections:
        lines += ["", safe_text(section.title)]
        lines += [f"  {safe_text(one)}" for one in section.paragraphs]
        if section.table is not None:
            lines += _aligned(section.table)
    return "\n".join(lines) + "\n"


def _aligned(table: FigureTable) -> Iterator[str]:
    rows = [tuple(map(safe_text, row)) for row in (table.headings, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = [figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join(["", name.ljust(widths[0]), *cells]).rstrip()
    if table.left_out:
        yield f"  ... and {count_of(table.left_out, 'row')} more, with --format json or in a report"


def markdown_of(page: ReportPage) -> str:
    """The page as Markdown: tables, no charts."""
    lines = [f"# {_marked(page.title)}", "", f"Made by `{safe_text(page.command)}`."]
    for section in page.sections:
        lines += ["", f"## {_marked(section.title)}"]
        for one in section.paragraphs:
            lines += ["", _marked(one)]
        if section.table is not None:
            lines += ["", *_piped(section.table)]
    return "\n".join(lines) + "\n"


def _piped(table: FigureTable) -> Iterator[str]:
    yield f"| {' | '.join(map(_marked, table.headings))} |"
    yield f"|{'---|' + '---:|' * (len(table.headings) - 1)}"
    for row in table.rows:
        yield f"| {' | '.join(map(_marked, row))} |"
    if table.left_out:
        yield ""
        yield f"{count_of(table.left_out, 'row')} more left out."


def _marked(text: str) -> str:
    """Text in which nothing is a mark of Markdown."""
    return MARKS.sub(r"\\\1", safe_text(text))


def html_of(page: ReportPage) -> str:
    """The page as one HTML document, which prints well and asks nothing of a network."""
    environment = templates_in(Path(__file__).resolve().parent)
    environment.filters["count_of"] = count_of
    environment.globals["chart_of"] = _chart_of
    return environment.get_template("report.html.j2").render(page=page)


def _chart_of(section: ReportSection) -> str:
    return "" if section.chart is None else svg_of(section.chart, section.title)
