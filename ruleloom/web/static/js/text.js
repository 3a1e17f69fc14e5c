// The catalogue of what the page says.

let texts = {}, english = {};

/** The language of this page, as its address names it: `?language=de`. */
export const LANGUAGE = /^[a-z]{2}$/.exec(new URLSearchParams(location.search).get("language") ?? "")?.[0] ?? "en";

/** Read the catalogue, and over it that of another language; everything else waits for it. */
export async function readTexts() {
  const answer = await fetch(new URL("../en.json", import.meta.url));
  texts = english = await answer.json();
  if (LANGUAGE === "en") return;
  const own = await fetch(new URL(`../${LANGUAGE}.json`, import.meta.url));
  if (!own.ok) return;
  texts = { ...texts, ...await own.json() };
  document.documentElement.lang = LANGUAGE;
}

/** What the server says, which writes English, in the language of this page if the catalogue has the text. */
export function inOwn(said) {
  const name = Object.keys(english).find((one) => english[one] === said);
  return name ? texts[name] : said;
}

/** Read this page in another language. */
export function readIn(language) {
  const query = new URLSearchParams(location.search);
  query.set("language", language);
  location.search = query;
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
