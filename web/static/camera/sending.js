// Sends a photo the quicker way: as it is, where that is through before a smaller one is made, else the smaller one.

import { stripMetadata } from "./jpeg.js";
import { shrink } from "./shrink.js";

const HEAD_START_MS = 60; // of the photo as it is: in a quick network it needs no more, and nothing is shrunk
const UNSEEN = 100_000; // bytes that may have been sent without our having heard of it
const MOST_BYTES = 8_000_000; // larger photos are always shrunk first
const MOST_PIXELS = 16_000_000; // and those that the server would decode for long
const TOO_LARGE = 413;

// A server in the home's own network: bytes there cost nothing and are quick, which of any other network nobody knows.
const HOME_NUMBER = /^((127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+|\[(::1|f[cd].*|fe80.*)\])$/;
const HOME_NAME = /^([^.:[]+|.+\.(local|lan|home|internal|home\.arpa|fritz\.box))$/;

/** Whether it matters little how many bytes travel. */
export function isHomeNetwork({ hostname } = location, { connection } = /** @type {any} */ (navigator)) {
  if (connection && (connection.saveData || connection.type === "cellular")) return false;
  if (connection && /[23]g$/.test(connection.effectiveType)) return false;
  return HOME_NUMBER.test(hostname) || HOME_NAME.test(hostname);
}

/** A photo that is to be sent, from the moment at which the page has it: what can be done before it travels begins. */
export class OutgoingPhoto {
  constructor(file) {
    this.file = file;
    this.small = null; // a promise of the smaller one, once it is wanted
    this.whole = wholePhoto(file);
    this.whole.then((whole) => whole || this.shrinkOnce());
  }

  /**
   * Sends it by `post(blob)`, which gives an `Upload`; returns what the server answered. Tried again, the smaller one
   * is sent: then the network is not what it was thought to be.
   */
  async send(post) {
    const whole = await this.whole;
    this.whole = Promise.resolve(null);
    return whole ? this.race(whole, post) : post(await this.shrinkOnce()).answer;
  }

  shrinkOnce() {
    this.small ??= shrink(this.file);
    return this.small;
  }

  async race(whole, post) {
    const upload = post(whole);
    await Promise.race([upload.over, new Promise((done) => setTimeout(done, HEAD_START_MS))]);
    if (!upload.isOver) {
      const small = await Promise.race([shrink(this.file, () => upload.isOver), upload.over]);
      if (small) this.small = Promise.resolve(small);
      if (small && !upload.isOver && small.size + UNSEEN < upload.left) {
        upload.stop();
        return post(small).answer;
      }
    }
    return upload.answer.catch(async (error) => {
      if (upload.status !== TOO_LARGE) throw error;
      return post(await this.shrinkOnce()).answer; // a proxy may let less through than the server takes
    });
  }
}

/** The photo as it may travel without being shrunk first; null where it may not, or need not. */
async function wholePhoto(file) {
  if (!isHomeNetwork() || file.size > MOST_BYTES) return null;
  const found = await stripMetadata(file);
  return found && found.pixels <= MOST_PIXELS ? found.blob : null;
}
