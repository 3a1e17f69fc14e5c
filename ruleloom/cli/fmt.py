"""`ruleloom fmt`: rewrites effect text in canonical form, or lists the files that need it.

A text that does not parse is reported and left as it is. The edited file is read again, and its data
compared, before it is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import pack_paths, paths_argument, write_output
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, find_packs
from ruleloom.compiler.packs.walk import ENDINGS, MANIFEST
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import effect_nodes, item_nodes, kind_of
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import effect_text
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text

# A part of a file, from and to, and its new text.
Edit = tuple[int, int, str]
BLOCKS = ("block", "abilities")
# A case may name one of these in place of an effect text.
FLOWS = ("set_up", "turn")
# Signs that a text on one line cannot contain without new quotes or escapes, by its style.
UNFIT = {"'": ("\n", "'"), '"': ("\n", '"', "\\"), None: ("\n", ": ", " #")}


@click.command("fmt")
@paths_argument
@click.option(
    "--check", "dry_run", is_flag=True, help="Change nothing; exit code 1 if a file would change."
)
def command(paths: tuple[str, ...], dry_run: bool) -> int:
    """Rewrite effect text in canonical form: four spaces per level, single spaces between words.

    Only effect text is changed; the rest of a file stays as it is, comments included. A PATH is a
    YAML file, a pack's folder or a folder of packs.
    """
    report = Report()
    sources: dict[str, str] = {}
    files = files_to_format(pack_paths(paths), report)
    changed = [path.shown for path in files if _format_file(path, sources, report, dry_run)]
    sys.stdout.write(render(report.diagnostics(), sources, "text"))
    verb = "would change" if dry_run else "changed"
    for shown in changed:
        print(f"{verb} {safe_text(shown)}")
    print(f"looked at {count_of(len(files), 'file')}: {count_of(len(changed), 'file')} {verb}")
    return FINDINGS if report.has_errors or (dry_run and changed) else CLEAN


class YamlFile(NamedTuple):
    """A file to format, its displayed name, and the schemas that say where its effect text is."""

    path: Path
    shown: str
    store: SchemaStore


def files_to_format(paths: Sequence[str], report: Report) -> list[YamlFile]:
    """The YAML files that the paths name, each once."""
    found: dict[str, YamlFile] = {}
    for argument in paths:
        path = Path(argument)
        for folder in find_packs(argument, BUILTIN, report):
            if folder.archive is not None:
                help = "unpack it, and name the folder"
                raise WrongUse(f"{argument} is a zip, and `fmt` writes none", help)
            store = SchemaStore.load(SCHEMAS, _game_of(folder.path))
            if path.is_file() and argument.endswith(ENDINGS):
                found[argument] = YamlFile(path, argument, store)
                continue
            for file in folder.files(report)[0]:
                found[file.shown] = YamlFile(file.path, file.shown, store)
    return list(found.values())


def _game_of(folder: Path) -> str | None:
    """The game of a pack, if its manifest names one with schemas; `check` reports the others."""
    try:
        root = compose(Source.read(folder / MANIFEST, MANIFEST), Report())
    except SourceError:
        return None
    game = root.get("game") if root is not None else None
    name = game.text if game is not None else None
    return name if name and (SCHEMAS / name).is_dir() and name.isidentifier() else None


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
    """The text with the line ends and the byte order mark of a file."""
    if b"\r\n" in raw and raw.count(b"\r\n") == raw.count(b"\n"):
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if raw.startswith(b"\xef\xbb\xbf") else text


def formatted(source: Source, store: SchemaStore, report: Report) -> str:
    """The text of a file with its effect text in canonical form."""
    root = compose(source, report)
    if root is None:
        return source.text
    edits = [
        edit_of(source, block, form, report)
        for node in item_nodes(root, Report())
        for block, form in blocks_of(node, store)
    ]
    text = source.text
    for start, end, tidy in sorted(filter(None, edits), reverse=True):
        text = text[:start] + tidy + text[end:]
    if text != source.text:
        again = compose(Source(source.path, text), Report())
        same = again is not None and _without_effects(again, store) == _without_effects(root, store)
        assert same, f"formatting would change the data of {source.path}"
    return text


def blocks_of(item: YamlNode, store: SchemaStore) -> list[tuple[YamlNode, str]]:
    """The blocks of effect text in an item, or in the changes of a patch, each with its form."""
    kind = kind_of(item, store, Report())  # `check` says what is wrong with a kind
    flows = FLOWS if kind == "scenarios" else ()
    return [
        (node, form)
        for node, form in _effect_nodes(item, kind, store)
        if node is not None and form in BLOCKS and node.text and node.text not in flows
    ]


def _effect_nodes(
    item: YamlNode, kind: str | None, store: SchemaStore
) -> Iterator[tuple[YamlNode | None, str]]:
    if kind is not None:
        yield from ((node, form) for _, node, form in effect_nodes(item, kind, store))
    # A kind that is not known here may come from an extension, perhaps of another pack: such kinds
    # have these fields, and so have the items that a patch changes.
    fields = item if kind is None else None
    if kind == "patch":
        fields = item.get("set")
        yield item.get("replace-effect"), "block"
    if fields is not None:
        yield from ((fields.get("effect"), "block"), (fields.get("abilities"), "abilities"))


def edit_of(source: Source, node: YamlNode, form: str, report: Report) -> Edit | None:
    """The edit of one text; None if it is canonical already, or does not parse."""
    written = effect_text(source, node, report)
    if written is None:
        return None
    try:
        tidy = format_text(written.text, start=form).rstrip("\n")
    except EffectSyntaxError as error:
        report.error(error.code, written.place_of(error.span), error.message, error.help)
        return None
    if tidy == written.text.rstrip("\n"):
        return None
    end = written.offset_of(len(written.text))
    starts = written.source_starts
    if node.style != "|":
        needs_quoting = any(sign in tidy for sign in UNFIT.get(node.style, ("\n",)))
        return None if needs_quoting else (starts[0], end, tidy)
    first = next(n for n, line in enumerate(written.text.split("\n")) if line.strip())
    line_start = source.text.rfind("\n", 0, starts[first]) + 1
    margin = " " * (starts[first] - line_start)
    start = source.text.rfind("\n", 0, starts[0]) + 1
    return (start, end, indent(tidy, margin))


def _without_effects(root: YamlNode, store: SchemaStore) -> object:
    """The data of a file with its blocks of effect text left out."""
    blocks = {
        id(block) for item in item_nodes(root, Report()) for block, _ in blocks_of(item, store)
    }

    def data(node: YamlNode) -> object:
        if id(node) in blocks:
            return None
        if node.kind == "map":
            return {key: data(child) for key, child in node.entries.items()}
        return [data(child) for child in node.items] if node.kind == "list" else to_data(node)

    return data(root)
