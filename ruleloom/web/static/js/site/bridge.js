// The application in a worker of this page: requests and sockets as messages, of the same shape as
// `fetch` and `WebSocket`.
//
// The worker answers pings unless Python is at work. What is at work for too long is stopped: another
// worker starts from what is kept.

import { t } from "../text.js";

const PATIENCE = 30, TICK = 1000, RENEWED = 1012, STOPPED = 4408;
const NEEDED = ["Worker", "WebAssembly", "DecompressionStream"];
const LONG = { "/api/answer": "answer", "/api/host/open": "open", "/api/host/offer": "offer", "/api/host/pack": "pack", "/api/host/preview": "pack" };
const policy = window.trustedTypes?.createPolicy("ruleloom", { createScriptURL: (url) => url });
const script = (url) => policy?.createScriptURL(url) ?? url;
const url = new URL("./worker.js", import.meta.url).href;
const requests = new Map(), sockets = new Map();
let worker, begun, ready, runs, silent, told = "", last = 0, bench = false;
let progress = () => {}, stopped = () => {};

function start() {
  [runs, silent] = [false, 0];
  ready = new Promise((done, fail) => { begun = { done, fail }; });
  ready.catch(() => {}); // whoever waits for it tells
  if (NEEDED.some((name) => !(name in window))) { begun.fail(new Error(t("old_browser"))); return; }
  worker = new Worker(script(url), { type: "module" });
  worker.onmessage = ({ data }) => take(data);
  worker.onerror = (event) => begun.fail(new Error(t("not_started", { reason: event.message ?? "" })));
}

function take(data) {
  if (data.is === "ready") { runs = true; begun.done(data); }
  else if (data.is === "failed") begun.fail(new Error(data.reason === "elsewhere" ? t("open_elsewhere") : t("not_started", data)));
  else if (data.is === "progress") { told = t(`start_${data.what}`, data); progress(told); }
  else if (data.is === "pong") silent = 0;
  else if (data.is === "answer") requests.get(data.id)?.done(data);
  else sockets.get(data.id)?.take(data);
}

// A hidden page and a computer asleep count no ticks.
setInterval(() => {
  if (!runs) return;
  silent += 1;
  if (silent === 1) worker.postMessage({ is: "ping" });
  else if (silent > PATIENCE) stop();
}, TICK);

/** Stop what takes too long, and start anew. */
function stop() {
  worker.terminate();
  const [first] = requests.values();
  const other = bench ? "bench" : "bot"; // what has no request of its own
  const what = t(`long_${first ? LONG[first.path] ?? "other" : other}`);
  const words = t("too_long", { what, seconds: PATIENCE });
  for (const one of requests.values()) one.done({ status: 503, body: JSON.stringify({ error: words }) });
  for (const [id, one] of sockets) one.take({ is: "close", id, code: one.path.includes("bench") ? STOPPED : RENEWED });
  start();
  stopped(words);
}

class Socket {
  constructor(path) {
    this.id = last += 1;
    this.path = path;
    this.readyState = WebSocket.CONNECTING;
    sockets.set(this.id, this);
    ready.then(() => this.post({ is: "open", path }), () => {});
  }

  post(data) { if (sockets.has(this.id)) worker.postMessage({ id: this.id, ...data }); }

  take(data) {
    if (data.is === "open") { this.readyState = WebSocket.OPEN; this.onopen?.({}); }
    else if (data.is === "text") this.onmessage?.({ data: data.text });
    else if (data.is === "close") { this.readyState = WebSocket.CLOSED; sockets.delete(this.id); this.onclose?.({ code: data.code }); }
  }

  send(text) { bench = this.path.includes("bench"); this.post({ is: "text", text }); }

  close() { this.post({ is: "close" }); }
}

export const bridge = {
  start,
  async post(path, token, body) {
    await ready;
    const id = last += 1;
    const found = await new Promise((done) => {
      requests.set(id, { path, done });
      worker.postMessage({ is: "request", id, method: "POST", path, token, body });
    });
    requests.delete(id);
    return { ok: found.status < 400, status: found.status, statusText: "", json: async () => JSON.parse(found.body) };
  },
  socket: (path) => new Socket(path),
  streams: false,
  async ownTokens(tells) {
    if (!runs && told) tells(told);
    progress = tells;
    const { token, kept } = await ready;
    bridge.keeps = () => kept;
    return [token];
  },
  keeps: () => true,
  set onStopped(act) { stopped = act; },
};

// Not every browser, and no private window of some, keeps the files.
navigator.serviceWorker?.register(script("service_worker.js")).catch(() => {});
