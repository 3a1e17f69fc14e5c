"""Findings about whose a pack is: its licences are SPDX expressions, pictures are there, and these and texts
of others have a credit in its manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item, Pack
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.packing.companions import is_artwork

# A shorter text may well be the same by chance.
SHORTEST_TEXT = 40
SPDX = (
    "write an id of spdx.org/licenses such as CC-BY-4.0, or LicenseRef-NAME for terms of your own"
)


class Credit(NamedTuple):
    """What a manifest credits: files by a pattern, or the pack that texts come from; and to whom."""

    of: str
    by: str
    licence: str
    source: str


def credits_of(pack: Pack) -> list[Credit]:
    """The credits in a manifest."""
    listed = pack.manifest.data("credits")
    found = listed if isinstance(listed, list) else []
    return [Credit(*(str(one.get(name) or "") for name in Credit._fields)) for one in found]


def findings_about(content: Content, pack: Pack, files: Sequence[str]) -> list[Diagnostic]:
    """What is missing or wrong about the licences and credits of a pack with these `files`."""
    report, manifest = Report(), pack.manifest
    named = manifest.fields.get("credits")
    credits = credits_of(pack)
    _report_licences(manifest, report)
    for name in filter(is_artwork, files):
        if not any(fnmatchcase(name, one.of) for one in credits):
            message = f"nobody is credited for `{name}`"
            _complain(report, manifest.place if named is None else named.place, message, name)
    _report_missing(content, pack, files, report)
    for item, other in _texts_of_others(content, pack):
        if not any(one.of == other.pack for one in credits):
            message = f"this text is that of {other.id}, and its author is not credited"
            _complain(report, item.fields["text"].place, message, other.pack)
    return report.diagnostics()


def _report_licences(manifest: Item, report: Report) -> None:
    """Report what is no licence expression."""
    for node in _licences(manifest):
        if not _is_spdx(node.text or ""):
            message = f"`{node.text}` is no licence expression"
            report.error("bad-licence", node.place, message, SPDX)


def _report_missing(content: Content, pack: Pack, files: Sequence[str], report: Report) -> None:
    """Report the pictures and fonts of a pack whose files it does not have."""
    named = [(one.fields["file"], "a PNG or JPEG") for one in content.by_kind("picture")]
    for layout in content.by_kind("layout"):
        fonts = entries_of(layout.fields.get("fonts")).values()
        named += [(one, "a TrueType font") for one in fonts]
    for file, what in named:
        owner, _ = content.files[file.source.path]
        if owner == pack.id and file.text not in files:
            message, help = f"there is no `{file.text}` in the pack", f"{what} in the pack"
            report.error("unreadable-file", file.place, message, help)


def _complain(report: Report, place: Place, message: str, of: str) -> None:
    help = f"in `pack.yaml`, under `credits:`, write {{of: {of}, by: NAME, licence: CC-BY-4.0}}"
    report.error("no-credit", place, message, help)


def _licences(manifest: Item) -> Iterator[YamlNode]:
    """The licences in a manifest: its own, and those of its credits."""
    credits = manifest.fields.get("credits")
    tables = (manifest.fields, *(one.entries for one in (credits.items if credits else ())))
    yield from (table["licence"] for table in tables if "licence" in table)


def _is_spdx(text: str) -> bool:
    try:
        canonicalize_license_expression(text)
    except InvalidLicenseExpression:
        return False
    return True


def _texts_of_others(content: Content, pack: Pack) -> Iterator[tuple[Item, Item]]:
    """The items of a pack whose own printed text is word for word that of another pack's item."""
    texts: dict[str, Item] = {}
    for item in content.items:
        text = _text(item)
        if len(text) < SHORTEST_TEXT:
            continue
        if item.pack != pack.id:
            texts.setdefault(text, item)
        elif text in texts and _is_written_in(content, item, pack):
            yield item, texts[text]


def _text(item: Item) -> str:
    text = item.data("text")
    return " ".join(text.split()) if isinstance(text, str) else ""


def _is_written_in(content: Content, item: Item, pack: Pack) -> bool:
    """Whether a text stands in a file of the pack, and is not taken over by `like:`."""
    return content.files[item.fields["text"].place.path][0] == pack.id
