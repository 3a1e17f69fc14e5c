// A direction is set by dragging from a thing or place, or by arrow keys.

const NEAR = 18;
const ARROWS = { ArrowUp: [0, 1], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowLeft: [-1, 0] };

/** The answer that points this far east and north; null if none does. */
function pointed(ways, east, north) {
  const far = Math.hypot(east, north), [best, fit] = Object.entries(ways).reduce(([best, fit], [key, [x, y]]) => {
    const other = x || y ? (x * east + y * north) / (far * Math.hypot(x, y)) : 0;
    return other > fit ? [key, other] : [best, fit];
  }, [null, 0.5]);
  return best;
}

/** The answer to an arrow key; null for any other key, or if no way is meant. */
export function arrowed(ways, event) {
  const way = ARROWS[event.key];
  return way ? pointed(ways, ...way) : null;
}

/** Let a direction be set from a node: `turn.ways` by answer, `turn.look(key)` shows one, `turn.set(key)` takes it. */
export function turnable(node, turn) {
  const still = Object.keys(turn.ways).find((key) => !turn.ways[key].some(Boolean)) ?? null;
  let from = null, key = null, dragged = false;
  const show = (next) => { if (next !== key) { key = next; turn.look(key); } };
  node.classList.add("turns");
  node.setAttribute("tabindex", "0");
  node.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; dragged = false; key = null; node.setPointerCapture(event.pointerId); });
  node.addEventListener("pointermove", (event) => {
    if (!from) return;
    const east = event.clientX - from[0], north = from[1] - event.clientY, near = Math.hypot(east, north) < NEAR;
    dragged ||= !near;
    if (dragged) show(near ? still : pointed(turn.ways, east, north));
  });
  node.addEventListener("pointerup", () => { from = null; if (dragged && key) turn.set(key); else if (dragged) turn.look(null); });
  node.addEventListener("pointercancel", () => { from = null; turn.look(null); });
  node.addEventListener("click", (event) => { if (dragged) { dragged = false; event.stopImmediatePropagation(); } }, true);
  node.addEventListener("keydown", (event) => {
    const next = arrowed(turn.ways, event);
    if (next) { event.preventDefault(); event.stopPropagation(); show(next); }
    else if (event.key === "Enter" && key) { event.preventDefault(); event.stopImmediatePropagation(); turn.set(key); }
  }, true);
}
