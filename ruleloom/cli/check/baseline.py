"""The baseline of `ruleloom check --baseline`: known warnings, silenced until they are fixed.

It is a JSON file with an entry for each kind of warning: code, path from the baseline's own folder,
fingerprint of the line's content, and number. There are no line numbers, so warnings may move. An
entry that nothing matches any more is a finding itself: a baseline only shrinks.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Diagnostic, Report, fingerprint
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.output.terminal import count_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.safe_text import safe_text

Key = tuple[str, str, str]
FIELDS = {"code": str, "path": str, "fingerprint": str, "times": int}
WRITE = "`--write-baseline` writes the file anew"


@dataclass(frozen=True, slots=True)
class BaselineEntry:
    """The number of findings of one code, in one file, at lines of the same content."""

    place: Place
    key: Key
    times: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known warnings; `folder` contains the file, and its paths start there."""

    folder: Path
    entries: tuple[BaselineEntry, ...]

    def hold(self, found: Sequence[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
        """The findings not in the baseline, and complaints about entries without one."""
        left: Counter[Key] = Counter()
        for entry in self.entries:
            left[entry.key] += entry.times
        new = []
        for one in found:
            key = key_of(one, sources, self.folder)
            if one.severity == "warning" and left[key] > 0:
                left[key] -= 1
            else:
                new.append(one)
        # After an error later passes have not run, so that nobody knows what they would find.
        if not any(one.severity == "error" for one in found):
            new += self._outdated(left, sources)
        return sorted(new, key=Diagnostic.order)

    def _outdated(self, left: Counter[Key], sources: Mapping[str, str]) -> Iterator[Diagnostic]:
        """The entries with findings to spare, in files that were read or are gone."""
        read = {path_from(self.folder, shown) for shown in sources}
        for entry in self.entries:
            code, path, _ = entry.key
            spare = min(left[entry.key], entry.times)
            left[entry.key] -= spare
            file = self.folder / path
            # A file in a zip exists as long as the zip does.
            exists = file.exists() or any(above.is_file() for above in file.parents)
            if spare and (path in read or not exists):
                still = entry.times - spare
                now = f"{count_of(still, 'time')}, not {entry.times:,}" if still else "no more"
                message = f"`{code}` in {safe_text(path)} is found {now}"
                yield Diagnostic(entry.place, "warning", "outdated-baseline", message, WRITE)


def key_of(found: Diagnostic, sources: Mapping[str, str], folder: Path) -> Key:
    """The key of a finding in a baseline in this folder."""
    return found.code, path_from(folder, found.place.path), fingerprint(found, sources)


def path_from(folder: Path, shown: str) -> str:
    """A file's path from a folder; the displayed path if there is no such file (of a shipped game)."""
    if not Path(shown).exists():
        return shown
    return os.path.relpath(os.path.realpath(shown), folder).replace(os.sep, "/")


def read_baseline(path: Path, report: Report, sources: dict[str, str]) -> Baseline | None:
    """Read a baseline, its text into `sources`; None after an error in it, or FileNotFoundError."""
    if not path.exists():
        raise FileNotFoundError(path)
    try:
        source = Source.read(path, shown_path(path))
    except SourceError as error:
        report.refuse(error)
        return None
    sources[source.path] = source.text
    listed = _listed(source, report)
    entries = [_entry(node, report) for node in listed or ()]
    sound = tuple(entry for entry in entries if entry is not None)
    if listed is None or len(sound) < len(entries):
        return None
    return Baseline(path.resolve().parent, sound)


def _listed(source: Source, report: Report) -> Sequence[YamlNode] | None:
    """The entries of a baseline; None after an error."""
    reading = Report()
    root = compose(source, reading)  # JSON is YAML, and this reader knows the places
    for fault in reading.diagnostics():
        if fault.severity == "error":
            report.add(fault)
    listed = root.get("findings") if root is not None and root.kind == "map" else None
    if listed is not None and listed.kind == "list":
        return listed.items
    if not report.has_errors:
        message = "a baseline is a mapping with a list of `findings`"
        report.error("bad-baseline", Place.of_file(source.path), message, WRITE)
    return None


def _entry(node: YamlNode, report: Report) -> BaselineEntry | None:
    fields = node.entries if node.kind == "map" else {}
    for name, sort in FIELDS.items():
        value = fields[name].value if name in fields else None
        # Not `isinstance`, because a truth value is an `int`. Zero and "" are refused as well.
        if type(value) is not sort or not value or (sort is int and int(str(value)) < 0):
            what = "a number from 1" if sort is int else "a text"
            report.error("bad-baseline", node.place, f"this entry needs `{name}`, {what}", WRITE)
            return None
    code, path, known = (str(fields[name].value) for name in ("code", "path", "fingerprint"))
    return BaselineEntry(node.place, (code, path, known), int(str(fields["times"].value)))


def baseline_text(found: Iterable[Diagnostic], sources: Mapping[str, str], folder: Path) -> str:
    """The text of a baseline of these warnings; the same for the same findings, one a line."""
    times: Counter[Key] = Counter()
    messages: dict[Key, str] = {}
    for one in found:
        key = key_of(one, sources, folder)
        times[key] += 1
        messages.setdefault(key, safe_text(one.message))
    rows = []
    for key in sorted(times, key=lambda key: (key[1], key[0], key[2])):
        values = (*key, times[key], messages[key])
        row = dict(zip((*FIELDS, "message"), values, strict=True))
        rows.append(f"\n    {json.dumps(row, ensure_ascii=False)}")
    return f'{{\n  "version": 1,\n  "findings": [{",".join(rows)}\n  ]\n}}\n'
