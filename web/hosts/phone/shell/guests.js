// The phones at the table of this phone: each has a channel of WebRTC to this tab, and its requests go on to the
// application's worker.
//
// A guest is let in by an invitation, which is good for one phone and a few minutes, or comes back by itself
// (`returning.js`). Its requests wait here in a row of its own, one at a time with the application: no phone keeps the
// others waiting. It is known by a secret of its own, under which the application keeps its cookies; it is never the
// phone that the application runs on.

import { connect, gathered, keepTrying, Refused } from "./connecting.js";
import { described, fragmentOf, pack, unpack } from "./invitation.js";
import { PhoneLink } from "./phone-link.js";
import { comeBack, Kept, waitFor } from "./returning.js";

export const MOST_GUESTS = 12;
export const INVITED_MS = 5 * 60_000;
const CONNECT_MS = 25_000; // after an answer, until the channel is open
const HERE_MS = 1_000;
const GONE_MS = 60 * 60_000; // without a connection, after which a guest's place is free
const HEARS_MS = 10_000; // that a guest is given to hear that it was sent away
const MOST_WAITING = 64; // requests of one guest
const MOST_BYTES = 48 << 20; // of these
const MOST_STREAMS = 8;
const MOST_UNSENT = 4 << 20; // bytes; a guest that takes no more begins its streams anew, and is answered no more
const SECRET = /^[A-Za-z0-9_-]{20,64}$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const LONGEST_PATH = 4000;
const MOST_HEADERS = 60;

/** @typedef {{ id: string, method: string, path: string, headers: string[][], body: Uint8Array | null }} Wanted */

class Guest {
  /**
   * @param {number} number @param {import("./returning.js").Way} way
   * @param {string} awaits the secret of the guest for whose return this is kept; "" for a new one
   */
  constructor(number, { connection, channel }, awaits) {
    this.number = number;
    this.connection = connection;
    this.channel = channel;
    /** @type {PhoneLink | null} */
    this.link = null;
    this.phone = ""; // its secret, once it has said it
    this.shown = 0; // its number on the page
    this.path = "/"; // of the page that it is led to
    this.awaits = awaits;
    this.code = ""; // by which it may come back if it does not by itself
    /** @type {(Wanted & { bytes: number })[]} */
    this.waiting = []; // requests that the application has not been asked
    this.asked = ""; // the id of the request that the application answers now
    this.streams = new Set();
    this.gone = 0; // timer
  }
}

export class Guests {
  /**
   * @param {{ id: string, worker: Worker, changed: () => void }} given `id`: of this phone, as guests know it;
   *   `changed` is called when a guest came or went
   */
  constructor({ id, worker, changed }) {
    this._id = id;
    this._worker = worker;
    this._changed = changed;
    /** @type {Map<number, Guest>} */
    this._guests = new Map();
    this._made = 0;
    this._greeted = 0;
    /** @type {{ connection: RTCPeerConnection, channel: RTCDataChannel, path: string, fragment: string, until: number }
     *   | null} */
    this._open = null; // the invitation that is good now
    this._kept = new Kept("host");
    worker.addEventListener("message", ({ data }) => this._told(data));
    setInterval(() => this._tell({ kind: document.hidden ? "away" : "here" }), HERE_MS);
    document.addEventListener("visibilitychange", () => {
      this._tell({ kind: document.hidden ? "away" : "here" });
      this._keepAwake();
    });
    addEventListener("pagehide", () => this._tell({ kind: "left" }));
    this._kept.all().then((all) => {
      for (const [phone, kept] of all) this._comeBack(phone, kept).catch(console.warn);
    });
  }

  /** Looks for a guest that was here before this page. @param {string} phone @param {any} kept */
  async _comeBack(phone, kept) {
    /** @type {Guest | undefined} */
    let guest;
    const code = await comeBack(kept, (way) => (guest = this._add(way, kept.path, phone)));
    if (guest && !guest.phone) guest.code = code;
  }

  /** The guests that are here: the number of each, here and on the page, and whether it answers. */
  get list() {
    return [...this._guests.values()]
      .filter(({ phone }) => phone)
      .map(({ number, shown, connection }) => ({ number, shown, answers: connection.connectionState === "connected" }));
  }

