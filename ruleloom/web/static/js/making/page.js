// Making a person: choices by heading, what they cost and what is left, and the sheet as it is so far.
//
// A person is the text of a file. Each answer is a line of words, by which the server makes the next text; going back
// is showing an earlier one. Nothing of it is kept on the server.

import { button, dialog, el, prose } from "../dom.js";
import { ask } from "../link.js";
import { addressOf } from "../route.js";
import { counted, t } from "../text.js";
import { transport } from "../transport.js";
import { drawnDiff } from "../workbench/diff.js";
import { Choices } from "./choices.js";
import { offerPerson } from "./export.js";
import { keepPerson, newKey, people } from "./kept.js";
import { Odds } from "./odds.js";
import { allowance, canBeAllowed, inWords, lines } from "./offers.js";
import { Reader } from "./reader.js";
import { sheets } from "./sheet.js";
import { Start } from "./start.js";

const MOST_STEPS = 200;
const unmet = (view) => view.findings.filter((one) => one.allowed === null && one.level === "error" && !one.open.length);
const toSay = (view) => view.findings.filter((one) => one.open.length);

/** The page; with the `key` of somebody whom this browser keeps, it goes on with them. */
export function showMaking(root, token, key) {
  const page = new Making(root, token);
  page.start(key);
  return () => page.leave();
}

class Making {
  constructor(root, token) {
    this.root = root;
    this.token = token;
    this.told = el("p", { class: "told", role: "alert" });
    this.tools = el("nav", { class: "tools", "aria-label": t("tools") });
    this.name = el("h1", {}, t("make_person"));
    this.place = el("div", {});
    const act = { say: (said) => this.say(said), offers: (wanted) => this.asked("offers", wanted), about: (offer) => this.about(offer), tried: (path, data) => this.tried(path, data), open: (person, view) => this.open(person, view), draw: () => this.draw(), price: (cost) => this.price(cost) };
    this.reader = new Reader(act);
    this.begin = new Start(act);
    this.choices = new Choices(act, this.reader);
    this.odds = new Odds(() => ask(this.token, "host/make/odds", this.about_()));
    this.looked = new Map();
    root.replaceChildren(el("header", { class: "top" }, this.name, this.tools), this.told, this.place, this.reader.peek);
    this.back = (event) => this.goTo(event.state);
    this.pressed = (event) => this.byKey(event);
    addEventListener("popstate", this.back);
    addEventListener("keydown", this.pressed);
  }

  leave() {
    removeEventListener("popstate", this.back);
    removeEventListener("keydown", this.pressed);
  }

  async start(key) {
    document.title = t("make_person");
    const found = await this.tried("games");
    if (!found) return;
    this.games = found.games;
    history.replaceState({ making: "start" }, "");
    await this.showStart();
    const kept = key && people().find((one) => one.key === key);
    if (kept) await this.open(kept);
  }

  async tried(path, data = {}, among = "host/make") {
    try {
      const found = await ask(this.token, `${among}/${path}`, data);
      this.told.textContent = "";
      return found;
    } catch (error) {
      this.told.textContent = error.unreachable ? t("unreachable") : error.message;
      return undefined;
    }
  }

  about_() { return { game: this.game, text: this.person.text, number: this.person.number }; }

  /** Ask about the person who is being made. */
  asked(path, data = {}) {
    return this.tried(path, { ...this.about_(), ...data });
  }

  // ------------------------------------------------------------------ the places of this page

  async showStart() {
    this.person = null;
    this.name.textContent = t("make_person");
    this.tools.replaceChildren(el("a", { href: addressOf("/", this.token) }, t("hosts_page")));
    this.place.replaceChildren(this.begin.node);
    await this.begin.draw(this.games);
  }

  /** Go on with somebody; `view` is what is known of them already. */
  async open(person, view) {
    this.game = Math.max(0, this.games.indexOf(person.game));
    this.person = person;
    this.past = [];
    this.ahead = [];
    this.heading = 0;
    const found = view ?? await this.asked("view");
    if (!found) { this.person = null; return; }
    this.frame();
    this.take(found);
    if (this.choices.wanted().length) this.inTurn(() => this.look());
    history.pushState({ making: "person", heading: 0 }, "");
    this.tabs.querySelector('[aria-selected="true"]')?.focus();
  }

