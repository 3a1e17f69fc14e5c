// Runs tests in Python of Pyodide, under Node.js: a system that is no POSIX.
// node tests/emscripten/run.mjs PYODIDE LIBRARIES [-- words for pytest]

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodide, libraries, ...words] = process.argv.slice(2);
const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
if (!existsSync(resolve(pyodide, "pyodide.mjs"))) throw new Error(`there is no Pyodide in ${pyodide}`);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
const python = await loadPyodide({
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", RULELOOM_CACHE: "off" },
});
for (const [place, root] of [["/checkout", checkout], ["/libraries", resolve(libraries)]]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.globals.set("words", words.filter((word) => word !== "--"));
process.exitCode = python.runPython(`
import os, sys
sys.path[:0] = ["/checkout", "/libraries"]
os.chdir("/checkout")
from tests.emscripten import stand_ins
stand_ins.put()
import pytest
given = ["-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:pytest-lsp", "-o", "addopts=--import-mode=importlib",
         "-p", "no:asyncio", "-p", "no:anyio", "-q", "--no-header"]
int(pytest.main([*given, *words.to_py()]))
`);
