"""The fuzzer: changes what is known to be interesting, keeps what goes new ways, reports what
breaks a promise.

Why it is our own says docs/decisions/0022. All that happens depends on the seed and
on how many inputs are tried; time only says when to stop.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.attacks.fuzz.mutate import changed
from tests.attacks.fuzz.oracle import MEGABYTES, SECONDS, Broken, Hanging, patience, peak
from tests.attacks.fuzz.targets import Target
from tests.attacks.fuzz.trace import ROOT, Trace
from tests.support.stopwatch import in_time, seconds_of

FIRST_SEEDS = 20
SUSPECT = 0.25
"""An input that is slower than this while it is traced is tried again without."""


@dataclass(frozen=True)
class Finding:
    """An input that breaks a promise: how it shows, and where."""

    target: str
    text: str
    words: str
    where: str


@dataclass
class Fuzzer:
    """One run over one target."""

    target: Target
    seed: int
    trace: Trace = field(default_factory=Trace)
    kept: list[str] = field(default_factory=list)
    found: dict[str, Finding] = field(default_factory=dict)
    tried: int = 0

    def run(self, most: Callable[[int], bool]) -> Iterator[Finding]:
        """Try seeds and changed inputs while `most` says so of how many were tried; yield each new
        finding."""
        rng = Random(f"{self.seed} {self.target.name}")
        pool = list(self.target.seeds())
        rng.shuffle(pool)
        waiting = pool[::-1]
        while most(self.tried):
            # Some seeds come first, and the others in between: no target should do nothing else for
            # long.
            if waiting and (len(self.kept) < FIRST_SEEDS or rng.random() < 0.1):
                yield from self._try(waiting.pop(), always=True)
                continue
            # What came last has gone the newest ways; half of the parents are among these.
            parents = self.kept[-40:] if rng.random() < 0.5 else self.kept
            yield from self._try(changed(rng.choice(parents or pool), pool, rng, self.target.ways))

    def _try(self, text: str, always: bool = False) -> Iterator[Finding]:
        self.tried += 1
        broken = tried(self.target, text, self.trace)
        if broken is None:
            if self.trace.fresh or always:
                self.kept.append(text)
            return
        if broken.where not in self.found:
            self.found[broken.where] = broken
            yield broken


def tried(target: Target, text: str, trace: Trace | None = None) -> Finding | None:
    """Hold one input to all promises; None if they are kept."""
    before = peak()
    try:
        with patience():
            seconds = seconds_of(
                lambda: trace.run(lambda: target.run(text)) if trace else target.run(text)
            )
            if trace and seconds > SUSPECT:
                seconds = seconds_of(lambda: target.run(text))
        if not in_time(seconds, SECONDS):
            raise Broken(f"took {seconds:.1f} seconds")
        after = peak()
        if before is not None and after is not None and after - before > MEGABYTES:
            raise Broken(f"took {after - before:.0f} MB")
    except Broken as broken:
        return Finding(target.name, text, str(broken), _where(broken, str(broken)))
    except (Exception, Hanging) as error:
        words = f"{type(error).__name__}: {error}"[:300]
        return Finding(target.name, text, words, _where(error, type(error).__name__))
    return None


def _where(error: BaseException, words: str) -> str:
    """What tells one fault from another: what was said without its numbers, and the last line of
    our own."""
    frames = [
        one
        for one in traceback.extract_tb(error.__traceback__)
        if one.filename.startswith(str(ROOT))
    ]
    own = [one for one in frames if "/tests/" not in one.filename] or frames
    at = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "nowhere"
    if isinstance(error, Hanging):
        return "Hanging"
    told = words.split(": ")[0] if isinstance(error, Broken) else words
    return f"{at} {''.join(sign for sign in told if not sign.isdigit())[:60]}"


def smaller(finding: Finding, target: Target, most: int = 400) -> Finding:
    """The same fault in as little text as leaving out halves, quarters and so on comes to."""
    best, tries = finding, 0
    step = max(1, len(best.text) // 2)
    while step and tries < most:
        at = 0
        while at < len(best.text) and tries < most:
            text = best.text[:at] + best.text[at + step :]
            tries += 1
            again = tried(target, text)
            if again is not None and again.where == best.where:
                best = again
            else:
                at += step
        step //= 2
    return best


def file_name(finding: Finding) -> str:
    """What the file of a found input is called, after where the fault was."""
    kept = "".join(sign if sign.isalnum() else "-" for sign in finding.where.lower())
    return "-".join(filter(None, kept.split("-")))[:60]


def write(finding: Finding, target: Target, folder: Path) -> Path:
    """Keep a found input as a file, from which `tests/attacks/test_fuzz.py` tries it for ever."""
    path = folder / target.name / file_name(finding)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(target.encoded(finding.text))
    return path


def read(target: Target, folder: Path) -> Sequence[tuple[str, str]]:
    """The inputs that were found for a target, with the names of their files."""
    files = sorted((folder / target.name).glob("*")) if (folder / target.name).is_dir() else []
    return [(path.name, target.decoded(path.read_bytes())) for path in files]