  /** Back and forward of the browser go between this page's places; choices are taken back by Undo. */
  goTo(state) {
    if (state?.making === "start") this.showStart();
    else if (state?.making === "person" && this.person) this.showHeading(state.heading, false);
    else if (state?.making === "person") this.showStart();
  }

  frame() {
    this.undo_ = button("↶", () => this.undo(), { title: `${t("undo")} (Ctrl-Z)`, "aria-label": t("undo") });
    this.redo_ = button("↷", () => this.redo(), { title: `${t("redo")} (Ctrl-Y)`, "aria-label": t("redo") });
    this.save_ = this.person.file ? button(t("save"), () => this.save(), { class: "main", title: this.person.file.name }) : null;
    this.tools.replaceChildren(this.undo_, this.redo_, ...(this.save_ ? [this.save_] : []), button(t("variant"), () => this.variant()), button(t("take_along"), () => this.takeAlong(), { class: this.save_ ? null : "main" }),
      button(t("others"), () => { history.pushState({ making: "start" }, ""); this.showStart(); }, { class: "quiet" }));
    this.figures = el("section", { class: "budgets in-view", "aria-label": t("budgets") });
    this.unmet = el("section", { class: "findings", "aria-label": t("what_fails") });
    this.tabs = el("div", { role: "tablist", class: "headings", "aria-label": t("headings"), on: { keydown: (event) => this.move(event) } });
    this.panel = el("section", { role: "tabpanel", id: "choices", class: "panel", "aria-labelledby": "heading-now" }, this.choices.node);
    this.sheet = el("aside", { class: "sheet-beside", "aria-label": t("sheet") });
    this.notice = el("p", { class: "rule kept" });
    this.choices.offers.clear();
    this.place.replaceChildren(this.figures, el("main", { class: "making" }, this.unmet, this.tabs, this.panel, this.sheet), this.notice);
  }

  // ------------------------------------------------------------------ answers

  say(said) { return this.inTurn(() => this.sent(said)); }

  undo() { return this.inTurn(() => this.moved(this.past, this.ahead)); }

  redo() { return this.inTurn(() => this.moved(this.ahead, this.past)); }

  /** Answers follow one another. */
  inTurn(work) {
    this.turn = (this.turn ?? Promise.resolve()).then(work);
    return this.turn;
  }

  async sent(said) {
    this.reader.hide();
    const found = await this.asked("say", { say: said, ...this.shown() });
    if (!found) { this.draw(); return; }
    if (found.text !== this.person.text) {
      this.past = [...this.past, this.person.text].slice(-MOST_STEPS);
      this.ahead = [];
    }
    this.take(found);
  }

  async moved(from, to) {
    if (!from.length) return;
    const text = from.pop();
    to.push(this.person.text);
    await this.show(text);
  }

  /** Show another text of the person. */
  async show(text) {
    this.person = { ...this.person, text };
    await this.look();
  }

  /** What an answer brings along: the prices under the open heading, and what is on offer there. */
  shown() { return { heading: this.heading, offers: this.choices.wanted() }; }

  async look() {
    const found = await this.asked("view", this.shown());
    if (found) this.take(found);
  }

  /** Show what came of an answer, and keep it. */
  take(view) {
    this.view = view;
    this.root.dataset.answered = String(this.answers = (this.answers ?? 0) + 1);
    this.looked.clear();
    this.keep({ text: view.text, number: view.number, title: view.title, kind: view.kind_title });
  }

