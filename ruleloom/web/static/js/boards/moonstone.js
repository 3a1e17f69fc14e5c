// A conflict of Moonstone: who comes when, how everybody is, who aims at whom, and sheets that answer.

import { button, el, svg } from "../dom.js";
import { t } from "../text.js";
import { Board as AnyBoard } from "./any.js";
import { gauge, number, tile } from "./parts.js";

const WIDE = 720, LINE = 96;

export class Board extends AnyBoard {
  scenes(board) {
    this.open ??= new Set();
    if (!board.fighters.length) return [el("p", { class: "empty" }, t("no_scene"))];
    return [
      el("section", { class: "scene" }, el("h2", {}, board.scene ?? "", board.round ? el("span", { class: "round" }, t("round", { number: board.round })) : null), board.fighting ? this.track(board.fighters) : null),
      el("section", { class: "things fighters" }, board.fighters.map((one) => this.fighter(one))),
    ];
  }

  /** The order of initiative from left to right, with an arrow from everybody to whom they aim at. */
  track(fighters) {
    const counts = [...new Set(fighters.map((one) => one.initiative))].sort((a, b) => b - a);
    const rows = Math.max(...counts.map((count) => fighters.filter((one) => one.initiative === count).length));
    const step = WIDE / counts.length, high = LINE + (rows - 1) * 44;
    const at = new Map();
    counts.forEach((count, column) => fighters.filter((one) => one.initiative === count).forEach((one, row) => at.set(one.ref, [step * (column + 0.5), 46 + row * 44])));
    const arrows = fighters.filter((one) => one.aimed_at && at.has(one.aimed_at)).map((one) => {
      const [[x, y], [tx, ty]] = [at.get(one.ref), at.get(one.aimed_at)];
      return svg("path", { class: "aim", d: `M${x} ${y - 20}Q${(x + tx) / 2} ${Math.min(y, ty) - 62} ${tx + (x < tx ? -13 : 13)} ${ty - 20}`, "marker-end": "url(#aim)" },
        svg("title", {}, t("aims_at", { who: one.name, whom: fighters.find((other) => other.ref === one.aimed_at).name })));
    });
    const names = fighters.map((one) => `${one.name} ${one.initiative}`).join(", ");
    return svg("svg", { class: "track", viewBox: `0 -8 ${WIDE} ${high + 8}`, role: "img", "aria-label": t("initiative_track", { names }) },
      svg("defs", {}, svg("marker", { id: "aim", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0 8 4 0 8z" }))),
      svg("path", { class: "rail", d: `M12 46H${WIDE - 12}` }), fighters.map((one) => this.token(one, at.get(one.ref))), arrows,
      counts.map((count, column) => svg("text", { class: "count", x: step * (column + 0.5), y: high - 8, "text-anchor": "middle" }, String(count))));
  }

  token(one, [x, y]) {
    const offered = this.places.get(one.ref);
    const node = svg("g", { class: `token${one.acts ? " acts" : ""}${one.to_come || one.acts ? "" : " past"}${one.states.length ? " hurt" : ""}${offered?.press ? " can" : ""}`, data: { ref: one.ref, seat: String(one.side % 6) } },
      svg("title", {}, [one.name, one.acts ? t("acts_now") : one.to_come ? t("still_to_come") : "", ...one.states].filter(Boolean).join(", ")),
      one.side % 2 ? svg("circle", { r: 20 }) : svg("rect", { x: -19, y: -19, width: 38, height: 38, rx: 8 }),
      svg("text", { y: 5.5, "text-anchor": "middle" }, one.name.split(/\s+/).map((word) => word[0]).slice(0, 2).join("")));
    node.style.transform = `translate(${x}px, ${y}px)`;
    if (offered?.press) node.addEventListener("click", offered.press);
    return node;
  }

  fighter(one) {
    const offered = this.places.get(one.ref);
    const name = button(one.name, offered?.press ?? (() => this.act.read(one.name)), { class: `name${offered?.press ? " can" : ""}${offered?.pressed?.() ? " taken" : ""}` });
    const target = one.aimed_at && this.board.fighters.find((other) => other.ref === one.aimed_at)?.name;
    const sheet = el("details", { class: "sheet", open: this.open.has(one.ref) || this.wanted(one) },
      el("summary", {}, t("sheet")), el("div", { class: "tiles" }, one.scores.map((figure) => tile(figure, this.act, this.mine(one)))),
      one.skills.length ? el("div", { class: "tiles" }, one.skills.map((figure) => tile(figure, this.act, this.mine(one)))) : null,
      one.weapons.length ? el("p", { class: "belongs" }, t("weapons", { names: one.weapons.join(", ") })) : null);
    sheet.addEventListener("toggle", () => { if (sheet.open) this.open.add(one.ref); else this.open.delete(one.ref); });
    return el("article", { class: `thing fighter${one.acts ? " acts" : ""}${offered?.press ? " can" : ""}`, data: { ref: one.ref, seat: String(one.side % 6) } },
      el("h3", {}, name, one.acts ? el("span", { class: "does" }, t("acts_now")) : null),
      one.gauges.map((figure) => gauge(figure, this.act, figure.name.toLowerCase())),
      el("p", { class: "figures" }, one.numbers.map((figure) => ({ ...figure, name: t(`number_${figure.name}`) })).map((figure) => el("span", {}, `${figure.name} `, number(figure, this.act)))),
      one.deed ? el("p", { class: "deed" }, one.deed, target ? ` → ${target}` : "") : null,
      one.waits_for ? el("p", { class: "deed" }, t("waits", { name: one.waits_for })) : null,
      one.states.length ? el("ul", { class: "states" }, one.states.map((state) => el("li", {}, state))) : null, sheet);
  }

  /** A sheet answers only for the character who acts. */
  mine(one) { return one.acts || !this.board.fighters.some((other) => other.acts) ? this.places : new Map(); }

  wanted(one) { return one.acts && [...one.scores, ...one.skills].some((figure) => this.places.get(figure.ref)?.press); }

  draw(board, places, view) { this.board = board; super.draw(board, places, view); }
}
