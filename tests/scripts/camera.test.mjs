import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { stripMetadata } from "../../web/static/camera/jpeg.js";
import { OutgoingPhoto, isHomeNetwork } from "../../web/static/camera/sending.js";
import { Watching, brightness, difference, grey, reachingPart } from "../../web/static/camera/stand.js";
import { cameraWord } from "../../web/static/shared/live.js";
import { speak } from "./page.mjs";

beforeEach(() => speak("en"));

const WIDTH = 40;

/** A grey picture of 40x30 pixels, with boxes [x0, y0, x1, y1] of another grey. */
function glance(ground, boxes = [], shade = 200) {
  const pixels = new Float32Array(WIDTH * 30).fill(ground);
  for (const [x0, y0, x1, y1] of boxes)
    for (let y = y0; y < y1; y++) pixels.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  return pixels;
}

test("colours become grey as eyes see them", () => {
  assert.deepEqual([...grey([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255])].map(Math.round), [77, 150, 28]);
});

test("glances differ by the pixels that changed, not by the light as a whole", () => {
  assert.equal(difference(glance(80), glance(80)), 0);
  assert.equal(difference(glance(80), glance(120)), 0);
  assert.equal(difference(glance(80), glance(80, [[10, 10, 22, 20]])), 0.1);
  assert.equal(difference(glance(80), new Float32Array(4)), 1); // the picture was turned
});

test("a hand reaches in over the edge, a die does not", () => {
  const hand = [0, 10, 20, 20];
  const die = [15, 10, 25, 20];
  assert.ok(reachingPart(glance(80), glance(80, [hand]), WIDTH) > 0.1);
  assert.equal(reachingPart(glance(80), glance(80, [die]), WIDTH), 0);
  assert.equal(reachingPart(glance(80, [hand]), glance(80, [hand]), WIDTH), 0); // it was there before
  assert.equal(reachingPart(glance(80), glance(80, [[0, 10, 20, 11]]), WIDTH), 0); // a thin edge of a nudged picture
  assert.equal(reachingPart(glance(80), new Float32Array(4), WIDTH), 0);
});

test("a glance is as bright as its brighter half", () => {
  assert.equal(brightness(glance(10)), 10);
  assert.equal(brightness(glance(10, [[0, 0, WIDTH, 15]], 100)), 100);
});

/** Glances every 100 milliseconds; returns after how many milliseconds each rest was noticed. */
function rests(watching, glances) {
  watching.width = WIDTH;
  return glances.flatMap((pixels, i) => (watching.take(pixels, i * 100) ? [i * 100] : []));
}

const table = glance(80);
const dice = glance(80, [[15, 10, 25, 20]]);
const times = (count, pixels) => Array(count).fill(pixels);

test("dice that move and lie still are noticed once, after half a second", () => {
  const watching = new Watching(null, null);
  assert.deepEqual(rests(watching, [...times(5, table), ...times(20, dice)]), [1000]);
  assert.equal(watching.state, "still");
});

test("an empty table at the beginning is no rest", () => {
  assert.deepEqual(rests(new Watching(null, null), times(30, table)), []);
});

test("a hand may pause for longer", () => {
  const hand = glance(80, [[0, 10, 25, 20]]);
  const watching = new Watching(null, null);
  assert.deepEqual(rests(watching, [...times(5, table), ...times(10, hand)]), []);
  assert.equal(watching.hand, true);
  assert.equal(watching.state, "moving");
});

test("a first black picture is waited for, later darkness is told", () => {
  const watching = new Watching(null, null);
  rests(watching, times(3, glance(0)));
  assert.deepEqual([watching.state, watching.dark, watching.rest], ["waiting", true, null]);
  rests(watching, [table, dice]);
  assert.equal(watching.state, "moving");
  rests(watching, [glance(0)]);
  assert.match(watching.words(null), /too dark/);
});

test("what a phone on a stand is at, in a word", () => {
  const watching = new Watching(null, null);
  const words = (state, photo = null) => Object.assign(watching, { state }).words(photo);
  assert.equal(words("waiting"), "Throw: this phone watches");
  assert.equal(words("moving"), "Rolling …");
  assert.equal(words("still"), "The dice lie still");
  assert.equal(words("still", { status: "waiting" }), "Reading the dice …");
  assert.equal(words("still", { status: "read", dice: [1, 2], aside: [3] }), "3 dice");
  assert.equal(words("still", { status: "read", dice: [], aside: [] }), "No dice");
});

test("what the server's camera is at, in a word", () => {
  assert.equal(cameraWord({ state: "moving", hand: true }), "Hand in the picture");
  assert.equal(cameraWord({ state: "still", dice: 1 }), "1 die");
  assert.equal(cameraWord({ state: "blind", reason: "blurred" }), "The picture is out of focus.");
  assert.equal(cameraWord({ state: "blind", reason: "new" }), "Nothing can be seen.");
  assert.equal(cameraWord({ state: "trouble", problem: { reason: "new", text: "no camera" } }), "No camera");
});