  draw() {
    const { view } = this, from = document.activeElement, had = from?.dataset?.key, panel = from?.closest(".offers"), names = view.headings.map((one) => one.title);
    this.heading = Math.min(this.heading, names.length - 1);
    this.name.textContent = view.title || t("nameless");
    document.title = `${view.title || t("nameless")} – ${t("make_person")}`;
    this.undo_.disabled = !this.past.length;
    this.redo_.disabled = !this.ahead.length;
    if (this.save_) this.save_.disabled = this.person.text === this.person.file.saved;
    this.drawBudgets(view);
    this.drawFindings(view);
    this.tabs.replaceChildren(...view.headings.map((one, at) => this.tab(one, at)));
    this.choices.draw(view.headings[this.heading], view.findings, view.offers);
    this.sheet.replaceChildren(...sheets(view.sheets, (sheet, block, line, label) => this.why({ sheet, block, line }, label)), this.odds.node);
    this.odds.draw(view);
    this.sheet.hidden = !view.sheets.length && !view.tabulated;
    if (had) (this.root.querySelector(`[data-key="${CSS.escape(had)}"]`) ?? panel?.querySelector("input") ?? this.tabs.querySelector('[aria-selected="true"]')).focus({ preventScroll: true });
    if (document.activeElement.type === "search") document.activeElement.select();
    document.querySelector("#news").textContent = view.budgets.map((one) => (one.left === null ? `${one.label} ${one.spent}` : t("left_of", { name: one.label, left: one.left }))).join(", ");
  }

  drawBudgets(view) {
    const shown = view.budgets.map((one) => {
      const said = one.allowed === null ? one.spent : t("of", { spent: one.spent, allowed: one.allowed });
      const left = one.left === null ? null : one.over ? t("too_much", { count: one.left.replace("-", "") }) : t("is_left", { count: one.left });
      const words = [[one.label, "name"], [said, "said"], [one.unit, "unit"], [left, "left-over"]].filter(([text]) => text);
      return el("div", { class: one.over ? "budget over" : "budget" }, button(words.map(([text, kind]) => el("span", { class: kind }, `${text} `)),
        () => this.why({ words: one.name }, one.label), { title: t("why"), data: { key: `budget ${one.name}` } }));
    });
    const open = unmet(view), failing = open.length ? button(counted("not_met", open.length), () => this.unmet.scrollIntoView({ block: "center" }), { class: "failing", data: { key: "failing" } }) : null;
    this.figures.replaceChildren(...shown, ...(failing ? [failing] : []), ...(view.sheets.length ? [button(t("sheet"), () => this.sheet.scrollIntoView(), { class: "to-sheet" })] : []));
  }

  /** A price in words: with its unit, or where there are several, with what it is the price of. */
  price(cost) {
    const known = Object.fromEntries(this.view.budgets.map((one) => [one.name, one]));
    return Object.entries(cost).map(([name, more]) => `${more} ${known[name]?.unit || (this.view.budgets.length > 1 ? known[name]?.label ?? name : "")}`.trim()).join(", ");
  }

  /** What is still to say, what does not hold, and what the GM has allowed. */
  drawFindings(view) {
    const open = unmet(view), todo = toSay(view), rest = view.findings.filter((one) => !open.includes(one) && !todo.includes(one));
    const still = (one) => el("li", {}, el("b", {}, t("still_to_say", { fields: one.open.map(inWords).join(", ") })), el("span", { class: "help" }, prose(` ${one.text}${one.help ? `: ${one.help}` : ""}`)));
    const allow = (one) => (canBeAllowed(one) ? button(t("allow_it"), () => allowance(one.text, [one], (note) => this.say(lines([one], note))), { class: "quiet", data: { key: `allow ${one.requirement}` } }) : null);
    const row = (one) => el("li", { class: one.allowed === null ? one.level : "allowed" }, prose(one.text), one.help ? el("span", { class: "help" }, prose(` ${one.help}`)) : null,
      one.allowed === null ? allow(one) : [el("span", { class: "note" }, ` ${t("gm_allows", { note: one.allowed })}`), button(t("forbid_it"), () => this.say([`forbid ${one.requirement}`]), { class: "quiet" })]);
    this.unmet.replaceChildren(...(todo.length ? [el("ul", { class: "to-say" }, todo.map(still))] : []), ...(open.length ? [el("ul", { class: "open-findings" }, open.map(row))] : []),
      ...(rest.length ? [el("details", {}, el("summary", {}, counted("notices", rest.length)), el("ul", {}, rest.map(row)))] : []));
  }

  // ------------------------------------------------------------------ headings

  tab(heading, at) {
    const here = at === this.heading, places = heading.choices.map((one) => one.at);
    const wrong = unmet(this.view).some((one) => one.at && places.some((place) => one.at === place || one.at.startsWith(`${place}.`)));
    return button([heading.title, wrong ? el("span", { class: "wrong" }, " !", el("span", { class: "unseen" }, t("what_fails"))) : null], () => this.showHeading(at),
      { role: "tab", id: here ? "heading-now" : null, "aria-selected": String(here), "aria-controls": "choices", tabindex: here ? 0 : -1, data: { key: `tab ${at}` } });
  }

