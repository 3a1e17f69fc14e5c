"""Optional filters of `ruleloom check`: compares findings with a baseline or a git revision, and applies
fixes.

A baseline silences known warnings until they are fixed. It is a JSON file with an entry for each kind of
warning: code, path relative to the baseline's folder, fingerprint of the line's content, and count. It has no
line numbers, so warnings may move. An entry that no longer matches is itself a finding: a baseline only
shrinks.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ruleloom.cli.check.look import look
from ruleloom.cli.faults import WrongUse, refusals_told
from ruleloom.cli.fmt import as_before
from ruleloom.cli.options import write_output
from ruleloom.compiler.analysis.yaml_cursor import read_yaml
from ruleloom.compiler.diagnostics.fixes import Fix, apply_fixes, fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Report, fingerprint
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.locate import BUILTIN, is_archive, shown_path
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.diff.revisions import NoRevision, ask_git, commit_of, unpack_all
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.system import way_to
from ruleloom.store.findings import Findings

Key = tuple[str, str, str]
FIELDS = {"code": str, "path": str, "fingerprint": str, "times": int}
WRITE = "`--write-baseline` writes the file anew"


class BaselineEntry(NamedTuple):
    """The count of findings of one code, in one file, on lines of the same content."""

    place: Place
    key: Key
    times: int


def not_in_baseline(
    path: Path, found: Sequence[Diagnostic], sources: dict[str, str]
) -> list[Diagnostic]:
    """The findings that a baseline does not list, and its outdated entries; its text is added to
    `sources`."""
    report, of_packs = Report(), dict(sources)
    entries = _read(path, report, sources)
    new: list[Diagnostic] = list(found)
    if entries is not None:
        folder, left = path.resolve().parent, Counter[Key]()
        for entry in entries:
            left[entry.key] += entry.times
        new = []
        for one in found:
            key = key_of(one, of_packs, folder)
            if one.severity == "warning" and left[key] > 0:
                left[key] -= 1
            else:
                new.append(one)
        # After an error later passes have not run, so their findings are unknown.
        if not any(one.severity == "error" for one in found):
            new += _outdated(folder, entries, left, of_packs)
    return sorted([*new, *report.diagnostics()], key=Diagnostic.order)


def _outdated(
    folder: Path,
    entries: Iterable[BaselineEntry],
    left: Counter[Key],
    sources: Mapping[str, str],
) -> Iterator[Diagnostic]:
    """The entries that list too many findings, in files read or gone."""
    read = {path_from(folder, shown) for shown in sources}
    for entry in entries:
        code, path, _ = entry.key
        spare = min(left[entry.key], entry.times)
        left[entry.key] -= spare
        file = folder / path
        # A file in a zip exists as long as the zip does.
        exists = file.exists() or any(above.is_file() for above in file.parents)
        if spare and (path in read or not exists):
            still = entry.times - spare
            now = f"{count_of(still, 'time')}, not {entry.times:,}" if still else "no more"
            message = f"`{code}` in {safe_text(path)} is found {now}"
            yield Diagnostic(entry.place, "warning", "outdated-baseline", message, WRITE)


def key_of(found: Diagnostic, sources: Mapping[str, str], folder: Path) -> Key:
    """The key of a finding in a baseline in `folder`."""
    return found.code, path_from(folder, found.place.path), fingerprint(found, sources)


def path_from(folder: Path, shown: str) -> str:
    """A file's path relative to a folder; the displayed path if it is no file (shipped games)."""
    if not Path(shown).exists():
        return shown
    return way_to(os.path.realpath(shown), folder)


def _read(path: Path, report: Report, sources: dict[str, str]) -> list[BaselineEntry] | None:
    """The entries of a baseline, its text added to `sources`; None after an error."""
    if not path.exists():
        help = "`--write-baseline` makes one of the current warnings"
        raise WrongUse(f"there is no baseline {path}", help)
    reading = Report()
    root = read_yaml(path, reading, sources)  # JSON is YAML, and this reader keeps the places
    for fault in reading.diagnostics():
        if fault.severity == "error":
            report.add(fault)
    listed = root.get("findings") if root is not None and root.kind == "map" else None
    if listed is not None and listed.kind == "list":
        return _entries(listed, report)
    if not report.has_errors:
        message = "a baseline is a mapping with a list of `findings`"
        report.error("bad-baseline", Place.of_file(shown_path(path)), message, WRITE)
    return None


def _entries(listed: YamlNode, report: Report) -> list[BaselineEntry] | None:
    """The entries of a list; None if one of them is wrong."""
    entries = [_entry(node, report) for node in listed.items]
    sound = [one for one in entries if one is not None]
    return sound if len(sound) == len(entries) else None


def _entry(node: YamlNode, report: Report) -> BaselineEntry | None:
    fields = node.entries if node.kind == "map" else {}
    for name, sort in FIELDS.items():
        value = fields[name].value if name in fields else None
        # Not `isinstance`: a `bool` is an `int`. Zero and "" are refused as well.
        if type(value) is not sort or not value or (sort is int and int(str(value)) < 0):
            what = "a number from 1" if sort is int else "a text"
            report.error("bad-baseline", node.place, f"this entry needs `{name}`, {what}", WRITE)
            return None
    code, path, known = (str(fields[name].value) for name in ("code", "path", "fingerprint"))
    return BaselineEntry(node.place, (code, path, known), int(str(fields["times"].value)))


