"""`ruleloom add` from hostile zips, servers, repositories and indexes: each is refused in words that say what is
wrong and, where somebody can do something, what would be right; and nothing is left behind.

Each case names its source, with `{url}` for the server, and words of the message and of the help.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from ruleloom.getting import download, repositories
from ruleloom.output.zip_file import zipped
from tests.support.command import call
from tests.support.pack_examples import manifest
from tests.support.pack_server import Handler, PackServer, Repository, serving

PACK = manifest("evil", game="gnostica")
GOOD = zipped({"pack.yaml": PACK.encode()})
ITEM = "- {kind: setting, id: evil, value: 1, english: x}\n"
BROKEN = "- {kind: setting, id: evil, value: 1, colour: x}\n"
LAMP = {"pack.yaml": manifest("lamp", game="gnostica").encode()}
SECRET = "hunter2"


# ------------------------------------------------------------------------------------- zips


def zip_with(*entries: tuple[str | ZipInfo, str | bytes], method: int = 0) -> bytes:
    """A zip of a pack with more entries, under whatever names."""
    held = BytesIO()
    with ZipFile(held, "w", method) as archive:
        for name, data in (("pack.yaml", PACK), *entries):
            archive.writestr(name, data)
    return held.getvalue()


def link() -> ZipInfo:
    """An entry that is a link."""
    info = ZipInfo("art/passwords.png")
    info.external_attr = 0o120777 << 16
    return info


def encrypted() -> bytes:
    """A zip whose entries say that they are encrypted."""
    data = bytearray(GOOD)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def countless() -> bytes:
    """A zip whose directory counts more entries than a pack may have."""
    return GOOD[:-14] + struct.pack("<2H", 20_001, 20_001) + GOOD[-10:]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def _zips() -> dict[str, tuple[bytes, str, str]]:
    bomb = zip_with(("x.yaml", b" " * 2_000_000), method=ZIP_DEFLATED)
    deep = "/".join("abcdefghijklmnopq") + "/x.yaml"
    return {
        "a bomb": (bomb, "archive-too-big", "no honest file"),
        "a file of 3 MB": (zip_with(("x.yaml", b"#" * 3_000_000)), "archive-too-big", "spread its"),
        "a name that leads out": (zip_with(("../x.yaml", ITEM)), "leads out", "make it anew"),
        "an absolute name": (zip_with(("/etc/x.yaml", ITEM)), "leads out", "make it anew"),
        "a drive": (zip_with(("C:/x.yaml", ITEM)), "leads out", "make it anew"),
        "a backslash": (zip_with(("a\\..\\x.yaml", ITEM)), "backslash", "make it anew"),
        "a link": (zip_with((link(), "/etc/passwd")), "is a link", "put the file itself"),
        "a device": (zip_with(("con.yaml", ITEM)), "Windows allows no file", "rename it"),
        "twins": (zip_with(("X.yaml", ITEM), ("x.yaml", ITEM)), "case-clash", "rename one"),
        "countless files": (countless(), "more than 20,000 entries", "a pack holds rules as text"),
        "too deep": (zip_with((deep, ITEM)), "16 folders deep", "put it higher up"),
        "a zip in the zip": (zip_with(("inner.zip", GOOD)), "zip within the zip", "leave it out"),
        "a password": (encrypted(), "is encrypted", "without a password"),
        "a name twice": (zip_with(("x.yaml", ITEM), ("x.yaml", ITEM)), "there twice", "leave one"),
        "a hidden character": (zip_with(("x\u202eyaml", ITEM)), "cannot be seen", "rename it"),
        "no manifest": (zipped({"x.yaml": b"x"}), "there is no `pack.yaml`", "kind: pack"),
        "two packs": (
            zipped({"a/pack.yaml": b"x", "b/pack.yaml": b"x"}),
            "several packs",
            "make a zip of each",
        ),
        "a page of the web": (b"<!doctype html><title>Log in</title>", "no zip", "make it anew"),
        "half a zip": (GOOD[: len(GOOD) // 2], "breaks off", "make it anew"),
        "an anchor": (zip_with(("x.yaml", "a: &a [*a]\n")), "anchor", ""),
        "a mistake": (zip_with(("x.yaml", BROKEN)), "unknown-field", ""),
        "a name of ours": (
            zipped({"pack.yaml": manifest("moonstone", game="gnostica").encode()}),
            "calls itself `moonstone`",
            "another id",
        ),
        "a device's id": (
            zipped({"pack.yaml": manifest("nul", game="gnostica").encode()}),
            "cannot be an id",
            "",
        ),
        "another content": (
            zipped({**LAMP, "x.yaml": ITEM.encode()}),
            "`lamp` 1.0.0, which is kept, with another content",
            "raise the version",
        ),
        "what it needs": (
            zipped(
                {"pack.yaml": manifest("evil", "requires: {oil: '^1'}", game="gnostica").encode()}
            ),
            "evil 1.0.0 wants >=1,<2 of the pack `oil`, which is in no index",
            "name an index",
        ),
        "more than there is": (
            zipped(
                {"pack.yaml": manifest("evil", "requires: {lamp: '>=2'}", game="gnostica").encode()}
            ),
            "evil 1.0.0 wants >=2 of the pack `lamp`, and there is 1.0.0",
            "versions that fit",
        ),
        "what breaks a kept pack": (
            zipped({"pack.yaml": manifest("lamp", game="gnostica", version="2.0.0").encode()}),
            "wick 1.0.0 wants >=1.0,<2",
            "versions that fit",
        ),
    }


# ---------------------------------------------------------------------------------- servers


def endless(handler: Handler) -> None:
    """An answer without an end."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.closing.is_set():
        handler.wfile.write(b"PK\x03\x04" * 20_000)


