// A photo from the file to its review: cancelled, too late, one of two, kept. The real way: tests/browser/test_photos_sent.py.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { PhotoSender } from "../../web/static/camera/photo-sender.js";
import { dueThrow } from "../../web/static/dialogs/due-throw.js";
import { RefusedError } from "../../web/static/shared/net.js";
import { dialogPage, line, speak, storage, textOf } from "./page.mjs";

/** Photos that this browser keeps, by their table. */
let kept = new Map();
/** What was sent, one form for each request. */
let forms = [];

const answered = (result) => {
  const asked = Object.assign(new EventTarget(), { result });
  queueMicrotask(() => asked.dispatchEvent(new Event("success")));
  return asked;
};
const store = {
  put: (photo) => answered(kept.set(photo.table, photo)),
  getAll: () => answered([...kept.values()]),
  get: (table) => answered(kept.get(table)),
  delete: (table) => answered(kept.delete(table)),
};
const base = {
  close() {},
  transaction() {
    setTimeout(() => change.dispatchEvent(new Event("complete")));
    const change = Object.assign(new EventTarget(), { objectStore: () => store });
    return change;
  },
};
const request = class extends EventTarget {
  upload = new EventTarget();
  open() {}
  setRequestHeader() {}
  abort() {}
  send(form) {
    forms.push(form);
  }
};

beforeEach(async () => {
  [kept, forms] = [new Map(), []];
  const document = { documentElement: { dataset: {} }, querySelector: () => null, getElementById: () => null };
  const indexedDB = { open: () => answered(base) };
  const location = { hostname: "dice.example.org" };
  Object.assign(globalThis, { document, indexedDB, location, XMLHttpRequest: request });
  globalThis.localStorage = storage();
  await speak("en");
});

/** Lets all go on that waits for nothing but other work. */
const settle = () => new Promise((done) => setTimeout(done, 20));
const PHOTO = new Blob(["a photo"]);
const READ = { id: "p", request: "of another", status: "read", device: "Bob's phone" };

function senderOf(state = {}) {
  const made = dialogPage({ standing: { turn: { expects: 6, throw: [], dice: [] } }, state });
  const { page, asked } = made;
  const seen = { looked: 0, discarded: [] };
  page.draw = () => {};
  page.discard = (id) => seen.discarded.push(id);
  const sender = new PhotoSender(
    page,
    async (shown) => shown,
    () => (seen.looked += 1),
  );
  return {
    ...made,
    sender,
    seen,
    sent: () => asked.filter(({ name }) => name === "sendUntilAnswered"),
    card: () => textOf(sender.card()),
    take: async () => {
      sender.take(PHOTO, dueThrow(page));
      await settle();
    },
    /** Somebody told the throw. */
    told: () => Object.assign(page.state, { version: 6, recent: [line(6)] }),
  };
}

const isStopped = (upload) => upload.given[1]();

test("a photo on its way says so until it is read, and its review may open", async () => {
  const { sender, page, card, take } = senderOf();
  await take();
  assert.match(card(), /^Sending the photo/);
  assert.equal(kept.size, 1);
  const mine = { id: "m", request: sender.photo.request, status: "waiting" };
  page.state.pending = mine;
  assert.equal(sender.update(), "");
  assert.match(card(), /^Reading the dice/);
  page.state.pending = { ...mine, status: "read" };
  assert.equal(sender.update(), "read");
  await settle();
  assert.deepEqual([card(), kept.size], ["", 0]);
});

test("a photo that is cancelled is stopped; what came all the same is discarded", async () => {
  const { sender, page, asked, card, take, sent } = senderOf();
  await take();
  const { request } = sender.photo;
  sender.handlers["photo-cancel"]();
  assert.equal(card(), "");
  assert.equal(isStopped(sent()[0]), true);
  page.state.pending = { id: "m", request, status: "waiting" };
  for (let times = 0; times < 2; times += 1) sender.update();
  await settle();
  assert.deepEqual(
    asked.filter(({ name }) => name === "discard").map(({ given }) => given),
    [["m"]],
  );
  assert.equal(kept.size, 0);
  assert.deepEqual(page.said, []);
});

test("a photo that is being read is taken back from the table", async () => {
  const { sender, page, seen, take } = senderOf();
  await take();
  page.state.pending = { id: "m", request: sender.photo.request, status: "waiting" };
  sender.update();
  sender.handlers["photo-cancel"]();
  assert.deepEqual(seen.discarded, ["m"]);
});

