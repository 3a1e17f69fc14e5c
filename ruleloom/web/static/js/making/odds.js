// How likely what somebody makes is, as the rules tabulate it; worked out anew after each answer.

import { button, el } from "../dom.js";
import { ALONE } from "../route.js";
import { percent, t } from "../text.js";

const PAUSE = 300;

export class Odds {
  /** `asked()` gives the tables of what is being made. */
  constructor(asked) {
    this.asked = asked;
    this.state = el("p", { class: "rule", role: "status" });
    this.tables = el("div", { class: "odds-tables" });
    this.node = el("section", { class: "live-odds", hidden: true, "aria-label": t("exact_odds") }, el("h3", {}, t("exact_odds")), this.state, this.tables);
  }

  /** Work out the odds of a text; those of the one before stay until then. One worker does everything, so that there it is asked for. */
  draw({ text, tabulated }) {
    clearTimeout(this.timer);
    this.node.hidden = !tabulated;
    if (!tabulated) this.tables.replaceChildren();
    if (!tabulated || text === this.of) return;
    this.wanted = text;
    this.tables.classList.add("old");
    if (ALONE) this.state.replaceChildren(button(t("work_out"), () => this.work(), { data: { key: "work out" } }));
    else this.timer = setTimeout(() => this.work(), PAUSE);
  }

  async work() {
    if (this.working) return;
    this.working = true;
    this.state.textContent = t("working");
    let text, words, found;
    do {
      text = this.wanted;
      [words, found] = ["", []];
      try { found = await this.asked(); } catch (error) { words = error.unreachable ? t("unreachable") : error.message; }
    } while (text !== this.wanted);
    this.working = false;
    this.of = text;
    this.state.textContent = words;
    this.tables.classList.remove("old");
    this.tables.replaceChildren(...found.map(table));
  }
}

/** One table: the answers of its last choice stand side by side. */
function table({ of, by, lines }) {
  const heads = by.length > 1 ? by.slice(0, -1) : by, last = by.length > 1 ? by.at(-1) : null, start = (line) => JSON.stringify(line.answers.slice(0, heads.length));
  const across = [...new Set(lines.map((line) => (last ? line.answers.at(-1) : "")))], rows = Map.groupBy(lines, start);
  return el("section", {}, el("h4", {}, of), el("div", { class: "wide-table", tabindex: 0, role: "group", "aria-label": of }, el("table", { "aria-label": of },
    el("thead", {}, el("tr", {}, heads.map((one) => el("th", { class: "lead", scope: "col", rowspan: last ? 2 : null }, one.label)), el("th", { scope: last ? "colgroup" : "col", colspan: across.length }, last ? last.label : t("chance"))),
      last ? el("tr", {}, across.map((one) => el("th", { scope: "col" }, one))) : null),
    el("tbody", {}, [...rows.values()].map((row) => el("tr", {}, row[0].answers.slice(0, heads.length).map((one) => el("th", { class: "lead", scope: "row" }, one)),
      across.map((end) => cell(row.find((line) => !last || line.answers.at(-1) === end)))))))));
}

function cell(line) {
  if (!line) return el("td", {});
  const sure = Object.keys(line.chances).every((one) => one === "yes" || one === "no"), value = numberOf(line.value ?? "0");
  const about = line.exact ? "" : `${t("about_so")} `;
  if (sure) return el("td", { class: value === 0 ? "never" : value === 1 ? "always" : null, style: { "--chance": value } }, about, value === 0 ? t("never") : value === 1 ? t("always_so") : percent(value));
  if (line.value !== null) return el("td", {}, about, t("on_average", { number: value.toFixed(2) }));
  const [likeliest, chance] = Object.entries(line.chances).sort((one, other) => numberOf(other[1]) - numberOf(one[1]))[0];
  return el("td", {}, `${likeliest} (${about}${percent(numberOf(chance))})`);
}

/** A fraction, `3/4`. */
function numberOf(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}
