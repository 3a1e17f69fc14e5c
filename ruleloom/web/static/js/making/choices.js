// The choices of one heading: fields to fill in, what has been taken with its own fields, and below it what is on offer.

import { button, el, prose } from "../dom.js";
import { t } from "../text.js";
import { Offers } from "./offers.js";

const LONG = 60;
const isLong = (text) => text.length > LONG || text.includes("\n");

export class Choices {
  /** `act.say(lines)` answers, `act.offers(wanted)` asks what is on offer; `reader` shows what an offer is and does. */
  constructor(act, reader) {
    this.act = act;
    this.reader = reader;
    this.opened = new Set(); // what has been taken, and shows its own fields
    this.offers = new Map(); // by the choice they are for; what was searched stays
    this.node = el("div", { class: "choices-of" });
  }

  /** What is open below the choices, for the next answer to bring along. */
  wanted() { return [...this.offers.values()].filter((one) => one.open && one.box.isConnected).map((one) => one.wanted()); }

  /** What was on offer when somebody was here the last time. */
  forget() { for (const one of this.offers.values()) one.list.replaceChildren(); }

  draw(heading, findings, found = []) {
    this.findings = findings;
    const things = heading.choices.filter((one) => one.offered);
    this.node.replaceChildren(...heading.choices.map((one) => this.choice(one, things.length === 1 && heading.choices.length <= 2)));
    for (const one of found) this.offers.get(one.at)?.draw(one);
  }

  choice(choice, alone = false) {
    const told = this.told(choice.at);
    if (this.findings.some((one) => one.open.some((name) => choice.at === (one.at ? `${one.at}.${name}` : name)))) told.unshift(el("p", { class: "to-say" }, t("to_be_said")));
    if (choice.sort === "group" || choice.sort === "table") return this.group(choice, told, alone);
    if (choice.sort === "several" || choice.sort === "entries") return this.list(choice, told, alone);
    return this.field(choice, told);
  }

  /** What does not hold at a place. */
  told(at) { return this.findings.filter((one) => one.at === at && one.level !== "notice" && one.allowed === null && !one.open.length).map((one) => el("p", { class: "unmet" }, prose(one.text))); }

  /** Fields that belong together; in a table by things, those that are written, and which others there are. */
  group(choice, told, alone) {
    const numbers = choice.choices.length && choice.choices.every((one) => one.sort === "number");
    // A table with rows that nobody has written shows them all.
    const offered = choice.offered && !choice.choices.some((one) => one.value === null);
    return el("fieldset", {}, el("legend", {}, choice.label), this.help(choice), told, el("div", { class: numbers ? "numbers" : "fields" }, choice.choices.map((one) => this.choice(one))), offered ? this.panel(choice, alone) : null);
  }

  help(choice) { return choice.help ? el("p", { class: "help" }, choice.help) : null; }

  /** One value: a number, a text, yes or no, or one of several. */
  field(choice, told) {
    const input = this.input(choice), data = choice.at;
    const back = choice.value !== null && !choice.needed ? button("↺", () => this.say(`${choice.at} =`), { class: "quiet", title: t("as_usual"), "aria-label": t("as_usual_of", { name: choice.label }), data: { key: `${data} =` } }) : null;
    if (choice.sort === "one" && choice.titles) return el("div", { class: "field by-one" }, el("div", { class: "chosen" }, el("span", { class: "name" }, choice.label), choice.value === null ? el("span", { class: "unset" }, t("nothing")) : el("b", {}, choice.titles[0]), back), this.help(choice), told, this.panel(choice, false));
    return el("div", { class: `field by-${choice.sort}` }, el("label", {}, el("span", { class: "name" }, choice.label), input), back, this.help(choice), told);
  }

  input(choice) {
    const put = (value) => { if (value !== String(choice.value ?? "")) this.say(`${choice.at} = ${value}`); };
    const data = { key: choice.at };
    if (choice.sort === "number") return this.number(choice, put, data);
    if (choice.sort === "yes_no") return el("input", { type: "checkbox", data, checked: (choice.value ?? choice.standard) === true, on: { change: (event) => put(event.target.checked ? "yes" : "no") } });
    if (choice.options.length) {
      return el("select", { data, on: { change: (event) => put(event.target.value) } }, choice.value === null ? el("option", { value: "" }, choice.standard === null ? "" : String(choice.standard)) : null,
        choice.options.map((one) => el("option", { value: one, selected: one === String(choice.value) }, one.replaceAll("_", " "))));
    }
    const value = String(choice.value ?? ""), long = choice.sort === "rules" || isLong(value) || choice.at === "text";
    const box = el(long ? "textarea" : "input", { data, rows: long ? 3 : null, type: long ? null : "text", placeholder: choice.standard === null ? null : String(choice.standard), on: { change: () => put(box.value.trim().includes("\n") ? JSON.stringify(box.value.trim()) : box.value.trim()) } });
    box.value = value;
    return box;
  }

