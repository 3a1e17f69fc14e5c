// The worker of a site: Python, the application, and its files, which the browser keeps.
//
// Python begins where the snapshot of the site was taken: with all modules imported.

const root = new URL("../../../", import.meta.url);
const KEPT = "/kept", SOON = 200, PART = 16 << 20;
let python, app, saving = false, changed = false;

const fetched = (name) => fetch(new URL(name, root)).then((answer) => {
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
});

/** Write the files to the browser's own store, soon; and once more if they change meanwhile. */
function keep() {
  changed = true;
  if (saving) return;
  saving = true;
  setTimeout(() => {
    changed = false;
    python.FS.syncfs(false, (error) => {
      saving = false;
      if (error) console.error(error);
      if (changed) keep();
    });
  }, SOON);
}

/** Python as the snapshot has it; its memory has to be as large before. */
async function restored(snapshot) {
  const index = new URL("pyodide/", root).href;
  const { loadPyodide } = await import(`${index}pyodide.mjs`);
  const create = (await import(`${index}pyodide.asm.mjs`)).default;
  return loadPyodide({
    indexURL: index, _loadSnapshot: snapshot,
    createPyodideModule: async (settings) => {
      const module = await create(settings);
      while (module.HEAP8.length < snapshot.length) module._malloc(PART);
      return module;
    },
  });
}

async function begin() {
  const snapshot = fetched("snapshot.bin.gz").then((answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const files = fetched("app.zip").then((answer) => answer.arrayBuffer());
  const config = await fetched("site.json").then((answer) => answer.json());
  python = await restored(new Uint8Array(await snapshot));
  python.unpackArchive(await files, "zip", { extractDir: "/app" });
  python.FS.mkdir(KEPT);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, KEPT);
  await new Promise((done, fail) => python.FS.syncfs(true, (error) => (error ? fail(error) : done())));
  const begins = python.pyimport("ruleloom.site.worker").start;
  app = begins(python.toPy(config.packs), (text) => { postMessage(JSON.parse(text)); keep(); });
  postMessage({ is: "ready", token: app.host_token });
}

const begun = begin().catch((error) => { postMessage({ is: "failed", reason: String(error) }); throw error; });
onmessage = async ({ data }) => { await begun; app.take(JSON.stringify(data)); };
