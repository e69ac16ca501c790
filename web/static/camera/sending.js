// Sends a photo the quicker way: as it is if that is done before a smaller one is made, else the smaller one.

import { stripMetadata } from "./jpeg.js";
import { shrink } from "./shrink.js";

const HEAD_START_MS = 60; // of the unshrunk photo: in a quick network it is through by then, and nothing is shrunk
const UNSEEN = 100_000; // bytes that may have been sent before the browser reported them
const MOST_BYTES = 8_000_000; // larger photos are always shrunk first
const MOST_PIXELS = 16_000_000; // and so are photos that take the server long to decode
const TOO_LARGE = 413;

// A server in the home's own network, where bytes cost nothing and are quick. Other networks may be slow or paid for.
const HOME_NUMBER = /^((127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+|\[(::1|f[cd].*|fe80.*)\])$/;
const HOME_NAME = /^([^.:[]+|.+\.(local|lan|home|internal|home\.arpa|fritz\.box))$/;

/** Whether the server is in the home's network, and this phone reaches it without mobile data. */
export function isHomeNetwork({ hostname } = location, { connection } = /** @type {any} */ (navigator)) {
  if (connection && (connection.saveData || connection.type === "cellular")) return false;
  if (connection && /[23]g$/.test(connection.effectiveType)) return false;
  return HOME_NUMBER.test(hostname) || HOME_NAME.test(hostname);
}

/** Whether the application runs in this browser: what is sent to it does not travel. */
const isHere = () => document.documentElement.dataset.application === "here";

/** A photo that is to be sent. Preparing it begins as soon as the page has the file. */
export class OutgoingPhoto {
  constructor(file) {
    this.file = file;
    this.small = null; // a promise of the smaller one, once it is wanted
    this.whole = wholePhoto(file);
    this.whole.then((whole) => whole || this.shrinkOnce());
    /** @type {import("../shared/net.js").Upload | null} */
    this.upload = null; // the present one
    this.isStopped = false;
  }

  /** Breaks off for good. */
  stop() {
    this.isStopped = true;
    this.upload?.stop();
  }

  /**
   * Sends it by `post(blob)`, which returns an `Upload`; resolves to the server's answer. A second try sends the
   * smaller photo: the network is slower than it seemed.
   */
  async send(post) {
    const note = (blob) => {
      if (this.isStopped) throw new Error("stopped");
      return (this.upload = post(blob));
    };
    const whole = await this.whole;
    this.whole = Promise.resolve(null);
    if (whole) return isHere() ? note(whole).answer : this.race(whole, note);
    return note(await this.shrinkOnce()).answer;
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
      if (small && !upload.isOver && !this.isStopped && small.size + UNSEEN < upload.left) {
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

/** The unshrunk photo without metadata; null if the photo must be shrunk before it travels. */
async function wholePhoto(file) {
  if (!(isHere() || isHomeNetwork()) || file.size > MOST_BYTES) return null;
  const found = await stripMetadata(file);
  return found && found.pixels <= MOST_PIXELS ? found.blob : null;
}
