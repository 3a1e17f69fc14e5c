"""Laws of patches, tried on random ones: what they come to depends on what they say, and on nothing
else.

Patches are handed over in an order, which the compiler takes from the names of packs. A law that
holds for every such order holds for every order in which packs are named, and for every name that a
pack could have had instead.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Item, Poison
from ruleloom.compiler.patch.apply import apply_patches
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.reader import compose
from tests.support.examples import examples
from tests.support.pack_examples import fingerprint
from tests.support.patch_packs import put, read, schema_folder, tried, values

CONTENT, _ = read()
assert CONTENT is not None
GAME = CONTENT.items

MUSKET = "{kind: weapon, id: musket, title: Musket, price: 8, damage: 5, sort: gun, tags: [loud]}"
# What a patch is for; `musket` is of another pack, which may not be there.
AIMS = (
    "target: weapon/carbine",
    "target: weapon/sword",
    "target: weapon/musket",
    "every: weapon",
    "every: weapon, where: sort = gun",
    "every: weapon, where: sort = gun, except: [carbine]",
    "every: weapon, where: price >= 7",
    "every: weapon, where: price < 9, except: [dagger, musket]",
    "every: weapon, where: loud in tags",
    "every: weapon, where: weight < 1 or heavy",
)
DOES = (
    *(f"set: {{price: {price}}}" for price in (5, 9)),
    *(f"add: {{price: {by}}}" for by in (1, 4)),
    *(f"scale: {{price: {by}}}" for by in (2, 3)),
    "add: {weight: 1/4}",
    "scale: {weight: 1/2}",
    "set: {weight: 0.75}",
    "set: {title: Gun, price: 9}",
    "set: {tags: [loud]}",
    "append: {tags: [loud]}",
    "append: {tags: [rare, rare]}",
    "append: {tags: [rare]}",
    "remove: {tags: [loud]}",
    "add: {reach.gun: 1}",
    "set: {reach: {gun: 5}}",
    "disable: true",
    "add: {price: 1}, merge: {price: highest}",
    "set: {price: 6}, merge: {price: lowest}",
    "append: {tags: [rare]}, merge: {tags: all}",
    "merge: {price: highest}",
)
PLANS = st.lists(
    st.tuples(
        st.sampled_from(AIMS),
        st.sampled_from(DOES),
        st.sets(st.integers(0, 4), max_size=2),
        st.sampled_from(["", "", "true", "target", "after"]),
    ),
    min_size=2,
    max_size=5,
)
Plan = Sequence[tuple[str, str, set[int], str]]


def written(plan: Plan, number: int) -> str:
    """The text of one patch of a plan: later ones may come after earlier ones."""
    aim, does, after, optional = plan[number]
    parts = [f"kind: patch, id: p{number}", aim, does]
    names = [f"p{other}" for other in sorted(after) if other < number]
    parts += [f"after: [{', '.join(names)}]"] if names else []
    parts += [f"optional: {optional}"] if optional else []
    return f"{{{', '.join(parts)}}}\n"


def item_of(text: str, pack: str) -> Item:
    """An item of a pack, as it would be read from a file."""
    report = Report()
    source = Source.from_text(text, f"{pack}/items.yaml")
    node = compose(source, report)
    assert node is not None, report.diagnostics()
    fields = node.entries
    return Item(
        str(fields["kind"].value),
        str(fields["id"].value),
        pack,
        fields,
        fields["id"].place,
        node,
        source,
    )


def outcome(items: Sequence[Item]) -> tuple[Any, ...]:
    """What patches come to: every field of every item, lists as sets, and whether anything is
    wrong."""
    report = Report()
    store = schemas_of(schema_folder(), "quarrel")
    patched = apply_patches(items, Poison(), store, report)
    says = {
        (item.id, name): sorted(map(str, data))
        if isinstance(data := item.data(name), list)
        else data
        for item in patched.items
        if item.kind != "patch"
        for name in item.fields
    }
    return says, {item.id for item in patched.disabled}, report.has_errors


@examples(0.6)
@given(PLANS, st.booleans(), st.randoms(use_true_random=False))
def test_patches_come_to_the_same_in_every_order(plan: Plan, has_musket: bool, random: Any):
    patches = [item_of(written(plan, number), f"pack{number}") for number in range(len(plan))]
    extra = [item_of(MUSKET, "more")] if has_musket else []
    all_orders = list(permutations(patches))
    some = random.sample(all_orders, min(len(all_orders), 6))
    found = [outcome([*GAME, *extra, *order]) for order in (patches, patches[::-1], *some)]
    assert all(one == found[0] for one in found)


@settings(max_examples=20)
@given(PLANS, st.permutations(range(6)))
def test_packs_are_named_in_any_order(plan: Plan, shuffled: Sequence[int]):
    with tempfile.TemporaryDirectory() as name:
        texts = {f"q{number}": written(plan, number) for number in range(len(plan))} | {
            "more": MUSKET + "\n"
        }
        folders = put(Path(name), texts)
        orders = (
            folders,
            folders[::-1],
            [folders[number] for number in shuffled if number < len(folders)],
        )
        found = set()
        for order in orders:
            content, told = read(*order)
            assert content is not None
            found.add((fingerprint(content), tuple(told)))
    assert len(found) == 1


@settings(max_examples=10)
@given(st.sampled_from([aim for aim in AIMS if "every" in aim]), st.integers(1, 30))
def test_a_class_is_what_is_printed(aim: str, by: int):
    """Whatever else is patched, a class has the items that it has alone; a new item of another pack
    is of it."""
    text = f"{{kind: patch, id: one, {aim}, add: {{damage: 1}}}}\n"
    other = f"{{kind: patch, id: other, every: weapon, add: {{price: {by}}}}}\n"
    alone, _ = tried({"p": text, "more": MUSKET + "\n"})
    beside, found = tried({"p": text, "more": MUSKET + "\n", "q": other})
    assert values(alone, "damage") == values(beside, "damage")
    assert {one.code for one in found} <= {"class-as-printed"}


def test_what_several_append_is_there_as_often_as_patches_follow_one_another():
    """Two that stand in an order append twice; a third beside them adds nothing, wherever it is
    put."""
    texts = ("", "after: [p0], ", "")
    patches = [
        item_of(
            f"{{kind: patch, id: p{number}, target: weapon/sword, {after}append: {{tags: [rare]}}}}\n",
            "p",
        )
        for number, after in enumerate(texts)
    ]
    found = [outcome([*GAME, *order]) for order in permutations(patches)]
    assert all(one == found[0] for one in found)
    assert found[0][0]["quarrel:weapon/sword", "tags"] == ["noble", "rare", "rare"]
