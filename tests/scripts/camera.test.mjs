import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { stripMetadata } from "../../web/static/camera/jpeg.js";
import { OutgoingPhoto, isHomeNetwork } from "../../web/static/camera/sending.js";
import { grey, hasChanged } from "../../web/static/camera/stand.js";
import { cameraWord } from "../../web/static/shared/live.js";
import { speak } from "./page.mjs";

beforeEach(() => speak("en"));

const WIDTH = 320; // pixels of a glance
const DIE = WIDTH / 20; // the smallest dice that can be read

/** A grey glance with noise of that deviation, and boxes [x0, y0, x1, y1, grey] in it. */
function glance({ ground = 90, boxes = [], noise = 2, seed = 1 } = {}) {
  const pixels = new Float32Array(WIDTH * 240).fill(ground);
  for (const [x0, y0, x1, y1, shade] of boxes)
    for (let y = y0; y < y1; y++) pixels.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const pixel = (value) => value + noise * (random() + random() + random() + random() - 2) * Math.sqrt(3);
  return { pixels: pixels.map(pixel), width: WIDTH };
}

const die = (x, y, pips = []) => [
  [x, y, x + DIE, y + DIE, 220],
  ...pips.map(([dx, dy]) => [x + dx, y + dy, x + dx + 3, y + dy + 3, 30]),
];

test("colours become grey as eyes see them", () => {
  assert.deepEqual([...grey([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255])].map(Math.round), [77, 150, 28]);
});

test("one small die that was thrown again has changed, wherever it lies", () => {
  const before = glance({ boxes: [...die(40, 40), ...die(200, 100)] });
  for (let x = 60; x < 180; x += 5) {
    const now = glance({ boxes: [...die(40, 40), ...die(x, 3 * (x % 50))], seed: x });
    assert.ok(hasChanged(before, now), `a die at ${x}`);
  }
});

test("one small die that shows another value at its place has changed", () => {
  const before = glance({ boxes: die(203, 101, [[7, 7]]) });
  const now = glance({
    boxes: die(203, 101, [
      [2, 2],
      [11, 2],
      [7, 7],
      [2, 11],
      [11, 11],
    ]),
    seed: 2,
  });
  assert.ok(hasChanged(before, now));
});

test("noise and another light are no change, a hand over most of the picture is one", () => {
  const boxes = die(40, 40);
  for (const noise of [0, 1, 3, 6]) {
    const before = glance({ boxes, noise });
    for (let seed = 2; seed < 40; seed++) assert.ok(!hasChanged(before, glance({ boxes, noise, seed })), `${noise}`);
  }
  const lighter = glance({ ground: 100, boxes: [[40, 40, 40 + DIE, 40 + DIE, 230]], seed: 3 });
  assert.ok(!hasChanged(glance({ boxes }), lighter));
  assert.ok(hasChanged(glance({ boxes }), glance({ boxes: [[20, 0, WIDTH, 240, 160]] })));
  assert.ok(hasChanged(glance(), { pixels: new Float32Array(4), width: 2 }), "the picture was turned");
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
  globalThis.document = { documentElement: { dataset: {} } };
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

test("a photo for the application in this browser is never made smaller, whatever the site's name", async () => {
  globalThis.location = { hostname: "dice.example.org" };
  globalThis.document = { documentElement: { dataset: { application: "here" } } };
  const decode = mock.fn();
  globalThis.createImageBitmap = decode;
  const sent = [];
  const photo = new OutgoingPhoto(jpeg(exif(1), FRAME, SCAN, new Array(500_000).fill(0), END));
  const answer = photo.send((blob) => {
    sent.push(upload(blob));
    return sent.at(-1);
  });
  await new Promise((done) => setTimeout(done, 80));
  assert.equal(sent.length, 1);
  assert.equal(sent[0].stopped + decode.mock.callCount(), 0);
  sent[0].take("read");
  assert.equal(await answer, "read");
});
