"""`ruleloom test --derive ITEM`: derived cases, printed or written to a file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import refuse_existing, write_new
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.derive.derive_cases import READ_IT, derive
from ruleloom.scenarios.derive.write_yaml import file_of_cases

NOT_DERIVED = {
    *("pack", "vocabulary", "notation", "patch", "scenarios"),
    *("sheet", "setting", "switch", "bonus", "table", "tag", "clause"),
}


def derive_cases(paths: Sequence[str], word: str, file: str | None) -> int:
    """Derive the cases of one item; print them, or write them to a new file."""
    result = compile_paths(paths)
    if result.program is None or result.content is None:
        sys.stdout.write(render(result.diagnostics, result.sources, "text"))
        return FINDINGS
    item = find_item(word, result.content)
    derived = derive(item, result.program, result.content)
    if not derived.cases:
        print(f"nothing is derived: {safe_text(derived.why)}")
        return FINDINGS
    text = file_of_cases(derived.cases, f"The cases of `{item.name}`, {READ_IT}.")
    if file is None:
        sys.stdout.write(text)
    else:
        _write(Path(file), text)
    proof = [f"{count_of(len(derived.cases), 'case')} for {item.kind}/{item.name}"]
    proof += [f"proves: a case fails {safe_text(one)}" for one in derived.proved]
    proof += [f"not proved: no case fails {safe_text(one)}" for one in derived.missed]
    print("\n".join(proof), file=sys.stderr if file is None else sys.stdout)
    if file is not None:
        print(f"wrote {safe_text(file)}: read it, then keep it")
    return CLEAN


def find_item(word: str, content: Content) -> Item:
    """The item of this name, or of this kind and name."""
    known = [one for one in content.items if one.kind not in NOT_DERIVED]
    found = []
    for item in known:
        names = (item.name, f"{item.kind}/{item.name}", item.id)
        if word.replace("_", "-") in [name.replace("_", "-") for name in names]:
            found.append(item)
    if len(found) == 1:
        return found[0]
    if found:
        ids = [f"{one.kind}/{one.name}" for one in found]
        raise WrongUse(f"`{word}` is the name of several items", f"say which: {' or '.join(ids)}")
    titles = sorted({item.name for item in known})
    message = f"there is no item `{word}`; {choices_text(word, titles)}"
    raise WrongUse(message, did_you_mean(word, titles))


def _write(path: Path, text: str) -> None:
    if not path.name.endswith(ENDINGS):
        raise WrongUse(f"{path} is no YAML file", f"name it {path.name}.yaml")
    refuse_existing(path)
    write_new(path, text)
