"""`ruleloom why ITEM.FIELD`: reads the content of packs, and prints the patches of a field."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.why.field_history import as_data, histories, history_lines
from ruleloom.cli.why.number_query import is_field, pack_in
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.source.file import Source
from ruleloom.output.terminal import colour_wanted


def tell_fields(path: str, words: str | None, packs: tuple[str, ...], form: str, color: str) -> int:
    """Print the history of a field, or of an item's changed fields; `path` may name it instead."""
    named: Sequence[str] = [path, *packs]
    if words is None:
        words, named = path, _packs_of_field(path, packs)
    report, sources = Report(), dict[str, Source]()
    content = load_content(named, report, sources=sources, scenarios=False)
    if content is None or report.has_errors:
        texts = {shown: source.text for shown, source in sources.items()}
        sys.stdout.write(render(report.diagnostics(), texts, "text"))
        return FINDINGS
    found = histories(words, content)
    if form == "json":
        data = [as_data(one, content) for one in found]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    colour = colour_wanted(color)
    told = ("\n".join(history_lines(one, content, colour)) for one in found)
    print("\n\n".join(told) if found else "no patch changes any of its fields")
    return CLEAN


def _packs_of_field(words: str, packs: tuple[str, ...]) -> Sequence[str]:
    """The packs to search for a field that is named without any. Raises WrongUse."""
    if not is_field(words) or Path(words).exists():
        raise WrongUse("what number?", f'write its name behind the file: "{words} PR"')
    named = packs or tuple(filter(None, [pack_in(words)]))
    if not named:
        help = f"write `--pack DIR`, or the pack: PACK {words}"
        raise WrongUse(f"which pack is `{words}` in?", help)
    return named
