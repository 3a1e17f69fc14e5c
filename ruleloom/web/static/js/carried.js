// Packs on their way: in the address of a link, or as a zip.

import { button, dialog, el } from "./dom.js";
import { ALONE } from "./route.js";
import { t } from "./text.js";

const PLACE = "/pack", KEPT = "ruleloom-site";

/** A text in base64. */
export const base64 = (text) => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

/** A file in base64. */
export async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The pack in an address that was pasted. */
export const carriedIn = (address) => address.trim().split(`#${PLACE}!`).at(-1);

/** What a pack changes of its game, before it is played. */
export function whatItChanges(found, ways) {
  const other = found.made.filter((one) => !found.here.includes(one));
  return el("div", { class: "paper" },
    found.about ? el("p", {}, found.about) : null,
    el("p", {}, t("pack_of_stranger", { game: found.game })),
    found.made.length ? el("p", {}, t("made_with", { made: found.made.join(", ") }), other.length ? el("strong", {}, ` ${t("here_is", { here: found.here.join(", ") })}`) : "") : null,
    found.added.length ? [el("h3", {}, t("new_in_it")), el("ul", {}, found.added.map(({ kind, title }) => el("li", {}, title, el("span", { class: "kind" }, ` (${kind})`))))] : null,
    el("details", { open: true }, el("summary", {}, t("what_it_changes")), el("pre", { class: "changes", tabindex: "0" }, found.report)), ways);
}

/** Offer a pack as a link and as a zip. A link leads to a site; on a server it is said to which. */
export function offerPack({ name, zip, link, reason, needs }) {
  const place = el("input", { type: "url", value: ALONE ? location.href.split("#")[0] : localStorage.getItem(KEPT) ?? "", placeholder: "https://", on: { input: () => mend() } });
  const whole = el("textarea", { readonly: true, rows: 4, "aria-label": t("link"), on: { focus: () => whole.select() } });
  const mend = () => {
    whole.value = `${place.value}#${PLACE}!${link}`;
    if (!ALONE) localStorage.setItem(KEPT, place.value);
  };
  mend();
  const linked = [el("p", {}, t("share_help")), needs.length ? el("p", {}, t("share_needs", { packs: needs.join(", ") })) : null, ALONE ? null : el("label", {}, t("address_of_site"), place), whole,
    el("div", { class: "row" }, button(t("copy"), async () => { whole.select(); await navigator.clipboard?.writeText(whole.value); }, { class: "main" }))];
  dialog(t("share_of", { name }), el("div", { class: "paper invite" }, link ? linked : el("p", { class: "told" }, reason),
    el("div", { class: "row" }, el("a", { href: `data:application/zip;base64,${zip}`, download: `${name}.zip` }, t("as_zip")))), t("close"));
}
