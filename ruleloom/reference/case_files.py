"""The cases of all packs of a game: as they are written, and what each claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent

from ruleloom.compiler.cases.case_file import Case, cases_in, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.reference.anchors import case_link, page_of_cases
from ruleloom.reference.names import KnownNames, Piece
from ruleloom.runtime.dataclass import dataclass

# What a case of each shape is called, in the order in which people learn them.
SHAPES = ("steps", "attempt", "odds", "things", "refusal")


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """One case: what it is, its text with names linked, and where the site shows it."""

    case: Case
    href: str
    text: tuple[Piece, ...]
    raw: str

    @property
    def title(self) -> str:
        """Its title in words: its id is a sentence."""
        return self.case.title or self.case.id.replace("-", " ").replace("_", " ")

    @property
    def shape(self) -> str:
        """Which sort of case it is; empty where no machine can run it."""
        if self.case.steps is None or self.case.fault:
            return ""
        if self.case.then.get("legal") is False:
            return "refusal" if self.case.steps else ""
        if self.case.texts:
            return "odds" if "odds" in self.case.then else "attempt"
        return "steps" if self.case.steps else "things"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A file of cases and the page that shows it."""

    pack: str
    path: str
    page: str
    about: str
    cases: tuple[CaseEntry, ...]


def case_files(content: Content, names: KnownNames) -> Iterator[CaseFile]:
    """The files of cases of all packs, in their order."""
    for shown in content.scenarios:
        pack, path = content.files[shown]
        source = content.sources[shown]
        tree = content.cases.get(source.path)  # only of packs that were named
        cases = (read_cases(source, Report(), content) if tree is None else cases_in(tree)) or ()
        lines = source.text.splitlines()
        texts = _texts(lines, [case.line for case in cases])
        entries = (
            CaseEntry(case, case_link(pack, path, case.id), tuple(names.pieces(text)), text)
            for case, text in zip(cases, texts, strict=True)
        )
        yield CaseFile(pack, path, page_of_cases(pack, path), _about(lines), tuple(entries))


def _texts(lines: Sequence[str], starts: Sequence[int]) -> Iterator[str]:
    """The lines of each case, without remarks that stand before the next."""
    for start, end in zip(starts, (*starts[1:], len(lines) + 1), strict=True):
        own = list(lines[start - 1 : end - 1])
        while len(own) > 1 and (not own[-1].strip() or own[-1].lstrip().startswith("#")):
            own.pop()
        yield dedent("\n".join(own))


def _about(lines: Sequence[str]) -> str:
    """The remark at the top of a file."""
    found = []
    for line in lines:
        if not line.startswith("#"):
            break
        found.append(line.lstrip("# ").rstrip())
    return " ".join(found)
