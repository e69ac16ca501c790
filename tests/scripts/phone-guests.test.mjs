// Phones at the table of a phone: the invitation as text, and messages over a channel that takes little at once.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { described, fragmentOf, NotReadable, pack, unpack } from "../../web/hosts/phone/shell/invitation.js";
import { PhoneLink } from "../../web/hosts/phone/shell/phone-link.js";

/** A description as Chromium makes it (Firefox: a longer fragment, in hexadecimal). */
const sdpOf = (addresses, fragment = "PGr6", password = "By3fNbE9YpbpzrxwdwB7VyD9") =>
  [
    "v=0",
    "o=- 2578101194279012640 2 IN IP4 127.0.0.1",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    ...addresses.map((each, i) => `a=candidate:417128700${i} 1 udp 2113937151 ${each} typ host generation 0`),
    "a=candidate:1 1 tcp 1518280447 192.168.1.20 9 typ host tcptype active",
    `a=ice-ufrag:${fragment}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, (_, i) => (i * 7).toString(16).padStart(2, "0").toUpperCase()).join(":")}`,
    "a=setup:actpass",
  ].join("\r\n");
const PLACES = [
  "192.168.1.20 54321",
  "fa20cbed-fa66-4178-b4c0-762392822632.local 57236",
  "fe80::1c2d:3e4f:5a6b:7c8d 50000",
];

test("an invitation comes back as it was packed", () => {
  const sdp = sdpOf(PLACES);
  const found = unpack(pack("join", sdp));
  assert.equal(found.kind, "join");
  assert.deepEqual(
    found.places,
    PLACES.map((each) => each.replace(" ", ":")),
  );
  const offer = described(found);
  assert.equal(offer.type, "offer");
  for (const line of sdp.match(/^a=(ice-ufrag|ice-pwd|fingerprint|setup):.*$/gm))
    assert.ok(offer.sdp.includes(`${line.trim()}\r\n`), line);
  // Packed again it is the same: nothing that matters is lost.
  assert.equal(pack("join", offer.sdp), pack("join", sdp));
});

test("an answer names its invitation, and is the active side", () => {
  const invitation = sdpOf(PLACES, "4d5e6f70");
  const found = unpack(pack("answer", sdpOf(PLACES), fragmentOf(invitation)));
  assert.deepEqual([found.kind, found.to], ["answer", "4d5e6f70"]);
  assert.ok(described(found).sdp.includes("a=setup:active\r\n"));
});

test("a code with the site's address is small", () => {
  const text = pack("answer", sdpOf(PLACES), "PGr6");
  assert.ok(text.length <= 190, String(text.length)); // a QR code of version 10 with an address of 40 letters
  assert.match(text, /^[\w.,:+/-]+$/);
});

test("what is no code is refused, and one of another version is told apart", () => {
  const good = pack("join", sdpOf(PLACES));
  for (const each of ["", "hello", "https://games.example/", good.slice(0, 60), `${good}5`, `${good},a=b:5`])
    assert.throws(() => unpack(each), NotReadable, each);
  assert.throws(
    () => unpack(`99${good.slice(1)}`),
    ({ isOther }) => isOther,
  );
  // No line of a description comes from a code.
  assert.throws(() => unpack(good.replace("PGr6", "PGr6\na=")), NotReadable);
});

/** Both ends of a channel that takes `most` bytes, and more when it is drained. */
function channelPair(most) {
  class End extends EventTarget {
    readyState = "open";
    bufferedAmount = 0;
    chunks = [];

    send(chunk) {
      assert.ok(chunk.length <= 16384);
      this.bufferedAmount += chunk.length;
      assert.ok(this.bufferedAmount <= most + 16384, "back pressure");
      this.chunks.push(chunk);
    }

    drain() {
      const { chunks } = this;
      this.chunks = [];
      this.bufferedAmount = 0;
      for (const { buffer } of chunks) this.other.dispatchEvent(Object.assign(new Event("message"), { data: buffer }));
      this.dispatchEvent(new Event("bufferedamountlow"));
      return chunks.length;
    }

    close() {
      this.readyState = "closed";
    }
  }
  const [one, two] = [new End(), new End()];
  [one.other, two.other] = [two, one];
  return [one, two];
}