def baseline_text(found: Iterable[Diagnostic], sources: Mapping[str, str], folder: Path) -> str:
    """The text of a baseline of these warnings, one per line; deterministic."""
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


DEEPER = "in CI, have the history fetched: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab"


class Repository:
    """The git repository around a folder, compared with a revision. Raises WrongUse."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.folder = folder
        self.revision = revision
        try:
            commit = commit_of(folder, revision)
            top = ask_git(folder, "rev-parse", "--show-toplevel")
            self.top = Path(os.path.realpath(os.fsdecode(top).removesuffix("\n")))
            differ = ("diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", commit, "--")
            fresh = ("ls-files", "--others", "--exclude-standard", "-z")
            listed = ask_git(self.top, *differ) + ask_git(self.top, *fresh)
        except NoRevision as error:
            raise WrongUse(str(error), DEEPER) from None
        self.changed = {self.top / os.fsdecode(name) for name in listed.split(b"\0") if name}

    def has_changed(self, shown: str) -> bool:
        """Was a file changed, added or removed since the revision?"""
        path = Path(os.path.realpath(self.folder / shown))
        # A file displayed as `house.zip/cards.yaml` is in `house.zip`.
        return not self.changed.isdisjoint((path, *path.parents))


def brought_by_change(
    findings: Findings, found: Sequence[Diagnostic], revision: str, paths: Sequence[str]
) -> list[Diagnostic]:
    """Return the findings introduced since a revision.

    The old packs are compiled only if there is a finding in an unchanged file. Raises WrongUse without git, a
    repository or such a revision.
    """
    repository = Repository(Path.cwd(), revision)
    elsewhere = []
    for one in found:
        files = {one.place.path, *(note.place.path for note in one.notes)}
        if not any(map(repository.has_changed, files)):
            elsewhere.append(one)
    if not elsewhere:
        return list(found)
    left = _old_findings(repository, paths)
    old = set()
    for one in elsewhere:
        key = (one.code, os.path.realpath(one.place.path), fingerprint(one, findings.sources))
        if left[key] > 0:
            left[key] -= 1
            old.add(one)
    return [one for one in found if one not in old]


def _old_findings(repository: Repository, paths: Sequence[str]) -> Counter[tuple[str, str, str]]:
    """The count of each finding at the revision, by code, current path and fingerprint."""
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        files = Path(os.path.realpath(folder)) / "files"
        with refusals_told():
            unpack_all(repository.top, repository.revision, files)
        before = {path: _old_path(path, repository, files) for path in paths}
        existing = [old for path, old in before.items() if old == path or Path(old).exists()]
        found: Counter[tuple[str, str, str]] = Counter()
        if not existing:
            return found
        result = look(existing, cache=False)  # a temporary folder is never checked twice
        for one in suppress(result.diagnostics, result.sources):
            now = Path(os.path.realpath(one.place.path))
            if now.is_relative_to(files):
                now = repository.top / now.relative_to(files)
            found[one.code, str(now), fingerprint(one, result.sources)] += 1
        return found


def _old_path(path: str, repository: Repository, files: Path) -> str:
    """The unpacked old version of a path; unversioned paths and unchanged zips stay."""
    real = Path(os.path.realpath(path))
    if not os.path.lexists(path) or not real.is_relative_to(repository.top):
        return path
    if is_archive(path) and not repository.has_changed(path):
        return path
    return str(files / real.relative_to(repository.top))


def fix_files(found: Sequence[Diagnostic], sources: Mapping[str, str]) -> dict[str, int]:
    """Apply every fix outside the shipped packs; return the number of fixes in each file."""
    fixes: dict[str, list[Fix]] = defaultdict(list)
    for fix in filter(None, (fix_of(one, sources) for one in found)):
        path = Path(fix.place.path)
        # A displayed path may be in a shipped pack or a zip, and is then no file on disk.
        if path.is_file() and not path.resolve().is_relative_to(BUILTIN):
            fixes[fix.place.path].append(fix)
    for shown, made in fixes.items():
        path = Path(shown)
        write_output(path, as_before(apply_fixes(sources[shown], made), path.read_bytes()))
    return {shown: len(made) for shown, made in fixes.items()}


def in_archives(
    found: Sequence[Diagnostic], sources: Mapping[str, str], packs: Sequence[str]
) -> Counter[str]:
    """The number of fixes in each zip among `packs`; zips are never written."""
    zips = {f"{shown_path(Path(pack))}/": pack for pack in packs if is_archive(pack)}
    counts: Counter[str] = Counter()
    for fix in filter(None, (fix_of(one, sources) for one in found)):
        counts.update(pack for inside, pack in zips.items() if fix.place.path.startswith(inside))
    return counts
