// Answers every request of the site: with its own files from the cache, with all else from the application in the host
// tab's worker.
//
// The build puts `const SITE = {version, policy, light, first, later, apart}` before this: `light` is what a guest of
// another phone needs, and `first` what else a phone with games of its own does; `policy` is a
// Content-Security-Policy; `apart` names files and folders (`docs/`) that are not kept; all other files are each [name,
// sha256, bytes that travel, how it is packed: as NAME.gz, as NAME.xz, or "" for not at all].

importScripts("xz.js");

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SCOPE = new URL(worker.registration.scope).pathname; // "/", or the folder that the site lies in
const CACHES = `rollcall-phone ${SCOPE} `;
const CACHE = CACHES + SITE.version;
const FILES = [...SITE.light, ...SITE.first, ...SITE.later];
const NAMES = new Set(FILES.map(([name]) => name));
const PYTHON = "app.tar"; // of a phone with games of its own
const MEMORY = "memory"; // of Python once its modules are loaded: `python.js`
const KEPT_START = "kept-start.html"; // the start page as this phone saw it last
const MOST_AGAIN = 24; // requests that only read, asked again
const READY_MS = 300; // within which an application that is ready says so
const LOOKS_MS = 20;
const STALLS_MS = 30_000; // without a byte of a file
/** @type {Record<string, number[]>} */
const BEGIN_WITH = { gz: [0x1f, 0x8b], xz: [0xfd, 0x37] };
const CODE = ["script", "style", "worker", "sharedworker", "audioworklet", "paintworklet", "xslt", "object", "embed"];
const UNWANTED = ["content-security-policy", "clear-site-data", "x-content-type-options"];
/** @param {number} status */
const WITH_BODY = (status) => ![101, 204, 205, 304].includes(status);

/** @type {Map<string, {message: any, answer: (answer: object) => void}>} */
const waiting = new Map(); // what the application was asked and has not answered
/** @type {Map<string, ReadableStreamDefaultController>} */
const streams = new Map(); // the live streams of pages
let host = ""; // the random id of the host tab's application that is ready; "" while none is known

const channel = new BroadcastChannel(`rollcall-phone ${SCOPE}`);
channel.addEventListener("message", ({ data }) => {
  if (data.kind === "answer") {
    waiting.get(data.id)?.answer(data);
    waiting.delete(data.id);
  } else if (data.kind === "ready") {
    // An application that ended has answered nothing of this. Asked again, a change counts once: it carries an id.
    if (host !== data.host) {
      const reads = [...waiting].filter(([, { message }]) => message.body === null);
      for (const [id] of reads.slice(0, -MOST_AGAIN)) waiting.delete(id); // pages have given them up
      for (const { message } of waiting.values()) channel.postMessage(message);
    }
    if (host && host !== data.host) for (const id of [...streams.keys()]) end(id); // pages begin them anew
    host = data.host;
  } else if (data.kind === "events") {
    const stream = streams.get(data.id);
    if (stream) stream.enqueue(data.body);
    else if (!data.last) channel.postMessage({ kind: "closed", id: data.id }); // of a service worker that ended
    if (data.last) end(data.id);
  }
});

/** @param {string} id */
function end(id) {
  try {
    streams.get(id)?.close();
  } catch {
    // the page closed it
  }
  streams.delete(id);
}

// --- the files of the site ---

/** @param {string} name */
const addressOf = (name) => new URL(name, worker.registration.scope).href;

/** Fetches a file into the cache, unpacked. `told(bytes)`: of what travelled.
 * @param {Cache} cache @param {SiteFile} file @param {(bytes: number) => void} [told] */
async function keep(cache, [name, hash, , packed], told = (_bytes) => {}) {
  const known = await fromOlder(hash);
  if (known) {
    await cache.put(addressOf(name), known);
    return;
  }
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), STALLS_MS);
  const address = addressOf(packed ? `${name}.${packed}` : name);
  const found = await fetch(address, { cache: "no-cache", signal: stalled.signal });
  if (!found.ok) throw new Error(`${found.status}`);
  const counted = /** @type {ReadableStream} */ (found.body).pipeThrough(
    new TransformStream({
      transform(chunk, out) {
        clearTimeout(timer);
        timer = setTimeout(() => stalled.abort(), STALLS_MS);
        told(chunk.byteLength);
        out.enqueue(chunk);
      },
    }),
  );
  const whole = await new Response(packed ? await unpacked(counted, packed) : counted).arrayBuffer();
  clearTimeout(timer);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== hash) throw new Error("another version, or damaged on its way");
  const headers = { "Content-Type": typeOf(name), "X-Hash": hash, "Content-Security-Policy": SITE.policy };
  await cache.put(addressOf(name), new Response(whole, { headers }));
}

/** A file as it was before it was packed. Servers label packed files as they like, and some have the browser unpack
 * them: the first bytes say which it did.
 * @param {ReadableStream} body @param {string} packed
 */
