// Parts that several boards are made of: gauges, figures with their reasons, dice.

import { button, el, svg } from "../dom.js";
import { t } from "../text.js";

/** A number that can be asked why. */
export function number(figure, act) {
  const text = figure.most === undefined ? String(figure.value) : `${figure.value} / ${figure.most}`;
  return button(text, () => act.why(figure.why), { class: "number", "aria-label": t("why_of", { what: `${figure.name} ${text}` }) });
}

/** A number as a bar of how much is left of it. */
export function gauge(figure, act, kind = "") {
  const share = figure.most ? Math.max(0, Math.min(1, figure.value / figure.most)) : 0;
  return el("div", { class: `gauge ${kind} ${share <= 0.25 ? "low" : ""}` }, el("span", { class: "label" }, figure.name),
    svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "whole", width: 100, height: 8, rx: 4 }), svg("rect", { class: "part", width: 100 * share, height: 8, rx: 4 })),
    number(figure, act));
}

/** A figure of a sheet; while it is on offer, pressing it answers. */
export function tile(figure, act, places) {
  const offered = figure.ref ? places.get(figure.ref) : null;
  const press = offered?.press ?? (() => act.why(figure.why));
  return button([el("span", { class: "label" }, figure.name), " ", el("b", {}, String(figure.value))], press, {
    class: `tile${offered?.press ? " can" : ""}${offered?.pressed?.() ? " taken" : ""}`, data: { ref: figure.ref ?? null },
    title: offered?.press ? null : t("why_of", { what: `${figure.name} ${figure.value}` }),
    on: { mouseenter: () => offered && act.point(figure.ref), mouseleave: () => act.point(null) },
  });
}

const OUTLINES = {
  4: "M0-17 17 13H-17z", 6: "M-14-14H14V14H-14z", 8: "M0-18 16 0 0 18-16 0z", 10: "M0-18 17-4 11 12 0 18-11 12-17-4z",
  12: "M0-18 17-5.5 10.5 14.5H-10.5L-17-5.5z", 20: "M0-18 15.6-9V9L0 18-15.6 9V-9z",
};

/** A die: its outline tells how many sides it has, its border the colour, besides the colour. */
export function die({ sides, colour = "plain", face = null, words, small = false }) {
  return svg("svg", { viewBox: "-21 -21 42 42", class: `die-face ${colour}${small ? " small" : ""}`, role: "img", "aria-label": words },
    svg("title", {}, words), svg("path", { d: OUTLINES[sides] ?? OUTLINES[6] }), svg("text", { y: sides === 4 ? 8 : 5.5, "text-anchor": "middle" }, String(face ?? sides)));
}
