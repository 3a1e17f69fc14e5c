// Elements, made piece by piece. Text is only ever set as text: nothing from a game is markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    } else if (name === "style") {
      for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    } else if (name === "data") {
      for (const [key, one] of Object.entries(value)) if (one !== null) node.dataset[key] = one;
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

/** An element of the page with its attributes, listeners (`on`) and children. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A button; `attributes.on.click` is what it does. */
/** A sentence of the rules, whose names stand in backticks. */
export const prose = (text) => text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));

export function button(text, action, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { ...(attributes.on || {}), click: action } }, text);
}

/** Show a dialog with this heading and content; it goes when it is closed. */
export function dialog(heading, content, close) {
  const title = el("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, heading);
  const box = el("dialog", { "aria-labelledby": title.id },
    el("header", {}, title, button("✕", () => box.close(), { "aria-label": close, class: "quiet" })), content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}