async function unpacked(body, packed) {
  const [start, whole] = body.tee();
  const reader = start.getReader();
  /** @type {number[]} */
  const bytes = [];
  for (let ends = false; bytes.length < 2 && !ends; ) {
    const { value, done } = await reader.read();
    bytes.push(...(value ?? []).slice(0, 2));
    ends = done;
  }
  reader.cancel();
  if (!BEGIN_WITH[packed].every((byte, i) => bytes[i] === byte)) return whole;
  if (packed === "xz") return new /** @type {any} */ (self)["xz-decompress"].XzReadableStream(whole);
  return whole.pipeThrough(new DecompressionStream("gzip"));
}

/** The same file in the cache of an older version. @param {string} hash */
async function fromOlder(hash) {
  for (const each of await caches.keys()) {
    if (!each.startsWith(CACHES)) continue;
    const index = await (await caches.open(each)).match(addressOf(`hash/${hash}`));
    const found = index && (await (await caches.open(each)).match(await index.text()));
    if (found) return found;
  }
  return null;
}

/** @type {Record<string, string>} */
const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
  webmanifest: "application/manifest+json",
  wasm: "application/wasm",
};
/** @param {string} name */
const typeOf = (name) => TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** @param {SiteFile[]} files @param {boolean} tells */
async function keepAll(files, tells) {
  const cache = await caches.open(CACHE);
  const total = files.reduce((sum, file) => sum + file[2], 0);
  let done = 0;
  for (const file of files) {
    const before = done;
    done = before + file[2];
    if (await cache.match(addressOf(file[0]))) continue;
    let came = 0;
    try {
      await keep(cache, file, (bytes) => {
        came += bytes;
        if (tells) channel.postMessage({ kind: "loading", done: before + Math.min(came, file[2]), total });
      });
    } catch (/** @type {any} */ error) {
      const isCut = ["TypeError", "AbortError"].includes(error.name); // what `fetch` says of a network
      if (tells) channel.postMessage({ kind: "not-loaded", isCut, told: `${file[0]}: ${error.message}` });
      throw error;
    }
    await cache.put(addressOf(`hash/${file[1]}`), new Response(addressOf(file[0])));
  }
}

// A newer version waits until no tab has this one open: a running game keeps its program. A guest gets what it needs.
worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      await keepAll(SITE.light, !worker.registration.active);
      if (!(await hasPython())) return;
      await keepAll(SITE.first, false);
      // What is the same comes from the older version, which ends with its next start, be there a network or not.
      await keepAll(SITE.later, false).catch(() => {});
    })(),
  );
});

/** Whether an older version had games of its own here. */
async function hasPython() {
  for (const each of await caches.keys())
    if (each.startsWith(CACHES) && (await (await caches.open(each)).match(addressOf(PYTHON)))) return true;
  return false;
}

// Once a game can be played, the rest is kept too: for when there is no network.
worker.addEventListener("message", (event) => {
  const { kind } = event.data;
  if (kind === "first")
    event.waitUntil(
      keepAll(SITE.first, true).then(
        () => channel.postMessage({ kind: "kept" }),
        () => {}, // told
      ),
    );
  else if (kind === "later") event.waitUntil(keepAll(SITE.later, false));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== CACHE) await caches.delete(name);
      await worker.clients.claim();
    })(),
  );
});

// --- requests ---

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin) return;
  const { mode, destination } = event.request;
  const name = url.pathname.startsWith(SCOPE) ? url.pathname.slice(SCOPE.length) : "";
  if (SITE.apart.some((each) => name === each || (each.endsWith("/") && name.startsWith(each)))) return;
  if (mode === "navigate" && destination === "document") event.respondWith(shell(name, url));
  else if (NAMES.has(name)) event.respondWith(file(name));
  else if (name === MEMORY) event.respondWith(memory(event.request));
  else event.respondWith(page(event.request, url));
});

/** The page around all others, which stand behind "#" in its address. @param {string} name @param {URL} url */
async function shell(name, url) {
  if (["", "index.html"].includes(name) && !url.search) return file("index.html");
  return Response.redirect(`${SCOPE}#/${name}${url.search}`, 302);
}

/** @returns {Promise<any>} @param {string} name */
async function file(name) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(addressOf(name));
  if (kept) return kept;
  const entry = FILES.find((each) => each[0] === name);
  await keep(cache, /** @type {SiteFile} */ (entry)); // a browser may have removed it
  return cache.match(addressOf(name));
}

/** Keeps, gives or forgets what `python.js` sends. @param {Request} request */
async function memory({ method, headers, body }) {
  const cache = await caches.open(CACHE);
  if (method === "GET") return (await cache.match(addressOf(MEMORY))) ?? new Response(null, { status: 204 });
  if (method === "PUT") await cache.put(addressOf(MEMORY), new Response(body, { headers }));
  else await cache.delete(addressOf(MEMORY));
  return new Response(null, { status: 204 });
}

