// Connections of WebRTC between two phones of one network, without a server.

const AGAIN_MS = 5_000; // between two looks for a phone that is lost, at first
const OFTEN_MS = 120_000;
const SELDOM_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

/** Why an answer is not taken: a reason that the panel has a sentence for. */
export class Refused extends Error {}

/** A phone's description of itself with all its addresses: phones of one Wi-Fi need no server to find them.
 * @param {RTCPeerConnection} connection */
export async function gathered(connection) {
  if (!connection.localDescription) await connection.setLocalDescription();
  if (connection.iceGatheringState !== "complete")
    await new Promise((/** @type {(_?: unknown) => void} */ done) => {
      connection.addEventListener(
        "icegatheringstatechange",
        () => connection.iceGatheringState === "complete" && done(),
      );
      setTimeout(done, 3000);
    });
  return connection.localDescription?.sdp ?? "";
}

/** A connection to another phone, and its channel. Both sides open the channel, by the same number. Raises
 * Refused("no-connections"). */
export async function connect() {
  if (!("RTCPeerConnection" in globalThis)) throw new Refused("no-connections");
  const connection = new RTCPeerConnection({ iceServers: [], certificates: await certificates() });
  return { connection, channel: connection.createDataChannel("rollcall", { negotiated: true, id: 0 }) };
}

/** The certificate by which others know this phone again; none where the browser keeps none. */
async function certificates() {
  try {
    const known = await kept("certificate");
    if (known?.expires > Date.now() + DAY_MS) return [known];
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const made = await RTCPeerConnection.generateCertificate(algorithm);
    await keep("certificate", made);
    return [made];
  } catch {
    return [];
  }
}

/** What the browser keeps under this name. Raises where it keeps nothing. @param {string} name */
export const kept = async (name) => done((await store("readonly")).get(name));

/** Keeps something, also from a browser that is killed then: it may write what `localStorage` gets a minute later.
 * Raises where nothing is kept. @param {string} name @param {any} value */
export const keep = async (name, value) => done((await store("readwrite")).put(value, name));

/** @param {IDBTransactionMode} mode */
const store = async (mode) => (await done(opened())).transaction("kept", mode).objectStore("kept");

function opened() {
  const request = indexedDB.open(`rollcall-phone ${new URL(".", import.meta.url).pathname}`);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore("kept"));
  return request;
}

/** What a request of IndexedDB gives. */
const done = (/** @type {IDBRequest} */ request) =>
  new Promise((/** @type {(_?: any) => void} */ give, fail) => {
    request.addEventListener("success", () => give(request.result));
    request.addEventListener("error", () => fail(request.error));
  });

/**
 * Looks for the other phone anew while the connection to it is lost: a browser gives up after half a minute; a phone
 * may sleep for longer. One of both is enough; Firefox does not do it.
 * @param {RTCPeerConnection} connection @param {RTCSessionDescriptionInit} description the other phone's
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
