// What can be taken along of a person: the file, a sheet and a card to print, a link.

import { base64, offerPack } from "../carried.js";
import { button, dialog, el } from "../dom.js";
import { t } from "../text.js";

const file = (words, type, name, text) => el("a", { href: `data:${type};charset=utf-8;base64,${base64(text)}`, download: name }, words);

export function offerPerson(found) {
  const picture = found.card ? `data:image/svg+xml;base64,${base64(found.card.svg)}` : null;
  dialog(t("take_along"), el("div", { class: "paper along" },
    el("p", {}, file(t("as_yaml"), "text/yaml", `${found.id}.yaml`, found.text), " ", el("span", { class: "rule" }, t("as_yaml_help"))),
    found.sheet ? el("p", {}, file(t("sheet_to_print"), "text/html", `${found.id}-sheet.html`, found.sheet)) : null,
    found.card ? el("p", {}, file(t("card_to_print"), "text/html", `${found.id}-card.html`, found.card.page), " · ", el("a", { href: picture, download: `${found.id}.svg` }, t("as_picture"))) : null,
    found.no_card ? el("p", { class: "told" }, found.no_card) : null,
    el("p", {}, button(t("as_link"), () => offerPack(found.pack), { class: "quiet" })),
    found.card ? el("img", { src: picture, alt: t("card_of", { name: found.title }) }) : null,
    el("details", {}, el("summary", {}, t("see_yaml")), el("pre", { tabindex: "0" }, found.text))), t("close"));
}
