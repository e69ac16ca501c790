// This phone at the table of another one: requests of its pages go over a channel of WebRTC to the application there.

import { connect, gathered, keep, keepTrying, kept } from "./connecting.js";
import { described, pack, unpack } from "./invitation.js";
import { PhoneLink } from "./phone-link.js";
import { comeBack, Kept, takeAmong, waitFor } from "./returning.js";

const ANSWERED_MS = 5 * 60_000; // an invitation is not good for longer
const SILENCE_MS = 3_000; // of a phone that says each second that it is there
const KNOWN_HOSTS = 20;

/** The table of another phone. Its states, for `told`: "connected", "away", "silent", "left", "sent-away", "expired",
 * "other-version". */
export class OtherPhone {
  /** @param {{ folder: URL, told: (state: string, path?: string) => void }} given */
  constructor({ folder, told }) {
    this._told = told;
    this._channel = new BroadcastChannel(`rollcall-phone ${folder.pathname}`);
    this._channel.addEventListener("message", ({ data }) => this._pass(data));
    this._kept = new Kept("guest");
    /** @type {RTCPeerConnection | null} by which messages come */
    this._connection = null;
    /** @type {RTCPeerConnection | null} by which the other phone may come back */
    this._waiting = null;
    /** @type {Set<RTCPeerConnection>} */
    this._all = new Set();
    /** @type {PhoneLink | null} */
    this._link = null;
    this._id = ""; // of the application there, once it is ready for this phone
    this._silence = 0;
    this._expiry = 0;
    this._state = "";
  }

  /** Answers an invitation. Returns the answer's text; "" if the other phone needs none. Raises NotReadable.
   * @param {string} text */
  async answer(text) {
    const [invitation, ...others] = text.split(";").map(unpack);
    if (this._waiting && (await takeAmong(this._waiting, others))) return "";
    this.leave();
    const way = await connect();
    this._use(way);
    const description = described(invitation);
    await way.connection.setRemoteDescription(description);
    way.channel.addEventListener("open", () => keepTrying(way.connection, description));
    this._expiry = setTimeout(() => this._end("expired"), ANSWERED_MS);
    return pack("answer", await gathered(way.connection), invitation.fragment);
  }

  /** Goes back to the table where this tab was, if the other phone is still there. Returns whether it was at one. */
  async comeBack() {
    const [[, last] = []] = await this._kept.all();
    if (last) comeBack(last, (way) => this._use(way)).catch(console.warn);
    return Boolean(last);
  }

  /** Has messages come by this way too: the other phone chooses. @param {import("./returning.js").Way} way */
  _use({ connection, channel }) {
    this._all.add(connection);
    const link = new PhoneLink(
      channel,
      (message, body) => {
        if (message.kind === "welcome") this._change(connection, link);
        if (connection === this._connection) this._take(message, body);
      },
      () => this._end("left"),
    );
    channel.addEventListener("close", () => connection === this._connection && this._lose());
  }

  /** @param {RTCPeerConnection} connection @param {PhoneLink} link */
  _change(connection, link) {
    this._connection = connection;
    this._link = link;
    this._waiting = null;
    this._id = this._state = "";
    this._close(connection);
  }

  /** Ends all connections but this one. @param {RTCPeerConnection | null} kept */
  _close(kept = null) {
    for (const each of this._all) if (each !== kept && this._all.delete(each)) each.close();
  }

  leave() {
    clearTimeout(this._expiry);
    clearTimeout(this._silence);
    this._connection = this._link = this._waiting = null;
    this._id = this._state = "";
    this._close();
  }

  /** Ends all, for good. */
  forget() {
    this.leave();
    return this._kept.put("host", null);
  }

  /** The page of the other phone has ended. It may come back. */
  _lose() {
    clearTimeout(this._silence);
    this._close(this._waiting);
    this._connection = this._link = null;
    this._id = "";
    this._tell("left");
  }

  /** What this phone's service worker asks. @param {any} data */
  _pass(data) {
    if (!this._id || this._state === "silent") return; // asked again when there is a connection
    if (data.kind === "anybody") this._ready();
    else if (data.kind === "other-version") this._end(data.kind);
    else if (data.kind === "closed") this._link?.send({ kind: "closed", id: data.id });
    else if (data.kind === "ask") {
      const { kind, id, method, path, headers, body } = data;
      this._link?.send({ kind, id, method, path, headers }, body);
    }
  }

  /** `isNew`: streams of before are begun anew, and what was not answered is asked again. */
  _ready(isNew = false) {
    if (isNew) this._id = crypto.randomUUID();
    this._channel.postMessage({ kind: "ready", host: this._id });
  }

  /** A message of the other phone. @param {any} message @param {Uint8Array | null} body */
  _take(message, body) {
    this._listen();
    if (this._state === "silent" && message.kind !== "welcome") this._ready(true);
    if (message.kind === "welcome") {
      clearTimeout(this._expiry);
      this._path = String(message.path);
      const link = this._link;
      secretFor(String(message.host)).then((phone) => link?.send({ kind: "hello", phone }));
    } else if (message.kind === "ready") {
      this._ready(true);
      this._tell("connected", this._path);
      this._awaitReturn().catch(console.warn);
    } else if (message.kind === "again") this._kept.put("host", message);
    else if (message.kind === "answer" || message.kind === "events")
      this._channel.postMessage({ ...message, body: body ?? new Uint8Array(0), remote: true });
    else if (message.kind === "here") this._tell("connected");
    else if (message.kind === "away") this._tell("away");
    else if (message.kind === "left") this._lose();
    else if (message.kind === "sent-away") {
      this.forget();
      this._tell(message.kind);
    }
  }

  async _awaitReturn() {
    if (!this._connection) return;
    const way = await waitFor(this._connection);
    this._waiting = way.connection;
    this._use(way);
    this._link?.send(way.told);
  }

  /** Expects the next message soon: the other phone says now and then that it is there. */
  _listen() {
    clearTimeout(this._silence);
    this._silence = setTimeout(() => this._state !== "away" && this._tell("silent"), SILENCE_MS);
  }

  /** @param {string} state */
  _end(state) {
    this.leave();
    this._tell(state);
  }

  /** @param {string} state @param {string} [path] */
  _tell(state, path) {
    if (state === this._state && !path) return;
    this._state = state;
    this._told(state, path);
  }
}

/** The secret by which the phone `host` knows this one again. Each host has another one. @param {string} host */
async function secretFor(host) {
  const known = Object.entries((await kept("hosts").catch(() => null)) ?? {});
  const secret = known.find(([each]) => each === host)?.[1] ?? crypto.randomUUID();
  const others = known.filter(([each]) => each !== host).slice(1 - KNOWN_HOSTS);
  await keep("hosts", Object.fromEntries([...others, [host, secret]])).catch(() => {}); // then it is a new guest there
  return secret;
}
