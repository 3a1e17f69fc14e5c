// The sheet of a person as it is so far. A number with a dotted line says how it comes about.

import { button, el } from "../dom.js";
import { t } from "../text.js";

const LONG = 11;

/** The sheets; `why(sheet, block, line, label)` is asked for a number. */
export function sheets(found, why) {
  return found.map((one) => el("section", { class: "live-sheet" }, el("h3", {}, one.title || t("nameless"), el("span", { class: "kind" }, ` ${one.english}`)),
    one.blocks.map((block, at) => blockOf(block, (line) => why(one.id, at, line, block.lines[line][0])))));
}

function blockOf(block, why) {
  const value = ([label, said, , , explained], line) => (explained && said ? button(said, () => why(line), { class: "number", "aria-label": t("why_number", { label, value: said }), data: { key: `why ${block.title} ${line}` } }) : said);
  if (block.tiles) {
    const long = block.lines.some((one) => `${one[0]} ${one[2]}`.split(/\s/).some((word) => word.length > LONG));
    return el("section", {}, el("h4", {}, block.title), el("dl", { class: long ? "tiles roomy" : "tiles" }, block.lines.map((one, line) => el("div", {}, el("dt", {}, one[0]), el("dd", {}, value(one, line)), one[2] ? el("dd", { class: "note" }, one[2]) : null))));
  }
  const noted = block.lines.some((one) => one[2]), valued = block.lines.some((one) => one[1]);
  return el("section", {}, el("h4", {}, block.title), el("table", {},
    block.headings.length ? el("thead", {}, el("tr", {}, block.headings.filter((_, at) => at === 0 || (at === 1 ? valued : noted)).map((head) => el(head ? "th" : "td", head ? { scope: "col" } : {}, head)))) : null,
    el("tbody", {}, block.lines.map((one, line) => el("tr", {}, el("th", { scope: "row" }, one[0]), valued ? el("td", {}, value(one, line)) : null, noted ? el("td", {}, one[2]) : null)))));
}