def drip(handler: Handler) -> None:
    """An answer that comes byte by byte."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b"P")
        handler.wfile.flush()


def silent(handler: Handler) -> None:
    """No answer."""
    handler.server.closing.wait(2)


def garbage(handler: Handler) -> None:
    """An answer that is none."""
    handler.wfile.write(b"\x00\x01 what is this\r\n\r\n")


def length(text: str, code: int = 200, **more: str) -> Callable[[Handler], None]:
    """A zip under another length."""
    return lambda handler: handler.send(GOOD, code, content_length=text, **more)


def to(place: str) -> Callable[[Handler], None]:
    """A redirect."""

    def answer(handler: Handler) -> None:
        handler.send(b"", 302, location=place.format(url=handler.server.url))

    return answer


SERVERS: dict[str, tuple[bytes | Callable[[Handler], None], str, str]] = {
    "endless": (endless, "sends more than 67,108,864 bytes", "is small"),
    "ten gigabytes": (length("10000000000"), "sends more than", "is small"),
    "less than announced": (length("5000"), "breaks off after", "try it again"),
    "more than announced": (length("40"), "breaks off before its end", "make it anew"),
    "no length": (length("-1"), "announces a length that is none", ""),
    "two lengths": (length("12", content_Length="13"), "announces a length that is none", ""),
    "packed": (length("12", content_encoding="gzip"), "sends a packed answer", ""),
    "drip": (drip, "takes more than 0.3 seconds", "later"),
    "silent": (silent, "nothing came for 0.2 seconds", "later"),
    "garbage": (garbage, "no answer of a web server", "later"),
    "gone": (length("12", 410), "answers 410", "the address of the file itself"),
    "a circle": (to("{url}/a circle"), "more than 5 times", "its end"),
    "to a file": (to("file:///etc/passwd"), "do not come by `file:`", "ask whoever"),
    "to another scheme": (to("gopher://127.0.0.1/x"), "do not come by `gopher:`", "ask whoever"),
    "to a network": (to("http://10.0.0.1/x.zip"), "a host of your own network", "only you"),
    "to a cloud": (to("http://169.254.169.254/latest"), "your own network", "only you"),
    "to this machine": (to("http://localhost:1/x.zip"), "your own network", "only you"),
    "to six": (to("http://[::ffff:127.0.0.1]:1/x.zip"), "your own network", "only you"),
    "to what is bare": (
        to("http://8.8.8.8/x.zip"),
        "is not encrypted",
        "try https://8.8.8.8/x.zip",
    ),
    "to a password": (to("http://a:hunter2@127.0.0.1/"), "name or password", "ask whoever"),
    "to nowhere": (to("http://["), "leads on to where it may not", "ask whoever"),
}


# -------------------------------------------------------------------------------- addresses

ADDRESSES: dict[str, tuple[str, str]] = {
    "{url}/good#sha256=" + "0" * 64: ("is not the file that its address says", "ask the author"),
    "{url}/good#sha256=12": ("is no SHA-256", "64 digits"),
    "http://8.8.8.8/x.zip": ("is not encrypted", "try https://8.8.8.8/x.zip"),
    "https://ann:hunter2@example.org/x.zip": ("would be written into the lock", "leave it out"),
    "git+https://hunter2@example.org/x": ("would be written into the lock", "leave it out"),
    "file:///etc/passwd": ("do not come by `file:`", "named by its path"),
    "ftp://example.org/x.zip": ("do not come by `ftp:`", "https://"),
    "git@example.org:ann/x.git": ("not by ssh", "git+https://"),
    "git+ssh://example.org/x": ("do not come by `ssh:`", "git+https://"),
    "git+ext::sh -c touch% ran": ("do not come by `ext:`", "git+https://"),
    "git+file:///etc": ("do not come by `file:`", "by its path"),
    "--upload-pack=touch ran": ("is no source of a pack", "name a zip"),
    "git+https://-oProxyCommand=ran/x": ("names no host", "git+https://"),
    "git+{url}/git/x.git@--upload-pack=ran": ("no tag, branch or commit", "@v1.0"),
    "git+{url}/git/x.git@../../ran": ("no tag, branch or commit", "@v1.0"),
    "git+{url}/git/x.git@good#../../etc": ("no folder of a repository", "#packs/house"),
    "https://example.invalid:99999999/x": ("cannot be read", "https://"),
    "nul\0byte.zip": ("is no source of a pack", "name a zip"),
    "evil>=one": ("is not a range of versions", "write `>=1.0`"),
    "gnostica": ("comes with Ruleloom", ""),
    "nowhere": ("which is in no index", "name an index"),
    "folders/link": ("links are not followed", ""),
    "folders/pipe": ("not an ordinary file", ""),
    "missing.zip": ("there is no such file", ""),
}

# ----------------------------------------------------------------------------- repositories

REPOSITORIES: dict[str, tuple[str, str]] = {
    "x.git@submodule": ("submodules are not fetched", "a zip"),
    "x.git@link": ("is a link, and links are not followed", "the file itself"),
    "x.git@pointer": ("is a pointer to Git LFS", "a zip"),
    "x.git@several": ("several packs: a, b", "x.git@several#a"),
    "x.git@several#c": ("there is no `c`", "behind `#`"),
    "x.git@nothing": ("there is no `pack.yaml`", "name the repository of a pack"),
    "x.git@bomb": ("more files than a pack may", "name a folder"),
    "x.git@twins": ("case-clash", "rename one"),
    "../moved": ("leads elsewhere, and git does not follow", "name that address"),
    "../private": ("asks for a name and password", "clone it yourself"),
    "../slow": ("takes more than 0.5 seconds", ""),
    "../endless": ("cannot be fetched", "check the address"),
    "x.git@large": ("holds more than 1,000,000 bytes", "a zip of the pack"),
    "x.git@v9": ("no tag, branch or commit `v9`", "@v1.0"),
    "gone.git": ("has no default branch", "@v1.0"),
    "none.git": ("cannot be fetched", "check the address"),
}


def repositories_in(folder: Path) -> None:
    """A repository with a tag for each attack, and one whose default branch has vanished."""
    made = Repository(folder / "x.git")
    pack = {"pack.yaml": PACK}
    nobody = "1234567890123456789012345678901234567890"
    made.tag("good", made.files(pack))
    made.tag("submodule", made.files(pack, more=("160000", nobody)))
    made.tag("link", made.files(pack, **{"x.yaml": ("120000", made.blob(b"/etc/passwd"))}))
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    made.tag("pointer", made.files({**pack, "art/x.png": pointer}))
    made.tag("several", made.files({"a/pack.yaml": PACK, "b/pack.yaml": PACK}))
    made.tag("nothing", made.files({"x.txt": "x"}))
    made.tag("twins", made.files({**pack, "x.yaml": ITEM, "X.yaml": ITEM}))
    made.tag("large", made.files({**pack, "art/x.png": random.Random(1).randbytes(1_200_000)}))
    bomb = made.files(pack)
    for _ in range(7):
        bomb = made.tree({f"a{number}": ("40000", bomb) for number in range(10)})
    made.tag("bomb", bomb)
    gone = Repository(folder / "gone.git")
    gone.tag("v1", gone.files(pack))


# ---------------------------------------------------------------------------------- indexes


def listed(id: str = "evil", address: str = "good", data: bytes = GOOD, **more: str) -> str:
    """A pack in an index."""
    digest = hashlib.sha256(data).hexdigest()
    rows = {"id": id, "version": '"1.0.0"', "game": "gnostica", "sha256": f'"{digest}"'}
    rows |= {"address": f'"{address}"', **more}
    return "- {" + ", ".join(f"{name}: {text}" for name, text in rows.items()) + "}\n"


def index(*entries: str) -> bytes:
    return f"edition: 1\npacks:\n{''.join(entries)}".encode()


CYCLE = [
    zipped({"pack.yaml": manifest(id, f"requires: {{{other}: '*'}}", game="gnostica").encode()})
    for id, other in (("evil", "other"), ("other", "evil"))
]
INDEXES: dict[str, tuple[bytes | Callable[[Handler], None], str, str]] = {
    "a pack twice": (index(listed(), listed()), "`evil` 1.0.0 is listed twice", "leave one"),
    "a way out": (index(listed(address="../../x")), "lies not below the index", "https://HOST"),
    "an absolute path": (index(listed(address="/etc/x")), "lies not below the index", "https://"),
    "a file of yours": (index(listed(address="file:///etc/x")), "come by `file:`", "by its path"),
    "an option": (index(listed(address="--upload-pack=x")), "lies not below", "https://HOST"),
    "git's options": (index(listed(address="git+ext::sh")), "come by `ext:`", "git+https://"),
    "a host of yours": (index(listed(address="http://10.1.2.3/x")), "own network", "only you"),
    "a password in it": (index(listed(address="https://a:hunter2@b.c/")), "password", "leave it"),
    "another file": (index(listed(data=b"x")), "is not the file that", "ask the author"),
    "another id": (index(listed(id="lively")), "the id of the pack", "make it anew"),
    "versions that fit": (index(listed(version='"1.0.1"')), "the version of the pack", "anew"),
    "other needs": (index(listed(requires='{gnostica: "<2"}')), "the requires of", "make it anew"),
    "a circle of packs": (
        index(
            listed(address="first", data=CYCLE[0], requires='{other: "*"}'),
            listed("other", "second", CYCLE[1], requires='{evil: "*"}'),
        ),
        "in a circle: evil -> other -> evil",
        "take one of them out",
    ),
    "what nobody has": (
        index(listed(requires='{oil: ">=1"}')),
        "evil 1.0.0 wants >=1 of the pack `oil`, which is in no index",
        "name an index",
    ),
    "what cannot be": (
        index(listed(requires='{lamp: ">=3"}')),
        "evil 1.0.0 wants >=3 of the pack `lamp`",
        "versions that fit",
    ),
    "no range": (index(listed(requires="{lamp: soon}")), "not a range of versions", "write"),
    "no version": (index(listed(version='"soon"')), "`soon` is not a version", "three numbers"),
    "no sum": (index(listed(sha256='"12"')), "sha256", ""),
    "an unknown field": (index(listed(run='"sh"')), "`run` is not a field", ""),
    "an anchored index": (b"a: &a [*a]\n", "anchor", ""),
    "an empty index": (b"", "this index holds nothing", "ruleloom index"),
    "an endless index": (endless, "sends more than 2,097,152 bytes", ""),
    "no index": (lambda handler: handler.send(b"", 404), "answers 404", "the file itself"),
}


# ------------------------------------------------------------------------------------ tests


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackServer]:
    folder = tmp_path_factory.mktemp("repositories")
    repositories_in(folder)
    with serving(folder) as running:
        running.answers |= {f"/{name}": answer for name, (answer, *_) in SERVERS.items()}
        running.answers |= {f"/{name}/index.yaml": one for name, (one, *_) in INDEXES.items()}
        for name in INDEXES:
            running.answers |= {f"/{name}/good": GOOD, f"/{name}/x": GOOD}
            running.answers |= {f"/{name}/first": CYCLE[0], f"/{name}/second": CYCLE[1]}
        running.answers |= {path.replace(" ", "%20"): one for path, one in running.answers.items()}
        running.answers["/good"] = GOOD
        running.answers["/moved/info/refs"] = to(
            "{url}/git/x.git/info/refs?service=git-upload-pack"
        )
        running.answers["/private/info/refs"] = lambda handler: handler.send(
            b"", 401, www_authenticate='Basic realm="x"'
        )
        running.answers["/slow/info/refs"] = drip
        running.answers["/endless/info/refs"] = endless
        yield running


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that keeps two packs, of which one requires the other."""
    folder = tmp_path_factory.mktemp("template")
    for id, more in (("lamp", ""), ("wick", "requires: {lamp: '^1.0'}")):
        (folder / id).mkdir()
        (folder / id / "pack.yaml").write_text(manifest(id, more, game="gnostica"))
    project = folder / "project"
    project.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        assert call("add", "--yes", "../lamp", "../wick").code == 0
    (project / "folders" / "link").mkdir(parents=True)
    (project / "folders" / "pipe").mkdir()
    for name in ("link", "pipe"):
        (project / "folders" / name / "pack.yaml").write_text(PACK)
    (project / "folders" / "link" / "x.yaml").symlink_to("/etc/passwd")
    os.mkfifo(project / "folders" / "pipe" / "x.yaml")
    return project


