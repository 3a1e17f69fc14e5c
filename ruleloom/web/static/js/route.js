// Where the page is, and how it goes elsewhere. On a site without a server all places are one file,
// and stand behind `#`.

export const ALONE = document.documentElement.dataset.alone !== undefined;

/** The path of this place, and its tokens: several tokens are several seats at one screen. */
export function place() {
  const [path, tokens] = ALONE ? location.hash.slice(1).split("!") : [location.pathname, location.hash.slice(1)];
  return { path: path || "/", tokens: (tokens ?? "").split(".").filter(Boolean) };
}

/** The address of a path, and of what stands behind its `#`. */
export const addressOf = (path, tokens) => (ALONE ? `#${path}!${tokens}` : `${path}#${tokens}`);

/** Open a place: beside this one, or in place of it where there is no server. */
export function visit(path, tokens) {
  if (ALONE) location.hash = addressOf(path, tokens);
  else window.open(addressOf(path, tokens), "_blank", "noopener");
}
