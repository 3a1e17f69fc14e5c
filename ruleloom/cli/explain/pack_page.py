"""The page of a pack: all that it adds, changes and takes out, item by item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ruleloom.api.making import texts_of
from ruleloom.cli.explain.vocabulary_pages import compiled
from ruleloom.compiler.packs.content import Content
from ruleloom.output.terminal import paint, safe_lines

# Kinds of items whose texts only the machine reads.
_UNTOLD = ("pack", "scenarios", "patch", "extension", "vocabulary", "clause")


def pack_page(word: str, folders: Sequence[str], card: bool, colour: bool) -> str:
    """The page of the pack that a word names, by its id or folder; empty if it names none of them."""
    result = compiled(folders)
    content = result.content
    if content is None or result.program is None:
        return ""
    here = Path(word).resolve()
    named = (one.id for one in content.packs if word == one.id or one.folder.resolve() == here)
    pack = next(named, "")
    if not pack:
        return ""
    texts = texts_of(content, result.program)
    parts = {
        "adds": dict(_added(pack, content, texts.cards if card else texts.full)),
        **_compared(pack, content, texts.cards),
    }
    return "\n\n".join(
        f"{paint(f'{pack} {head}', 'bold', on=colour)}:\n\n{_listed(some, colour)}"
        for head, some in parts.items()
        if some
    )


def _added(pack: str, content: Content, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for item in content.items:
        if item.pack == pack and item.kind not in _UNTOLD:
            yield item.id, texts[item.id]


def _compared(
    pack: str, content: Content, now: Mapping[str, str]
) -> Mapping[str, Mapping[str, str]]:
    """The items that a pack changes, before and after, and those that it takes out."""
    changed = _changed(content, pack)
    before = _texts_without(pack, content) if changed or content.disabled else {}
    told = {
        f"{id} ({', '.join(filter(None, names))})": _both(id, before, now)
        for id, names in changed.items()
        if id in now
    }
    gone = {item.id: before.get(item.id, "") for item in content.disabled}
    return {"changes": told, "takes out": gone}


def _listed(texts: Mapping[str, str], colour: bool) -> str:
    """Items, each below its id."""
    return "\n\n".join(
        f"{paint(id, 'bold', on=colour)}\n{safe_lines(text)}".rstrip() for id, text in texts.items()
    )


def _texts_without(pack: str, content: Content) -> Mapping[str, str]:
    """The cards of a game without a pack, and without those that build on it."""
    folders = [str(one.folder) for one in content.packs if pack not in (one.id, *one.needs)]
    below = compiled(folders)
    if below.content is None or below.program is None:
        return {}
    return texts_of(below.content, below.program).cards


def _changed(content: Content, pack: str) -> dict[str, list[str]]:
    """The items of other packs that a pack changes, each with the fields that it changes."""
    found: dict[str, list[str]] = {}
    for (id, name), changes in content.history.items():
        if any(one.pack == pack for one in changes):
            found.setdefault(id, []).append(name)
    return found


def _both(id: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The lines of an item before a change and after it, without those that are the same in both."""
    old, new = (
        before.get(id, "").splitlines(),
        now[id].splitlines()[:-1],
    )  # the last says who did it
    return "\n".join((*_differing("before", old, new), *_differing("now", new, old)))


def _differing(when: str, lines: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    yield from (f"{when}: {line}" for line in lines if line not in others)
