// Photos that are not sent yet, over a reload: one for each table, on this phone alone. If the browser keeps nothing,
// nothing is kept and nothing fails.

const NAME = "rollcall.photos";
const STORE = "unsent";
const MOST_TABLES = 4; // the oldest photo goes first
const MOST_BYTES = 25_000_000; // of one photo
const KEPT_MS = 24 * 3600 * 1000;

/**
 * A photo that is not sent yet. `table`: the key of its table; `due`: the throw that it shows; `request`: its id, so
 * that the server takes it once; `at`: when it was taken, in milliseconds since 1970.
 * @typedef {{table: string, file: Blob, due: DueThrow, request: string, at: number}} UnsentPhoto
 */

/**
 * @template T
 * @param {IDBRequest<T>} asked
 * @returns {Promise<T>}
 */
const answerOf = (asked) =>
  new Promise((done, fail) => {
    asked.addEventListener("success", () => done(asked.result));
    asked.addEventListener("error", () => fail(asked.error));
  });

/**
 * What `use` does with the store; null if the browser refuses.
 * @template T
 * @param {(store: IDBObjectStore) => Promise<T>} use
 * @returns {Promise<T | null>}
 */
const inStore = (use) => (last = last.then(() => runInStore(use)));

/** @type {Promise<any>} */
let last = Promise.resolve(); // one after the other, in their order

/** @param {(store: IDBObjectStore) => Promise<any>} use */
async function runInStore(use) {
  let base = null;
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE, { keyPath: "table" }));
    base = await answerOf(opening);
    const change = base.transaction(STORE, "readwrite");
    const written = new Promise((done, fail) => {
      change.addEventListener("complete", () => done(null));
      for (const end of ["abort", "error"]) change.addEventListener(end, () => fail(change.error));
    });
    const [result] = await Promise.all([use(change.objectStore(STORE)), written]);
    return result;
  } catch {
    return null; // storage is off, or full
  } finally {
    base?.close();
  }
}

/** Keeps a photo in the place of its table's last one. Resolves to whether it is kept. @param {UnsentPhoto} photo */
export async function keep(photo) {
  if (photo.file.size > MOST_BYTES) return false;
  const kept = await inStore(async (store) => {
    await answerOf(store.put(photo));
    /** @type {UnsentPhoto[]} */
    const all = await answerOf(store.getAll());
    for (const { table } of surplus(all, photo.at)) await answerOf(store.delete(table));
    return true;
  });
  return kept === true;
}

/**
 * The photos that go: those of an earlier day, and the oldest beyond as many as are kept.
 * @template {{at: number}} T
 * @param {T[]} photos
 * @param {number} now
 */
export const surplus = (photos, now) =>
  [...photos].sort((one, other) => other.at - one.at).filter(({ at }, i) => i >= MOST_TABLES || now - at > KEPT_MS);

/** The photo of a table; null if none is kept. @param {string} table @returns {Promise<UnsentPhoto | null>} */
export const find = async (table) => (await inStore((store) => answerOf(store.get(table)))) ?? null;

/** @param {string} table */
export const forget = (table) => inStore((store) => answerOf(store.delete(table)));