  /**
   * Opens an invitation, in place of one that is open. Returns its text, which is also for guests that are to come
   * back. Raises Refused("full").
   * @param {string} path the page that the guest is led to
   */
  async invite(path) {
    this._open?.connection.close();
    this._open = null;
    const guests = [...this._guests.values()];
    if (new Set(guests.map((each) => each.phone || each.awaits || each.number)).size >= MOST_GUESTS)
      throw new Refused("full");
    const { connection, channel } = await connect();
    const sdp = await gathered(connection);
    this._open = { connection, channel, path, fragment: fragmentOf(sdp), until: Date.now() + INVITED_MS };
    return [pack("join", sdp), ...guests.map(({ code }) => code).filter(Boolean)].join(";");
  }

  /** Takes an invitation back. */
  withdraw() {
    this._open?.connection.close();
    this._open = null;
  }

  /** Lets the guest with this answer in; done when its channel is open. Raises NotReadable and Refused.
   * @param {string} text */
  async admit(text) {
    const answer = unpack(text);
    if (answer.kind !== "answer") throw new Refused("invitation");
    const open = this._open;
    if (!open || answer.to !== open.fragment || Date.now() > open.until) throw new Refused("outdated");
    this._open = null; // it is used up
    const guest = this._add(open, open.path);
    try {
      const description = described(answer);
      await guest.connection.setRemoteDescription(description);
      await opened(guest.channel);
      keepTrying(guest.connection, description);
    } catch (error) {
      this._drop(guest);
      throw error instanceof Refused ? error : new Refused("unreachable");
    }
  }

  /** A guest that comes by this way.
   * @param {import("./returning.js").Way} way @param {string} path of the page that it is led to */
  _add(way, path, awaits = "") {
    const guest = new Guest((this._made += 1), way, awaits);
    this._guests.set(guest.number, guest);
    guest.path = path;
    const link = new PhoneLink(
      guest.channel,
      (message, body, bytes) => this._take(guest, message, body, bytes),
      () => this._drop(guest),
    );
    guest.link = link;
    guest.channel.addEventListener("bufferedamountlow", () => this._next(guest));
    guest.connection.addEventListener("connectionstatechange", () => this._watch(guest));
    guest.channel.addEventListener("close", () => this._drop(guest));
    guest.channel.addEventListener("open", () => link.send({ kind: "welcome", host: this._id, path }));
    return guest;
  }

  /** Ends the connection of a guest. It comes back by a new invitation alone. @param {number} number */
  sendAway(number) {
    const guest = this._guests.get(number);
    if (!guest) return;
    guest.link?.send({ kind: "sent-away" });
    guest.link?.end();
    this._kept.put(guest.phone, null);
    for (const other of this._guests.values()) if (other.awaits === guest.phone) this._drop(other);
    this._forget(guest);
    setTimeout(() => this._drop(guest), HEARS_MS);
  }

  /** @param {object} message */
  _tell(message) {
    for (const { link, phone } of this._guests.values()) if (phone) link?.send(message);
  }

  /** A message of a guest. Raises for one that no page sends: its channel is closed then.
   * @param {Guest} guest @param {any} message @param {Uint8Array | null} body @param {number} bytes */
  _take(guest, message, body, bytes) {
    if (message.kind === "hello" && !guest.phone) this._greet(guest, message.phone);
    else if (!guest.phone) throw new Error("no hello");
    else if (message.kind === "again") this._kept.put(guest.phone, message, guest.path);
    else if (message.kind === "closed") this._closeStream(guest, String(message.id));
    else if (message.kind === "ask") {
      guest.waiting.push({ ...checked(message, body), bytes });
      const held = guest.waiting.reduce((sum, each) => sum + each.bytes, 0);
      if (guest.waiting.length > MOST_WAITING || held > MOST_BYTES) throw new Error("too many requests");
      this._next(guest);
    } else throw new Error("unknown");
  }

  /** @param {Guest} guest @param {string} phone */
  _greet(guest, phone) {
    if (!SECRET.test(phone)) throw new Error("no phone");
    guest.phone = phone;
    guest.awaits = guest.code = "";
    const others = [...this._guests.values()].filter((each) => each !== guest && phone === (each.phone || each.awaits));
    guest.shown ||= others.find(({ shown }) => shown)?.shown ?? (this._greeted += 1);
    for (const other of others) this._drop(other); // it has come back
    guest.link?.send({ kind: "ready" });
    this._changed();
    this._keepAwake();
    this._awaitReturn(guest).catch(console.warn);
  }

  /** @param {Guest} guest */
  async _awaitReturn({ number, shown, connection, link, path, phone }) {
    const way = await waitFor(connection);
    if (!this._guests.has(number)) return way.connection.close();
    this._add(way, path, phone).shown = shown;
    return link?.send(way.told);
  }

