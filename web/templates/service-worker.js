// Keeps the shell (scripts, styles, texts) at hand; tables themselves always come from the server.

const SHELL = "shell-{{ static_version() }}";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || !(pathname.startsWith("/static/") || pathname.startsWith("/texts/"))) return;
  event.respondWith((async () => {
    const cache = await caches.open(SHELL);
    const kept = await cache.match(event.request);
    if (kept) return kept;
    const response = await fetch(event.request);
    if (response.ok) cache.put(event.request, response.clone());
    return response;
  })());
});
