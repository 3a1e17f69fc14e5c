// The language server over a socket: requests, notices, and the texts that are open.

import { transport } from "../transport.js";

const PIECE = 4000, FIRST_WAIT = 300, LONGEST_WAIT = 5000;
const REFUSED = [4401, 4400], STOPPED = 4408;

/** A message as text of plain signs, so that no piece of it is cut within one. */
const plain = (data) => JSON.stringify(data).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

export class Language {
  /** `on.state` is told "here", "away" or "refused", `on.found` the findings of a file. */
  constructor(token, on) {
    this.token = token;
    this.on = on;
    this.wait = FIRST_WAIT;
    this.last = 0;
    this.waiting = new Map();
    this.texts = new Map(); // what is open, by URI: its version and its text
    this.open();
  }

  open() {
    const socket = this.socket = transport.socket("/api/bench/socket");
    this.ready = new Promise((done) => { this.done = done; });
    socket.onopen = () => this.begin();
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event.code);
  }

  async begin() {
    this.socket.send(JSON.stringify({ token: this.token }));
    const item = { snippetSupport: true, documentationFormat: ["plaintext"] };
    const found = await this.asked("initialize", { processId: null, rootUri: null, capabilities: { textDocument: { completion: { completionItem: item }, publishDiagnostics: { relatedInformation: true } } } });
    this.legend = found.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
    this.tell("initialized", {});
    for (const [uri, { version, text }] of this.texts) this.opened(uri, version, text);
    this.wait = FIRST_WAIT;
    this.done();
    this.on.state("here");
  }

  /** Leave the workbench. */
  close() {
    this.left = true;
    this.socket.close();
  }

  closed(code) {
    if (this.left) return;
    for (const { fail } of this.waiting.values()) fail(new Error("away"));
    this.waiting.clear();
    if (REFUSED.includes(code)) { this.on.state("refused"); return; }
    this.on.state("away");
    if (code === STOPPED) { this.rest(); return; }
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Wait for something else to be wanted: this took too long. */
  rest() {
    this.rests = true;
    this.ready = Promise.reject(new Error("away"));
    this.ready.catch(() => {});
  }

  wake() {
    if (this.rests) this.open();
    this.rests = false;
  }

  send(data) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const text = plain(data);
    for (let at = 0; at === 0 || at < text.length; at += PIECE) this.socket.send((at + PIECE < text.length ? "+" : ".") + text.slice(at, at + PIECE));
  }

  tell(method, params) { this.send({ jsonrpc: "2.0", method, params }); }

  asked(method, params) {
    const id = this.last += 1;
    return new Promise((done, fail) => { this.waiting.set(id, { done, fail }); this.send({ jsonrpc: "2.0", id, method, params }); });
  }

  /** Ask the server; throws an Error with the reason where it is refused. */
  async ask(method, params) {
    await this.ready;
    return this.asked(method, params);
  }

  take(data) {
    if (data.method === "textDocument/publishDiagnostics") { this.on.found(data.params); return; }
    const one = this.waiting.get(data.id);
    if (!one || data.method) return;
    this.waiting.delete(data.id);
    if (data.error) one.fail(new Error(data.error.message));
    else one.done(data.result);
  }

  opened(uri, version, text) {
    this.tell("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version, text } });
  }

  /** A text stands in the editor from now on. */
  show(uri, text) {
    if (this.texts.has(uri)) { this.change(uri, text); return; }
    this.texts.set(uri, { version: 1, text });
    this.opened(uri, 1, text);
    this.wake();
  }

  /** A text has changed. */
  change(uri, text) {
    const one = this.texts.get(uri);
    if (!one || one.text === text) return;
    one.version += 1;
    one.text = text;
    this.tell("textDocument/didChange", { textDocument: { uri, version: one.version }, contentChanges: [{ text }] });
    this.wake();
  }

  /** The number of the text as the server has it. */
  versionOf(uri) { return this.texts.get(uri)?.version ?? 0; }

  /** A file was written. */
  saved(uri) { this.tell("textDocument/didSave", { textDocument: { uri } }); }
}
