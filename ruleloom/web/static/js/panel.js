// A panel: what one player is asked in one go, filled in with the usual answers, and one button.

import { odds } from "./dice.js";
import { button, el } from "./dom.js";
import { Diagram } from "./diagram.js";
import { Prompt } from "./prompt.js";
import { t } from "./text.js";
import { arrowed } from "./turning.js";

const ONE = ["choose", "number", "mode", "optional", "combine"], AT_HAND = 4, MANY_AT_HAND = 12, SHORT = 48, LOOKS = 80;

/** Show a panel. `act.foresee(answers)` gives the panel with these answers filled in, `act.answer(answers)` sends them. */
export class Panel {
  constructor(panel, act) {
    this.act = act;
    this.open = null; // the number of the field whose options are shown
    this.wanted = null; // the answers that were filled in last
    this.node = el("div", { class: "fields" });
    this.show(panel);
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show this panel, with the options of one field: the one that is open, else the last if it is empty. */
  show(panel, open = null) {
    this.panel = panel;
    const { fields } = panel;
    const empty = fields.findIndex((one) => one.keys === null && !one.diagram);
    const drawn = fields.findIndex((one) => one.diagram);
    this.open = open ?? (empty >= 0 ? empty : fields.length === 1 && drawn < 0 ? 0 : null);
    this.prompt = null;
    this.diagram = drawn < 0 ? null : new Diagram(fields[drawn], (keys) => this.act.answer(keys ? [...this.before(drawn), ...keys] : this.given));
    const shown = fields.map((field, at) => (at === drawn ? this.diagram.node : at === this.open ? this.asked(field, at) : this.filled(field, at)));
    this.node.replaceChildren(...together(fields, shown, (at) => at === this.open || at === drawn), ...(this.diagram ? [this.diagram.foot] : this.foot(empty)));
  }

  before(at) { return this.panel.fields.slice(0, at).map((one) => one.keys); }

  get given() { return this.panel.fields.filter((one) => one.keys !== null).map((one) => one.keys); }

  asked(field, at) {
    const before = this.panel.fields.slice(0, at).map((one) => one.keys);
    this.prompt = new Prompt(field, { ...this.act, answer: (keys) => this.answer(at, keys), preview: (keys) => this.preview(at, keys), chance: (keys) => this.act.chance([...before, keys]) });
    return this.prompt.node;
  }

  /** A field that is filled in: its answer, to be changed at a click. */
  filled(field, at) {
    const few = field.row && field.numbers ? MANY_AT_HAND : AT_HAND, { text } = field;
    const at_hand = field.options.length <= few && ONE.includes(field.kind) && field.options.every((one) => one.text.length <= SHORT);
    const answer = at_hand
      ? el("div", { class: "choices", role: "group", "aria-label": text }, field.options.map((one) => {
        const taken = one.keys.includes(field.keys[0]);
        return button(one.text, () => (taken ? null : this.answer(at, one.keys.slice(0, 1))), { "aria-pressed": String(taken), data: { ref: one.ref } });
      }))
      : button([el("span", {}, said(field)), " ", el("span", { class: "change" }, t("change"))], () => this.change(at), { class: "said", "aria-label": `${text} ${said(field)} ${t("change")}` });
    return el("div", { class: "filled" }, el("p", { class: "words" }, field.row?.words ?? text), answer);
  }

  /** Show the board as it would be with these answers to a field and what follows it; without any, as it is. */
  async preview(at, keys, then = []) {
    const wanted = this.looked = {}, given = [...this.panel.fields.slice(0, at).map((one) => one.keys), keys, ...then];
    if (keys) await new Promise((done) => { setTimeout(done, LOOKS); });
    if (this.looked !== wanted || !this.node.isConnected) return;
    const seen = keys && await this.act.peek(given);
    if (this.looked === wanted) this.act.ghost(seen?.board ?? null);
  }

  /** Open a field that is filled in. */
  change(at) {
    this.show(this.panel, at);
    this.act.foreseen();
    this.prompt.focus();
  }

  foot(empty) {
    const { fields } = this.panel;
    const done = empty < 0 && fields.length > 1 && this.open === null
      ? button(t("confirm"), () => this.act.answer(this.given), { class: "main confirm" }) : null;
    const last = fields.at(-1), dice = done && last.options.find((one) => one.keys.includes(last.keys[0]))?.dice;
    const curve = dice ? el("div", { class: "curve" }, el("p", { class: "rolled-next" }, t("rolled_next")), odds(dice)) : null;
    const chance = curve ? el("p", { class: "chance", "aria-live": "polite" }) : null;
    if (chance) this.act.chance(this.given).then((told) => { chance.textContent = told; curve.hidden = Boolean(told); });
    return [chance, curve, done ? el("div", { class: "foot" }, done) : null, fields.length === 1 ? this.again(fields[0]) : null].filter(Boolean);
  }

  /** Give an answer to a field: whatever follows is shown before it is sent, filled in. */
  async answer(at, keys) {
    const given = [...this.before(at), keys];
    await this.go(given, at < this.panel.fields.length - 1 || this.panel.fields.length > 1 && this.panel.fields[at].keys !== null);
  }

  /** Fill in these answers. They are sent if nothing more is asked, unless the button is to be pressed for them. */
  async go(given, wait = false) {
    this.looked = null;
    const wanted = this.wanted = given;
    const next = await this.act.foresee(given);
    if (!next || this.wanted !== wanted) return; // something else was wanted meanwhile
    if (next.fields.length > given.length || wait) {
      this.show(next);
      this.act.foreseen();
      this.focus();
    } else this.act.answer(given);
  }

  /** Whether to be asked again: for a question that came before. */
  again(field) {
    const { may_stand, in_order } = this.panel;
    if (!(may_stand || in_order) || !ONE.includes(field.kind)) return null;
    const ways = may_stand
      ? field.options.flatMap((one) => [
        button(t("always", { answer: one.text }), () => this.act.always(one.keys.slice(0, 1), {})),
        button(t("this_turn", { answer: one.text }), () => this.act.always(one.keys.slice(0, 1), { this_turn: true })),
      ])
      : [button(t("in_order"), () => this.list(field))];
    return el("details", { class: "again" }, el("summary", {}, t("next_time")), el("div", { class: "row" }, ways));
  }

  /** Let several options be taken in order: each is given when the question comes again. */
  list(field) {
    const all = field.options.reduce((many, one) => many + one.keys.length, 0);
    const several = { ...field, kind: "subset", text: t("in_order_of", { question: field.text }), least: 1, most: all, usual: null, ordered: true };
    this.prompt = new Prompt(several, { ...this.act, answer: (keys) => this.act.always(keys, { in_order: true }) });
    this.node.replaceChildren(this.prompt.node, el("div", { class: "row" }, button(t("back"), () => this.show(this.panel), { class: "quiet" })));
    this.prompt.focus();
  }

  /** The places that can be pointed at: of the open field, and those that further answers lead to. */
  places() {
    const found = this.prompt?.places() ?? new Map();
    for (const [ref, ways] of Object.entries(this.panel.reach)) {
      if (found.has(ref)) continue;
      const [first, ...then] = ways[0].answers, at = this.given.length;
      found.set(ref, { text: ways.map((one) => one.text).join(", "), press: () => this.reach(ways), pressed: () => false, look: (on) => { this.act.point(on ? ref : null); this.preview(at, on ? first : null, then); } });
    }
    this.panel.fields.forEach(({ turns, text }, at) => {
      if (!turns) return;
      const turn = { ways: turns.ways, look: (key) => this.preview(at, key && [key]), set: (key) => this.answer(at, [key]) };
      found.set(turns.ref, { text, ...found.get(turns.ref), turn });
    });
    return found;
  }

  reach(ways) {
    const before = this.given;
    const [{ card }] = ways, go = ways.map((one) => [one.text, () => this.go([...before, ...one.answers])]);
    if (card) this.act.read(card, go);
    else if (ways.length === 1) go[0][1]();
    else this.act.offer(t("which_way"), go);
  }

  key(event) {
    const at = this.panel.fields.findIndex((one) => one.turns && one.keys), turned = at >= 0 && this.prompt === null && arrowed(this.panel.fields[at].turns.ways, event);
    if (turned) { event.preventDefault(); this.answer(at, [turned]); return; }
    if (event.key !== "Enter" || event.target.matches("button, input, textarea, summary")) return;
    this.node.querySelector(".confirm")?.click();
  }

  focus() {
    (this.diagram ?? this.node.querySelector(".confirm") ?? this.prompt)?.focus({ preventScroll: true });
  }
}

/** The fields as they are shown: those that ask the same of several things as one table, under what they have in common. */
function together(fields, shown, isApart) {
  const found = [];
  let table = null;
  fields.forEach(({ row }, at) => {
    if (!row || isApart(at)) { table = null; found.push(shown[at]); return; }
    if (table?.heading !== row.heading) {
      table = { heading: row.heading, node: el("section", { class: "rows", "aria-label": row.heading }, el("h3", {}, row.heading)) };
      found.push(table.node);
    }
    table.node.append(shown[at]);
  });
  return found;
}

/** What is filled in, in words. */
function said(field) {
  const words = field.keys.map((key) => field.options.find((one) => one.keys.includes(key))?.text ?? key);
  return words.filter(Boolean).join(", ") || t("nothing");
}