const segment = (marker, ...body) => [0xff, marker, 0, body.length + 2, ...body];
const ascii = (text) => [...text].map((sign) => sign.charCodeAt(0));
const FRAME = segment(0xc0, 8, 0, 20, 0, 30, 1, 1, 0x11, 0); // 30x20 pixels
const SCAN = [...segment(0xda, 1, 1, 0, 0, 63, 0), 1, 2, 0xff, 0, 3, 0xff, 0xd0, 4];
const END = [0xff, 0xd9];
const jpeg = (...parts) => new Blob([new Uint8Array([0xff, 0xd8, ...parts.flat()])], { type: "image/jpeg" });
const bytesOf = async ({ blob }) => [...new Uint8Array(await blob.arrayBuffer())];

/** An EXIF segment with a place and, in the byte order of Intel or of Motorola, which way is up. */
function exif(orientation, little = false) {
  const two = (value) => (little ? [value, 0] : [0, value]);
  const four = (value) => (little ? [value, 0, 0, 0] : [0, 0, 0, value]);
  const tag = little ? [0x12, 1] : [1, 0x12];
  const entry = [...tag, ...two(3), ...four(1), ...two(orientation), 0, 0];
  const order = ascii(little ? "II" : "MM");
  return segment(0xe1, ...ascii("Exif\0\0"), ...order, ...two(42), ...four(8), ...two(1), ...entry, ...ascii("Prague"));
}

test("a photo travels without its comment, place and films, with its colours", async () => {
  const colours = segment(0xe0, ...ascii("JFIF\0"), 1);
  const photo = jpeg(colours, exif(1), segment(0xfe, ...ascii("of Ada")), FRAME, SCAN, END, ascii("and a film"));
  const found = await stripMetadata(photo);
  assert.equal(found.pixels, 600);
  assert.deepEqual(await bytesOf(found), [0xff, 0xd8, ...colours, ...FRAME, ...SCAN, ...END]);
});

test("which way is up stays, in either byte order, and nothing else of it", async () => {
  for (const little of [false, true]) {
    const bytes = await bytesOf(await stripMetadata(jpeg(exif(6, little), FRAME, SCAN, END)));
    const text = String.fromCharCode(...bytes);
    assert.ok(text.includes("Exif\0\0") && !text.includes("Prague"));
    assert.equal(bytes[bytes.indexOf(0x12) + 8], 6);
  }
});

test("an orientation that does not exist counts as upright", async () => {
  assert.ok(
    !String.fromCharCode(...(await bytesOf(await stripMetadata(jpeg(exif(9), FRAME, SCAN, END))))).includes("Exif"),
  );
});

test("other files are not taken apart", async () => {
  const progressive = FRAME.with ? FRAME.with(1, 0xc2) : FRAME.map((byte, i) => (i === 1 ? 0xc2 : byte));
  for (const file of [
    new Blob([ascii("GIF89a")]),
    new Blob([]),
    jpeg(progressive, SCAN, END),
    jpeg(SCAN, END), // no size
    jpeg(FRAME, SCAN), // cut off
    jpeg(FRAME, SCAN, segment(0xda, 1), END), // a second scan
    jpeg([0, 1, 2, 3]),
  ])
    assert.equal(await stripMetadata(file), null);
});

test("bytes are spared on the way out of the house, on mobile data and where a person asks for it", () => {
  const at = (hostname, connection) => isHomeNetwork({ hostname }, { connection });
  for (const home of [
    "127.0.0.1",
    "192.168.1.7",
    "10.0.0.2",
    "172.20.1.1",
    "172.31.0.1",
    "pi.local",
    "[::1]",
    "[fe80::1]",
    "pi",
    "pi.fritz.box",
  ])
    assert.equal(at(home), true, home);
  for (const away of [
    "8.8.8.8",
    "172.32.0.1",
    "[2001:db8::1]",
    "dice.example.org",
    "10.example.org",
    "192.168.example.org",
  ])
    assert.equal(at(away), false, away);
  assert.equal(at("pi.local", { type: "cellular" }), false);
  assert.equal(at("pi.local", { saveData: true }), false);
  assert.equal(at("pi.local", { effectiveType: "3g" }), false);
  assert.equal(at("pi.local", { type: "wifi", effectiveType: "4g" }), true);
});

/** An upload that a test finishes by hand. */
function upload(blob) {
  const made = { blob, isOver: false, status: 0, left: blob.size, stopped: 0 };
  made.over = new Promise((done) => (made.finish = () => ((made.isOver = true), done(null))));
  made.answer = new Promise((done, fail) => Object.assign(made, { take: done, fail }));
  made.answer.catch(() => {});
  made.stop = () => (made.stopped += 1);
  return made;
}

test("in the home's network a photo travels as it is; refused as too large, and the next time, the smaller one does", async () => {
  globalThis.location = { hostname: "pi.local" };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages: [] } });
  const sent = [];
  const post = (blob) => {
    sent.push(upload(blob));
    return sent.at(-1);
  };
  const file = jpeg(exif(1), FRAME, SCAN, END);
  const photo = new OutgoingPhoto(file);
  const answer = photo.send(post);
  await photo.whole;
  await new Promise((done) => setTimeout(done));
  assert.equal(sent.length, 1);
  assert.ok(sent[0].blob.size < file.size); // without its place
  sent[0].finish();
  sent[0].status = 413;
  sent[0].fail(new Error("too large"));
  await new Promise((done) => setTimeout(done, 80));
  assert.equal(sent.length, 2);
  sent[1].take("read");
  assert.equal(await answer, "read");
  const again = photo.send(post);
  await new Promise((done) => setTimeout(done));
  sent[2].take("again");
  assert.equal(await again, "again");
  mock.reset();
});