/** What the application answers. Before it is ready, the start page is the one that this phone saw last.
 * @param {Request} request @param {URL} url */
async function page(request, url) {
  const isPage = request.mode === "navigate";
  // Another site may put a form into a frame; ours send where they stand.
  if (isPage && request.method !== "GET" && !request.referrer.startsWith(worker.registration.scope))
    return new Response(null, { status: 403 });
  const isStart = isPage && request.method === "GET" && url.pathname === SCOPE;
  if (isStart && !url.search && !(await isReady())) return startPage();
  const answer = contained(await ask(request, url), request.destination);
  if (answer.stream) return live(answer);
  const headers = new Headers(answer.headers);
  const type = headers.get("Content-Type") ?? "";
  for (const each of ["Location", "Refresh"])
    if (headers.has(each)) headers.set(each, placed(headers.get(each) ?? "", true));
  let body = answer.body;
  if (type.startsWith("text/html")) {
    headers.set(
      "Content-Security-Policy",
      (headers.get("Content-Security-Policy") ?? SITE.policy).replace("ancestors 'none'", "ancestors 'self'"),
    );
    body = placed(new TextDecoder().decode(body));
    if (!answer.remote) body = marked(body, "application", "here");
  }
  if (isStart && answer.status === 200 && !answer.remote) {
    const kept = new Response(body, { headers });
    await (await caches.open(CACHE)).put(addressOf(KEPT_START), kept);
  }
  return new Response(WITH_BODY(answer.status) ? body : null, { status: answer.status, headers });
}

/** Whether the application is ready. A service worker that just began asks. */
async function isReady() {
  if (!host) {
    channel.postMessage({ kind: "anybody" });
    for (let waited = 0; !host && waited < READY_MS; waited += LOOKS_MS)
      await new Promise((done) => setTimeout(done, LOOKS_MS));
  }
  return Boolean(host);
}

/** The start page as this phone saw it last, else as every phone sees it first. It is marked. */
async function startPage() {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(addressOf(KEPT_START));
  if (kept) return early(await kept.text(), kept.headers);
  const language = (self.navigator.languages ?? [])
    .map((each) => each.split("-")[0])
    .find((each) => NAMES.has(`start/${each}.html`));
  const found = await file(`start/${language ?? "en"}.html`);
  return early(placed(await found.text()), found.headers);
}

/** @param {string} page @param {Headers} headers */
const early = (page, headers) => new Response(marked(page, "kept", "yes"), { headers });

/** @param {string} page @param {string} name @param {string} value */
const marked = (page, name, value) => page.replace("<html ", `<html data-${name}="${value}" `);

/** Addresses of the application as they are below the folder of the site. @param {string} text */
function placed(text, alone = false) {
  if (SCOPE === "/") return text;
  if (alone) return text.replace(/^(\d+; *url=)?\/(?!\/)/i, `$1${SCOPE}`);
  return text
    .replace(/ (href|src|action|formaction)="\/(?!\/)/g, ` $1="${SCOPE}`)
    .replace("</head>", `<script src="${SCOPE}inside.js"></script></head>`);
}

/** Asks the application in the host tab. It waits until there is one.
 * @param {Request} request @param {URL} url @returns {Promise<any>} */
async function ask(request, url) {
  const id = crypto.randomUUID();
  const path = (url.pathname.startsWith(SCOPE) ? `/${url.pathname.slice(SCOPE.length)}` : url.pathname) + url.search;
  const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
  const headers = [...request.headers, ["accept-language", self.navigator.languages.join(",")]];
  const secure = url.protocol === "https:";
  const message = { kind: "ask", id, method: request.method, path, headers, body, host: url.host, secure };
  return new Promise((answer) => {
    waiting.set(id, { message, answer });
    channel.postMessage(message);
  });
}

/**
 * An answer of another phone, at whose table this one is: it may show pages, but all code is of this phone's own copy
 * of the site. Else that phone could read the games of this one.
 * @param {any} answer @param {string} destination
 */
function contained(answer, destination) {
  if (!answer.remote) return answer;
  const headers = [...new Headers(answer.headers)].filter(([name]) => !UNWANTED.includes(name));
  headers.push(
    ["Content-Security-Policy", `${SITE.policy}; frame-ancestors 'self'`],
    ["X-Content-Type-Options", "nosniff"],
  );
  if (!CODE.includes(destination)) return { ...answer, headers };
  channel.postMessage({ kind: "other-version" }); // its pages want what this copy has not
  return { ...answer, headers, status: 404, body: null, stream: false };
}

/** @param {any} answer */
function live({ id, headers, body }) {
  const stream = new ReadableStream({
    start(controller) {
      streams.set(id, controller);
      controller.enqueue(body);
    },
    cancel() {
      streams.delete(id);
      channel.postMessage({ kind: "closed", id });
    },
  });
  return new Response(stream, { headers });
}
