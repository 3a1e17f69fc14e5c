"""`ruleloom pack`: a pack as one file to give away."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from ruleloom.api.making import sound
from ruleloom.cli.cards import cards_of, pdf_writer
from ruleloom.cli.check.look import look
from ruleloom.cli.docs import reference_files
from ruleloom.cli.export import TARGETS, export_files
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.options import option, pack_paths, paths_argument, write_output
from ruleloom.cli.sheet import pages_of
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import PackFolder, is_archive
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.diff.compare import Broken, Side, compare, one_pack
from ruleloom.diff.report import advice
from ruleloom.export.game_data import game_data
from ruleloom.output.paper_sizes import PAPERS
from ruleloom.output.printed import sheet_html
from ruleloom.output.terminal import count_of
from ruleloom.output.zip_file import zipped
from ruleloom.packing.changelog import changelog, side_since
from ruleloom.packing.release import Release, read_back, release_of
from ruleloom.printing.paper import sheets
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text

Files = Mapping[str, bytes]


def _cards(result: CompileResult) -> Files:
    with pdf_writer("a PDF of cards") as writer:
        cards, name = cards_of(result), sound(result)[1].packs[-1].id
        return {
            f"cards-{paper}.pdf": writer.pdf([*sheets(cards, size, False, True)], name)
            for paper, size in PAPERS.items()
        }


def _sheets(result: CompileResult) -> Files:
    return {"sheets.html": sheet_html(pages_of(*sound(result))).encode()}


def _reference(result: CompileResult) -> Files:
    program, content = sound(result)
    return reference_files(content, program)


def _exports(result: CompileResult) -> Files:
    program, content = sound(result)
    data = game_data(content, program, with_odds=True)
    made = ((target, export_files(export(data))) for target, export in TARGETS.items())
    return {f"{target}/{name}": text for target, files in made for name, text in files.items()}


PARTS: Mapping[str, Callable[[CompileResult], Files]] = {
    "cards": _cards,
    "sheets": _sheets,
    "reference": _reference,
    "exports": _exports,
}
"""What can be made beside the zip, by the name of its part."""


@click.command("pack")
@paths_argument
@option("-o, --output FILE", "The zip to write.", required=True)
@option(
    "--since VERSION",
    "Put a changelog into it: what changed since a git revision, a folder or a zip.",
)
@option(
    "--with PARTS",
    f"What to write beside it, each in a zip: {', '.join(PARTS)}; several with commas.",
    name="parts",
    default="",
)
def command(paths: tuple[str, ...], output: str, since: str | None, parts: str) -> int:
    """Write a pack as one zip to give away: the same bytes for the same pack, on every machine.

    A PATH is a pack's folder; the last is packed, and the others are what it is checked with. The
    zip holds the files that are read, a licence, a readme, pictures, and a lock with the versions
    of what the pack was checked with. It is not written if the pack has mistakes, or if pictures or
    texts of others are not credited.

    \b
      ruleloom pack my-pack -o dist/my-pack.zip --since v1.0
    """
    packs, wanted = pack_paths(paths), _wanted(parts)
    if not is_archive(output):
        raise WrongUse(f"{output} is no zip", f"name it {output}.zip")
    findings = look(packs, True)
    if any(one.severity == "error" for one in findings.diagnostics):
        return _refuse(render(findings.mistakes, findings.sources, "text"), packs[-1])
    folder = _folder_of(packs[-1])
    result = compile_paths(packs, texts=True, reasons=False)
    program, content = sound(result)
    changes = "" if since is None else _changes(folder, since, packs, content, program)
    release, found = release_of(folder, content, changes)
    if found:
        return _refuse(render(found, result.sources, "text"), packs[-1])
    with refusals_told():
        digest = read_back(release, packs[:-1])
    write_output(output, release.zip)
    _tell(release, content, output, digest)
    for part in wanted:
        _write_part(part, Path(output), result)
    return CLEAN


def _wanted(parts: str) -> list[str]:
    """The parts named. Raises WrongUse for an unknown one."""
    found = [one.strip() for one in parts.split(",") if one.strip()]
    unknown = [one for one in found if one not in PARTS]
    if unknown:
        raise WrongUse(f"there is no part `{unknown[0]}`", f"the parts are {', '.join(PARTS)}")
    return found


def _refuse(found: str, path: str) -> int:
    sys.stdout.write(found)
    print(f"{safe_text(path)} is not packed")
    return FINDINGS


def _folder_of(path: str) -> PackFolder:
    """The folder of the one pack that a path names. Raises WrongUse."""
    with refusals_told():
        folder = one_pack(path, path)
    if folder.archive is not None:
        raise WrongUse(f"{path} is a zip already", "name the folder of the pack")
    return folder


def _changes(
    folder: PackFolder, since: str, packs: Sequence[str], content: Content, program: Program
) -> str:
    """The changelog since an older version. Raises WrongUse if the version was not raised enough."""
    pack = next(one for one in content.packs if one.folder.resolve() == folder.path.resolve())
    new = Side(pack.id, pack, content, program)
    try:
        with refusals_told():
            old = side_since(folder, since, packs[:-1])
    except Broken as broken:
        help = f"ruleloom diff {since} {folder.shown}"
        raise WrongUse(f"{broken.label} has mistakes, and cannot be compared", help) from None
    if old.pack.id != pack.id:
        raise WrongUse(f"{since} is the pack {old.pack.id}, not {pack.id}")
    changes = compare(old, new)
    advised = advice(changes, old.pack.version, pack.version)
    if not advised.enough:
        told = f"the version is {pack.version}, and what changed since {old.pack.version}"
        message = f"{told} asks for {advised.asked} ({advised.level})"
        raise WrongUse(message, f"write `version: {advised.asked}` in {folder.manifest_shown}")
    return changelog(old, new, changes)


def _tell(release: Release, content: Content, output: str, digest: str) -> None:
    pack, files = release.pack, count_of(len(release.files), "file")
    print(f"wrote {safe_text(output)}: {pack.id} {pack.version}, {files}")
    print(f"checked with {', '.join(f'{one.id} {one.version}' for one in content.packs)}")
    licence = pack.manifest.data("licence")
    print(f"licence {licence}" if licence else "no licence: nobody who gets it may share it")
    if release.left_out:
        print(f"left out: {safe_text(', '.join(release.left_out))}")
    print(f"sha256 {digest}")


def _write_part(part: str, output: Path, result: CompileResult) -> None:
    """Write one part in a zip beside the pack's, or say why there is none."""
    target = output.with_name(f"{output.stem}-{part}.zip")
    try:
        files = PARTS[part](result)
    except WrongUse as none:
        print(f"no {part}: {none.message}")
        return
    write_output(target, zipped(files))
    print(f"wrote {safe_text(str(target))}: {count_of(len(files), 'file')}")
