// The marks of players: a colour and a shape each, so that nobody needs the colour.

import { svg } from "./dom.js";

const SHAPES = [
  () => svg("circle", { r: 4.6 }),
  () => svg("rect", { x: -4.2, y: -4.2, width: 8.4, height: 8.4 }),
  () => svg("path", { d: "M0-6 5.6 4.6H-5.6z" }),
  () => svg("path", { d: "M-1.8-5.6h3.6v3.8h3.8v3.6H1.8v3.8h-3.6V1.8h-3.8v-3.6h3.8z" }),
  () => svg("path", { d: "M0-6.2 5 0 0 6.2-5 0z" }),
  () => svg("path", { d: "M0-6.4 1.7-2.2 6.2-2 2.7.9 3.9 5.2 0 2.7-3.9 5.2-2.7.9-6.2-2-1.7-2.2z" }),
];

/** The shape of a player, around the origin. */
export function shape(seat) {
  return SHAPES[seat % SHAPES.length]();
}

/** The mark of a player as a small drawing. */
export function mark(seat) {
  return svg("svg", { viewBox: "-9 -9 18 18", class: "mark", "aria-hidden": "true", data: { seat: String(seat % 6) } },
    svg("circle", { r: 8.6, class: "ground" }), svg("g", { class: "sign" }, shape(seat)));
}
