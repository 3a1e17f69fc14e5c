// Runs a Python file of the tests under Pyodide, with the archive of a site:
// node in_node.mjs PYODIDE APP.ZIP FILE.PY FOLDER JOB, where the job is what its `main` takes, in JSON.

import { readFileSync, writeSync } from "node:fs";

const [pyodide, archive, file, folder, job] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ env: { RULELOOM_CACHE: "off", HOME: "/home" } });
python.unpackArchive(new Uint8Array(readFileSync(archive)).buffer, "zip", { extractDir: "/app" });
python.FS.mkdir("/shared");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/shared");
python.runPython("import sys; sys.path.insert(0, '/app')");
python.runPython(readFileSync(file, "utf-8"));
try {
  python.globals.get("main")(job);
} catch (error) {
  writeSync(2, error.message); // without the line of code, which is all of Pyodide
  process.exit(1);
}
process.exit(0);
