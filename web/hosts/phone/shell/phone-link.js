// Messages between two phones over a data channel of WebRTC: each an object and, at most, one body of bytes.
//
// A message travels in chunks, since browsers differ in how much they take at once. Chunk: one byte, 1 for the last one
// of its message, and CHUNK more, or fewer in the last one. Message: 4 bytes with the length of the JSON, the JSON, the
// body.

const CHUNK = 16000;
const FULL = 1 << 20; // bytes that the channel keeps; more waits here
const MOST = 41 << 20; // bytes of one message: the largest photo that the application takes, and some more
const MOST_HEAD = 1 << 16; // bytes of its JSON
const MOST_CHUNKS = 2 * Math.ceil(MOST / CHUNK); // within WINDOW_MS: each costs time, however small it is
const WINDOW_MS = 10_000;
const LAST = 1;

export class PhoneLink {
  /**
   * @param {RTCDataChannel} channel
   * @param {(message: any, body: Uint8Array | null, bytes: number) => void} take each message, and its size; it may
   *   raise
   * @param {() => void} broken the other phone sent what is no message: the channel is closed
   */
  constructor(channel, take, broken = () => {}) {
    this._channel = channel;
    this._take = take;
    this._broken = broken;
    this._isBroken = false;
    this._chunks = 0; // that came since
    this._since = 0;
    /** @type {Uint8Array[]} */
    this._parts = [];
    this._received = 0; // bytes of `_parts`
    /** @type {Uint8Array[]} */
    this._waiting = []; // chunks to send
    channel.binaryType = "arraybuffer";
    channel.bufferedAmountLowThreshold = FULL / 2;
    channel.addEventListener("bufferedamountlow", () => this._flush());
    channel.addEventListener("message", ({ data }) => this._receive(data));
  }

  /** Bytes that are not under way yet. */
  get waiting() {
    return this._waiting.length * CHUNK + this._channel.bufferedAmount;
  }

  /** @param {object} message @param {Uint8Array | ArrayBuffer | null} body */
  send(message, body = null) {
    const head = new TextEncoder().encode(JSON.stringify(message));
    const tail = body ? new Uint8Array(body) : new Uint8Array(0);
    const whole = new Uint8Array(4 + head.length + tail.length);
    new DataView(whole.buffer).setUint32(0, head.length);
    whole.set(head, 4);
    whole.set(tail, 4 + head.length);
    for (let at = 0; at < whole.length; at += CHUNK) {
      const part = whole.subarray(at, at + CHUNK);
      const chunk = new Uint8Array(1 + part.length);
      chunk[0] = at + CHUNK >= whole.length ? LAST : 0;
      chunk.set(part, 1);
      this._waiting.push(chunk);
    }
    this._flush();
  }

  _flush() {
    while (this._waiting.length && this._channel.readyState === "open" && this._channel.bufferedAmount < FULL)
      this._channel.send(/** @type {Uint8Array} */ (this._waiting.shift()));
  }

  /** Ends the channel once all has gone, and takes nothing more. A closed connection loses what is on its way. */
  end() {
    this._isBroken = true;
    if (this._channel.readyState === "open") for (const chunk of this._waiting.splice(0)) this._channel.send(chunk);
    this._channel.close();
  }

  /** @param {unknown} data */
  _receive(data) {
    if (this._isBroken) return; // what was on its way
    try {
      this._count();
      if (!(data instanceof ArrayBuffer) || !data.byteLength) throw new Error("no chunk");
      const chunk = new Uint8Array(data);
      const isLast = chunk[0] === LAST;
      if (isLast ? chunk.length > 1 + CHUNK : chunk.length !== 1 + CHUNK) throw new Error("a chunk of another size");
      this._parts.push(chunk.subarray(1));
      this._received += chunk.length - 1;
      if (this._received > MOST) throw new Error("too long");
      if (isLast) this._takeWhole();
    } catch (/** @type {any} */ error) {
      console.warn("A phone sent what is no message:", error.message);
      this._isBroken = true;
      this._parts = [];
      this._channel.close();
      this._broken();
    }
  }

  _count() {
    const now = Date.now();
    if (now - this._since > WINDOW_MS) [this._since, this._chunks] = [now, 0];
    this._chunks += 1;
    if (this._chunks > MOST_CHUNKS) throw new Error("too many chunks");
  }

  _takeWhole() {
    const whole = new Uint8Array(this._received);
    let at = 0;
    for (const part of this._parts) {
      whole.set(part, at);
      at += part.length;
    }
    this._parts = [];
    this._received = 0;
    const length = new DataView(whole.buffer).getUint32(0);
    if (length > MOST_HEAD) throw new Error("too long");
    const message = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length)));
    this._take(message, whole.length > 4 + length ? whole.slice(4 + length) : null, whole.length);
  }
}