  /** Asks the application for what a guest wants next. @param {Guest} guest */
  _next(guest) {
    const [next] = guest.waiting;
    if (guest.asked || !next || !this._guests.has(guest.number)) return;
    if (Number(guest.link?.waiting) > MOST_UNSENT) return; // it has not taken the answers that it has
    guest.waiting.shift();
    const { id, method, path, headers, body } = next;
    guest.asked = id;
    const { host, protocol } = location;
    const asked = { kind: "ask", id: `${guest.number} ${id}`, method, path, headers, body };
    this._worker.postMessage({ ...asked, host, secure: protocol === "https:", phone: guest.phone });
  }

  /** What the application says to a guest. @param {any} data */
  _told(data) {
    if (data.kind !== "answer" && data.kind !== "events") return;
    const [, number, id] = data.id.match(/^(\d+) (.*)$/s);
    const guest = this._guests.get(Number(number));
    const begins = data.kind === "answer" && data.stream;
    if (!guest) {
      if (begins || data.kind === "events") this._worker.postMessage({ kind: "closed", id: data.id });
      return;
    }
    if (begins) guest.streams.add(id);
    if (data.last) guest.streams.delete(id);
    const { kind, status, headers, stream, last, body } = data;
    const isFull = Number(guest.link?.waiting) > MOST_UNSENT || guest.streams.size > MOST_STREAMS;
    if (isFull && (kind === "events" || begins)) this._endStreams(guest);
    else guest.link?.send({ kind, id, status, headers, stream, last }, body);
    if (kind === "answer") {
      guest.asked = "";
      this._next(guest);
    }
  }

  /** Ends the streams of a guest that takes nothing at present: its page begins them anew. @param {Guest} guest */
  _endStreams(guest) {
    for (const id of [...guest.streams]) {
      this._closeStream(guest, id);
      guest.link?.send({ kind: "events", id, last: true });
    }
  }

  /** @param {Guest} guest @param {string} id */
  _closeStream(guest, id) {
    if (guest.streams.delete(id)) this._worker.postMessage({ kind: "closed", id: `${guest.number} ${id}` });
  }

  /** Frees the place of a guest whose connection is lost for long. @param {Guest} guest */
  _watch(guest) {
    clearTimeout(guest.gone);
    const { connectionState } = guest.connection;
    if (connectionState === "closed") this._drop(guest);
    else if (connectionState !== "connected") guest.gone = setTimeout(() => this._drop(guest), GONE_MS);
    this._changed();
  }

  /** @param {Guest} guest */
  _drop(guest) {
    this._forget(guest);
    guest.connection.close();
  }

  /** Takes no more from a guest, and asks nothing more for it. @param {Guest} guest */
  _forget(guest) {
    if (!this._guests.delete(guest.number)) return;
    clearTimeout(guest.gone);
    for (const other of this._guests.values())
      if (guest.phone && other.awaits === guest.phone) other.gone = setTimeout(() => this._drop(other), GONE_MS);
    for (const id of [...guest.streams]) this._closeStream(guest, id);
    this._changed();
    this._keepAwake();
  }

  /** Keeps the screen on while guests are here: a phone that sleeps answers nobody. */
  async _keepAwake() {
    const isWanted = this.list.length > 0 && !document.hidden;
    if (isWanted && (!this._lock || this._lock.released))
      this._lock = await navigator.wakeLock?.request("screen").catch(() => null); // a low battery forbids it
    else if (!isWanted) this._lock?.release();
  }
}

/** When a channel is open. Raises Refused("unreachable") if it does not within CONNECT_MS.
 * @param {RTCDataChannel} channel */
function opened(channel) {
  return new Promise((/** @type {(_?: unknown) => void} */ done, fail) => {
    if (channel.readyState === "open") done();
    channel.addEventListener("open", done);
    setTimeout(() => fail(new Refused("unreachable")), CONNECT_MS);
  });
}

/** A guest's request, with the types that the application's worker relies on. Raises for any other.
 * @param {any} message @param {Uint8Array | null} body @returns {Wanted} */
function checked({ id, method, path, headers }, body) {
  /** @param {unknown} each */
  const isText = (each) => typeof each === "string";
  const isFine =
    [id, method, path].every(isText) &&
    id.length <= 64 &&
    METHODS.includes(method) &&
    path.startsWith("/") &&
    path.length <= LONGEST_PATH &&
    Array.isArray(headers) &&
    headers.length <= MOST_HEADERS &&
    headers.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText));
  if (!isFine) throw new Error("no request");
  return { id, method, path, headers, body };
}
