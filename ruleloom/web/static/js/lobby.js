// The host's page: tables are opened, seats handed out, games taken in and out.

import { base64Of, carriedIn, whatItChanges } from "./carried.js";
import { button, dialog, el, svg } from "./dom.js";
import { ask } from "./link.js";
import { ALONE, addressOf, visit } from "./route.js";
import { counted, LANGUAGE, t } from "./text.js";
import { transport } from "./transport.js";

const NOBODY = -1;
const KINDS = ["human", "greedy", "random", "steady"];

/** The page, and if a link has brought a pack (`carried`), what that changes. */
export async function showLobby(root, token, carried) {
  const lobby = new Lobby(root, (path, data) => ask(token, `host/${path}`, data), token);
  await lobby.draw();
  if (carried) await lobby.preview(carried);
}

class Lobby {
  constructor(root, asks, token) {
    this.root = root;
    this.token = token;
    this.tools = el("nav", { class: "tools", "aria-label": t("tools") });
    this.asks = asks;
    this.told = el("p", { class: "told", role: "alert" });
    this.tables = el("section", { class: "tables" });
    this.newer = el("section", {});
    this.form = el("section", { class: "open" });
    root.replaceChildren(el("header", { class: "top" }, el("h1", {}, t("app")), this.tools),
      el("main", { class: "lobby" }, this.told, this.newer, this.form, this.tables));
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
    this.tools.replaceChildren(el("a", { href: addressOf("/make", this.token) }, t("make_person")), ...(found.workbench ? [el("a", { href: addressOf("/bench", this.token) }, t("to_workbench"))] : []),
      ...(ALONE ? [el("a", { href: "reference/index.html" }, t("to_reference")), el("a", { href: "rulebook.html" }, t("to_rulebook"))] : []));
    if (ALONE) this.drawNewer(await this.tried("newer"));
    this.drawForm(found.games);
    this.drawTables(found);
  }

  /** The packs that are changed here while the site brings another version. */
  drawNewer(names) {
    const choose = async (name, take) => this.drawNewer(await this.tried("newer/choose", { name, take }));
    const lost = transport.keeps() ? [] : [el("p", { class: "told" }, t("not_kept"))];
    this.newer.replaceChildren(...lost, ...(names ?? []).map((name) => el("article", { class: "table-card" }, el("p", {}, t("newer_pack", { name })),
      el("div", { class: "row" }, button(t("take_newer"), () => choose(name, true)), button(t("go_on_with_mine"), () => choose(name, false), { class: "main" })))));
  }

  async refresh() {
    const found = await this.tried("tables");
    if (found) this.drawTables(found);
  }

  // ------------------------------------------------------------------ a new table

  drawForm(games, chosen = 0) {
    const pack = el("input", { type: "file", accept: ".zip", on: { change: () => this.send(pack) } });
    const game = el("select", { id: "game", on: { change: () => this.offer(Number(game.value)) } }, games.map((name, at) => el("option", { value: at }, name)));
    this.seats = el("div", { class: "seat-rows" });
    this.rules = el("div", { class: "rules" });
    this.dice = el("input", { type: "checkbox" });
    this.campaign = el("input", { maxlength: 80 });
    this.go = el("button", { type: "submit", class: "main", disabled: true }, t("open_table"));
    const load = el("input", { type: "file", accept: ".save,.game,.jsonl,text/plain", on: { change: () => this.load(load) } });
    this.form.replaceChildren(el("h2", {}, t("new_table")),
      el("form", { on: { submit: (event) => { event.preventDefault(); this.open(Number(game.value)); } } },
        el("label", {}, t("game"), game), this.seats, this.rules,
        el("label", { class: "check" }, this.dice, t("real_dice")),
        el("label", {}, t("campaign_name"), this.campaign), el("div", { class: "row" }, this.go)),
      el("label", { class: "load" }, t("load_save"), load), el("label", { class: "load" }, t("send_pack"), pack),
      el("label", { class: "load" }, t("pack_by_link"), el("input", { type: "url", autocomplete: "off", on: { change: (event) => this.preview(carriedIn(event.target.value)) } })));
    game.value = String(chosen);
    this.offer(chosen);
  }

