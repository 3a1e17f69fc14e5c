// A diagram: a question with the tracks behind its ways, what is taken on them, what it costs and what is left.

import { button, el } from "./dom.js";
import { t } from "./text.js";

const MOST_TOKENS = 12;
let last = null; // the step that was pressed last: the keyboard stays there when the diagram is drawn anew

/** Show a field with a diagram. `send(answers)` sends the fields before it and these answers, `send()` the panel as it is. */
export class Diagram {
  constructor(field, send) {
    this.field = field;
    this.send = send;
    this.steps = new Map();
    this.node = el("section", { class: "diagram asked", "aria-labelledby": "question" },
      el("h2", { id: "question", tabindex: "-1" }, field.text),
      el("dl", { class: "figures", "aria-live": "polite" }, field.showing.map((one) => this.figure(one))),
      field.diagram.tracks.map((one) => this.track(one)));
    this.foot = el("div", { class: "foot ways" }, this.ways());
  }

  /** A number that is shown: with as many tokens, of which each can be dragged to a step. */
  figure({ words, text }) {
    const many = Number(text), tokens = many > 0 && many <= MOST_TOKENS
      ? Array.from({ length: many }, () => el("i", { class: "token", draggable: "true", "aria-hidden": "true", on: { dragstart: (event) => event.dataTransfer.setData("text/plain", words) } })) : [];
    return el("div", { class: many < 0 ? "short" : null }, el("dt", {}, words), el("dd", {}, el("b", {}, text), tokens));
  }

  track({ title, steps }) {
    return el("div", { class: "rail", role: "group", "aria-label": title || t("besides") },
      el("span", { class: "title" }, title || (this.field.diagram.tracks.length > 1 ? t("besides") : null)), el("div", { class: "steps" }, steps.map((one) => this.step(title, one))));
  }

  step(title, { text, numbers, take, take_back: back }) {
    const key = `${title}/${text}`, price = numbers.map((one) => one.text).join(" + ");
    const press = (answers) => { last = key; this.send(answers); };
    const chip = button([text, price ? [" ", el("span", { class: "price" }, price)] : null], () => press(back ?? take), {
      class: "step", "aria-pressed": String(Boolean(back)), title: numbers.map((one) => `${one.words}: ${one.text}`).join("\n"),
      on: { dragover: (event) => { if (take) event.preventDefault(); }, drop: (event) => { event.preventDefault(); if (take) press(take); } },
    });
    this.steps.set(key, chip);
    return back && take ? el("span", { class: "twice" }, chip, button("+", () => press(take), { class: "step", "aria-label": t("once_more", { what: text }) })) : chip;
  }

  /** The ways that lead to no track: the usual one sends all, another asks once again, a refused one says why. */
  ways() {
    const { field } = this, { shut, ways } = field.diagram;
    const open = field.options.filter((one) => !ways.includes(one.keys[0]));
    const isMain = (one) => field.keys?.includes(one.keys[0]);
    const reasons = shut.map((one) => el("p", { class: "rule" }, t("refused_because", { what: one.text, why: one.reason })));
    return [
      el("div", { class: "row" },
        open.filter(isMain).map((one) => button(one.text, () => this.send(), { class: "main confirm" })),
        shut.map((one) => button(one.text, () => null, { disabled: true, title: one.reason })),
        open.filter((one) => !isMain(one)).map((one) => this.other(one))),
      ...reasons,
    ];
  }

  /** A way besides the usual one: it gives up what was laid out, so it asks once. */
  other(option) {
    const one = button(option.text, () => {
      if (one.dataset.sure || !this.field.diagram.goes_on) this.send([option.keys.slice(0, 1)]);
      else { one.dataset.sure = "yes"; one.textContent = t("sure", { what: option.text }); }
    }, { class: "quiet", on: { blur: () => { delete one.dataset.sure; one.textContent = option.text; } } });
    return one;
  }

  focus(how) {
    (this.steps.get(last) ?? this.node.querySelector(".step") ?? this.node.querySelector("h2")).focus(how);
  }
}
