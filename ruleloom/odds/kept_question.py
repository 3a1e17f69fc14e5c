"""Questions about odds in the cache, so that whoever asks again, perhaps with other policies, need not
wait for the compiler."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ruleloom.cache.inputs import Digest
from ruleloom.cache.lookup import CacheQuery, ask
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.odds.prepared import OddsQuestion
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.state_json import value_data, value_of
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.setup.made import Made
from ruleloom.scenarios.steps.trial_program import begin, linked_to_try

SORT = "question about odds"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks about packs: a text, the expressions to tell, those that are to be best, and
    the file with what is given. Without expressions, the names that the text sets are told."""

    packs: tuple[str, ...]
    text: str
    asked: tuple[str, ...]
    best: tuple[str, ...]
    given_file: str | None


def query_about(wanted: Wanted) -> CacheQuery | None:
    """The query for a question; None if only the compiler can tell what it is."""
    query = ask(wanted.packs, SORT)
    given = ""
    if query is not None and wanted.given_file is not None:
        try:
            given = Source.read(Path(wanted.given_file), wanted.given_file).text
        except SourceError:
            return None
    return query.of_sort(_sort_of(wanted, given)) if query is not None else None


def _sort_of(wanted: Wanted, given: str) -> str:
    """What is kept of a question; the text of its file with what is given is a part of that."""
    number = f"{len(wanted.asked)} {len(wanted.best)}"
    parts = [wanted.text, number, *wanted.asked, *wanted.best]
    parts += [] if wanted.given_file is None else [wanted.given_file, given]
    told = Digest(*(part.encode("utf-8", "surrogatepass") for part in parts))
    return f"{SORT} {told.hex()}"


def kept_question(query: CacheQuery) -> OddsQuestion | None:
    """The question that is kept."""
    kept = query.answer()
    try:
        return _question(kept.data) if kept is not None else None
    except (SaveError, ValueError, TypeError, KeyError, zlib.error):
        return None


def keep_question(
    query: CacheQuery,
    wanted: Wanted,
    question: OddsQuestion,
    given: str,
    sources: Mapping[str, str],
    packs: Mapping[str, Path],
) -> None:
    """Keep a question about the packs in these folders, which was compiled from these sources, and
    from a file with the text `given`; unless that is no longer the one that was asked for."""
    if query.sort == _sort_of(wanted, given):
        query.keep(_data(question), sources, packs)


def _data(question: OddsQuestion) -> dict[str, Any]:
    words, start = question.words, question.start
    made = words.made
    assert made.program is not None
    return {
        "program": _packed(program_data(made.program)),
        "things": dict(made.things),
        "mark": made.mark,
        "texts": list(question.texts),
        "players": list(question.linked.layout.players),
        "chosen": {name: value_data(value) for name, value in question.chosen.items()},
        "world": value_data(start.world),
        "scope": value_data(start.scope),
        "laid": None if words.world is start.world else value_data(words.world),
        "asked": list(question.asked),
        "types": list(question.types),
    }


def _packed(program: Mapping[str, Any]) -> str:
    """A program in a tenth of the space: each question brings a whole one."""
    return b64encode(zlib.compress(json.dumps(program).encode(), 1)).decode()


def _unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(b64decode(text)))


def _question(data: Any) -> OddsQuestion:
    program = program_of(_unpacked(data["program"]))
    made = Made(data["things"], data["mark"], program)
    texts = tuple(data["texts"])
    chosen = {name: value_of(value) for name, value in data["chosen"].items()}
    linked = linked_to_try(program, texts, tuple(data["players"]), chosen)
    world, laid = value_of(data["world"]), data["laid"]
    start = State(world, value_of(data["scope"]), None, (), False, None)
    words = CaseNames(made, linked, world if laid is None else value_of(laid))
    nodes = tuple(map(partial(begin, linked, start), texts))
    asked, types = tuple(data["asked"]), tuple(data["types"])
    return OddsQuestion(nodes, words, asked, types, start, texts, chosen)
