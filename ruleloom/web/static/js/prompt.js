// A question: its options as buttons, as places on the board, and by keyboard.

import { odds } from "./dice.js";
import { button, el } from "./dom.js";
import { counted, t } from "./text.js";
import { arrowed } from "./turning.js";

const FEW = 24, FACES = 4, SHORT = 24, NUMBERS_AT_ONCE = 10, SEVERAL = ["subset", "order"];

const named = ({ count, sides }) => `${count}d${sides}`;

/** Show a question. `act.answer(keys)` answers it, `act.read(name)` reads a card, `act.point(ref)` shows a place. */
export class Prompt {
  constructor(asked, act) {
    this.asked = asked;
    this.act = act;
    this.taken = []; // indices of options, in the order in which they were taken
    this.curve = el("div", { class: "curve" });
    this.node = el("div", { class: "asked" }, this.head(), this.body(), this.curve, this.refused());
    this.drawOdds();
    this.foretell();
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  head() {
    const { asked } = this;
    const [first, ...others] = asked.rules;
    return [
      asked.title ? button(asked.title, () => this.act.read(asked.title), { class: "card-name" }) : null,
      el("h2", { id: "question", tabindex: "-1" }, asked.text),
      first ? el("p", { class: "rule" }, first) : null,
      others.length ? el("details", { class: "rule" }, el("summary", {}, t("part_of")), others.map((one) => el("p", {}, one))) : null,
    ];
  }

  body() {
    const { kind } = this.asked;
    if (kind === "text") return this.text();
    if (kind === "roll") return this.roll();
    if (SEVERAL.includes(kind)) return this.several();
    if (this.asked.numbers && this.asked.options.length > NUMBERS_AT_ONCE) return this.number();
    return this.choices((option) => this.take(option));
  }

  /** Answer with an option: of a card, the text is shown first, with a button. */
  take(option) {
    const answer = () => this.act.answer(option.keys.slice(0, 1));
    if (option.card) this.act.read(option.text, [[t("choose"), answer]]);
    else answer();
  }

  /** Options as buttons; `press` is what one does. */
  choices(press) {
    const { asked } = this;
    const usual = new Set(asked.usual ?? []);
    this.rolls = new Map(asked.options.filter((one) => one.dice).map((one) => [named(one.dice), one.dice]));
    this.alike = this.rolls.size === 1 && asked.options.every((one) => one.dice);
    const faces = asked.options.map((option) => option.ref && this.act.face?.(option.ref)), tray = asked.options.length > 1 && faces.some(Boolean);
    const short = asked.options.length <= FACES && asked.options.every((one) => one.text.length <= SHORT && !one.card && !one.dice);
    this.buttons = asked.options.map((option, at) => {
      const one = button([faces[at], el("span", { class: "words" }, option.text)], () => press(option, at), {
        class: "option", data: { at: String(at), ref: option.ref, read: option.card ? option.text : null, card: option.card && !SEVERAL.includes(asked.kind) ? "" : null },
        on: {
          mouseenter: () => this.look(option), mouseleave: () => this.look(null),
          focus: () => this.look(option), blur: () => this.look(null),
        },
      });
      if (at < 9 && asked.options.length > 1 && !asked.numbers && !tray) one.prepend(el("kbd", { "aria-hidden": "true" }, String(at + 1)));
      if (option.dice && !this.alike) one.append(el("span", { class: "dice" }, named(option.dice)));
      if (option.keys.some((key) => usual.has(key))) {
        if (asked.numbers) one.classList.add("is-usual");
        else one.append(el("span", { class: "usual" }, t("usual")));
      }
      return one;
    });
    const list = el("div", { class: `options${asked.numbers ? " numbers" : tray ? " tray" : short ? " short" : ""}${this.rolls.size && !this.alike ? " rolling" : ""}`, role: "group", "aria-labelledby": "question" }, this.buttons);
    if (asked.options.length <= FEW) return list;
    const filter = el("input", { type: "search", placeholder: t("filter"), "aria-label": t("filter"), on: { input: () => {
      const wanted = filter.value.toLowerCase();
      this.buttons.forEach((one, at) => { one.hidden = !asked.options[at].text.toLowerCase().includes(wanted); });
    } } });
    return [filter, list];
  }

  look(option) {
    this.act.point(option ? option.ref : null);
    if (!SEVERAL.includes(this.asked.kind)) this.act.preview?.(option && option.keys.slice(0, 1));
    if (option?.dice && !this.alike) this.showOdds(option.dice);
  }

  /** Draw the odds of the dice that are thrown next; where options throw different ones, those of the first. */
  drawOdds() {
    const { asked } = this;
    const rolls = this.rolls?.size ? this.rolls : new Map(asked.dice ? [[named(asked.dice), asked.dice]] : []);
    if (!rolls.size) return;
    this.figure = el("div");
    this.kinds = rolls.size > 1 ? [...rolls].map(([name, one]) => button(name, () => this.showOdds(one), { class: "roll" })) : [];
    this.curve.append(...(asked.kind === "roll" ? [] : [el("p", { class: "rolled-next" }, t("rolled_next"))]),
      ...(this.kinds.length ? [el("div", { class: "rolls", role: "group", "aria-label": t("rolled_next") }, this.kinds)] : []), this.figure);
    const usual = asked.options.find((one) => one.dice && one.keys.some((key) => asked.usual?.includes(key)));
    this.showOdds(usual?.dice ?? rolls.values().next().value);
  }

  showOdds(dice) {
    for (const one of this.kinds) one.setAttribute("aria-pressed", String(one.textContent === named(dice)));
    this.figure.replaceChildren(odds(dice));
  }

  /** Fetch the chances of what each answer leads to, the usual one first, and show them beside it. */
  async foretell() {
    const { asked } = this, usual = (one) => one.keys.some((key) => asked.usual?.includes(key));
    this.chances = new Map();
    const rolling = asked.options.filter((one) => one.dice).sort((one, other) => usual(other) - usual(one));
    for (const option of SEVERAL.includes(asked.kind) ? [] : rolling) {
      const told = await this.act.chance(option.keys.slice(0, 1));
      if (!told || !this.node.isConnected) return;
      this.chances.set(option.keys[0], told);
      this.curve.hidden = true;
      const button = this.buttons?.[asked.options.indexOf(option)];
      if (button) button.append(el("span", { class: "chance" }, told)), button.parentNode.classList.add("foretold");
      else this.showChance();
    }
  }

  /** The chances behind the number that is filled in. */
  showChance() {
    this.chance.textContent = this.chances.get(this.field.value) ?? "";
  }

  several() {
    const { asked } = this;
    this.count = el("p", { class: "count", "aria-live": "polite" });
    this.done = button(t("done"), () => this.act.answer(this.keys()), { class: "main" });
    const list = this.choices((option, at) => this.toggle(option, at));
    const all = asked.most >= asked.options.length && asked.kind === "subset"
      ? button(t("all"), () => { this.taken = asked.options.flatMap((option, at) => option.keys.map(() => at)); this.mark(); }, { class: "quiet" }) : null;
    const none = button(t("none"), () => { this.taken = []; this.mark(); }, { class: "quiet" });
    this.mark();
    return [list, this.count, el("div", { class: "row" }, this.done, all, none)];
  }

  toggle(option, at) {
    const many = this.taken.filter((one) => one === at).length;
    if (many < option.keys.length && this.taken.length < this.asked.most) this.taken.push(at);
    else this.taken = this.taken.filter((one) => one !== at);
    this.mark();
  }

  keys() {
    const used = new Map();
    return this.taken.map((at) => {
      const number = used.get(at) ?? 0;
      used.set(at, number + 1);
      return this.asked.options[at].keys[number];
    });
  }

  mark() {
    const { asked, taken } = this;
    this.buttons.forEach((one, at) => {
      const many = taken.filter((other) => other === at).length;
      one.setAttribute("aria-pressed", String(many > 0));
      one.querySelector(".place")?.remove();
      const inOrder = asked.kind === "order" || asked.ordered;
      const sign = inOrder ? taken.indexOf(at) + 1 : asked.options[at].keys.length > 1 ? many : 0;
      if (sign > 0) one.append(el("span", { class: "place" }, inOrder ? `${sign}.` : `×${sign}`));
    });
    const least = asked.kind === "order" ? asked.options.length : asked.least;
    this.done.disabled = taken.length < least || taken.length > asked.most;
    const range = least === asked.most ? String(least) : t("from_to", { least, most: asked.most });
    this.count.textContent = t("taken", { count: taken.length, range });
    this.act.chosen(taken.map((at) => asked.options[at].ref));
  }

  /** Many numbers: a slider where they are evenly spaced, and a field beside it. */
  number() {
    const { options, usual } = this.asked, numbers = options.map((option) => Number(option.keys[0]));
    const step = numbers[1] - numbers[0], even = numbers.every((one, at) => one === numbers[0] + at * step);
    const range = { min: Math.min(...numbers), max: Math.max(...numbers), step: even ? step : 1, value: usual?.[0] ?? "" };
    const field = el("input", { type: "number", ...range, "aria-labelledby": "question", required: true });
    this.field = field;
    this.chance = el("p", { class: "chance", "aria-live": "polite" });
    const shown = () => { const dice = options[numbers.indexOf(Number(field.value))]?.dice; if (dice) this.showOdds(dice); this.showChance(); };
    this.rolls = new Map(options.filter((one) => one.dice).map((one) => [named(one.dice), one.dice]));
    if (!even || step < 1) { field.addEventListener("input", shown); return this.form([field, this.chance], () => [field.value]); }
    const slider = el("input", { type: "range", ...range, value: usual?.[0] ?? range.min, "aria-label": t("slider"), on: { input: () => { field.value = slider.value; shown(); } } });
    if (!field.value) field.value = slider.value;
    field.addEventListener("input", () => { slider.value = field.value; shown(); });
    return this.form([el("div", { class: "slider" }, slider, field), this.chance], () => [field.value]);
  }

  text() {
    const { asked } = this;
    const field = el("textarea", { rows: 2, maxlength: asked.most, "aria-labelledby": "question", placeholder: asked.usual?.[0] ?? t("own_words") });
    field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send.click(); } });
    const form = this.form(field, () => [field.value.trim() || (asked.usual?.[0] ?? "")]);
    const send = form.querySelector("button");
    if (!asked.least) form.querySelector(".row").append(button(t("nothing"), () => this.act.answer([""]), { class: "quiet" }));
    return form;
  }

  roll() {
    const { dice } = this.asked;
    if (!dice.each && dice.count > 1) {
      const sum = el("input", { type: "number", min: dice.count, max: dice.count * dice.sides, required: true, "aria-label": t("sum_of", { dice: `${dice.count}d${dice.sides}` }) });
      return this.form(sum, () => [sum.value]);
    }
    const faces = Array.from({ length: Math.min(dice.count, 60) }, (_, at) =>
      el("input", { type: "number", min: 1, max: dice.sides, required: true, class: "die", "aria-label": t("die", { number: at + 1, sides: dice.sides }) }));
    return this.form(el("div", { class: "faces" }, faces), () => faces.map((one) => one.value));
  }

  form(field, keys) {
    return el("form", { on: { submit: (event) => { event.preventDefault(); this.act.answer(keys()); } } },
      field, el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, t("send"))));
  }

  refused() {
    const { refusals } = this.asked;
    if (!refusals.length) return null;
    const byReason = new Map();
    for (const one of refusals) byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one]);
    return el("details", { class: "refused" }, el("summary", {}, counted("why_not", refusals.length)),
      el("ul", {}, [...byReason].map(([reason, ones]) => el("li", {}, ones.map((one, at) => [at ? ", " : "", el("s", { data: { ref: one.ref } }, one.text)]), " ", el("span", {}, reason)))));
  }

  /** The options and refusals by the places that they stand for. */
  places() {
    const found = new Map();
    for (const one of this.asked.refusals) if (one.ref) found.set(one.ref, { reason: one.reason, text: one.text });
    this.asked.options.forEach((option, at) => {
      if (option.ref) found.set(option.ref, { text: option.text, press: () => this.buttons?.[at]?.click(), pressed: () => this.taken.includes(at), look: (on) => this.look(on ? option : null) });
    });
    return found;
  }

  key(event) {
    if (event.target.matches("input, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    const shown = (this.buttons ?? []).filter((one) => !one.hidden);
    const at = shown.indexOf(document.activeElement);
    const turned = this.asked.turns && arrowed(this.asked.turns.ways, event);
    if (turned) {
      event.preventDefault();
      event.stopPropagation();
      this.buttons[this.asked.options.findIndex((one) => one.keys.includes(turned))]?.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step && shown.length) {
      event.preventDefault();
      shown[(at + step + shown.length) % shown.length].focus();
    } else if (/^[1-9]$/.test(event.key) && !this.asked.numbers && this.buttons?.[Number(event.key) - 1]) {
      event.preventDefault();
      this.buttons[Number(event.key) - 1].click();
    }
  }

  focus() {
    (this.node.querySelector(".options button, input, textarea") ?? this.node.querySelector("h2")).focus({ preventScroll: true });
  }
}
