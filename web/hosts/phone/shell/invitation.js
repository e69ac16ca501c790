// The invitation of a phone to the table of another one, and the answer to it: descriptions of WebRTC as text that fits
// into a QR code, and behind "#" in an address.
//
// Of a description only that is packed which differs from one to the next: who the phone is (the hash of its
// certificate), two short secrets of ICE, and where it can be reached. Everything else is the same for all.
//
// Parts, with commas between them: version; kind; the user fragment; the password; in an answer the user fragment of
// its invitation; the hash, as base64 for addresses; then the addresses, each with its port, names of mDNS without
// their end. Several descriptions have ";" between them.

export const VERSION = "1"; // of this form and of what is said over the channel
const KINDS = ["join", "answer"];
const MOST_ADDRESSES = 8;
const HASH = 32;
export const SECRET = /^[A-Za-z0-9+/]{4,255}$/; // by RFC 8839
const ADDRESS = /^(?:[\da-f.]+|[\da-f:]+|[\da-f-]{36}):\d{1,5}$/i;
const NAME = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?=:|$)/i;

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
 * @property {string[]} places addresses with their ports
 * @property {string} to
 */

/** The text of a description. `kind`: "join" or "answer"; `to`: the user fragment of the invitation that is answered.
 * @param {string} kind @param {string} sdp */
export function pack(kind, sdp, to = "") {
  const { fragment, password, hash, places } = read(sdp);
  const packed = btoa(String.fromCharCode(...hash))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const named = places.slice(0, MOST_ADDRESSES).map((each) => each.replace(".local:", ":"));
  return [VERSION, kind, fragment, password, to, packed, ...named].join(",");
}

/** What `pack` packed. Raises NotReadable. @param {string} text @returns {Description} */
export function unpack(text) {
  const [version, kind, fragment, password, to, packed = "", ...places] = text.trim().split(",");
  if (/^\d+$/.test(version) && version !== VERSION) throw new NotReadable(true);
  let hash;
  try {
    hash = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch {
    throw new NotReadable();
  }
  const areSecrets = [fragment, password, ...(to ? [to] : [])].every((each) => SECRET.test(each));
  const areAddresses = places.length <= MOST_ADDRESSES && places.every((each) => ADDRESS.test(each));
  if (!KINDS.includes(kind) || !areSecrets || !areAddresses || hash.length !== HASH) throw new NotReadable();
  return { kind, fragment, password, hash, places: places.map((each) => each.replace(NAME, "$&.local")), to };
}

/** The description for `RTCPeerConnection.setRemoteDescription`.
 * @param {Description} description @returns {RTCSessionDescriptionInit} */
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
    ...places.map(
      (each, i) => `a=candidate:${i + 1} 1 udp ${2113937151 - i} ${each.replace(/:(\d+)$/, " $1")} typ host`,
    ),
    "a=end-of-candidates",
  ];
  return { type: kind === "join" ? "offer" : "answer", sdp: lines.map((line) => `${line}\r\n`).join("") };
}

/** The user fragment of a description, by which an answer names its invitation. @param {string} sdp */
export const fragmentOf = (sdp) => read(sdp).fragment;

/** The hash of the certificate of who describes itself so. @param {string} sdp */
export const hashOf = (sdp) => read(sdp).hash;

/** @param {string} sdp */
function read(sdp) {
  const field = (/** @type {string} */ name) => sdp.match(new RegExp(`^a=${name}:(.*?)\\r?$`, "m"))?.[1] ?? "";
  const hash = field("fingerprint").match(/^sha-256 (.*)$/i)?.[1] ?? "";
  const bytes = Uint8Array.from(hash.split(":").map((each) => parseInt(each, 16)));
  const found = sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/gim);
  const places = [...found].map(([, address, port]) => `${address.split("%")[0]}:${port}`);
  return { fragment: field("ice-ufrag"), password: field("ice-pwd"), hash: bytes, places };
}