  showHeading(at, pushes = true) {
    this.heading = at;
    this.choices.forget();
    this.draw();
    this.inTurn(() => this.look());
    if (pushes) history.pushState({ making: "person", heading: at }, "");
    const tab = this.tabs.querySelector('[aria-selected="true"]');
    tab?.focus({ preventScroll: true });
    tab?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Arrow keys go from heading to heading. */
  move(event) {
    const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key], many = this.view.headings.length;
    if (!way) return;
    event.preventDefault();
    this.showHeading((this.heading + way + many) % many);
  }

  byKey(event) {
    if (!this.person || document.querySelector("dialog[open]")) return;
    const types = event.target.matches("input:not([type=number]):not([type=checkbox]), textarea");
    const way = (event.ctrlKey || event.metaKey) && (!types || event.target.type === "search") ? { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()] : null;
    if (way) { event.preventDefault(); this[way](); }
    else if (event.key === "/" && !types) {
      const search = this.panel.querySelector('.offers input[type="search"]');
      if (search) { event.preventDefault(); search.closest("details")?.setAttribute("open", ""); search.focus(); }
    }
  }

  // ------------------------------------------------------------------ what is looked up

  async about(offer) {
    const key = `${offer.at} ${offer.say ?? offer.value}`;
    if (!this.looked.has(key)) this.looked.set(key, await this.asked("about", { at: offer.at, value: String(offer.value), say: offer.say ?? "" }));
    return this.looked.get(key);
  }

  async why(what, label) {
    const found = await this.asked("why", what);
    if (!found) return;
    const pre = el("pre", { tabindex: "0" }, found.join("\n"));
    const more = button(t("in_full"), async () => {
      const full = await this.asked("why", { ...what, deep: true });
      if (full) { pre.textContent = full.join("\n"); more.remove(); }
    }, { class: "quiet" });
    dialog(t("why_of", { what: label }), el("div", { class: "paper" }, pre, more), t("close"));
  }

  /** Write the file in which the workbench has found them; nothing is overwritten that somebody else has written there. */
  async save() {
    const { text, file } = this.person, files = await this.tried("files", {}, "bench");
    if (!files) return;
    const pack = files.packs.findIndex((one) => one.name === file.of), where = { pack, name: file.name, text };
    const done = await this.tried("save", { ...where, mark: file.mark }, "bench");
    if (!done) return;
    if (done.theirs) { await this.conflict(where, done.theirs); return; }
    this.keep({ file: { ...file, mark: done.mark, saved: text } }, t("saved", { name: file.name }));
  }

  async conflict(where, theirs) {
    const { file } = this.person, lines = await this.tried("diff", where, "bench");
    if (!lines) return;
    const box = dialog(t("conflict_of", { name: file.name }), el("div", { class: "paper" }, el("p", {}, t("conflict_help")), drawnDiff(lines), el("div", { class: "row" },
      button(t("take_theirs"), () => { box.close(); this.person.file = { ...file, mark: theirs.mark, saved: theirs.text }; this.past.push(this.person.text); this.inTurn(() => this.show(theirs.text)); }, { class: "main" }),
      button(t("go_on_with_mine"), () => { box.close(); this.keep({ file: { ...file, mark: theirs.mark, saved: theirs.text } }); }))), t("close"));
  }

  /** Keep what has become of a person. */
  keep(more, words) {
    this.person = { ...this.person, ...more };
    const kept = keepPerson(this.person) && transport.keeps();
    this.notice.textContent = words ?? t(kept ? "kept_here" : "not_kept");
    this.draw();
  }

  /** Go on with a copy, which is of no file; the one before stays in this browser. */
  variant() {
    this.person = { ...this.person, key: newKey(), file: null };
    this.frame();
    this.say([`title = ${t("variant_of", { name: this.view.title || t("nameless") })}`, `id = ${this.view.id}-2`]);
  }

  async takeAlong() {
    const found = await this.asked("export");
    if (found) offerPerson(found);
  }
}
