// @ts-check
// This phone at the table of another one: requests of its pages go over a channel of WebRTC to the application there.

import { connect, gathered, keepTrying } from "./guests.js";
import { described, pack, unpack } from "./invitation.js";
import { PhoneLink } from "./phone-link.js";

const ANSWERED_MS = 5 * 60_000; // an invitation is not good for longer
const SILENCE_MS = 3_000; // of a phone that says each second that it is there
const KNOWN_HOSTS = 20;

/** The table of another phone. Its states, for `told`: "connected", "away", "silent", "left", "sent-away", "expired",
 * "other-version". */
export class OtherPhone {
  /**
   * @param {{ folder: URL, told: (state: string, path?: string) => void }} given
   */
  constructor({ folder, told }) {
    this._folder = folder;
    this._told = told;
    this._channel = new BroadcastChannel(`rollcall-phone ${folder.pathname}`);
    this._channel.addEventListener("message", ({ data }) => this._pass(data));
    /** @type {RTCPeerConnection | null} */
    this._connection = null;
    /** @type {PhoneLink | null} */
    this._link = null;
    this._id = ""; // of the application there, once it is ready for this phone
    this._silence = 0;
    this._expiry = 0;
    this._state = "";
  }

  /** Answers an invitation. Returns the answer's text. Raises NotReadable. */
  async answer(text) {
    const invitation = unpack(text);
    this.leave();
    const { connection, channel } = connect();
    this._connection = connection;
    this._link = new PhoneLink(
      channel,
      (message, body) => this._take(message, body),
      () => this._end("left"),
    );
    const description = described(invitation);
    await connection.setRemoteDescription(description);
    channel.addEventListener("open", () => keepTrying(connection, description));
    channel.addEventListener("close", () => this._connection === connection && this._end("left"));
    this._expiry = setTimeout(() => this._end("expired"), ANSWERED_MS);
    return pack("answer", await gathered(connection), invitation.fragment);
  }

  /** Ends the connection. */
  leave() {
    clearTimeout(this._expiry);
    clearTimeout(this._silence);
    const connection = this._connection;
    this._connection = this._link = null;
    this._id = this._state = "";
    connection?.close();
  }

  /** What this phone's service worker asks. */
  _pass(data) {
    if (!this._id) return; // asked again when there is a connection
    if (data.kind === "anybody") this._ready();
    else if (data.kind === "other-version") this._end(data.kind);
    else if (data.kind === "closed") this._link?.send({ kind: "closed", id: data.id });
    else if (data.kind === "ask") {
      const { kind, id, method, path, headers, body } = data;
      this._link?.send({ kind, id, method, path, headers }, body);
    }
  }

  _ready() {
    this._channel.postMessage({ kind: "ready", host: this._id });
  }

  /** A message of the other phone. */
  _take(message, body) {
    this._listen();
    if (message.kind === "welcome") {
      clearTimeout(this._expiry);
      this._path = String(message.path);
      this._link?.send({ kind: "hello", phone: secretFor(String(message.host), this._folder) });
    } else if (message.kind === "ready") {
      this._id = crypto.randomUUID(); // of this connection: streams of one before are begun anew
      this._ready();
      this._tell("connected", this._path);
    } else if (message.kind === "answer" || message.kind === "events")
      this._channel.postMessage({ ...message, body: body ?? new Uint8Array(0), remote: true });
    else if (message.kind === "here") this._tell("connected");
    else if (message.kind === "away") this._tell("away");
    else if (message.kind === "left" || message.kind === "sent-away") this._end(message.kind);
  }

  /** Expects the next message soon: the other phone says now and then that it is there. */
  _listen() {
    clearTimeout(this._silence);
    this._silence = setTimeout(() => this._state !== "away" && this._tell("silent"), SILENCE_MS);
  }

  _end(state) {
    this.leave();
    this._tell(state);
  }

  _tell(state, path) {
    if (state === this._state && !path) return;
    this._state = state;
    this._told(state, path);
  }
}

/** The secret by which the phone `host` knows this one again. Each host has another one. */
function secretFor(host, folder) {
  const place = `rollcall-phone hosts ${folder.pathname}`;
  const known = Object.entries(JSON.parse(localStorage.getItem(place) ?? "{}"));
  const secret = known.find(([each]) => each === host)?.[1] ?? crypto.randomUUID();
  const others = known.filter(([each]) => each !== host).slice(1 - KNOWN_HOSTS);
  localStorage.setItem(place, JSON.stringify(Object.fromEntries([...others, [host, secret]])));
  return secret;
}
