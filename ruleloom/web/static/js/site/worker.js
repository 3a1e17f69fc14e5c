// The worker of a site: Python, the application, and its files, which the browser keeps.
//
// Python begins where the snapshot of the site was taken: with all modules imported.

const root = new URL("../../../", import.meta.url);
// Several sites may have one origin, and with it one store.
const KEPT = "/kept", STORE = `/kept-${encodeURIComponent(root.pathname)}`;
const SOON = 200, PATIENCE = 5000, PART = 16 << 20;
let python, app, kept = true, saving = false, changed = false, loaded = 0;

const tell = (what, values = {}) => postMessage({ is: "progress", what, ...values });

const fetched = (name) => fetch(new URL(name, root)).then((answer) => {
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
});

/** A large file, with what of it has come told now and then. */
const large = (name) => fetched(name).then((answer) => answer.body.pipeThrough(new TransformStream({
  transform(part, to) {
    const before = loaded >> 20;
    loaded += part.length;
    if (loaded >> 20 > before) tell("files", { mb: loaded >> 20 });
    to.enqueue(part);
  },
})));

/** Write the files to the browser's own store, soon; and once more if they change meanwhile. */
function keep() {
  changed = true;
  if (saving || !kept) return;
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

/** Mount what the browser keeps, where the snapshot had it. Some keep nothing, as in private windows: then it is gone with the page. */
async function mount() {
  const { IDBFS } = python.FS.filesystems, named = IDBFS.getDB;
  IDBFS.getDB = (_place, done) => named(STORE, done);
  python.FS.mkdir(KEPT);
  try {
    python.FS.mount(IDBFS, {}, KEPT);
    await new Promise((done, fail) => python.FS.syncfs(true, (error) => (error ? fail(error) : done())));
  } catch (error) {
    kept = false;
    console.warn(error);
  }
}

/** Two pages would write over each other: the later one does not start. */
function alone() {
  return new Promise((done, fail) => {
    if (!navigator.locks) { done(); return; }
    navigator.locks.request(STORE, { signal: AbortSignal.timeout(PATIENCE) }, () => { done(); return new Promise(() => {}); }).catch(() => fail(new Error("elsewhere")));
  });
}

async function begin() {
  await alone();
  const snapshot = large("snapshot.bin.gz").then((body) => new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const files = large("app.zip").then((body) => new Response(body).arrayBuffer());
  const config = await fetched("site.json").then((answer) => answer.json());
  const memory = new Uint8Array(await snapshot);
  tell("python");
  python = await restored(memory);
  python.unpackArchive(await files, "zip", { extractDir: "/app" });
  await mount();
  const begins = python.pyimport("ruleloom.site.worker").start;
  app = begins(python.toPy(config.packs), (text) => { postMessage(JSON.parse(text)); keep(); });
  postMessage({ is: "ready", token: app.host_token, kept });
}

const begun = begin().catch((error) => { postMessage({ is: "failed", reason: error.message }); throw error; });
onmessage = async ({ data }) => {
  if (data.is === "ping") { postMessage({ is: "pong" }); return; }
  await begun;
  app.take(JSON.stringify(data));
};
