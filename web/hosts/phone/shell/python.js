// Starts Python with the modules of the application: from their files, or from the memory that an earlier start kept.
//
// What Python has in memory once its modules are loaded is the same at each start, but for the seed of its hashes,
// which each phone draws for itself. No game is in it yet. The service worker keeps it, packed, with its version.

// @ts-expect-error: the build puts it there
import { loadPyodide } from "./pyodide/pyodide.mjs";
// @ts-expect-error: as above
import createModule from "./pyodide/pyodide.asm.mjs";
import { unpack } from "./tar.js";

const KEPT = new URL("memory", import.meta.url);
const SIZE = "X-Size"; // in bytes, not packed
const APPLICATION = "web.hosts.phone.phone_application";

/** Returns Python, its module of the application, and what keeps the memory for later starts.
 * @returns {Promise<{ python: any, module: any, keep: () => any }>} */
export async function startPython() {
  const archive = fetch(new URL("app.tar", import.meta.url)).then((found) => found.arrayBuffer());
  archive.catch(() => {}); // told below
  try {
    const kept = await fetch(KEPT);
    if (kept.status === 200) {
      const python = await load(archive, kept);
      return { python, module: python.pyimport(APPLICATION), keep() {} };
    }
  } catch (error) {
    console.warn(error);
    await forgetMemory();
  }
  const python = await load(archive, null);
  python.runPython(`import sys; sys.path[:0] = ["/app", "/app/site", "/app/later"]`);
  const module = python.pyimport(APPLICATION);
  module.prepare();
  const memory = [python.makeMemorySnapshot()];
  return { python, module, keep: () => keepMemory(memory.pop()) }; // 65 MB are held no longer
}

/** The next start is from files. */
export const forgetMemory = () => fetch(KEPT, { method: "DELETE" });

/** @param {any} bytes */
async function keepMemory(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const body = await new Response(packed).blob();
  await fetch(KEPT, { method: "PUT", headers: { [SIZE]: String(bytes.length) }, body });
}

/** @param {Promise<ArrayBuffer>} archive @param {Response | null} kept */
async function load(archive, kept) {
  const memory = kept && new Uint8Array(Number(kept.headers.get(SIZE)));
  const filled = kept && memory && fill(memory, kept); // while Python's own program is compiled
  const createPyodideModule = async (/** @type {any} */ settings) => {
    const placed = new Promise((done, failed) => {
      settings.preRun.push((/** @type {any} */ module) => {
        module.addRunDependency("application");
        place(module, archive).then(() => done(module.removeRunDependency("application")), failed);
      });
    });
    const [module] = await Promise.all([createModule(settings), placed, filled]);
    if (memory) module.growMemory(memory.length);
    return module;
  };
  const indexURL = new URL("pyodide/", import.meta.url).pathname;
  const given = memory ? { _loadSnapshot: memory } : { _makeSnapshot: true };
  const python = await loadPyodide({ indexURL, createPyodideModule, ...given });
  if (memory) /** @type {any} */ (memory.buffer).transfer?.(0); // gives 65 MB back at once
  return python;
}

/** Unpacks a kept memory. Raises if it is damaged. @param {Uint8Array} memory @param {Response} kept */
async function fill(memory, kept) {
  let at = 0;
  const unpacks = /** @type {ReadableStream} */ (kept.body).pipeThrough(new DecompressionStream("gzip"));
  const sink = new WritableStream({ write: (part) => void (memory.set(part, at), (at += part.length)) });
  await unpacks.pipeTo(sink);
}

/**
 * Unpacks the application's files, and links its libraries before Python begins: in a memory that is kept, their
 * functions and data have the places that they get here.
 * @param {any} module @param {Promise<ArrayBuffer>} archive
 */
async function place(module, archive) {
  const libraries = unpack(module.FS, "/app", await archive).filter((path) => path.endsWith(".so"));
  for (const path of libraries) {
    const flags = { loadAsync: true, global: false, nodelete: true, allowUndefined: true };
    const exports = await module.loadWebAssemblyModule(module.FS.readFile(path), flags, path, {});
    module.newDSO(path, undefined, exports).global = false;
  }
  module.reportUndefinedSymbols();
}