  async offer(number) {
    this.go.disabled = true;
    this.seats.replaceChildren(el("p", { role: "status" }, t("reading_rules")));
    const game = await this.tried("offer", { game: number, language: LANGUAGE });
    if (!game) { this.seats.replaceChildren(); return; }
    this.game = game;
    this.rows = [];
    this.seats.replaceChildren();
    const many = Math.max(game.least, Math.min(2, game.most));
    for (let seat = 0; seat < many; seat += 1) this.addRow(seat === 0 ? "human" : game.greedy ? "greedy" : "human");
    this.rules.replaceChildren(...this.settings(game.settings));
    this.more = button(t("add_player"), () => this.addRow("human"), { class: "quiet" });
    this.seats.after(this.more);
    this.mend();
    this.go.disabled = false;
  }

  /** What the rules leave to the table: each with what it means, and what it usually is. */
  settings(settings) {
    this.chosen = settings.map((one) => {
      const field = one.options.length
        ? el("select", {}, one.options.map((option) => el("option", { value: option, selected: option === one.usual }, option.replaceAll("_", " "))))
        : el("input", { value: one.usual, size: 6, maxlength: 80 });
      return { ...one, field, row: el("label", {}, el("span", {}, `${one.text[0].toUpperCase()}${one.text.slice(1)}`), field) };
    });
    return this.chosen.length ? [el("details", {}, el("summary", {}, counted("rules_to_choose", this.chosen.length)), this.chosen.map((one) => one.row))] : [];
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
    const found = await this.tried("open", { game, seats, settings: this.chosen.filter((one) => one.field.value !== one.usual).map((one) => ({ name: one.name, value: one.field.value })), real_dice: this.dice.checked, campaign: this.campaign.value.trim() });
    if (!found) return;
    this.campaign.value = "";
    const people = seats.flatMap(({ kind }, number) => (kind === "human" ? [number] : []));
    if (ALONE) { await this.sit({ id: found.table }, people.length ? people : [NOBODY]); return; }
    await this.refresh();
    this.tables.querySelector("article")?.scrollIntoView({ block: "nearest" });
  }

  /** Send a pack in, as a zip; its game is chosen then. */
  async send(field) {
    const [file] = field.files;
    if (file) await this.takeIn({ name: file.name, data: await base64Of(file) });
    field.value = "";
  }

  async takeIn(zip) {
    const found = await this.tried("pack", zip);
    if (found) this.drawForm(found.games, found.game);
  }

  /** Show what the pack of a link changes; only whoever agrees plays with it. */
  async preview(link) {
    const box = dialog(t("pack_of_link"), el("p", { class: "paper", role: "status" }, t("reading_pack")), t("close"));
    const found = await this.tried("preview", { link });
    if (!found || !box.open) { box.close(); return; }
    const zip = { name: `${found.name}.zip`, data: found.zip };
    const play = async () => { box.close(); await this.takeIn(zip); };
    const edit = async () => {
      box.close();
      try { await ask(this.token, "bench/take", zip); visit("/bench", this.token); } catch (error) { this.told.textContent = error.message; }
    };
    box.querySelector("h2").textContent = found.title;
    box.lastChild.replaceWith(whatItChanges(found, el("div", { class: "row ways" }, button(t("play_it"), play, { class: "main" }), button(t("open_in_workbench"), edit))));
  }

  async load(field) {
    const [file] = field.files;
    if (!file) return;
    const found = await this.tried("import", { save: await file.text() });
    field.value = "";
    if (found) await this.refresh();
  }

  // ------------------------------------------------------------------ the tables there are

