"""`ruleloom fmt`: rewrites effect text in canonical form, or lists the files that need it.

A text that does not parse is reported and not changed. The edited file is parsed again, and its data
compared, before it is written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import (
    option,
    pack_option,
    pack_paths,
    paths_argument,
    write_output,
)
from ruleloom.compiler.analysis.yaml_cursor import formatted, game_named
from ruleloom.compiler.cases.claimed_words import MAY_CHANGE, WORDS_MAY_CHANGE
from ruleloom.compiler.diagnostics.render import render, where
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, find_packs
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.migrate.against import FOLDER, written_against
from ruleloom.migrate.course import Course
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.case_names import NOT_NAMED, WordsClaim, claims_on_words, named


@click.command("fmt")
@paths_argument
@option("--check", "Change nothing; exit code 1 if a file would change.", name="dry_run")
@option("--against", "Also write into each patch which text of the game it is written against.")
@option(
    "--names",
    "Rewrite instead the claims of cases on words of the packs below, which may change, to names.",
    name="to_names",
)
@pack_option
def command(
    paths: tuple[str, ...], dry_run: bool, against: bool, to_names: bool, packs: tuple[str, ...]
) -> int:
    """Rewrite effect text in canonical form: four spaces per level, single spaces between words.

    Only effect text is changed; the rest of a file stays as it is, comments included. A PATH is a
    YAML file, a pack's folder or a folder of packs.
    """
    if to_names:
        return _name_claims(paths, dry_run)
    report = Report()
    sources: dict[str, str] = {}
    if against:
        _write_against(pack_paths(paths), packs, dry_run)
    files = files_to_format(pack_paths(paths), report)
    changed = [path.shown for path in files if _format_file(path, sources, report, dry_run)]
    sys.stdout.write(render(report.diagnostics(), sources, "text"))
    verb = "would change" if dry_run else "changed"
    for shown in changed:
        print(f"{verb} {safe_text(shown)}")
    print(f"looked at {count_of(len(files), 'file')}: {count_of(len(changed), 'file')} {verb}")
    return FINDINGS if report.has_errors or (dry_run and changed) else CLEAN


def _write_against(paths: Sequence[str], beside: Sequence[str], dry_run: bool) -> None:
    """Write what the patches of packs are against, and keep these texts beside the packs."""
    for folder in (one for path in paths for one in find_packs(path, BUILTIN, Report())):
        if folder.archive is None and not dry_run:
            course = Course(folder, beside)
            kept, left = written_against(course, course.compiled())
            for file, text in course.texts.items():
                write_output(file, as_before(text, Path(file).read_bytes()))
            for inside, text in kept.items():
                write_output(folder.path / inside, text)
            print(f"{safe_text(folder.shown)}: {count_of(len(kept), 'text')} kept in `{FOLDER}`")
            for item in left:
                at = f"{item.place.path}:{item.place.line}:{item.place.column}"
                told = f"`{item.name}` cannot remember what it overrides: its kind has a field `{FOLDER}`"
                print(safe_text(f"{at}: {told}"))


def _name_claims(paths: Sequence[str], dry_run: bool) -> int:
    """List the claims of cases on words of other packs, and write the names of those that have one."""
    program, content = sound(compile_paths(pack_paths(paths)))
    files = [one for one in content.scenarios if content.files[one][0] in content.named]
    claims = claims_on_words(content, program, files)
    found = [*chain.from_iterable(claims.values())]
    for one in found:
        _tell(one)
    for shown in () if dry_run else files:
        _write_names(content, shown, claims[shown])
    changed = len([one for one in found if one.name])
    verb = "would be named" if dry_run else "named"
    print(f"{count_of(changed, 'claim')} {verb}, {len(found) - changed} on words left")
    return FINDINGS if dry_run and changed else CLEAN


def _tell(claim: WordsClaim) -> None:
    """Print a claim on words."""
    name = f"its name is `{claim.name}`" if claim.name else ""
    told = f"{MAY_CHANGE.format(claim.node.text)}; {name or claim.help or NOT_NAMED}"
    print(safe_text(f"{where(claim.node.place)}: {WORDS_MAY_CHANGE}: {told}"))


def _write_names(content: Content, shown: str, claims: Sequence[WordsClaim]) -> None:
    """Write a file of cases with names in place of words."""
    pack, inside = content.files[shown]
    source, path = content.sources[shown], content.pack(pack).folder / inside
    text = named(source, claims)
    if text != source.text:
        write_output(path, as_before(text, path.read_bytes()))


class YamlFile(NamedTuple):
    """A file to format, its displayed name, and the schemas that locate its effect text."""

    path: Path
    shown: str
    store: SchemaStore


def files_to_format(paths: Sequence[str], report: Report) -> list[YamlFile]:
    """The YAML files of the paths, deduplicated."""
    found: dict[str, YamlFile] = {}
    for argument in paths:
        path = Path(argument)
        for folder in find_packs(argument, BUILTIN, report):
            if folder.archive is not None:
                help = "unpack it, and name the folder"
                raise WrongUse(f"{argument} is a zip, and `fmt` writes none", help)
            # The game, if the manifest names one with schemas; `check` reports the others.
            game = game_named(folder.path)
            is_known = game.isidentifier() and (SCHEMAS / game).is_dir()
            store = schemas_of(SCHEMAS, game if is_known else None)
            if path.is_file() and argument.endswith(ENDINGS):
                found[argument] = YamlFile(path, argument, store)
                continue
            for file in folder.files(report)[0]:
                found[file.shown] = YamlFile(Path(file.path), file.shown, store)
    return list(found.values())


def _format_file(file: YamlFile, sources: dict[str, str], report: Report, dry_run: bool) -> bool:
    """Format one file; return whether it was (or would be) changed."""
    try:
        source = Source.read(file.path, file.shown)
    except SourceError as error:
        report.refuse(error)
        return False
    sources[file.shown] = source.text
    text = formatted(source, file.store, report)
    if text != source.text and not dry_run:
        write_output(file.path, as_before(text, file.path.read_bytes()))
    return text != source.text


def as_before(text: str, raw: bytes) -> str:
    """The text with the line endings and byte order mark of `raw`."""
    if b"\r\n" in raw and raw.count(b"\r\n") == raw.count(b"\n"):
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if raw.startswith(b"\xef\xbb\xbf") else text