test("a photo ends once its throw was told otherwise", async () => {
  const { sender, card, take, told, sent } = senderOf();
  await take();
  told();
  assert.equal(sender.update(), "late");
  assert.equal(isStopped(sent()[0]), true);
  await settle();
  assert.deepEqual([card(), kept.size], ["", 0]);
});

test("a photo of a throw that was told while it was taken is not sent", async () => {
  const { sender, page, take, sent } = senderOf();
  const due = dueThrow(page);
  Object.assign(page.state, { version: 6, recent: [line(6)] });
  sender.take(PHOTO, due);
  await settle();
  assert.equal(sent().length, 0);
  assert.equal(page.said.length, 1);
  await take();
  assert.equal(sent().length, 1);
});

test("of two photos on one phone a person says which one counts", async () => {
  for (const counts of ["first", "second"]) {
    const { sender, panel, take, sent } = senderOf();
    await take();
    await take();
    assert.match(panel.text, /^Which photo counts\?.*The first one.*The new one/);
    assert.equal(sent().length, 1);
    const { dialog } = panel;
    dialog.handlers[`photo-${counts}`]();
    await settle();
    assert.equal(panel.dialog, null);
    assert.equal(dialog.unsaved(), false);
    assert.deepEqual(sent().map(isStopped), counts === "first" ? [false] : [true, false]);
    assert.equal(sender.photo.status, "sending");
  }
});

test("a second photo does not replace the one under review unless a person says so", async () => {
  for (const counts of ["first", "second"]) {
    const { panel, seen, take, sent } = senderOf({ pending: READ });
    await take();
    assert.match(panel.text, /Bob's phone.*The new one/);
    panel.dialog.handlers[`photo-${counts}`]();
    await settle();
    assert.equal(seen.looked, counts === "first" ? 1 : 0);
    assert.equal(sent().length, counts === "first" ? 0 : 1);
    if (counts === "first") continue;
    sent()[0].given[0]();
    await settle();
    assert.equal(forms.at(-1).get("replaces"), "p");
  }
});

test("the question closes when the throw was told, and is answered when the first photo is gone", async () => {
  const { panel, page, take, told } = senderOf({ pending: READ });
  await take();
  told();
  assert.equal(panel.dialog.update(), true);
  assert.equal(panel.dialog, null);
  const other = senderOf({ pending: READ });
  await other.take();
  other.page.state.pending = null;
  other.panel.dialog.update();
  await settle();
  assert.equal(other.sent().length, 1);
  assert.deepEqual(page.said, []);
});

test("where two phones sent photos at once, the later one is asked about", async () => {
  const { page, panel, asked, take, sent } = senderOf();
  await take();
  sent()[0].fail(new RefusedError({ reason: "photo-waits", detail: "?" }, 409));
  await settle();
  page.state.pending = READ;
  asked.find(({ name }) => name === "poll").answer();
  await settle();
  assert.match(panel.text, /^Which photo counts\?.*Bob's phone/);
});

test("what the server refuses is told and gone; what it would take later waits", async () => {
  for (const [status, words] of [
    [422, ""],
    [503, /not sent yet.*Send now/],
  ]) {
    const { page, card, take, sent, sender } = senderOf();
    await take();
    sent()[0].fail(new RefusedError({ reason: "busy", detail: "Not now." }, status));
    await settle();
    assert.deepEqual(page.said, ["Not now."]);
    assert.match(card(), words || /^$/);
    if (!words) continue;
    sender.handlers["photo-send"]();
    await settle();
    assert.equal(sent().length, 2);
  }
});

/** A page that finds a photo that was left unsent before. */
async function reloaded() {
  const before = senderOf();
  await before.take();
  const after = senderOf();
  return { ...after, request: before.sender.photo.request };
}

test("a photo that was not sent is kept over a reload, and sent as the same one or discarded", async () => {
  for (const act of ["send", "cancel"]) {
    const { sender, request, card, sent } = await reloaded();
    await sender.restore();
    assert.match(card(), /not sent yet\. It is kept on this phone\. Send now Discard$/);
    sender.handlers[`photo-${act}`]();
    await settle();
    assert.equal(sent().length, act === "send" ? 1 : 0);
    assert.equal(kept.get("k")?.request, act === "send" ? request : undefined);
  }
});

test("a kept photo whose throw was told, or which the table has, is not offered", async () => {
  for (const isTold of [true, false]) {
    const { sender, page, request, card, told } = await reloaded();
    if (isTold) told();
    else page.state.pending = { ...READ, request };
    await sender.restore();
    assert.deepEqual([card(), kept.size], ["", 0]);
  }
});