  drawTables({ tables, campaigns }) {
    const lasting = campaigns.length ? [el("h2", {}, t("campaigns")), ...campaigns.map((one) => this.lasting(one))] : [];
    this.tables.replaceChildren(...lasting, el("h2", {}, t("tables")), ...(tables.length ? tables.map((one) => this.table(one)) : [el("p", {}, t("no_tables"))]));
  }

  /** A campaign, with its sessions, the latest first. */
  lasting(campaign) {
    const of = { campaign: campaign.id };
    return el("section", { class: "campaign" },
      el("header", {}, el("h3", {}, campaign.title), el("p", {}, t("played_with", { packs: campaign.packs.join(", "), names: campaign.players.join(", ") }))),
      el("div", { class: "row" }, button(t("next_session"), () => this.nextSession(campaign, []), { class: "main" }),
        button(t("chronicle"), () => this.download(campaign, "story", "md", of)), button(t("end_campaign"), () => this.confirm("end_campaign", t("end_campaign_help", campaign), "end", of), { class: "quiet" })),
      campaign.tables.map((one, at) => this.table(one, t("session", { number: campaign.tables.length - at }))));
  }

  /** Open the next session; where packs have changed, what has is told first. */
  async nextSession(campaign, agreed) {
    const found = await this.tried("session", { campaign: campaign.id, agreed });
    if (!found) return;
    if (found.table) { await this.refresh(); return; }
    const body = el("div", { class: "paper" }, el("p", {}, t("packs_changed")), el("ul", {}, found.changes.map((one) => el("li", {}, one))),
      button(t("begin_so"), async () => { box.close(); await this.nextSession(campaign, found.changes); }, { class: "main" }));
    const box = dialog(campaign.title, body, t("close"));
  }