test("messages arrive whole and in order, whatever their size", () => {
  const [near, far] = channelPair(1 << 20);
  const got = [];
  const link = new PhoneLink(near, () => {});
  new PhoneLink(far, (message, body) => got.push([message, body]));
  const photo = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251);
  const sent = [
    [{ kind: "here" }, null],
    [{ kind: "ask", path: "/ž" }, photo],
    [{ kind: "closed", id: "7" }, null],
    [{ text: "x".repeat(40_000) }, new Uint8Array([1, 2])],
  ];
  for (const each of sent) link.send(...each);
  assert.ok(link.waiting > 2_900_000);
  while (near.drain());
  assert.deepEqual(got, sent);
  assert.equal(link.waiting, 0);
});

test("a phone that sends what is no message loses its channel", () => {
  const texts = ["hello", new Uint8Array([1, 0, 0]).buffer, new Uint8Array([1, 0, 0, 0, 2, 123, 123]).buffer];
  for (const data of texts) {
    const [, far] = channelPair(1 << 20);
    new PhoneLink(far, () => assert.fail());
    far.dispatchEvent(Object.assign(new Event("message"), { data }));
    assert.equal(far.readyState, "closed");
  }
});

/** The one chunk of a message with this JSON. */
const message = (text) => Uint8Array.from([1, 0, 0, 0, text.length, ...new TextEncoder().encode(text)]).buffer;

test("chunks are counted as bytes are, whatever is in them", (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  const chunk = (size, isLast) => Uint8Array.from({ length: 1 + size }, (_, i) => (i ? 32 : Number(isLast))).buffer;
  const closedAfter = (data, most) => {
    const [, far] = channelPair(1 << 20);
    let [came, taken, ends] = [0, 0, 0];
    new PhoneLink(
      far,
      () => (taken += 1),
      () => (ends += 1),
    );
    while (came < most && far.readyState === "open") {
      far.dispatchEvent(Object.assign(new Event("message"), { data }));
      came += 1;
    }
    far.dispatchEvent(Object.assign(new Event("message"), { data: message("{}") }));
    assert.equal(ends, came < most ? 1 : 0);
    return [came, taken];
  };
  for (const size of [0, 1, 15_999, 16_001]) assert.deepEqual(closedAfter(chunk(size, false), 300_000), [1, 0], size);
  assert.deepEqual(closedAfter(chunk(16_001, true), 2), [1, 0]);
  const [came, taken] = closedAfter(message('{"kind":"closed"}'), 300_000);
  assert.ok(came < 6000 && taken === came - 1, `${came} messages`);
  const [, far] = channelPair(1 << 20);
  new PhoneLink(far, () => {});
  for (let number = 0; number < 20_000; number += 1) {
    if (number % 1000 === 0) context.mock.timers.tick(5000); // as often as pages send, for long
    far.dispatchEvent(Object.assign(new Event("message"), { data: message("{}") }));
  }
  assert.equal(far.readyState, "open");
});

test("a channel that ends sends what waits first, and takes nothing more", () => {
  const [near, far] = channelPair(64 << 20);
  const [got, heard] = [[], []];
  const link = new PhoneLink(near, () => heard.push("of one who was sent away"));
  new PhoneLink(far, ({ kind }) => got.push(kind));
  link.send({ kind: "events" }, new Uint8Array(3_000_000));
  link.send({ kind: "sent-away" });
  link.end();
  near.dispatchEvent(Object.assign(new Event("message"), { data: message("{}") }));
  near.drain();
  assert.deepEqual([got, heard, near.readyState], [["events", "sent-away"], [], "closed"]);
});

// --- the door: who may come, how often, how much ---

const PHONE = "secret-of-a-guest-phone";

