// The application in a worker of this page: requests and sockets as messages, of the same shape as
// `fetch` and `WebSocket`.

const policy = window.trustedTypes?.createPolicy("ruleloom", { createScriptURL: (url) => url });
const url = new URL("./worker.js", import.meta.url).href;
const script = (url) => policy?.createScriptURL(url) ?? url;
const worker = new Worker(script(url), { type: "module" });
navigator.serviceWorker?.register(script("service_worker.js"));
const requests = new Map(), sockets = new Map();
let last = 0, begun;

/** What the worker says once it runs: the token of whoever has this page. */
export const ready = new Promise((done, fail) => { begun = { done, fail }; });

worker.onmessage = ({ data }) => {
  if (data.is === "ready") begun.done(data);
  else if (data.is === "failed") begun.fail(new Error(data.reason));
  else if (data.is === "answer") requests.get(data.id)?.(data);
  else sockets.get(data.id)?.take(data);
};

class Socket {
  constructor(path) {
    this.id = last += 1;
    this.readyState = WebSocket.CONNECTING;
    sockets.set(this.id, this);
    ready.then(() => worker.postMessage({ is: "open", id: this.id, path }));
  }

  take(data) {
    if (data.is === "open") { this.readyState = WebSocket.OPEN; this.onopen?.({}); }
    else if (data.is === "text") this.onmessage?.({ data: data.text });
    else if (data.is === "close") { this.readyState = WebSocket.CLOSED; sockets.delete(this.id); this.onclose?.({ code: data.code }); }
  }

  send(text) { worker.postMessage({ is: "text", id: this.id, text }); }

  close() { worker.postMessage({ is: "close", id: this.id }); }
}

export const bridge = {
  async post(path, token, body) {
    await ready;
    const id = last += 1;
    const found = await new Promise((done) => {
      requests.set(id, done);
      worker.postMessage({ is: "request", id, method: "POST", path, token, body });
    });
    requests.delete(id);
    return { ok: found.status < 400, status: found.status, statusText: "", json: async () => JSON.parse(found.body) };
  },
  socket: (path) => new Socket(path),
  streams: false,
  ownTokens: async () => [(await ready).token],
};
