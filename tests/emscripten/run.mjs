// Runs tests in Python of Pyodide, under Node.js: a system that is no POSIX.
// node tests/emscripten/run.mjs PYODIDE LIBRARIES WORDS-FOR-PYTEST...

import { writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, isMainThread, workerData } from "node:worker_threads";

const STACK_MIB = 64; // deep texts are held against limits of Python, which come first on other systems
const [pyodide, libraries, ...words] = isMainThread ? process.argv.slice(2) : workerData;

if (isMainThread) {
  const stack = { resourceLimits: { stackSizeMb: STACK_MIB } };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: process.argv.slice(2), ...stack });
  worker.on("error", (error) => {
    console.error(error);
    process.exitCode = 3;
  });
  worker.on("exit", (code) => (process.exitCode ||= code));
} else {
  const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
  const environment = { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" };
  const python = await loadPyodide({ env: environment });
  for (const [number, name] of [[1, "setStdout"], [2, "setStderr"]]) {
    python[name]({ write: (bytes) => writeSync(number, bytes) });
  }
  const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
  for (const [place, root] of [["/checkout", checkout], ["/libraries", resolve(libraries)]]) {
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
  }
  python.globals.set("words", words);
  process.exit(python.runPython(`
import os, sys
sys.path[:0] = ["/checkout", "/libraries"]
os.chdir("/checkout")
from tests.emscripten import stand_ins
stand_ins.put()
import pytest
given = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-p", "tests.emscripten.left_out", "-m", "not slow", "--capture=sys", "-q"]
int(pytest.main([*given, *words.to_py()]))
`));
}
