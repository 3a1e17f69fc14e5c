// The catalogue of what the page says.

let texts = {};

/** Read the catalogue; everything else waits for it. */
export async function readTexts() {
  const answer = await fetch(new URL("../en.json", import.meta.url));
  texts = await answer.json();
}

/** A text of the catalogue with these values in its holes. */
export function t(name, values = {}) {
  let text = texts[name] ?? name;
  for (const [hole, value] of Object.entries(values)) text = text.replaceAll(`{${hole}}`, value);
  return text;
}

/** A number of things: the text `name_one` for one, `name` for any other number. */
export function counted(name, count) {
  return t(count === 1 ? `${name}_one` : name, { count });
}
