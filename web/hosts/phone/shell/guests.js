// @ts-check
// The phones at the table of this phone: each has a channel of WebRTC to this tab, and its requests go on to the
// application's worker.
//
// A guest is let in by an invitation, which is good for one phone and a few minutes. Its requests wait here in a row of
// its own, one at a time with the application: no phone keeps the others waiting. It is known by a secret of its own,
// under which the application keeps its cookies; it is never the phone that the application runs on.

import { described, fragmentOf, pack, unpack } from "./invitation.js";
import { PhoneLink } from "./phone-link.js";

export const MOST_GUESTS = 12;
export const INVITED_MS = 5 * 60_000;
const CONNECT_MS = 25_000; // after an answer, until the channel is open
const HERE_MS = 1_000;
const AGAIN_MS = 5_000; // between two looks for a guest that is lost, at first
const OFTEN_MS = 120_000;
const SELDOM_MS = 30_000;
const GONE_MS = 60 * 60_000; // without a connection, after which a guest's place is free
const MOST_WAITING = 64; // requests of one guest
const MOST_BYTES = 48 << 20; // of these
const MOST_STREAMS = 8;
const MOST_UNSENT = 4 << 20; // bytes; a guest that takes no more begins its streams anew, and is answered no more
const SECRET = /^[A-Za-z0-9_-]{20,64}$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const LONGEST_PATH = 4000;
const MOST_HEADERS = 60;

/** Why an answer is not taken: a reason that the panel has a sentence for. */
export class Refused extends Error {}

/** A host's description of itself with all its addresses: phones of one Wi-Fi need no server to find them. */
export async function gathered(connection) {
  await connection.setLocalDescription();
  if (connection.iceGatheringState !== "complete")
    await new Promise((/** @type {(_?: unknown) => void} */ done) => {
      connection.addEventListener(
        "icegatheringstatechange",
        () => connection.iceGatheringState === "complete" && done(),
      );
      setTimeout(done, 3000);
    });
  return connection.localDescription.sdp;
}

/** A connection to another phone, and its channel. Both sides open the channel, by the same number. Raises
 * Refused("no-connections"). */
export function connect() {
  if (!("RTCPeerConnection" in globalThis)) throw new Refused("no-connections");
  const connection = new RTCPeerConnection({ iceServers: [] });
  return { connection, channel: connection.createDataChannel("rollcall", { negotiated: true, id: 0 }) };
}

/**
 * Looks for the other phone anew while the connection to it is lost: a browser gives up after half a minute; a phone
 * may sleep for longer. One of both is enough; Firefox does not do it.
 * @param {RTCPeerConnection} connection
 * @param {RTCSessionDescriptionInit} description the other phone's
 */
export function keepTrying(connection, { sdp }) {
  const candidates = sdp?.match(/candidate:.*/g) ?? [];
  let tried = 0;
  let lost = 0; // when
  const look = () => {
    if (connection.connectionState === "connected") lost = 0;
    else if (connection.connectionState !== "closed") {
      lost ||= Date.now();
      tried += 1;
      // A browser looks only at what it has not seen, so each time the candidates are called otherwise.
      for (const [i, line] of candidates.entries()) {
        const candidate = line.replace(/:\S+ 1 udp (\d+)/, (_, at) => `:${i + tried * 16} 1 udp ${at - tried * 16}`);
        connection.addIceCandidate({ candidate, sdpMid: "0" }).catch(() => {});
      }
    }
  };
  let timer = 0;
  const again = () => {
    clearTimeout(timer);
    if (connection.connectionState === "closed") {
      document.removeEventListener("visibilitychange", again);
      return;
    }
    look();
    timer = setTimeout(again, lost && Date.now() - lost > OFTEN_MS ? SELDOM_MS : AGAIN_MS);
  };
  document.addEventListener("visibilitychange", again); // such as of a phone that has slept
  again();
}

class Guest {
  constructor(number, connection, channel) {
    this.number = number;
    this.connection = connection;
    this.channel = channel;
    /** @type {PhoneLink | null} */
    this.link = null;
    this.phone = ""; // its secret, once it has said it
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
    /** @type {{ connection: RTCPeerConnection, channel: RTCDataChannel, fragment: string, until: number } | null} */
    this._open = null; // the invitation that is good now
    this._path = "/";
    worker.addEventListener("message", ({ data }) => this._told(data));
    setInterval(() => this._tell({ kind: document.hidden ? "away" : "here" }), HERE_MS);
    document.addEventListener("visibilitychange", () => {
      this._tell({ kind: document.hidden ? "away" : "here" });
      this._keepAwake();
    });
    addEventListener("pagehide", () => this._tell({ kind: "left" }));
  }

  /** The numbers of the guests that are here, and whether each answers. */
  get list() {
    return [...this._guests.values()]
      .filter(({ phone }) => phone)
      .map(({ number, connection }) => ({ number, answers: connection.connectionState === "connected" }));
  }

