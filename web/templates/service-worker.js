// Keeps the shell (scripts, styles, texts) at hand; tables themselves always come from the server. Where that does not
// answer, the app opens with a page that says so.

const SHELL = "shell-{{ static_version() }}";
const OFFLINE = "/offline";
const FILES = {{ shell() | tojson }};
const PATIENCE_MS = 8000;

async function keepOffline() {
  // Anew now and then: the phone's language may have changed.
  await (await caches.open(SHELL)).add(OFFLINE);
}

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await (await caches.open(SHELL)).addAll(FILES);
    await keepOffline();
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
    await self.clients.claim();
  })());
});

async function page(event) {
  try {
    const late = new Promise((_, fail) => { setTimeout(fail, PATIENCE_MS); });
    const response = await Promise.race([fetch(event.request), late]);
    event.waitUntil(keepOffline().catch(() => {}));
    return response;
  } catch {
    return (await caches.match(OFFLINE)) || Response.error();
  }
}

async function part(event) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.ok) cache.put(event.request, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith("/static/") || pathname.startsWith("/texts/")) event.respondWith(part(event));
});
