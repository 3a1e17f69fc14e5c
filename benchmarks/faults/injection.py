"""Fault injection: single faults in a copy of what is shipped, and what `check` says of each.

`python -m benchmarks.faults` says what is counted, and prints the table.
"""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.edits.shipped import Shipped, read_shipped
from benchmarks.edits.sites import Site, spread
from benchmarks.faults.kinds import KINDS
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import compile_paths

BESIDE = Path(__file__).resolve().parent / "beside"
"""By game, what is laid beside its own files: people, as authors write them, where the game has
none."""
TARGETS = {"reported": 0.99, "exact": 0.98, "once": 0.95, "mended": 0.95}
SUGGESTED = re.compile(r"did you mean `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `check` said to one fault. `crash` is the exception where there was one."""

    kind: str
    site: Site
    said: tuple[Diagnostic, ...]
    crash: str
    seconds: float
    mended: bool = False
    """Of a slip of the pen: is nothing said any more once what is suggested is written in its
    place?"""

    @property
    def reported(self) -> bool:
        """Was anything said?"""
        return bool(self.said)

    @property
    def exact(self) -> bool:
        """Does the first complaint stand where the mistake is?"""
        if self.site.lines:
            return self.placed
        return self.placed and self.said[0].place.column == self.site.line_col[1]

    @property
    def placed(self) -> bool:
        """Does the first complaint stand at the line of the mistake or of its cause?"""
        if not self.said:
            return False
        place, file = self.said[0].place, self.site.seen_in or self.site.file
        good = {(file.name, self.site.line_col[0]), *self.site.lines}
        return any(place.path.endswith(f"/{name}") and place.line == line for name, line in good)

    @property
    def once(self) -> bool:
        """Was it told exactly once?"""
        return len(self.said) == 1

    @property
    def helped(self) -> bool:
        """Does the first complaint say what would be right?"""
        return bool(self.said and self.said[0].help)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the pack that faults are put into, and what is said of it without any."""

    folder: Path
    usual: Counter[tuple[str, str]]

    def check(self, kind: str, site: Site) -> Outcome:
        """Put in one fault, check, and take it out again."""
        path = self.folder / site.file.name
        path.write_text(site.text, encoding="utf-8", newline="")
        start = time.perf_counter()
        crash, mended = "", False
        said: tuple[Diagnostic, ...] = ()
        try:
            result = compile_paths(self.folder, reasons=False)
            render(result.diagnostics, result.sources, "text")
            said = self._news(result.diagnostics)
        except Exception as error:  # whatever it is: a traceback is what must never be
            crash = f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - start
        if site.slip and said:
            mended = self._is_mended(path, site, said[0])
        path.write_text(site.file.text, encoding="utf-8", newline="")
        return Outcome(kind, site, said, crash, seconds, mended)

    def _is_mended(self, path: Path, site: Site, first: Diagnostic) -> bool:
        """Write what is suggested in the place that is complained of, and see whether that is
        all."""
        suggested = SUGGESTED.search(first.help or "")
        if suggested is None or not first.place.path.endswith(f"/{site.file.name}"):
            return False
        lines, place = site.text.splitlines(keepends=True), first.place
        start = sum(map(len, lines[: place.line - 1])) + place.column - 1
        end = sum(map(len, lines[: place.end_line - 1])) + place.end_column - 1
        path.write_text(
            site.text[:start] + suggested[1] + site.text[end:], encoding="utf-8", newline=""
        )
        said = compile_paths(self.folder, reasons=False).diagnostics
        return not self._news(said)

    def _news(self, said: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        left = self.usual.copy()
        news = []
        for one in said:
            if left[one.code, one.message]:
                left[one.code, one.message] -= 1
            else:
                news.append(one)
        return tuple(news)


@contextmanager
def copy_of(game: str, beside: Path | None = None) -> Iterator[Copy]:
    """A copy of a shipped game or pack in a temporary folder, with what lies in another folder
    `beside` it."""
    with TemporaryDirectory() as name:
        folder = Path(name) / Path(game).name
        shutil.copytree(BUILTIN / game, folder)
        if beside is not None and beside.exists():
            shutil.copytree(beside, folder, dirs_exist_ok=True)
        usual = compile_paths(folder, reasons=False).diagnostics
        yield Copy(folder, Counter((one.code, one.message) for one in usual))


def seeded(pack: Shipped, kind: str, each: int, seed: int) -> list[Site]:
    """The faults of one kind: half of them in fields and half in effect texts where it knows
    both."""
    rng = Random(f"{seed} {kind}")
    ways = [list(way(pack, rng)) for way in KINDS[kind]]
    shares = [each // len(ways)] * len(ways)
    shares[-1] += each - sum(shares)
    picked = [spread(sites, share, rng) for sites, share in zip(ways, shares, strict=True)]
    short = each - sum(map(len, picked))
    rest = [
        site for way, took in zip(ways, picked, strict=True) for site in way if site not in took
    ]
    return [site for took in picked for site in took] + spread(rest, max(short, 0), rng)


def run(game: str, each: int, seed: int, kinds: Sequence[str] = ()) -> list[Outcome]:
    """Seed the faults and check each of them."""
    with copy_of(game, BESIDE / game) as copy:
        pack = read_shipped(copy.folder)
        return [
            copy.check(kind, site)
            for kind in kinds or KINDS
            for site in seeded(pack, kind, each, seed)
        ]


# ---------------------------------------------------------------------------------- what is printed


def share(outcomes: Sequence[Outcome], name: str) -> float:
    """How many of the outcomes are so, from 0 to 1; of slips of the pen alone, how many are
    mended."""
    counted = [one for one in outcomes if one.site.slip] if name == "mended" else outcomes
    return sum(bool(getattr(one, name)) for one in counted) / len(counted) if counted else 1.0


def table(outcomes: Sequence[Outcome]) -> str:
    """A line for each kind, and the totals."""
    lines = [
        f"{'kind':28} {'faults':>6} {'reported':>8} {'exact':>7} {'once':>7} {'helped':>7} {'slips':>5} "
        f"{'mended':>7} {'tracebacks':>10} {'ms each':>7}"
    ]
    groups = {kind: [one for one in outcomes if one.kind == kind] for kind in KINDS}
    for name, group in [*groups.items(), ("all", list(outcomes))]:
        if group:
            figures = " ".join(
                f"{share(group, what):{width}.1%}"
                for what, width in (("reported", 8), ("exact", 7), ("once", 7), ("helped", 7))
            )
            crashes = sum(bool(one.crash) for one in group)
            speed = 1_000 * sum(one.seconds for one in group) / len(group)
            slips = sum(one.site.slip for one in group)
            mended = f"{share(group, 'mended'):7.1%}" if slips else f"{'':7}"
            lines.append(
                f"{name:28} {len(group):6} {figures} {slips:5} {mended} {crashes:10} {speed:7.0f}"
            )
    return "\n".join(lines)


def misses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Each fault that was not reported exactly and once, with what was said instead."""
    for one in outcomes:
        if one.exact and one.once and not one.crash and (one.mended or not one.site.slip):
            continue
        line, column = one.site.line_col
        file = (one.site.seen_in or one.site.file).name
        yield f"{one.kind}: {file}:{line}:{column}: {one.site.says}"
        if one.crash:
            yield f"    {one.crash}"
        for said in one.said[:4]:
            place = f"{Path(said.place.path).name}:{said.place.line}:{said.place.column}"
            yield f"    said {place}: {said.severity}[{said.code}] {said.message}"
            yield f"        help: {said.help}"
        if not one.said:
            yield "    said nothing"


def good(outcomes: Sequence[Outcome]) -> bool:
    """Are all targets kept?"""
    kept = all(share(outcomes, name) >= least for name, least in TARGETS.items())
    return kept and not any(one.crash for one in outcomes)
