// What is being written, as it reads: the card, its rules text, its sheet, its odds, what packs change.

import { base64 } from "../carried.js";
import { button, dialog, el, svg } from "../dom.js";
import { counted, percent, t } from "../text.js";

const WIDE = 320, HIGH = 90, MOST_BARS = 60;

/** The card of an item; `null` where there is none. `print` shows it as it is printed. */
export function card(item, print) {
  if (!item) return [el("p", { class: "empty" }, t("no_item"))];
  return [
    item.sound ? null : el("p", { class: "stale" }, t("last_sound")),
    el("article", { class: "item-card" },
      el("header", {}, el("h3", {}, item.title), el("p", { class: "kind" }, item.kind)),
      item.fields.length ? el("dl", {}, item.fields.map((one) => el("div", {}, el("dt", {}, one.name), el("dd", {}, one.text)))) : null,
      item.said && !item.rules.includes(item.said) ? el("p", { class: "said" }, item.said) : null,
      item.rules ? el("div", { class: "rules" }, item.rules.split("\n").filter((one) => one.trim()).map((one) => el("p", { style: { "padding-left": `${Math.min(8, one.search(/\S/)) * 0.5}rem` } }, one.trim()))) : null,
      item.fresh || item.rules ? null : el("p", { class: "stale" }, t("rules_are_written"))),
    item.id && item.prints ? el("div", { class: "row" }, button(t("printed_card"), () => print(item.id), { class: "quiet" })) : null,
    item.uses ? el("p", { class: "uses" }, counted("uses", item.uses)) : null,
    ...item.curves.map(curve),
    ...item.sheets.map(sheet),
    changes(item),
  ].filter(Boolean);
}

/** Show a card as it is printed, with a sheet to print. */
export function printed({ title, svg: drawn, page }) {
  const picture = `data:image/svg+xml;base64,${base64(drawn)}`;
  dialog(title, el("div", { class: "paper printed" }, el("img", { src: picture, alt: title }),
    el("div", { class: "row" }, el("a", { href: `data:text/html;base64,${base64(page)}`, download: `${title}.html` }, t("sheet_to_print")),
      el("a", { href: picture, download: `${title}.svg` }, t("as_picture")))), t("close"));
}

/** Exact odds as bars, and as a table for whoever cannot see them. */
function curve(one) {
  // Yes or no is said in a line.
  if (!one.average) return el("p", { class: "chances" }, el("code", {}, one.words), ": ", one.points.map((point) => `${point.value} ${percent(point.chance)} (${point.exact})`).join(", "));
  const shown = one.points.slice(0, MOST_BARS), most = Math.max(...shown.map((point) => point.chance)), width = WIDE / shown.length;
  const every = Math.ceil(shown.length / 12);
  const bars = shown.map((point, at) => svg("rect", { x: at * width + width * 0.12, width: width * 0.76, y: HIGH - (HIGH * point.chance) / most, height: (HIGH * point.chance) / most }, svg("title", {}, `${point.value}: ${percent(point.chance)}`)));
  const labels = shown.map((point, at) => (at % every ? null : svg("text", { x: (at + 0.5) * width, y: HIGH + 14, "text-anchor": "middle" }, point.value)));
  return el("figure", { class: "odds" },
    el("figcaption", {}, el("code", {}, one.words), one.average ? ` · ${t("average_of", { number: one.average })}` : ""),
    svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH + 18}`, "aria-hidden": "true" }, bars, labels),
    el("details", {}, el("summary", {}, t("exact_odds")), el("table", {}, one.points.map((point) => el("tr", {}, el("th", { scope: "row" }, point.value), el("td", {}, percent(point.chance)), el("td", {}, point.exact))))));
}

function sheet(one) {
  return el("section", { class: "item-sheet" }, el("h3", {}, one.title), one.blocks.map((block) => el("div", { class: "block" }, block.title ? el("h4", {}, block.title) : null,
    el("table", {}, block.headings.length ? el("thead", {}, el("tr", {}, block.headings.map((head) => el("th", { scope: "col" }, head)))) : null,
      el("tbody", {}, block.lines.map(([label, value, note, text]) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value), el("td", {}, note), text ? el("td", {}, text) : null)))))));
}

/** What packs have made of the item, and where two of them change one thing. */
function changes(item) {
  if (!item.changes.length) return null;
  const packs = (field) => new Set(item.changes.filter((one) => one.field === field).map((one) => one.pack));
  return el("section", { class: "changes" }, el("h3", {}, t("changed_by_packs")), el("ul", {}, item.changes.map((one) => el("li", {},
    el("code", {}, one.field), ` ${one.old} → ${one.new} `, el("span", { class: "by" }, one.by),
    packs(one.field).size > 1 ? el("b", { class: "clash" }, ` ${t("several_packs")}`) : null))));
}
