// Sends a photo the quicker way: as it is if that is done before a smaller one is made, else the smaller one.

import { stripMetadata } from "./jpeg.js";
import { shrink } from "./shrink.js";
import { fromJson } from "../shared/json.js";
import { acceptedBody, UPLOAD_TIMEOUT_MS } from "../shared/net.js";

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

/**
 * A photo on its way. `answer`: what the server says to it; nothing once it was stopped. `over` settles, and `isOver`
 * is true, once all of it was handed to the network or no more of it will be. `left`: bytes that were not yet.
 */
class Upload {
  /**
   * @param {string} address @param {FormData} form @param {number} size
   * @param {(sent: number, size: number) => void} progress
   */
  constructor(address, form, size, progress) {
    this.left = size;
    this.isOver = false;
    this.status = 0; // of the answer
    const asked = (this.asked = new XMLHttpRequest()); // `fetch` does not tell how much has been sent
    asked.open("POST", address);
    asked.timeout = UPLOAD_TIMEOUT_MS;
    const begun = performance.now();
    asked.setRequestHeader("Accept", "application/json");
    asked.upload.addEventListener("progress", ({ loaded, total }) => {
      this.left = total - loaded;
      asked.timeout = performance.now() - begun + UPLOAD_TIMEOUT_MS; // a slow photo is no lost one
      progress(loaded, total);
    });
    this.over = new Promise((done) => {
      for (const way of [asked.upload, asked])
        way.addEventListener("loadend", () => {
          this.isOver = true;
          done(null);
        });
    });
    this.answer = new Promise((done, fail) => {
      for (const name of ["error", "timeout", "abort"]) asked.addEventListener(name, () => fail(new TypeError(name)));
      asked.addEventListener("load", () => {
        this.status = asked.status;
        try {
          done(acceptedBody(asked.status, fromJson(asked.responseText)));
        } catch (error) {
          fail(error);
        }
      });
    });
    this.answer.catch(() => {}); // whoever sends it looks at it later
    asked.send(form);
  }

  /** Breaks off: the server never gets all of it, and so takes nothing. */
  stop() {
    this.asked.abort();
  }
}

/** A photo that is to be sent. Preparing it begins as soon as the page has the file. */
export class OutgoingPhoto {
  /** @param {Blob} file */
  constructor(file) {
    this.file = file;
    this.small = null; // a promise of the smaller one, once it is wanted
    this.whole = wholePhoto(file);
    this.whole.then((whole) => whole || this.shrinkOnce());
    /** @type {Upload | null} */
    this.upload = null; // the present one
    this.isStopped = false;
    this.sent = file; // what the server has, once it has answered
  }

  /** Breaks off for good. */
  stop() {
    this.isStopped = true;
    this.upload?.stop();
  }

  /**
   * Sends it by `post(blob)`, which returns an `Upload`; resolves to the server's answer. A second try sends the
   * smaller photo: the network is slower than it seemed.
   * @param {(blob: Blob) => Upload} post
   */
  async send(post) {
    const note = (/** @type {Blob} */ blob) => {
      if (this.isStopped) throw new Error("stopped");
      this.sent = blob;
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

  /** @param {Blob} whole @param {(blob: Blob) => Upload} post */
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

/**
 * Sends a photo of the throw that this phone sees now; the table shows what becomes of it.
 * @param {import("../shared/net.js").TableClient} table
 * @param {DueThrow} due
 * @param {OutgoingPhoto} photo
 * @param {{request: string, replaces: string, byPhone: boolean, progress: (sent: number, size: number) => void}} how
 *   `byPhone`: this phone looks into it itself (`OwnEye`)
 */
export function upload(table, { version, keep }, photo, { request, replaces, byPhone, progress }) {
  const post = (/** @type {Blob} */ blob) => {
    const form = new FormData();
    form.append("photo", blob, "photo");
    form.append("version", String(version));
    form.append("request", request);
    form.append("replaces", replaces);
    if (keep) form.append("keep", JSON.stringify(keep));
    if (byPhone) form.append("by_phone", "1");
    return new Upload(`${table.api}/photos`, form, blob.size, progress);
  };
  return table.sendUntilAnswered(
    () => photo.send(post),
    () => photo.isStopped,
  );
}

/** The unshrunk photo without metadata; null if the photo must be shrunk before it travels. @param {Blob} file */
async function wholePhoto(file) {
  if (!(isHere() || isHomeNetwork()) || file.size > MOST_BYTES) return null;
  const found = await stripMetadata(file);
  return found && found.pixels <= MOST_PIXELS ? found.blob : null;
}