  number(choice, put, data) {
    const now = choice.value ?? choice.standard ?? choice.low ?? 0;
    const step = (by) => button(by < 0 ? "−" : "+", () => put(String(now + by)), { class: "step", tabindex: -1, "aria-label": t(by < 0 ? "less_of" : "more_of", { name: choice.label }), disabled: (by < 0 && choice.low !== null && now <= choice.low) || (by > 0 && choice.high !== null && now >= choice.high) });
    const box = el("input", { type: "number", step: 1, min: choice.low, max: choice.high, data, value: now, on: { change: () => { if (box.value !== "") put(box.value); } } });
    return el("span", { class: choice.value === null ? "stepper usual-value" : "stepper" }, step(-1), box, step(1));
  }

  /** What has been taken, and what else there is. */
  list(choice, told, alone) {
    const taken = choice.sort === "entries" ? choice.choices.map((one) => this.entry(choice, one)) : [choice.value ?? []].flat().map((one, at) => this.taken(choice, one, at));
    return el("section", { class: "list-of" }, el("h4", {}, choice.label, taken.length ? el("span", { class: "count" }, ` ${taken.length}`) : null), this.help(choice), told,
      taken.length ? el("ul", { class: "taken" }, taken) : null, choice.offered ? this.panel(choice, alone) : this.another(choice));
  }

  taken(choice, one, at) {
    const name = String(choice.titles?.[at] ?? one);
    return el("li", {}, el("span", { class: "words" }, this.named(choice, one, name)), this.without(choice, at, name));
  }

  entry(choice, one) {
    const at = Number(one.at.split(".").at(-1));
    const open = this.opened.has(one.at) || one.choices.some((inner) => inner.needed && inner.value === null);
    const more = one.choices.length ? button("⋯", () => this.toggle(one.at), { class: "quiet", "aria-expanded": String(open), "aria-label": t("more_about", { name: one.label }), data: { key: `more ${one.at}` } }) : null;
    return el("li", { class: "entry" }, el("div", { class: "head" }, el("span", { class: "words" }, this.named(choice, one.value, one.label)), this.cost(one), more, this.without(choice, at - 1, one.label)),
      this.told(one.at), open ? el("div", { class: "inner" }, one.choices.map((inner) => this.choice(inner))) : null);
  }

  /** Show or hide the fields of something taken. */
  toggle(at) {
    if (!this.opened.delete(at)) this.opened.add(at);
    this.act.draw();
  }

  cost(one) {
    const price = this.act.price(one.cost ?? {});
    return price ? el("span", { class: "price" }, price) : null;
  }

  /** The name of something taken, which can be read up. */
  named(choice, value, name) {
    if (!choice.offered || typeof value !== "string") return name;
    return button(name, () => this.reader.read({ at: choice.at, value, label: name }), { class: "quiet name", data: { key: `read ${choice.at} ${value}` } });
  }

  without(choice, at, name) {
    return button("✕", () => this.say(`${choice.at} - ${at + 1}`), { class: "quiet", "aria-label": t("take_out_of", { name }), data: { key: `${choice.at} - ${at + 1}` } });
  }

  /** One more text. */
  another(choice) {
    const box = el("input", { type: "text", "aria-label": t("add_to", { name: choice.label }), data: { key: `${choice.at} +` } });
    const add = () => { if (box.value.trim()) this.say(`${choice.at} + ${box.value.trim()}`); };
    box.addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
    return el("div", { class: "row another" }, box, button(t("add"), add, { "aria-label": t("add_to", { name: choice.label }) }));
  }

  panel(choice, alone) {
    const found = this.offers.get(choice.at) ?? new Offers(choice.at, this.act, this.reader);
    this.offers.set(choice.at, found);
    return found.place(choice.label, alone, choice.sort === "entries");
  }

  say(line) { this.act.say([line]); }
}
