// The host's page: tables are opened, seats handed out, games taken in and out.

import { button, dialog, el, svg } from "./dom.js";
import { ask } from "./link.js";
import { counted, t } from "./text.js";

const KINDS = ["human", "greedy", "random", "steady"];

export async function showLobby(root, token) {
  const lobby = new Lobby(root, (path, data) => ask(token, `host/${path}`, data), token);
  await lobby.draw();
}

class Lobby {
  constructor(root, asks, token) {
    this.root = root;
    this.token = token;
    this.tools = el("nav", { class: "tools", "aria-label": t("tools") });
    this.asks = asks;
    this.told = el("p", { class: "told", role: "alert" });
    this.tables = el("section", { class: "tables" });
    this.form = el("section", { class: "open" });
    root.replaceChildren(el("header", { class: "top" }, el("h1", {}, t("app")), this.tools),
      el("main", { class: "lobby" }, this.told, this.form, this.tables));
  }

  async tried(path, data = {}) {
    this.told.textContent = "";
    try { return await this.asks(path, data); } catch (error) {
      this.told.textContent = error.unreachable ? t("unreachable") : error.message;
      return undefined;
    }
  }

  async draw() {
    const found = await this.tried("tables");
    if (!found) return;
    if (found.workbench) this.tools.replaceChildren(el("a", { href: `/bench#${this.token}` }, t("to_workbench")));
    this.drawForm(found.games);
    this.drawTables(found.tables);
  }

  async refresh() {
    const found = await this.tried("tables");
    if (found) this.drawTables(found.tables);
  }

  // ------------------------------------------------------------------ a new table

  drawForm(games, chosen = 0) {
    const pack = el("input", { type: "file", accept: ".zip", on: { change: () => this.send(pack) } });
    const game = el("select", { id: "game", on: { change: () => this.offer(Number(game.value)) } }, games.map((name, at) => el("option", { value: at }, name)));
    this.seats = el("div", { class: "seat-rows" });
    this.dice = el("input", { type: "checkbox" });
    this.go = el("button", { type: "submit", class: "main", disabled: true }, t("open_table"));
    const load = el("input", { type: "file", accept: ".save,.game,.jsonl,text/plain", on: { change: () => this.load(load) } });
    this.form.replaceChildren(el("h2", {}, t("new_table")),
      el("form", { on: { submit: (event) => { event.preventDefault(); this.open(Number(game.value)); } } },
        el("label", {}, t("game"), game), this.seats,
        el("label", { class: "check" }, this.dice, t("real_dice")), el("div", { class: "row" }, this.go)),
      el("label", { class: "load" }, t("load_save"), load), el("label", { class: "load" }, t("send_pack"), pack));
    game.value = String(chosen);
    this.offer(chosen);
  }

  async offer(number) {
    this.go.disabled = true;
    this.seats.replaceChildren(el("p", { role: "status" }, t("reading_rules")));
    const game = await this.tried("offer", { game: number });
    if (!game) { this.seats.replaceChildren(); return; }
    this.game = game;
    this.rows = [];
    this.seats.replaceChildren();
    const many = Math.max(game.least, Math.min(2, game.most));
    for (let seat = 0; seat < many; seat += 1) this.addRow(seat === 0 ? "human" : game.greedy ? "greedy" : "human");
    this.more = button(t("add_player"), () => this.addRow("human"), { class: "quiet" });
    this.seats.after(this.more);
    this.mend();
    this.go.disabled = false;
  }

  addRow(kind) {
    const at = this.rows.length;
    const name = el("input", { value: ["Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gus", "Hana"][at] ?? `P${at + 1}`, required: true, maxlength: 24, "aria-label": t("name_of_player", { number: at + 1 }) });
    const kinds = KINDS.filter((one) => one !== "greedy" || this.game.greedy);
    const pick = el("select", { "aria-label": t("kind_of_player", { number: at + 1 }) }, kinds.map((one) => el("option", { value: one, selected: one === kind }, t(`kind_${one}`))));
    const row = el("div", { class: "seat-row" }, name, pick, button("✕", () => { this.rows = this.rows.filter((one) => one.row !== row); row.remove(); this.mend(); }, { class: "quiet", "aria-label": t("remove_player", { number: at + 1 }) }));
    this.rows.push({ row, name, pick });
    this.seats.append(row);
    this.mend();
  }

  mend() {
    if (this.more) {
      if (this.more.previousSibling !== this.seats) this.more.remove();
      this.more.hidden = this.rows.length >= this.game.most;
    }
    for (const { row } of this.rows) row.lastChild.hidden = this.rows.length <= this.game.least;
  }