/** Guests of a host, whose worker and connections a test acts for. */
async function door() {
  Object.assign(globalThis, {
    document: Object.assign(new EventTarget(), { hidden: false }),
    location: { host: "games.example", protocol: "https:" },
    addEventListener() {},
  });
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages: [] } });
  const made = [];
  globalThis.RTCPeerConnection = class extends EventTarget {
    iceGatheringState = "complete";
    connectionState = "connected";

    constructor() {
      super();
      made.push(this);
    }

    createDataChannel() {
      [this.near, this.far] = channelPair(64 << 20);
      this.near.addEventListener("message", () => {});
      return this.near;
    }

    async setLocalDescription() {
      this.localDescription = { sdp: sdpOf(PLACES, `frag${made.length}`) };
    }

    async setRemoteDescription({ type }) {
      if (type === "answer") this.near.dispatchEvent(new Event("open"));
    }

    close() {
      this.connectionState = "closed";
    }
  };
  mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  const { Guests } = await import("../../web/hosts/phone/shell/guests.js");
  const worker = Object.assign(new EventTarget(), { asked: [], postMessage: (each) => worker.asked.push(each) });
  const guests = new Guests({ id: "host", worker, changed() {} });
  return {
    guests,
    worker,
    /** A guest by an invitation; returns its link, what it was told, and its end of the channel. */
    async come(phone = PHONE) {
      await guests.invite("/tables/abc");
      const connection = made.at(-1);
      const told = [];
      const link = new PhoneLink(connection.far, (message, body) => told.push({ ...message, body }));
      await guests.admit(pack("answer", sdpOf(PLACES), `frag${made.length}`));
      const pass = () => {
        while (connection.far.drain() + connection.near.drain());
      };
      if (phone) link.send({ kind: "hello", phone });
      pass();
      return { link, told, pass, connection };
    },
    /** What the application answers to what it was asked last. */
    answer(id, more = {}) {
      const data = { kind: "answer", id, status: 200, headers: [], body: null, stream: false, ...more };
      worker.dispatchEvent(Object.assign(new Event("message"), { data }));
    },
  };
}

const asking = (id, more = {}) => ({ kind: "ask", id, method: "GET", path: "/", headers: [["accept", "*"]], ...more });

test("an invitation is good for one guest and a few minutes", async () => {
  const { guests } = await door();
  try {
    await guests.invite("/");
    await assert.rejects(guests.admit(pack("answer", sdpOf(PLACES), "other")), { message: "outdated" });
    await assert.rejects(guests.admit(pack("join", sdpOf(PLACES))), { message: "invitation" });
    const answer = pack("answer", sdpOf(PLACES), "frag1");
    await guests.admit(answer);
    await assert.rejects(guests.admit(answer), { message: "outdated" });
    await guests.invite("/");
    mock.timers.tick(6 * 60_000);
    await assert.rejects(guests.admit(pack("answer", sdpOf(PLACES), "frag2")), { message: "outdated" });
  } finally {
    mock.timers.reset();
  }
});

test("guests ask in turn, each as its own phone, and their number is bounded", async () => {
  const { guests, worker, come, answer } = await door();
  try {
    const guest = await come();
    assert.deepEqual(
      guest.told.map(({ kind }) => kind),
      ["welcome", "ready"],
    );
    for (const id of ["a", "b"]) guest.link.send(asking(id));
    const other = await come(`${PHONE}-2`);
    other.link.send(asking("a", { host: "evil.example", phone: "", secure: false }));
    for (const each of [guest, other]) each.pass();
    const [, second] = guests.list;
    assert.deepEqual(
      worker.asked.map(({ id, phone, host, secure }) => [id, phone, host, secure]),
      [
        ["1 a", PHONE, "games.example", true],
        [`${second.number} a`, `${PHONE}-2`, "games.example", true],
      ],
    );
    answer("1 a", { body: new Uint8Array([7]) });
    guest.pass();
    assert.deepEqual([guest.told.at(-1).id, [...guest.told.at(-1).body]], ["a", [7]]);
    assert.equal(worker.asked.at(-1).id, "1 b");
    for (let number = 3; number <= 12; number += 1) await come(`${PHONE}-${number}`);
    await assert.rejects(guests.invite("/"), { message: "full" });
    guests.sendAway(second.number);
    await guests.invite("/");
    assert.equal(guests.list.length, 11);
    // A guest that comes again takes the place of its lost connection.
    await come(`${PHONE}-12`);
    assert.equal(guests.list.length, 11);
  } finally {
    mock.timers.reset();
  }
});

