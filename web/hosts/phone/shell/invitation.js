// @ts-check
// The invitation of a phone to the table of another one, and the answer to it: descriptions of WebRTC as text that fits
// into a QR code.
//
// Of a description only that is packed which differs from one to the next: who the phone is (the hash of its
// certificate), two short secrets of ICE, and where it can be reached. Everything else is the same for all.
//
// Bytes: version; kind; three texts, each with its length before it: the user fragment, the password, and in an answer
// the user fragment of its invitation; 32 of the hash; then the addresses, each with its form (4, 6, or "m" for a name
// of mDNS), 4 or 16 bytes, and 2 of the port.

export const VERSION = 1; // of this form and of what is said over the channel
const KINDS = ["join", "answer"];
const IPV4 = 4;
const IPV6 = 6;
const NAME = 109; // "m"
const MOST_ADDRESSES = 8;
const HASH = 32;
const SECRET = /^[A-Za-z0-9+/]{4,255}$/; // by RFC 8839
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\.local$/i;

/** A text that is no invitation, or one of another version (`isOther`). */
export class NotReadable extends Error {
  constructor(isOther = false) {
    super(isOther ? "another version" : "not readable");
    this.isOther = isOther;
  }
}

/**
 * What differs in a description.
 * @typedef {object} Description
 * @property {string} kind
 * @property {string} fragment
 * @property {string} password
 * @property {Uint8Array} hash
 * @property {[string, number][]} places
 * @property {string} to
 */

/**
 * The text of a description. `kind`: "join" or "answer"; `to`: the user fragment of the invitation that is answered.
 * @param {string} sdp
 */
export function pack(kind, sdp, to = "") {
  const { fragment, password, hash, places } = read(sdp);
  const bytes = [VERSION, KINDS.indexOf(kind)];
  for (const text of [fragment, password, to]) bytes.push(text.length, ...new TextEncoder().encode(text));
  bytes.push(...hash);
  for (const [address, port] of places.slice(0, MOST_ADDRESSES)) {
    const packed = packAddress(address);
    if (packed) bytes.push(...packed, port >> 8, port & 255);
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * What `pack` packed. Raises NotReadable.
 * @returns {Description}
 */
export function unpack(text) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text.trim().replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch {
    throw new NotReadable();
  }
  let at = 0;
  const take = (length) => {
    if (at + length > bytes.length) throw new NotReadable();
    return bytes.subarray(at, (at += length));
  };
  const [version, kind] = take(2);
  if (version !== VERSION) throw new NotReadable(true);
  const [fragment, password, to] = [0, 1, 2].map(() => new TextDecoder().decode(take(take(1)[0])));
  const hash = take(HASH);
  if (![fragment, password].every((each) => SECRET.test(each)) || !(kind in KINDS)) throw new NotReadable();
  /** @type {[string, number][]} */
  const places = [];
  while (at < bytes.length && places.length < MOST_ADDRESSES) {
    const [form] = take(1);
    if (![IPV4, IPV6, NAME].includes(form)) throw new NotReadable();
    const address = unpackAddress(form, take(form === IPV4 ? 4 : 16));
    const [high, low] = take(2);
    places.push([address, high * 256 + low]);
  }
  return { kind: KINDS[kind], fragment, password, hash, places, to };
}

/**
 * The description for `RTCPeerConnection.setRemoteDescription`.
 * @param {Description} description
 * @returns {RTCSessionDescriptionInit}
 */
export function described({ kind, fragment, password, hash, places }) {
  const lines = [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=ice-ufrag:${fragment}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${[...hash].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":")}`,
    `a=setup:${kind === "join" ? "actpass" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    ...places.map(([address, port], i) => `a=candidate:${i + 1} 1 udp ${2113937151 - i} ${address} ${port} typ host`),
    "a=end-of-candidates",
  ];
  return { type: kind === "join" ? "offer" : "answer", sdp: lines.map((line) => `${line}\r\n`).join("") };
}

/** The user fragment of a description, by which an answer names its invitation. */
export const fragmentOf = (sdp) => read(sdp).fragment;

function read(sdp) {
  const field = (name) => sdp.match(new RegExp(`^a=${name}:(.*?)\\r?$`, "m"))?.[1] ?? "";
  const hash = field("fingerprint").match(/^sha-256 (.*)$/i)?.[1] ?? "";
  /** @type {[string, number][]} */
  const places = [];
  for (const line of sdp.split(/\r?\n/)) {
    const found = line.match(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/i);
    if (found) places.push([found[1], Number(found[2])]);
  }
  const bytes = Uint8Array.from(hash.split(":").map((each) => parseInt(each, 16)));
  return { fragment: field("ice-ufrag"), password: field("ice-pwd"), hash: bytes, places };
}

/** An address as bytes with its form before them; null for one that no other phone can use. */
function packAddress(address) {
  const name = address.match(UUID);
  if (name)
    return [
      NAME,
      ...name
        .slice(1)
        .join("")
        .match(/../g)
        .map((each) => parseInt(each, 16)),
    ];
  if (/^\d+(\.\d+){3}$/.test(address)) return [IPV4, ...address.split(".").map(Number)];
  const groups = address.includes(":") ? groupsOf(address.split("%")[0]) : null;
  return groups && [IPV6, ...groups.flatMap((group) => [group >> 8, group & 255])];
}

/** The eight numbers of an IPv6 address; null for none. */
function groupsOf(address) {
  const [left, right] = address.split("::").map((part) => (part ? part.split(":") : []));
  const zeros = right ? Array(Math.max(0, 8 - left.length - right.length)).fill("0") : [];
  const groups = [...left, ...zeros, ...(right ?? [])].map((each) => parseInt(each, 16));
  return groups.length === 8 && groups.every((each) => each >= 0 && each <= 0xffff) ? groups : null;
}

function unpackAddress(form, bytes) {
  if (form === IPV4) return [...bytes].join(".");
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (form === IPV6)
    return [...hex.matchAll(/..../g)]
      .map(([each]) => each)
      .map((each) => parseInt(each, 16).toString(16))
      .join(":");
  return `${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}.local`;
}
