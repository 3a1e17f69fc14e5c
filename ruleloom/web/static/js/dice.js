// The odds of a roll before it is made: exact counts, drawn as bars, and told in words.

import { el, svg } from "./dom.js";
import { t } from "./text.js";

const MOST_TOTALS = 400, WIDE = 320, HIGH = 96;

/** The ways to roll each total; null where there are too many to show. */
export function ways(count, sides) {
  if (count < 1 || count * (sides - 1) > MOST_TOTALS) return null;
  let found = [1];
  for (let die = 0; die < count; die += 1) {
    const next = new Array(found.length + sides - 1).fill(0);
    found.forEach((many, at) => { for (let face = 0; face < sides; face += 1) next[at + face] += many; });
    found = next;
  }
  const all = found.reduce((sum, many) => sum + many, 0);
  return found.map((many, at) => ({ total: at + count, chance: many / all }));
}

const percent = (share) => `${share >= 0.995 || share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

/** A figure of the odds of `count` dice of `sides` sides. */
export function odds({ count, sides }) {
  const rows = ways(count, sides);
  const name = `${count}d${sides}`;
  if (rows === null) return el("figure", { class: "odds" }, el("figcaption", {}, t("odds_too_many", { dice: name })));
  const highest = Math.max(...rows.map((row) => row.chance));
  const wide = WIDE / rows.length;
  const bars = rows.map((row, at) => svg("rect", {
    x: at * wide + wide * 0.1, width: Math.max(wide * 0.8, 0.5), y: HIGH * (1 - row.chance / highest), height: HIGH * row.chance / highest,
  }, svg("title", {}, `${row.total}: ${percent(row.chance)}`)));
  const mean = rows.reduce((sum, row) => sum + row.total * row.chance, 0);
  const words = t("odds_words", { dice: name, least: rows[0].total, most: rows.at(-1).total, mean: mean.toFixed(mean % 1 ? 1 : 0) });
  const marks = [rows[0].total, rows[Math.floor((rows.length - 1) / 2)].total, rows.at(-1).total];
  const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH + 16}`, role: "img", "aria-label": words }, bars,
    marks.map((total, at) => svg("text", { x: [2, WIDE / 2, WIDE - 2][at], y: HIGH + 13, "text-anchor": ["start", "middle", "end"][at] }, String(total))));
  let share = 1;
  const steps = rows.map((row) => { const least = share; share -= row.chance; return { total: row.total, least }; });
  const every = Math.max(1, Math.ceil(steps.length / 12));
  const table = el("details", {}, el("summary", {}, t("odds_at_least")),
    el("table", {}, el("tbody", {}, steps.filter((_, at) => at % every === 0).map((row) =>
      el("tr", {}, el("th", { scope: "row" }, `≥ ${row.total}`), el("td", {}, percent(Math.max(0, row.least))))))));
  return el("figure", { class: "odds" }, el("figcaption", {}, words), drawing, table);
}
