// The connection to a table: what changes comes over a WebSocket, or as a stream of events where none
// gets through. It is taken up again within a second.

import { inOwn } from "./text.js";
import { transport } from "./transport.js";

const FIRST_WAIT = 250, LONGEST_WAIT = 8000, REFUSED = [4401, 4404];

/** Ask the server for something; throws an Error with the reason where it is refused. */
export async function ask(token, path, data = {}) {
  let answer;
  try {
    answer = await transport.post(`/api/${path}`, token, JSON.stringify(data));
  } catch {
    throw Object.assign(new Error("unreachable"), { unreachable: true });
  }
  const found = await answer.json().catch(() => ({ error: answer.statusText }));
  if (!answer.ok) throw Object.assign(new Error(inOwn(found.error)), { status: answer.status });
  return found.result;
}

/** One seat's connection. `on.view`, `on.here` and `on.state` are told what comes. */
export class Link {
  constructor(token, on) {
    this.token = token;
    this.on = on;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.sockets = 0; // how often a socket was closed before anything came
    this.open();
    addEventListener("online", () => this.again(0));
  }

  open() {
    if (this.closed) return;
    if (this.sockets >= 2 && transport.streams) { this.stream(); return; }
    const socket = this.socket = transport.socket("/api/socket");
    let anything = false;
    socket.onopen = () => socket.send(JSON.stringify({ token: this.token }));
    socket.onmessage = (event) => { anything = true; this.sockets = 0; this.take(event.data); };
    socket.onclose = (event) => {
      if (this.closed) return;
      if (REFUSED.includes(event.code)) { this.end(event.code); return; }
      if (!anything) this.sockets += 1;
      this.again();
    };
  }

  async stream() {
    try {
      const answer = await fetch("/api/stream", { headers: { authorization: `Bearer ${this.token}` } });
      if (answer.status === 401 || answer.status === 404) { this.end(answer.status); return; }
      if (!answer.ok) throw new Error("later");
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let left = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const parts = (left + value).split("\n\n");
        left = parts.pop();
        for (const part of parts) if (part.startsWith("data: ")) this.take(part.slice(6));
      }
    } catch { /* taken up again below */ }
    this.sockets = 0;
    this.again();
  }

  take(text) {
    const data = JSON.parse(text);
    this.wait = FIRST_WAIT;
    this.on.state("here");
    if (data.type === "elsewhere") { this.closed = true; this.on.state("elsewhere"); }
    else if (data.type === "table") this.on.view(data);
    else this.on.here(data.seats);
  }

  again(wait = this.wait) {
    if (this.closed || this.timer) return;
    if (this.socket && this.socket.readyState === WebSocket.OPEN) return;
    this.on.state("away");
    this.timer = setTimeout(() => { this.timer = null; this.open(); }, wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Leave the table. */
  close() {
    this.closed = true;
    this.socket?.close();
  }

  end(code) {
    this.closed = true;
    this.on.state(code === 4404 || code === 404 ? "gone" : "refused");
  }

  ask(path, data) { return ask(this.token, path, data); }
}
