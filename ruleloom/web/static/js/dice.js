// The odds of a roll before it is made: exact counts, drawn as bars, and told in words.

import { el, svg } from "./dom.js";
import { t } from "./text.js";

const MOST_TOTALS = 400, WIDE = 320, HIGH = 96, FEW_BARS = 12;

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

/** The chance of each face to be the highest of some dice that are each looked at. */
export function highest(count, sides) {
  const below = (face) => (face / sides) ** count;
  return Array.from({ length: sides }, (_, at) => ({ total: at + 1, chance: below(at + 1) - below(at) }));
}

const percent = (share) => `${share >= 0.995 || share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

/** A figure of the odds of `count` dice of `sides` sides: of their sum, or, where each is looked at, of the highest. */
export function odds({ count, sides, each }) {
  const apart = each && count > 1;
  const rows = apart ? highest(count, sides) : ways(count, sides);
  const name = `${count}d${sides}`;
  if (rows === null) return el("figure", { class: "odds" }, el("figcaption", {}, t("odds_too_many", { dice: name })));
  if (count === 1) return el("figure", { class: "odds" }, el("figcaption", {}, t("odds_words", { dice: name, least: 1, most: sides, mean: ((sides + 1) / 2).toFixed(sides % 2 ? 0 : 1) })));
  const most = Math.max(...rows.map((row) => row.chance));
  const wide = WIDE / rows.length, high = HIGH;
  const bars = rows.map((row, at) => svg("rect", {
    x: at * wide + wide * 0.1, width: Math.max(wide * 0.8, 0.5), y: high * (1 - row.chance / most), height: high * row.chance / most,
  }, svg("title", {}, `${row.total}: ${percent(row.chance)}`)));
  const mean = rows.reduce((sum, row) => sum + row.total * row.chance, 0);
  const words = t(apart ? "odds_each" : "odds_words", { dice: name, least: rows[0].total, most: rows.at(-1).total, mean: mean.toFixed(mean % 1 ? 1 : 0) });
  const step = rows.length <= FEW_BARS ? 1 : Math.ceil(rows.length / 8);
  const labelled = rows.filter((_, at) => at % step === 0);
  const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${high + 16}`, role: "img", "aria-label": words }, bars,
    labelled.map((row) => svg("text", { x: (row.total - rows[0].total + 0.5) * wide, y: high + 13, "text-anchor": "middle" }, String(row.total))));
  let share = 1;
  const steps = rows.map((row) => { const least = share; share -= row.chance; return { total: row.total, least }; });
  const every = Math.max(1, Math.ceil(steps.length / 12));
  const table = el("details", {}, el("summary", {}, t(apart ? "odds_one_at_least" : "odds_at_least")),
    el("table", {}, el("tbody", {}, steps.filter((_, at) => at % every === 0).map((row) =>
      el("tr", {}, el("th", { scope: "row" }, `≥ ${row.total}`), el("td", {}, percent(Math.max(0, row.least))))))));
  return el("figure", { class: "odds" }, el("figcaption", {}, words), drawing, table);
}
