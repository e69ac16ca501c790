import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { saveSetting } from "../../web/static/shared/device.js";
import { Voice } from "../../web/static/voice/voice.js";
import { line, pageOf, speak, storage } from "./page.mjs";

let spoken;

beforeEach(async () => {
  spoken = [];
  globalThis.localStorage = storage();
  globalThis.window = { speechSynthesis: true };
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
  const page = pageOf(more);
  page.setup.language = language;
  return page;
};
const thrown = (seq, dice) => line(seq, "do", { do: { do: "throw", dice } });
const watched = (dice, sure = true) => ({ state: "throw", sure, ways: [[{ do: "keep" }, { do: "throw", dice }]] });

/** Tells the voice of a new state, and has it say what there is to say. */
const tell = (voice, since, done, question = null) => {
  voice.takeState(since, done);
  voice.speak(question);
};

test("a throw is said in order, with what it came to, in the page's language", () => {
  tell(new Voice(pageIn("cs")), [thrown(6, [5, 1, 3])], "Ada: +100");
  assert.deepEqual(spoken, [["1, 3, 5. Ada: +100", "cs-CZ"]]);
});

test("of two throws the last one is said", () => {
  tell(new Voice(pageIn("en")), [thrown(6, [5]), thrown(7, [2])], "");
  assert.deepEqual(spoken, [["2", "en-GB"]]);
});

test("where it was not asked for nothing is said", () => {
  saveSetting("voice", false);
  tell(new Voice(pageIn("en")), [thrown(6, [5])], "");
  assert.deepEqual(spoken, []);
});

test("after a correction only the new totals are said", () => {
  const page = pageIn("pl");
  const voice = new Voice(page);
  page.standing.players[1].score = 1250;
  tell(voice, [line(6, "correct")], "");
  assert.deepEqual(spoken, [["Bob: 1,250", "pl-PL"]]);
  tell(voice, [line(7, "undo")], "");
  assert.equal(spoken.length, 1); // no total has changed since
});

test("a certain throw before the watching camera is said once, and not again when it is confirmed", () => {
  const page = pageIn("en");
  const voice = new Voice(page);
  page.state.watched = watched([6, 2], false);
  tell(voice, [], "");
  assert.deepEqual(spoken, []);
  page.state.watched = watched([6, 2]);
  tell(voice, [], "");
  tell(voice, [], "");
  assert.deepEqual(
    spoken.map(([text]) => text),
    ["2, 6"],
  );
  tell(voice, [thrown(6, [2, 6])], "Ada: +50");
  assert.deepEqual(
    spoken.map(([text]) => text),
    ["2, 6", "Ada: +50"],
  );
  tell(voice, [thrown(7, [2, 6])], "");
  assert.equal(spoken.at(-1)[0], "2, 6"); // the same dice again are another throw
});
