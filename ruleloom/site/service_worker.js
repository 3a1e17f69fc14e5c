// Keeps all files of the site, so that it opens without a network. A new version of the site is another
// cache, which is used once all pages of the old one are closed.

// Several sites may have one origin.
const SITE = `ruleloom ${new URL(registration.scope).pathname} `, VERSION = `${SITE}{version}`, FILES = {files};

self.addEventListener("install", (event) => event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES))));

self.addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(SITE) && name !== VERSION).map((name) => caches.delete(name)))),
));

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)));
});