  table(table, name = table.title) {
    const when = new Date(table.touched * 1000).toLocaleString(LANGUAGE === "en" ? undefined : LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
    const people = table.seats.filter((one) => one.kind === "human");
    return el("article", { class: "table-card" },
      el("header", {}, el("h3", {}, name), el("p", {}, table.over ? t("finished") : counted("answers", table.answers), " · ", when)),
      el("ul", { class: "seat-list" }, table.seats.map((one) => el("li", {}, el("b", {}, one.name), el("span", { class: "kind" }, t(`kind_${one.kind}`)),
        one.kind === "human" ? [button(t("sit_here"), () => this.sit(table, [one.number]), { class: "main" }), ALONE ? null : button(t("invite"), () => this.invite(table, one))] : null,
        button(t(one.kind === "human" ? "let_bot" : "let_person"), () => this.seat(table, one), { class: "quiet" })))),
      table.newer.length ? el("p", { class: "newer" }, t("newer_rules", { packs: table.newer.join(", ") })) : null,
      el("div", { class: "row" },
        table.over ? null : button(t("rules_of_now"), () => this.newRules(table), table.newer.length ? { class: "main" } : { class: "quiet" }),
        people.length > 1 ? button(t("one_screen"), () => this.sit(table, people.map((one) => one.number))) : null,
        button(t("look_on"), () => (ALONE ? this.sit(table, [NOBODY]) : this.invite(table, { number: NOBODY, name: t("onlooker") }))),
        button(t("export"), () => this.download(table, "export", "save")), button(t("chronicle"), () => this.download(table, "chronicle", "html")), button(t("remove_table"), () => this.confirm("remove_table", t("remove_table_help", table), "remove", { table: table.id }), { class: "quiet" })));
  }

  /** Show what the rules of now would change for a table; only where the host agrees it goes on by them. */
  async newRules(table, change = {}) {
    const body = el("div", { class: "paper", role: "status" }, t("reading_rules")), box = dialog(table.title, body, t("close"));
    const found = await this.tried("newer_rules", { table: table.id, ...change });
    if (!found || !box.open) { box.close(); return; }
    const go = async (more) => {
      box.close();
      await this.tried("new_rules", { table: table.id, answers: found.answers, back: false, ...change, ...more });
      await this.refresh();
    };
    const why = el("input", { maxlength: 500, "aria-label": t("why_set_aside") });
    const take = button(t("take_new_rules"), () => go({ agreed: why.value.trim() }), { class: "main", disabled: found.aside > 0 });
    why.addEventListener("input", () => { take.disabled = !why.value.trim(); });
    const again = () => {
      const changed = (of) => found.packs.filter((one) => one.of_table === of && one.box.checked !== of).map((one) => one.id);
      box.close();
      this.newRules(table, { coming: changed(false), leaving: changed(true) });
    };
    for (const one of found.packs) one.box = el("input", { type: "checkbox", checked: one.in, on: { change: again } });
    const packs = found.packs.length ? [el("details", { open: Boolean(change.coming) }, el("summary", {}, t("packs_of_table")), found.packs.map((one) => el("label", { class: "check" }, one.box, ` ${one.id} ${one.version}`)))] : [];
    const way = found.same || found.waits ? [] : [found.aside ? el("label", {}, t("why_set_aside"), why) : null, take];
    const back = found.back === null ? [] : [el("p", {}, counted("back_loses", found.back)), button(t("rules_of_before"), () => go({ back: true }), { class: "quiet" })];
    body.removeAttribute("role");
    body.replaceChildren(...(found.same ? [el("p", {}, t("same_rules"))] : [el("pre", { class: "report", tabindex: 0 }, found.lines.join("\n"))]), ...packs, el("div", { class: "ways" }, way, back));
  }

  async sit(table, seats) {
    const tokens = [];
    for (const seat of seats) {
      const found = await this.tried("link", { table: table.id, seat });
      if (!found) return;
      tokens.push(found.token);
    }
    visit(`/t/${table.id}`, tokens.join("."));
  }

  async invite(table, seat) {
    const found = await this.tried("link", { table: table.id, seat: seat.number });
    if (!found) return;
    const link = found.links.at(-1);
    const field = el("input", { readonly: true, value: link, "aria-label": t("link"), on: { focus: () => field.select() } });
    const body = el("div", { class: "paper invite" }, el("p", {}, t("invite_help", { name: seat.name })), found.here_only ? el("p", { class: "told" }, t("here_only")) : null, qr(found.code, link),
      el("div", { class: "row" }, field, button(t("copy"), async () => { field.select(); await navigator.clipboard?.writeText(link); }, { class: "main" })),
      button(t("forget_links"), async () => { await this.tried("unlink", { table: table.id, seat: seat.number }); box.close(); }, { class: "quiet" }));
    const box = dialog(seat.name, body, t("close"));
  }

  async seat(table, seat) {
    const kind = seat.kind === "human" ? "steady" : "human";
    await this.tried("seat", { table: table.id, seat: seat.number, kind });
    await this.refresh();
  }

  async download(table, what, ending, of = { table: table.id }) {
    const text = await this.tried(what, of);
    if (text === undefined) return;
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    el("a", { href: address, download: `${table.title.toLowerCase().replaceAll(/\W+/g, "-")}-${table.id}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Do away with something, once the host has said so again. */
  confirm(name, help, path, of) {
    const box = dialog(t(name), el("div", { class: "paper" }, el("p", {}, help),
      button(t(name), async () => { await this.tried(path, of); box.close(); await this.refresh(); }, { class: "main" })), t("close"));
  }
}

/** A QR code as a drawing. */
function qr(rows, words) {
  const size = rows.length, dark = rows.flatMap((row, y) => [...row].map((one, x) => (one === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : "")));
  return svg("svg", { viewBox: `0 0 ${size + 4} ${size + 4}`, class: "qr", role: "img", "aria-label": t("code_for", { words }) },
    svg("rect", { width: size + 4, height: size + 4, class: "paper" }), svg("path", { d: dark.join(""), class: "ink" }));
}