test("what no page sends ends a guest's connection", async () => {
  const { come, worker } = await door();
  try {
    const odd = [
      asking("a", { path: "tables" }),
      asking("a", { method: "TRACE" }),
      asking("a", { headers: [["accept"]] }),
      asking("a".repeat(65)),
      { kind: "answer", id: "1 a" },
    ];
    for (const message of odd) {
      const guest = await come();
      guest.link.send(message);
      guest.pass();
      assert.equal(guest.connection.near.readyState, "closed", JSON.stringify(message));
    }
    for (const phone of ["", "short", "no phone's secret at all"]) {
      const guest = await come(phone);
      guest.link.send(asking("a"));
      guest.pass();
      assert.equal(guest.connection.near.readyState, "closed", phone);
    }
    const hasty = await come();
    for (let number = 0; number < 70; number += 1) hasty.link.send(asking(`${number}`));
    hasty.pass();
    assert.equal(hasty.connection.near.readyState, "closed");
    assert.equal(hasty.connection.connectionState, "closed", "whether the other side agrees or not");
    assert.equal(worker.asked.length, 1);
    const wordy = await come();
    wordy.link.send(asking("a", { headers: [["accept", "*".repeat(70_000)]] }));
    wordy.pass();
    assert.equal(wordy.connection.near.readyState, "closed");
  } finally {
    mock.timers.reset();
  }
});

test("a guest that takes no answers is sent no more", async () => {
  const { come, worker, answer } = await door();
  try {
    const guest = await come();
    for (const id of ["a", "b"]) guest.link.send(asking(id));
    guest.connection.far.drain();
    guest.connection.near.bufferedAmount = 8 << 20; // it sleeps
    answer("1 a", { body: new Uint8Array(9) });
    assert.deepEqual([worker.asked.length, worker.asked[0].id], [1, "1 a"]);
    guest.pass();
    assert.equal(worker.asked.at(-1).id, "1 b");
  } finally {
    mock.timers.reset();
  }
});

test("the streams of a guest end with it, and begin anew if it takes nothing", async () => {
  const { guests, worker, come, answer } = await door();
  try {
    const guest = await come();
    guest.link.send(asking("s"));
    guest.pass();
    answer("1 s", { stream: true, body: new Uint8Array([1]) });
    guest.connection.near.bufferedAmount = 8 << 20; // it sleeps
    answer("1 s", { kind: "events", body: new Uint8Array(9) });
    assert.deepEqual(worker.asked.at(-1), { kind: "closed", id: "1 s" });
    guest.pass();
    assert.deepEqual([guest.told.at(-1).kind, guest.told.at(-1).last], ["events", true]);
    guest.link.send(asking("t"));
    guest.pass();
    answer("1 t", { stream: true });
    for (const id of ["u", "v"]) guest.link.send(asking(id));
    guest.pass();
    guests.sendAway(1);
    answer("1 u"); // nothing more is asked for it
    guest.pass();
    assert.equal(guest.told.at(-1).kind, "sent-away");
    assert.deepEqual(worker.asked.at(-1), { kind: "closed", id: "1 t" });
    assert.equal(guest.connection.connectionState, "connected", "what is on its way arrives");
    mock.timers.tick(10_000);
    assert.equal(guest.connection.connectionState, "closed");
  } finally {
    mock.timers.reset();
  }
});

test("a panel that was closed while a phone came invites no further one", async () => {
  const { guests } = await door();
  try {
    const made = () => ({ append() {}, setAttribute() {}, replaceChildren() {} });
    document.createElement = made;
    const dialog = Object.assign(new EventTarget(), made(), { showModal() {} });
    const { InvitePanel } = await import("../../web/hosts/phone/shell/phones-panel.js");
    const panel = new InvitePanel(dialog, guests, { site: "https://games.example/", path: "/" });
    await panel.open();
    const taken = panel.take(pack("answer", sdpOf(PLACES), "frag1"));
    dialog.dispatchEvent(new Event("close"));
    await taken;
    await assert.rejects(guests.admit(pack("answer", sdpOf(PLACES), "frag2")), { message: "outdated" });
  } finally {
    mock.timers.reset();
  }
});
