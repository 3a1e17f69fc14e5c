// Starts the application once and writes down its memory, from which each visit then begins:
// node snapshot.mjs SITE PACK...

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [site, ...packs] = process.argv.slice(2);
const { loadPyodide } = await import(`${site}/pyodide/pyodide.mjs`);
const python = await loadPyodide({ _makeSnapshot: true });
python.unpackArchive(new Uint8Array(readFileSync(`${site}/app.zip`)).buffer, "zip", { extractDir: "/app" });
python.runPython("import sys; sys.path.insert(0, '/app')");
python.globals.set("packs", packs.join("\n"));
python.runPython("from ruleloom.site.worker import prepare; prepare(packs.splitlines()); del packs");
writeFileSync(`${site}/snapshot.bin.gz`, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
process.exit(0);
