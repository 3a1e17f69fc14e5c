// Scenarios with what came of them, and their steps on the board.

import { Board as AnyBoard } from "../boards/any.js";
import { Board as GnosticaBoard } from "../boards/gnostica.js";
import { Board as MonotheismBoard } from "../boards/monotheism.js";
import { Board as MoonstoneBoard } from "../boards/moonstone.js";
import { Board as WitchgatesBoard } from "../boards/witchgates.js";
import { button, dialog, el } from "../dom.js";
import { counted, t } from "../text.js";

const BOARDS = { any: AnyBoard, gnostica: GnosticaBoard, monotheism: MonotheismBoard, moonstone: MoonstoneBoard, witchgates: WitchgatesBoard };

/** The list of cases; `act.step(one)` walks one on the board, `act.go(one)` leads to its text. */
export function caseList(cases, act) {
  if (!cases.length) return [el("p", { class: "empty" }, t("no_cases"))];
  const passed = cases.filter((one) => one.passed).length;
  return [
    el("p", { class: "sum", role: "status" }, t("cases_passed", { passed, all: cases.length })),
    el("ul", { class: "cases" }, cases.map((one) => el("li", { class: one.passed ? "passed" : "failed" },
      el("p", {}, el("b", { class: "mark" }, one.passed ? `✓ ${t("passed")}` : `✗ ${t("failed")}`), " ", button(one.title || one.id, () => act.go(one), { class: "quiet" })),
      one.message ? el("pre", {}, one.message) : null,
      button(t("step"), () => act.step(one), { "aria-label": t("step_of", { name: one.id }) })))),
  ];
}

/** Walk a case on the board, moment by moment. */
export function showSteps(name, moments) {
  if (!moments.length) return;
  let at = 0, board = null;
  const act = { say: () => {}, read: () => {}, why: () => {}, list: () => {}, point: (ref) => board?.point?.(ref), chosen: () => {} };
  const heading = el("h3", { class: "moment", "aria-live": "polite" }), log = el("ul", { class: "happened" }), stage = el("div", { class: "stage table" });
  const back = button(t("step_back"), () => show(at - 1)), on = button(t("step_on"), () => show(at + 1), { class: "main" });
  const show = (to) => {
    at = Math.max(0, Math.min(moments.length - 1, to));
    const one = moments[at];
    heading.textContent = `${at + 1}/${moments.length}: ${one.heading}`;
    log.replaceChildren(...one.happened.map((line) => el("li", {}, line)));
    back.disabled = at === 0;
    on.disabled = at === moments.length - 1;
    if (!one.board) { stage.replaceChildren(); return; }
    board = new (BOARDS[one.board.kind] ?? AnyBoard)(act);
    stage.replaceChildren(board.node);
    board.draw(one.board, new Map(), { seats: one.seats.map((seat) => ({ name: seat })), seat: 0, board: one.board });
  };
  const box = dialog(name, el("div", { class: "paper" }, el("div", { class: "row" }, back, on), heading, log, stage), t("close"));
  box.classList.add("steps");
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(at + 1);
    if (event.key === "ArrowLeft") show(at - 1);
  });
  show(0);
  on.focus();
}

/** How many fail, for the heading of the tab. */
export function failedText(cases) {
  const failed = cases.filter((one) => !one.passed).length;
  return failed ? counted("cases_failed", failed) : "";
}
