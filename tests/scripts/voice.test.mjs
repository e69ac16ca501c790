import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Announcer } from "../../web/static/shared/announcer.js";
import { saveSetting } from "../../web/static/shared/device.js";
import { digitIn } from "../../web/static/voice/by-ear.js";
import { HandsFree } from "../../web/static/voice/hands-free.js";
import { line, pageOf, speak, storage } from "./page.mjs";

let spoken;
let region;

class Element {
  attributes = {};
  children = [];
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  append(...more) {
    this.children.push(...more);
  }
  addEventListener() {}
}

beforeEach(async () => {
  spoken = [];
  region = new Element();
  globalThis.localStorage = storage();
  globalThis.window = { speechSynthesis: true };
  globalThis.HTMLElement = Element;
  globalThis.document = { getElementById: () => region, createElement: () => new Element() };
  globalThis.SpeechSynthesisUtterance = class {
    constructor(text) {
      this.text = text;
    }
  };
  globalThis.speechSynthesis = { cancel() {}, speak: ({ text, lang }) => spoken.push([text, lang]) };
  saveSetting("voice", true);
  await speak("en");
});

const pageIn = (language, more) => {
  const page = pageOf({ panel: { box: new Element(), shows: () => false, isOpen: () => false }, ...more });
  page.setup.language = language;
  page.setup.sentences.actions.throw = { done: [{ text: "threw" }] };
  return page;
};
const watched = (dice, sure = true) => ({
  state: "throw",
  sure,
  ways: [
    [
      { do: "keep", dice: [] },
      { do: "throw", dice },
    ],
  ],
});

/** A phone at this page, which is told of a step: `tell(dice)`, or of a line of the log. */
function phoneOf(page) {
  const announcer = new Announcer(page, {});
  const handsFree = new HandsFree(page);
  return async (dice, entry = line(page.state.version + 1, "do", { do: { do: "throw" } })) => {
    if (dice) {
      page.state.version += 1;
      page.state.recent = [entry];
      page.state.last_move = { seq: entry.seq, player: 0, action: { do: "throw", dice }, events: [] };
      announcer.tell();
    }
    handsFree.update();
    await null;
  };
}

test("the voice says what the page has said, in its language, and screen readers leave it to the voice", async () => {
  await speak("cs", { threw: "hod" });
  await phoneOf(pageIn("cs"))([5, 1, 3]);
  assert.deepEqual(spoken, [["Ada: hod 1, 3, 5.", "cs-CZ"]]);
  assert.equal(region.attributes["aria-live"], "off");
});

test("where it was not asked for the page alone says it", async () => {
  saveSetting("voice", false);
  await phoneOf(pageIn("en"))([5]);
  assert.deepEqual(spoken, []);
  assert.equal(region.attributes["aria-live"], "polite");
});

test("after a correction the new totals are said", async () => {
  const page = pageIn("pl");
  await speak("pl");
  const tell = phoneOf(page);
  page.standing.players[1].score = 1250;
  await tell([1], line(6, "correct", { correct: 3 }));
  assert.deepEqual(spoken, [["Computer: step 3 was corrected. Bob: 1\u202f250.", "pl-PL"]]);
});

test("a certain throw before the watching camera is said once, and not again when it is confirmed", async () => {
  const page = pageIn("en", { state: { watched: watched([6, 2], false) } });
  const tell = phoneOf(page);
  const texts = () => spoken.splice(0).map(([text]) => text);
  await tell();
  assert.ok(!texts().some((text) => text === "2, 6"));
  page.state.watched = watched([6, 2]);
  await tell();
  await tell();
  assert.deepEqual(texts(), ["2, 6"]);
  page.state.watched = null;
  await tell([2, 6]);
  assert.deepEqual(texts(), []);
  await tell([2, 6]);
  assert.deepEqual(texts(), ["Ada: threw 2, 6."]); // the same dice again are another throw
});

test("a number is heard as a digit or as a word of its language, alone", async () => {
  assert.deepEqual(["2", " Two. ", "nine", "zero", "twenty", "two dice", ""].map(digitIn), [
    2,
    2,
    9,
    0,
    null,
    null,
    null,
  ]);
  await speak("de", { "zero one two three four five six seven eight nine": "null ein/eins zwei/zwo" });
  assert.deepEqual(["eins", "Zwo", "one"].map(digitIn), [1, 2, null]);
});
