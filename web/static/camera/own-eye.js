// This phone looks into its photos itself, where it wishes so: it answers the eye's questions, and the server judges
// what it saw. What no phone looks into, the server reads.

import { fetchJson, postOptions } from "../shared/net.js";
import { settings } from "../shared/device.js";

const TRIES = 3;
const AGAIN_MS = 500;

/** The eye of this server's site for phones: `askEye` of its script, once its networks are there. */
export class OwnEye {
  /** @param {string | undefined} address  of that script, if the server has it */
  constructor(address) {
    this.address = address;
    /** @type {((name: string, given: string, bytes?: Uint8Array) => Promise<[string | undefined, string]>) | null} */
    this.ask = null;
    this.load();
  }

  get isReady() {
    return Boolean(this.ask) && settings().eye;
  }

  async load() {
    if (!this.address || this.ask || !settings().eye) return;
    try {
      const { askEye } = await import(this.address);
      const [refused] = await askEye("load", "[]");
      if (!refused) this.ask = askEye;
    } catch {
      // it is tried again with the next photo
    }
  }

  /** Looks into a photo that the server has. @param {string} api  the photo's address @param {Blob} photo */
  async look(api, photo) {
    const { ask } = this;
    if (!ask) return;
    let [number, seen] = [0, /** @type {string | null} */ (null)];
    try {
      for (;;) {
        const question = await answered(`${api}/seen`, { number, seen });
        if (!question.name) break;
        const bytes = question.name === "decode" ? new Uint8Array(await photo.arrayBuffer()) : undefined;
        const [refused, found] = await ask(question.name, question.given, bytes);
        [number, seen] = [question.number, refused ? null : found]; // null: this phone cannot
      }
    } catch {
      // the server waits for some seconds, and reads it then
    }
    ask("clear", "[]");
  }
}

/** What the server asks next; it knows an answer that comes a second time.
 * @param {string} address @param {{number: number, seen: string | null}} body */
async function answered(address, body) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetchJson(address, postOptions(body));
    } catch (error) {
      if (!(error instanceof TypeError) || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}
