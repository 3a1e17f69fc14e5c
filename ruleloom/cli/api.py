"""`ruleloom api`: the names that a pack promises to keep, and whether it keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import option, pack_paths, paths_argument, write_output
from ruleloom.compiler.packs.content import Content, Pack
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.diff.api_file import (
    FILE,
    BrokenPromise,
    Recorded,
    Unreadable,
    api_text,
    broken_promises,
    recorded,
)
from ruleloom.diff.promises import promises_of
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text


@click.command("api")
@paths_argument
@option(
    "--write", f"Write it as `{FILE}` in the folder of each pack, unless that breaks a promise."
)
@option(
    "--check", f"Only compare with `{FILE}`; exit code 1 if a promise is broken or not written."
)
def command(paths: tuple[str, ...], write: bool, check: bool) -> int:
    """List what packs promise: the names that others hold on to, each with the version it came in.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. Wording of questions, labels and the log is not promised. A promise may be
    broken by a higher version that has `renamed_from`, a rule of migration, or deprecated it before.
    """
    _, content = sound(compile_paths(pack_paths(paths), scenarios=False))
    named = [pack for pack in content.packs if pack.id in content.named]
    return max(_one(content, pack, write, check) for pack in named)


def _one(content: Content, pack: Pack, write: bool, check: bool) -> int:
    """List, write or check the promises of one pack."""
    shown = safe_text(shown_path(pack.folder / FILE))
    before = _recorded(pack, shown)
    promises = promises_of(content, pack.id)
    if not (write or check):
        for name, promise in promises.items():
            since = before.since.get(name, pack.version)
            print(safe_text(f"{name}{_said(promise.says)}; since {since}"))
        return CLEAN
    if not before.version and check:
        print(f"{safe_text(pack.id)} promises nothing: there is no {shown}")
        return CLEAN
    broken = [*broken_promises(content, pack, before)] if before.version else []
    if broken:
        _print_broken(broken, shown)
        print(f"{shown}: {count_of(len(broken), 'promise')} broken since {before.version}")
        return FINDINGS
    return _written(pack, api_text(pack, promises, before), shown, write)


def _recorded(pack: Pack, shown: str) -> Recorded:
    """What a pack has promised. Raises WrongUse."""
    try:
        return recorded(pack.folder / FILE)
    except Unreadable:
        help = "remove it, and `ruleloom api --write` writes it anew"
        raise WrongUse(f"{shown} is no list of promises", help) from None


def _written(pack: Pack, text: str, shown: str, write: bool) -> int:
    """Write the file of a pack, or tell whether it is as it should be."""
    file = pack.folder / FILE
    is_stale = not file.exists() or file.read_text(encoding="utf-8") != text
    if is_stale and write:
        write_output(file, text)
    state = "written" if write else "not what is promised now; `ruleloom api --write` writes it"
    print(f"{shown}: {state if is_stale else 'as promised'}")
    return FINDINGS if is_stale and not write else CLEAN


def _print_broken(broken: Sequence[BrokenPromise], shown: str) -> None:
    for one in broken:
        file = one.file or shown
        print(safe_text(f"{file}:{one.line}: {one.words}"))
        print(safe_text(f"  {one.help}"))


def _said(says: Mapping[str, Any]) -> str:
    """What a promise says, on one line."""
    lists = ((key, one if isinstance(one, list) else [one]) for key, one in says.items())
    return "".join(f"; {key}: {', '.join(map(str, one))}" for key, one in lists)
