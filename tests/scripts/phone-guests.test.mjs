// Phones at the table of a phone: the invitation as text, and messages over a channel that takes little at once.

import assert from "node:assert/strict";
import { test } from "node:test";
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
  "fe80::1c2d:3e4f:5a6b:7c8d 5000",
];

test("an invitation comes back as it was packed", () => {
  const sdp = sdpOf(PLACES);
  const found = unpack(pack("join", sdp));
  assert.equal(found.kind, "join");
  assert.deepEqual(found.places, [
    ["192.168.1.20", 54321],
    ["fa20cbed-fa66-4178-b4c0-762392822632.local", 57236],
    ["fe80:0:0:0:1c2d:3e4f:5a6b:7c8d", 5000],
  ]);
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
  assert.match(text, /^[\w-]+$/);
});

test("what is no code is refused, and one of another version is told apart", () => {
  const good = pack("join", sdpOf(PLACES));
  for (const each of ["", "hello", "https://games.example/", good.slice(0, 40), good.slice(0, -1)])
    assert.throws(() => unpack(each), NotReadable, each);
  const bytes = atob(good.replaceAll("-", "+").replaceAll("_", "/"));
  assert.throws(
    () => unpack(btoa(`\x63${bytes.slice(1)}`)),
    ({ isOther }) => isOther,
  );
  // No line of a description comes from a code.
  assert.throws(() => unpack(btoa(bytes.replace("PGr6", "P\na="))), NotReadable);
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