Refusal = Callable[..., None]


@pytest.fixture
def refused(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> Refusal:
    """What tries to add packs, and sees that they are refused and nothing is left."""
    project, scratch = tmp_path / "project", tmp_path / "scratch"
    shutil.copytree(template / "packs", project / "packs")
    (project / "folders").symlink_to(template / "folders")
    scratch.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    monkeypatch.setattr(download, "PATIENCE", download.Patience(pause=20, whole=60))
    monkeypatch.setattr(repositories, "LONGEST_LIST", 1_000_000)
    monkeypatch.setattr(repositories, "LARGEST", 1_000_000)
    monkeypatch.setattr(repositories, "MEMORY", 300_000_000)
    before = contents(project)

    def refuse(words: str, help: str, *source: str) -> None:
        done = call("add", "--yes", *source)
        told = done.out + done.err
        assert done.code in (1, 2), told
        assert words in told
        assert help in told.partition(words)[2]
        assert SECRET not in told
        assert contents(project) == before
        assert [*scratch.iterdir()] == []

    return refuse


def contents(folder: Path) -> dict[str, bytes]:
    """All files below, with their bytes."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_hostile_zips(refused: Refusal, tmp_path: Path):
    for name, (data, words, help) in _zips().items():
        path = tmp_path / f"{name}.zip"
        path.write_bytes(data)
        refused(words, help, str(path))


@pytest.mark.parametrize("name", SERVERS)
def test_hostile_servers(
    server: PackServer, refused: Refusal, name: str, monkeypatch: pytest.MonkeyPatch
):
    hurry = {"drip": download.Patience(whole=0.3), "silent": download.Patience(pause=0.2)}
    if name in hurry:
        monkeypatch.setattr(download, "PATIENCE", hurry[name])
    _, words, help = SERVERS[name]
    refused(words, help, f"{server.url}/{name}")


@pytest.mark.parametrize("source", ADDRESSES)
def test_hostile_addresses(server: PackServer, refused: Refusal, source: str):
    refused(*ADDRESSES[source], "--", source.format(url=server.url))


@pytest.mark.parametrize("name", REPOSITORIES)
def test_hostile_repositories(
    server: PackServer, refused: Refusal, name: str, monkeypatch: pytest.MonkeyPatch
):
    if name == "../slow":
        monkeypatch.setattr(repositories, "SECONDS", 0.5)
    path = f"git/{name}" if not name.startswith("../") else name.removeprefix("../")
    refused(*REPOSITORIES[name], f"git+{server.url}/{path}")


@pytest.mark.parametrize("name", INDEXES)
def test_hostile_indexes(server: PackServer, refused: Refusal, name: str):
    _, words, help = INDEXES[name]
    wanted = "lively" if name == "another id" else "evil"
    refused(words, help, wanted, "--index", f"{server.url}/{name}/index.yaml")


@pytest.mark.parametrize("name", ["ruleloom.lock", "evil-1.0.0.zip"])
def test_a_link_in_the_place_of_what_is_kept(refused: Refusal, tmp_path: Path, name: str):
    path, elsewhere = Path("packs") / name, tmp_path / "elsewhere"
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)
    (tmp_path / "evil.zip").write_bytes(GOOD)
    done = call("add", "--yes", tmp_path / "evil.zip")
    assert done.code == 2
    assert (
        "links are not followed" if name.endswith("lock") else "no pack of this project"
    ) in done.err
    assert not elsewhere.exists()
