// Asks the browser's eye, which looks into photos in a worker of its own (`eye/worker.js`).

// After which the worker ends: it takes 200 MB, and to begin anew the time of a photo. A table has one each minute.
const HAS_ROOM = /** @type {any} */ (navigator).deviceMemory >= 4; // GB; not every browser tells
const IDLE_MS = HAS_ROOM ? 15 * 60_000 : 3 * 60_000;

/** @type {Worker | null} */
let worker = null;
let idle = 0;
let last = 0;
const waiting = new Map();

/**
 * Asks a question of `eye/worker.js`. Returns why it refuses, as JSON, or undefined; and what it tells.
 * @param {string} name @param {string} given @param {Uint8Array} [bytes] @returns {Promise<[string | undefined, any]>}
 */
export function askEye(name, given, bytes) {
  clearTimeout(idle);
  const started = (worker ??= begin());
  const id = (last += 1);
  return new Promise((answer) => {
    waiting.set(id, answer);
    started.postMessage({ id, name, given, bytes });
  });
}

function begin() {
  const started = new Worker(new URL("eye/worker.js", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data: { id, refused, told } }) => {
    waiting.get(id)([refused, told]);
    waiting.delete(id);
    if (!waiting.size) idle = setTimeout(end, IDLE_MS);
  });
  started.addEventListener("error", (event) => {
    event.preventDefault();
    end();
    const fault = JSON.stringify(["", {}, event.message ?? "the eye's worker could not begin"]);
    for (const answer of waiting.values()) answer([fault, undefined]);
    waiting.clear();
  });
  return started;
}

function end() {
  worker?.terminate();
  worker = null;
}