  async open(game) {
    const seats = this.rows.map(({ name, pick }) => ({ name: name.value, kind: pick.value }));
    const found = await this.tried("open", { game, seats, real_dice: this.dice.checked });
    if (!found) return;
    await this.refresh();
    this.tables.querySelector("article")?.scrollIntoView({ block: "nearest" });
  }

  /** Send a pack in, as a zip; its game is chosen then. */
  async send(field) {
    const [file] = field.files;
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    const found = await this.tried("pack", { name: file.name, data: btoa(text) });
    field.value = "";
    if (found) this.drawForm(found.games, found.game);
  }

  async load(field) {
    const [file] = field.files;
    if (!file) return;
    const found = await this.tried("import", { save: await file.text() });
    field.value = "";
    if (found) await this.refresh();
  }

  // ------------------------------------------------------------------ the tables there are

  drawTables(tables) {
    this.tables.replaceChildren(el("h2", {}, t("tables")), ...(tables.length ? tables.map((one) => this.table(one)) : [el("p", {}, t("no_tables"))]));
  }

  table(table) {
    const when = new Date(table.touched * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    const people = table.seats.filter((one) => one.kind === "human");
    return el("article", { class: "table-card" },
      el("header", {}, el("h3", {}, table.title), el("p", {}, table.over ? t("finished") : counted("answers", table.answers), " · ", when)),
      el("ul", { class: "seat-list" }, table.seats.map((one) => el("li", {}, el("b", {}, one.name), el("span", { class: "kind" }, t(`kind_${one.kind}`)),
        one.kind === "human" ? [button(t("sit_here"), () => this.sit(table, [one.number]), { class: "main" }), button(t("invite"), () => this.invite(table, one))] : null,
        button(t(one.kind === "human" ? "let_bot" : "let_person"), () => this.seat(table, one), { class: "quiet" })))),
      el("div", { class: "row" },
        people.length > 1 ? button(t("one_screen"), () => this.sit(table, people.map((one) => one.number))) : null,
        button(t("look_on"), () => this.invite(table, { number: -1, name: t("onlooker") })),
        button(t("export"), () => this.download(table, "export", "save")), button(t("chronicle"), () => this.download(table, "chronicle", "html")), button(t("remove_table"), () => this.remove(table), { class: "quiet" })));
  }

  async sit(table, seats) {
    const tokens = [];
    for (const seat of seats) {
      const found = await this.tried("link", { table: table.id, seat });
      if (!found) return;
      tokens.push(found.token);
    }
    window.open(`/t/${table.id}#${tokens.join(".")}`, "_blank", "noopener");
  }

  async invite(table, seat) {
    const found = await this.tried("link", { table: table.id, seat: seat.number });
    if (!found) return;
    const link = found.links.at(-1);
    const field = el("input", { readonly: true, value: link, "aria-label": t("link"), on: { focus: () => field.select() } });
    const body = el("div", { class: "paper invite" }, el("p", {}, t("invite_help", { name: seat.name })), qr(found.code, link),
      el("div", { class: "row" }, field, button(t("copy"), async () => { field.select(); await navigator.clipboard?.writeText(link); }, { class: "main" })),
      button(t("forget_links"), async () => { await this.tried("unlink", { table: table.id, seat: seat.number }); box.close(); }, { class: "quiet" }));
    const box = dialog(seat.name, body, t("close"));
  }

  async seat(table, seat) {
    const kind = seat.kind === "human" ? "steady" : "human";
    await this.tried("seat", { table: table.id, seat: seat.number, kind });
    await this.refresh();
  }

  async download(table, what, ending) {
    const text = await this.tried(what, { table: table.id });
    if (text === undefined) return;
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    el("a", { href: address, download: `${table.title.toLowerCase().replaceAll(/\W+/g, "-")}-${table.id}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  remove(table) {
    const box = dialog(t("remove_table"), el("div", { class: "paper" }, el("p", {}, t("remove_help", { title: table.title })),
      button(t("remove_table"), async () => { await this.tried("remove", { table: table.id }); box.close(); await this.refresh(); }, { class: "main" })), t("close"));
  }
}

/** A QR code as a drawing. */
function qr(rows, words) {
  const size = rows.length, dark = rows.flatMap((row, y) => [...row].map((one, x) => (one === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : "")));
  return svg("svg", { viewBox: `0 0 ${size + 4} ${size + 4}`, class: "qr", role: "img", "aria-label": t("code_for", { words }) },
    svg("rect", { width: size + 4, height: size + 4, class: "paper" }), svg("path", { d: dark.join(""), class: "ink" }));
}
