"""Attacks on whoever checks a stranger's pack: hostile packs, each with the codes of what is to be
told of it.

An attack is the files of a pack for Gnostica, by their names in it.
`python -m tests.attacks.packs FOLDER` calls the command line on whatever lies in the folder, in one
process: a line for each says what came of it, the processor seconds, and the most memory that the
process held so far.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tests.support.command import call
from tests.support.pack_examples import manifest

Files = Mapping[str, str | bytes]
MANIFEST = manifest("evil", 'requires: {gnostica: ">=1.0"}', game="gnostica")


@dataclass(frozen=True)
class Attack:
    """What a pack brings, and the codes of what is told."""

    files: Callable[[], Files]
    told: tuple[str, ...]


def turn(*lines: str) -> str:
    """A patch that gives the game another turn."""
    head = [
        "- kind: patch",
        "  id: another-turn",
        "  target: gnostica:flow/turn",
        "  replace-effect: |",
    ]
    return "\n".join([*head, *(f"    {line}" for line in lines)]) + "\n"


def power(*lines: str, id: str = "evil") -> str:
    """A power."""
    return (
        "\n".join(
            [
                "- kind: power",
                f"  id: {id}",
                "  gloss: x",
                "  effect: |",
                *(f"    {one}" for one in lines),
            ]
        )
        + "\n"
    )


def measure(body: str, id: str = "evil") -> str:
    """A measure of a number."""
    return f'- kind: measure\n  id: {id}\n  takes: "n: Int"\n  gives: Int\n  is: "{body}"\n  english: x\n'


def setting(value: str, id: str = "evil") -> str:
    """A setting."""
    return f"- {{kind: setting, id: {id}, value: {value}, english: x}}\n"


def one(text: str | bytes, name: str = "x.yaml") -> Callable[[], Files]:
    """A pack with one file beside its manifest."""
    return lambda: {name: text}


def aliases() -> str:
    """Nine lists, each of nine times the one before."""
    names = "abcdefghi"
    return "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, after in pairwise(names)
    )


def stairs(depth: int, key: str = "a:") -> str:
    """Mappings within mappings by indentation."""
    return "".join(f"{' ' * at}{key}\n" for at in range(depth))


def patches(count: int, head: str = "") -> str:
    """So many patches of one field."""
    return head + "".join(
        f"- {{kind: patch, id: p{at}, target: gnostica:setting/space_limit, set: {{value: {at % 9 + 1}}}}}\n"
        for at in range(count)
    )


def nested_ifs(depth: int) -> list[str]:
    """Conditions within conditions."""
    return [*(f"{'    ' * at}if yes:" for at in range(depth)), f"{'    ' * depth}stop"]


def every_second_set(count: int) -> list[str]:
    """So many variables, each of the two before it."""
    return [
        "let v0 = 1",
        "let v1 = 1",
        *(f"let v{at} = v{at - 1} + v{at - 2}" for at in range(2, count)),
    ]


NAMES = "".join(f"k{at}: 1\n" for at in range(90_000))

ATTACKS: dict[str, Attack] = {
    # ------------------------------------------------------------------ YAML
    "alias bomb": Attack(one(aliases()), ("anchor",)),
    "merge bomb": Attack(one("a: {<<: {b: 1}}\n"), ("merge-key",)),
    "tag": Attack(one("!!python/object/apply:os.system [true]\n"), ("tag",)),
    "brackets": Attack(one("[" * 1_000_000), ("nested-too-deep",)),
    "braces": Attack(one("{a: " * 300_000), ("nested-too-deep",)),
    "dashes": Attack(one("- " * 500_000), ("nested-too-deep",)),
    "stairs": Attack(one(stairs(2_000)), ("nested-too-deep",)),
    "questions": Attack(one("? " * 300_000), ("bad-key",)),
    "a million keys": Attack(
        lambda: {"x.yaml": "".join(f"{at}:\n" for at in range(260_000))}, ("too-many-values",)
    ),
    "many unknown fields": Attack(
        lambda: {"x.yaml": f"kind: setting\nid: a\nvalue: 1\nenglish: x\n{NAMES}"},
        ("unknown-field",),
    ),
    "one key many times": Attack(one("a: 1\n" * 200_000), ("too-many-values",)),
    "a long key": Attack(one("k" * 900 + ": 1\n"), ("too-long",)),
    "a long text": Attack(
        one("kind: setting\nid: a\nvalue: 1\nenglish: " + "x " * 900_000), ("too-long",)
    ),
    "unclosed quote": Attack(one('a: "' + "x\n " * 600_000), ("unclosed-quote",)),
    "100 MB": Attack(one(b"#" * 104_857_600), ("pack-too-big",)),
    "binary": Attack(one(bytes(range(256)) * 400), ("not-utf8",)),
    "UTF-16": Attack(one("kind: setting\n".encode("utf-16")), ("not-utf8",)),
    "a terminal's commands": Attack(one("a: \x1b]52;c;eA==\x07\n"), ("control-character",)),
    "many kinds that are none": Attack(
        one("- {kind: settnig, id: a}\n" * 50_000), ("too-many-values",)
    ),
    "many items called alike": Attack(
        one(setting("1") * 20_000), ("duplicate-id", "too-many-mistakes")
    ),
    # ------------------------------------------------------------------ numbers
    "400 digits": Attack(one(setting("9" * 400)), ("too-long",)),
    "1e999999": Attack(one(setting("1e999999")), ("unused-item",)),
    ".inf": Attack(one(setting(".inf")), ("unused-item",)),
    "digits by the million": Attack(one(setting("1" * 1_000_000)), ("too-long",)),
    "a huge number in a text": Attack(one(measure("9" * 400)), ("syntax",)),
    "a huge product": Attack(one(measure("*".join(["9007199254740991"] * 200))), ("too-long",)),
    "a tower of powers": Attack(one(measure("**".join(["9"] * 200))), ("syntax",)),
    "dice by the million": Attack(one(power("roll luck = 99999999d6")), ("syntax",)),
    "dice with many sides": Attack(one(power("roll luck = 1d99999999999")), ("syntax",)),
    "a span": Attack(one(turn("choose k from 1 .. 9007199254740991")), ("syntax",)),
    # ------------------------------------------------------------------ effect text
    "parentheses": Attack(one(measure("(" * 2_000 + "1" + ")" * 2_000)), ("too-long",)),
    "calls in calls": Attack(one(measure("evil(" * 600 + "1" + ")" * 600)), ("too-long",)),
    "lists in lists": Attack(
        one(turn(f"choose k from {'[' * 2_000}1{']' * 2_000}")), ("too-deep",)
    ),
    "nots": Attack(one(turn("if " + "not " * 5_000 + "yes:", "    stop")), ("too-long",)),
    "minuses": Attack(one(measure("-" * 4_000 + "1")), ("too-long",)),
    "ifs in ifs": Attack(lambda: {"x.yaml": turn(*nested_ifs(90))}, ("too-deep",)),
    "ands": Attack(
        one(turn("if " + " and ".join(["1 = 2"] * 3_000) + ":", "    stop")), ("too-long",)
    ),
    "ors of ands": Attack(
        one(turn("if " + " or ".join(["(1 = 2 and 2 = 3)"] * 1_500) + ":", "    stop")),
        ("too-long",),
    ),
    "a sum": Attack(one(turn("let k = " + " + ".join(["1"] * 8_000))), ("too-long",)),
    "a list": Attack(
        one(turn("choose k from [" + ", ".join(["1"] * 10_000) + "]", 'say "{k}"')), ()
    ),
    "a long name": Attack(one(measure("x" * 3_900)), ("too-long",)),
    "many unknown names": Attack(
        one(turn(*(f"let v{at} = w{at}" for at in range(1_800)))),
        ("too-many-mistakes", "unknown-name"),
    ),
    "many variables": Attack(
        lambda: {"x.yaml": turn(*every_second_set(1_200))}, ("too-much-work", "unused-name")
    ),
    "aggregates in aggregates": Attack(
        one(
            turn(
                "let k = "
                + "".join(f"count(x{at}: players where 1 = " for at in range(40))
                + "1"
                + ")" * 40
            )
        ),
        ("too-deep",),
    ),
    "powers that double": Attack(
        one(
            "".join(power(f"use p{at + 1}", f"use p{at + 1}", id=f"p{at}") for at in range(40))
            + power("stop", id="p40")
        ),
        ("unused-item",),
    ),
    "measures that double": Attack(
        one(
            "".join(measure(f"m{at + 1}(n) + m{at + 1}(n)", id=f"m{at}") for at in range(60))
            + measure("n", id="m60")
        ),
        ("too-much-work",),
    ),
    "a chain of measures": Attack(
        one(
            "".join(measure(f"m{at + 1}(n)", id=f"m{at}") for at in range(1_500))
            + measure("n", id="m1500")
        ),
        ("too-much-work",),
    ),
    "measures in a circle": Attack(
        one(measure("b(n)", id="a") + measure("a(n)", id="b")), ("recursive-rule",)
    ),
    "choices in choices": Attack(
        one(power(*(f'{"    " * at}choose one:\n    {"    " * at}    "a":' for at in range(30)))),
        ("syntax",),
    ),
    "many quotes": Attack(one(power('say "' + "{" * 3_000 + '"')), ("unused-item",)),
    # ------------------------------------------------------------------ patches
    "10,000 patches of one field": Attack(
        lambda: {"x.yaml": patches(10_000)}, ("too-many-patches",)
    ),
    "1,000 patches of one field": Attack(lambda: {"x.yaml": patches(1_000)}, ("patch-conflict",)),
    "patches of patches": Attack(
        one(
            "- {kind: patch, id: a, target: evil:patch/b, disable: true}\n- {kind: patch, id: b, target: evil:patch/a, disable: true}\n"
        ),
        ("bad-patch",),
    ),
    # ------------------------------------------------------------------ schemas and packs
    "items like one another": Attack(
        lambda: {
            "x.yaml": "".join(f"- {{kind: power, id: p{n}, like: p{n + 1}}}\n" for n in range(400))
        },
        ("too-deep", "unknown-name"),
    ),
    "a schema of its own": Attack(
        lambda: {
            "schemas/gnostica/setting.schema.json": '{"properties": {"english": {"pattern": "^(a+)+$", "$ref": "http://127.0.0.1:1/x"}}}',
            "x.yaml": setting("1").replace("english: x", "english: " + "a" * 60 + "b"),
        },
        ("unused-item",),
    ),
    "a remote $ref": Attack(
        one("- {kind: setting, id: a, value: 1, english: x, $ref: 'http://127.0.0.1:1/x'}\n"),
        ("unknown-field",),
    ),
    "a pattern": Attack(
        one("- {kind: setting, id: a, value: 1, english: " + "a" * 60 + "b, pattern: ^(a+)+$}\n"),
        ("unknown-field",),
    ),
    "needs itself": Attack(
        lambda: {"pack.yaml": MANIFEST.replace("requires: {", 'requires: {evil: ">=1.0", ')},
        ("pack-cycle",),
    ),
    "needs many": Attack(
        lambda: {
            "pack.yaml": MANIFEST.replace(
                "requires: {", "requires: {" + "".join(f'p{at}: ">=1.0", ' for at in range(5_000))
            )
        },
        ("wrong-count",),
    ),
    "a range of a million": Attack(
        lambda: {"pack.yaml": MANIFEST.replace(">=1.0", ">=1.0" + ",>=1.0" * 100_000)},
        ("too-long",),
    ),
    "a version of 10,000 digits": Attack(
        lambda: {
            "pack.yaml": MANIFEST.replace("version: 1.0.0", "version: " + "9" * 10_000 + ".0.0")
        },
        ("too-long",),
    ),
    "20,001 files": Attack(lambda: {f"f{at}.txt": "" for at in range(20_001)}, ("pack-too-big",)),
}


def written(folder: Path, files: Files) -> Path:
    """A pack of these files."""
    for name, text in {"pack.yaml": MANIFEST, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def zipped(path: Path, files: Files) -> Path:
    """The same in a zip."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in {"pack.yaml": MANIFEST, **files}.items():
            archive.writestr(name, text)
    return path


def kilobytes() -> int:
    """The most memory that this process ever held."""
    status = Path("/proc/self/status")
    if status.exists():  # what `resource` knows is also of the process that started this one
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


def main(folder: Path) -> None:
    """Call the command line on whatever lies in the folder, and say what comes of it."""
    os.chdir(folder)
    call("check", "gnostica")  # what is read once only is no part of an attack
    for path in sorted(folder.iterdir()):
        start = time.process_time()
        done = call("check", path.name, "--format", "json")
        seconds = time.process_time() - start
        codes = (
            sorted({each["code"] for each in json.loads(done.out)})
            if done.out.startswith("[")
            else []
        )
        print(
            json.dumps([path.name, done.code, codes, seconds, kilobytes(), done.err[-300:]]),
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
