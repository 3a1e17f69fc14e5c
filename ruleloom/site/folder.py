"""The folder of a site: the page, Pyodide, and an archive of the application with its packs.

The same packs and versions give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path

from ruleloom.api.making import made_program, made_texts
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.reference_pages import site_of
from ruleloom.reference.rulebook.rulebook import rulebook
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.store.inputs import HOME, named_packs
from ruleloom.store.item_texts import TEXTS
from ruleloom.store.programs import GAME
from ruleloom.store.store import pack_store_in
from ruleloom.web.pages import page_files, told
from ruleloom.web.requests import POLICY, STYLES

PYODIDE = "314.0.7"
# The files of the npm package that the page loads, with the SHA-256 of each.
PYODIDE_FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
LICENCE = f"""\
Pyodide {PYODIDE}, under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/).
Its source is at https://github.com/pyodide/pyodide/tree/{PYODIDE}.
It contains CPython, under the PSF License (https://docs.python.org/3/license.html).
"""
# The libraries that the application imports in the worker, all of them plain Python there.
LIBRARIES = (
    *(
        "anyio",
        "attrs",
        "cattrs",
        "click",
        "idna",
        "jinja2",
        "jsonschema",
        "jsonschema-specifications",
        "lsprotocol",
        "markupsafe",
        "packaging",
    ),
    *("pygls", "pyyaml", "referencing", "segno", "starlette", "typing-extensions"),
)
NOT_RUN = {"tests", "benchmarks"}
PAGE, CATALOGUE = "/static/index.html", "/static/en.json"
# What a worker and WebAssembly need beside the server's policy; an element cannot forbid frames.
LOCAL_POLICY = (
    POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'")
    .replace(STYLES, f"{STYLES} 'nonce-styles'")
    .replace("trusted-types 'none'", "trusted-types ruleloom")
    .replace("frame-ancestors 'none'; ", "")
)
# The editor writes styles of its own; scripts have no nonce.
NONCE = "styles"
HERE = Path(__file__).parent
LONGEST_TOLD = 2_000
Found = tuple[str, bytes]
EPOCH = (1980, 1, 1, 0, 0, 0)


def site_files(paths: Sequence[str], pyodide: Path) -> dict[str, bytes]:
    """The files of a site for a game and packs, by path. Raises ContentError for packs with mistakes, and
    Refused for what a site cannot take along."""
    archive = archive_of(paths)
    return {
        "index.html": _page(),
        "site.json": json.dumps({"packs": _places(paths)}).encode(),
        "app.zip": archive,
        **_books(paths, made_program(paths, texts=True).value),
        **{path[1:]: file.body for path, file in page_files().items() if path != PAGE},
        **_pyodide(pyodide),
    }


def _books(paths: Sequence[str], game: Program) -> dict[str, bytes]:
    """The reference and the rulebook, and what a browser needs to install the site."""
    content = compile_paths(paths, texts=True, reasons=False, scenarios=False).content
    assert content is not None  # it has just been compiled without mistakes
    return {
        "manifest.webmanifest": json.dumps(_manifest(game.title)).encode(),
        "rulebook.html": rulebook(content, game).encode(),
        **{f"reference/{name}": text.encode() for name, text in site_of(content, game).items()},
    }


def archive_of(paths: Sequence[str]) -> bytes:
    """What the worker of a site unpacks: the application, its libraries, the game compiled, the packs."""
    program = made_program(paths, texts=True)
    named = named_packs(paths) or ()
    if any(folder.archive is not None for folder in named):
        raise Refused("a site takes folders of packs, and no zips")
    shipped = {id for id, folder in (program.packs or {}).items() if _is_shipped(folder)}
    own = [folder.path.resolve() for folder in named if not _is_shipped(folder.path)]
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "compiled"
        store = pack_store_in(None, paths)
        if store is not None:
            store.ship(GAME, program, compiled)
            store.ship(TEXTS, made_texts(paths), compiled)
        return _zipped(
            [*_code(shipped), *_libraries(), *_own(own), *_files(Path(folder), "ruleloom")]
        )


def _places(paths: Sequence[str]) -> list[str]:
    """What the packs of a site are called in its worker."""
    named = [folder.path for folder in named_packs(paths) or ()]
    return [one.name if _is_shipped(one) else f"/kept/{_place(one)}" for one in named]


def with_snapshot(files: dict[str, bytes], node: str) -> dict[str, bytes]:
    """The files with the memory of the application after its start, and a service worker that keeps all of
    them. Raises Refused if it does not start."""
    packs = json.loads(files["site.json"])["packs"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("app.zip", *(f"pyodide/{one}" for one in PYODIDE_FILES)):
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(files[name])
        script = Path(folder, "snapshot.mjs")
        script.write_bytes((HERE / "snapshot.mjs").read_bytes())
        done = subprocess.run(
            [node, str(script), folder, *packs], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Refused(f"the game does not start in Node.js:\n{done.stderr[-LONGEST_TOLD:]}")
        snapshot = Path(folder, "snapshot.bin.gz").read_bytes()
    found = {**files, "snapshot.bin.gz": snapshot}
    return {**found, "service_worker.js": _service_worker(found)}


def _service_worker(files: dict[str, bytes]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + hashlib.sha256(files[name]).digest())
    text = (HERE / "service_worker.js").read_text("utf-8")
    version, names = digest.hexdigest()[:16], json.dumps(["./", *sorted(files)])
    return text.replace("{version}", version).replace("{files}", names).encode()


def _manifest(title: str) -> dict[str, object]:
    """What a browser needs to install the site as an application."""
    icon = {"src": "static/mark.svg", "sizes": "any", "type": "image/svg+xml"}
    return {"name": title, "start_url": "./", "display": "standalone", "icons": [icon]}


def _is_shipped(folder: Path) -> bool:
    return folder.resolve().parent == BUILTIN.resolve()


def _place(folder: Path) -> str:
    """Where a pack of somebody's own lies in the archive."""
    return f"packs/{folder.resolve().name}"


def _page() -> bytes:
    """The page of the server, which finds the application in a worker."""
    text = page_files()[PAGE].body.decode()
    policy = f'<meta http-equiv="content-security-policy" content="{LOCAL_POLICY}">'
    text = text.replace('<html lang="en">', '<html lang="en" data-alone>')
    begins = f'<main class="alone"><h1>Ruleloom</h1><p>{told("page_starts")}</p></main>'
    text = text.replace('<div id="page">', f'<div id="page" data-nonce="{NONCE}">{begins}')
    text = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}')
    text = text.replace("</head>", '<link rel="manifest" href="manifest.webmanifest">\n</head>')
    return text.replace('"/static/', '"static/').encode()


