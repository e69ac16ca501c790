// How a phone whose page was ended finds the other one again without a code, as long as that one's page is open.
//
// While two phones are connected, each has a further connection that waits: its ports stay those of an open page. The
// other phone keeps its description, with what to say of itself: a user fragment, a password, and its own certificate.
// No browser lets a page choose its ports, so of two pages that end, one must be scanned again.

import { MOST_GUESTS } from "./guests.js";
import { connect, gathered, keep, keepTrying, kept } from "./connecting.js";
import { described, fragmentOf, hashOf, NotReadable, pack, SECRET, unpack } from "./invitation.js";

const EVENING_MS = 12 * 60 * 60_000;

/** @typedef {{ connection: RTCPeerConnection, channel: RTCDataChannel }} Way */

/** What a phone tells the one that is to come back to it: its own description, and what that one is to say of itself.
 * @typedef {{ offer: string, fragment: string, password: string }} Told */

/** What this phone was told, by the name of who told it. */
export class Kept {
  /** @param {"host" | "guest"} role of this phone at the table */
  constructor(role) {
    this._name = `${role} returns`;
    this._last = Promise.resolve(); // one change after the other
  }

  /** @returns {Promise<[string, any][]>} */
  async all() {
    const all = Object.entries((await kept(this._name).catch(() => null)) ?? {});
    return all.filter(([, { since }]) => Date.now() - since < EVENING_MS);
  }

  /** Keeps it, or forgets it. @param {string} name @param {Told | null} told */
  put(name, told, path = "") {
    this._last = this._last.then(async () => {
      const all = (await this.all()).filter(([each]) => each !== name).slice(1 - MOST_GUESTS);
      if (told) all.push([name, { ...told, path, since: Date.now() }]);
      await keep(this._name, Object.fromEntries(all)).catch(() => {}); // then a code must be scanned
    });
    return this._last;
  }
}

/** A way by which the phone behind a connection may come back, and what it is told of that.
 * @param {RTCPeerConnection} connection */
export async function waitFor(connection) {
  const way = await connect();
  const offer = pack("join", await gathered(way.connection));
  const [fragment, password] = [crypto.randomUUID().slice(0, 8), crypto.randomUUID().replaceAll("-", "")];
  const hash = hashOf(connection.remoteDescription?.sdp ?? "");
  const { sdp } = described({ kind: "answer", fragment, password, hash, places: [], to: "" });
  await way.connection.setRemoteDescription({ type: "pranswer", sdp }); // a scanned code may say otherwise
  return { ...way, told: { kind: "again", offer, fragment, password } };
}

/**
 * Goes back to the phone that told this. `use` is given the way before anything comes by it. Returns the answer that
 * the other phone can scan instead, where the browser does not let the page say the same of itself as before. Raises
 * NotReadable.
 * @param {Told} told @param {(way: Way) => void} use
 */
export async function comeBack({ offer, fragment, password }, use) {
  const invitation = unpack(offer);
  if (![fragment, password].every((each) => SECRET.test(each))) throw new NotReadable();
  const description = described(invitation);
  const { connection, channel } = await connect();
  await connection.setRemoteDescription(description);
  use({ connection, channel });
  const { sdp = "" } = await connection.createAnswer();
  const same = sdp.replace(/(a=ice-ufrag:).*/, `$1${fragment}`).replace(/(a=ice-pwd:).*/, `$1${password}`);
  await connection.setLocalDescription({ type: "answer", sdp: same }).catch(() => {}); // Firefox refuses it
  const code = pack("answer", await gathered(connection), invitation.fragment);
  keepTrying(connection, description);
  return code;
}

/** Takes the answer among these codes that is for a phone that waits. Returns whether one is.
 * @param {RTCPeerConnection} connection that waits @param {import("./invitation.js").Description[]} codes */
export async function takeAmong(connection, codes) {
  const own = connection.localDescription?.sdp ?? "";
  const mine = codes.find(({ kind, to }) => kind === "answer" && to === fragmentOf(own));
  if (!mine || connection.signalingState === "stable") return false;
  const description = described(mine);
  await connection.setRemoteDescription(description);
  keepTrying(connection, description);
  return true;
}