  /**
   * Opens an invitation, in place of one that is open. Returns its text. Raises Refused("full").
   * @param {string} path the page that the guest is led to
   */
  async invite(path) {
    this._open?.connection.close();
    this._open = null;
    if (this._guests.size >= MOST_GUESTS) throw new Refused("full");
    const { connection, channel } = connect();
    const sdp = await gathered(connection);
    this._path = path;
    this._open = { connection, channel, fragment: fragmentOf(sdp), until: Date.now() + INVITED_MS };
    return pack("join", sdp);
  }

  /** Takes an invitation back. */
  withdraw() {
    this._open?.connection.close();
    this._open = null;
  }

  /** Lets the guest with this answer in; done when its channel is open. Raises NotReadable and Refused. */
  async admit(text) {
    const answer = unpack(text);
    if (answer.kind !== "answer") throw new Refused("invitation");
    const open = this._open;
    if (!open || answer.to !== open.fragment || Date.now() > open.until) throw new Refused("outdated");
    this._open = null; // it is used up
    const guest = new Guest((this._made += 1), open.connection, open.channel);
    this._guests.set(guest.number, guest);
    guest.link = new PhoneLink(
      guest.channel,
      (message, body, bytes) => this._take(guest, message, body, bytes),
      () => this._drop(guest),
    );
    guest.channel.addEventListener("bufferedamountlow", () => this._next(guest));
    guest.connection.addEventListener("connectionstatechange", () => this._watch(guest));
    guest.channel.addEventListener("close", () => this._drop(guest));
    try {
      const description = described(answer);
      await guest.connection.setRemoteDescription(description);
      await opened(guest.channel);
      keepTrying(guest.connection, description);
    } catch (error) {
      this._drop(guest);
      throw error instanceof Refused ? error : new Refused("unreachable");
    }
    guest.link.send({ kind: "welcome", host: this._id, path: this._path });
  }

  /** Ends the connection of a guest. It comes back by a new invitation alone. */
  sendAway(number) {
    const guest = this._guests.get(number);
    if (!guest) return;
    guest.link?.send({ kind: "sent-away" });
    setTimeout(() => this._drop(guest), 500); // so that it hears of it
    guest.phone = "";
    this._changed();
  }

  _tell(message) {
    for (const { link, phone } of this._guests.values()) if (phone) link?.send(message);
  }

  /** A message of a guest. Raises for one that no page sends: its channel is closed then. */
  _take(guest, message, body, bytes) {
    if (message.kind === "hello" && !guest.phone) this._greet(guest, message.phone);
    else if (!guest.phone) throw new Error("no hello");
    else if (message.kind === "closed") this._closeStream(guest, String(message.id));
    else if (message.kind === "ask") {
      guest.waiting.push({ ...checked(message, body), bytes });
      const held = guest.waiting.reduce((sum, each) => sum + each.bytes, 0);
      if (guest.waiting.length > MOST_WAITING || held > MOST_BYTES) throw new Error("too many requests");
      this._next(guest);
    } else throw new Error("unknown");
  }

  _greet(guest, phone) {
    if (!SECRET.test(phone)) throw new Error("no phone");
    for (const other of this._guests.values()) if (other.phone === phone) this._drop(other); // it has come back
    guest.phone = phone;
    guest.link.send({ kind: "ready" });
    this._changed();
    this._keepAwake();
  }

  /** Asks the application for what a guest wants next. */
  _next(guest) {
    if (guest.asked || !guest.waiting.length || !this._guests.has(guest.number)) return;
    if (guest.link.waiting > MOST_UNSENT) return; // it has not taken the answers that it has
    const { id, method, path, headers, body } = guest.waiting.shift();
    guest.asked = id;
    const { host, protocol } = location;
    const asked = { kind: "ask", id: `${guest.number} ${id}`, method, path, headers, body };
    this._worker.postMessage({ ...asked, host, secure: protocol === "https:", phone: guest.phone });
  }

  /** What the application says to a guest. */
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

  /** Ends the streams of a guest that takes nothing at present: its page begins them anew. */
  _endStreams(guest) {
    for (const id of [...guest.streams]) {
      this._closeStream(guest, id);
      guest.link.send({ kind: "events", id, last: true });
    }
  }

  _closeStream(guest, id) {
    if (guest.streams.delete(id)) this._worker.postMessage({ kind: "closed", id: `${guest.number} ${id}` });
  }

  /** Frees the place of a guest whose connection is lost for long. */
  _watch(guest) {
    clearTimeout(guest.gone);
    const { connectionState } = guest.connection;
    if (connectionState === "closed") this._drop(guest);
    else if (connectionState !== "connected") guest.gone = setTimeout(() => this._drop(guest), GONE_MS);
    this._changed();
  }

  _drop(guest) {
    if (!this._guests.delete(guest.number)) return;
    clearTimeout(guest.gone);
    for (const id of [...guest.streams]) this._closeStream(guest, id);
    guest.connection.close();
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

/** When a channel is open. Raises Refused("unreachable") if it does not within CONNECT_MS. */
function opened(channel) {
  return new Promise((/** @type {(_?: unknown) => void} */ done, fail) => {
    if (channel.readyState === "open") done();
    channel.addEventListener("open", done);
    setTimeout(() => fail(new Refused("unreachable")), CONNECT_MS);
  });
}

/** A guest's request, with the types that the application's worker relies on. Raises for any other. */
function checked({ id, method, path, headers }, body) {
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