# ---------------------------------------------------------------------------------- the archive


def _files(folder: Path, place: str) -> Iterator[Found]:
    """The files below a folder, links followed, by their path in the archive."""
    for here, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "__pycache__")))
        for name in sorted(names):
            path = Path(here, name)
            yield f"{place}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _code(games: set[str]) -> Iterator[Found]:
    """Our code, schemas, and of the shipped games those that are needed."""
    others = [f"ruleloom/rulesets/{id}/" for id in shipped_packs(BUILTIN) if id not in games]
    left = (*others, "ruleloom/rulesets/examples/", "ruleloom/compiled/", "ruleloom/web/static/")
    for path, data in _files(HOME, "ruleloom"):
        if not path.startswith(left) or path.endswith((PAGE, CATALOGUE)):
            yield path, data


def _libraries() -> Iterator[Found]:
    for name in LIBRARIES:
        for file in distribution(name).files or ():
            is_data = "schemas" in file.parts  # of jsonschema-specifications
            if (file.suffix == ".py" and NOT_RUN.isdisjoint(file.parts)) or is_data:
                yield file.as_posix(), Path(str(file.locate())).read_bytes()
    yield "rpds.py", (HERE / "plain_rpds.py").read_bytes()


def _own(folders: Iterable[Path]) -> Iterator[Found]:
    for folder in folders:
        yield from _files(folder, _place(folder))


def _zipped(files: Iterable[Found]) -> bytes:
    """A zip, the same for the same files."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, EPOCH), data, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _pyodide(package: Path) -> dict[str, bytes]:
    """The files of Pyodide, with its licence. Raises Refused for another version, or changed files."""
    found = {"pyodide/LICENCE.txt": LICENCE.encode()}
    for name, expected in PYODIDE_FILES.items():
        try:
            data = (package / name).read_bytes()
        except OSError as error:
            reason = f"{package / name} cannot be read: {(error.strerror or '').lower()}"
            raise Refused(f"{reason}; `npm install pyodide@{PYODIDE}` brings it") from None
        if hashlib.sha256(data).hexdigest() != expected:
            raise Refused(f"{package / name} is not the file of Pyodide {PYODIDE}")
        found[f"pyodide/{name}"] = data
    return found
