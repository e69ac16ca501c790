// Dialogs while they are open. The panel itself needs a document; the one here only remembers which dialog it shows.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as correction from "../../web/static/dialogs/correction.js";
import * as pad from "../../web/static/dialogs/pad.js";
import * as players from "../../web/static/dialogs/players.js";
import * as review from "../../web/static/dialogs/review.js";
import { RefusedError } from "../../web/static/shared/net.js";
import { settle } from "./browser.mjs";
import { dialogPage, line, speak, storage } from "./page.mjs";

beforeEach(async () => {
  globalThis.localStorage = storage();
  globalThis.sessionStorage = storage();
  globalThis.document = { getElementById: () => null };
  Object.assign(globalThis, { innerWidth: 390, innerHeight: 844, matchMedia: () => ({ matches: true }) });
  await speak("en");
});

const THROW = { standing: { turn: { expects: 3, throw: [], dice: [] } } };

test("the pad takes as many dice as are thrown, and tells them", async () => {
  const { page, panel } = dialogPage(THROW);
  pad.open(page, 5);
  const { "pad-key": key, "pad-back": back, "pad-remove": remove, "pad-confirm": confirm } = panel.dialog.handlers;
  for (const value of [1, 6, 2]) key(value);
  assert.deepEqual(panel.dialog.dice, [5, 1, 6]); // no fourth one
  back();
  remove(0);
  key(3);
  assert.match(panel.text, /1 more die/);
  key(3);
  await confirm();
  assert.deepEqual(page.acts, [{ action: { do: "throw", dice: [1, 3, 3] }, at: 5, keep: null }]);
  assert.equal(page.local.byHand, true);
});

test("dice that were tapped come back when the pad opens again for the same throw", () => {
  const { page, panel } = dialogPage(THROW);
  pad.open(page, 5);
  panel.close();
  pad.open(page, 6);
  assert.deepEqual(panel.dialog.dice, [5, 6]);
  panel.close();
  Object.assign(page.state, { version: 6, steps: 5, recent: [line(6)] });
  pad.open(page);
  assert.deepEqual(panel.dialog.dice, []);
});

test("the pad stays open through corrections of earlier steps, and closes when another phone throws", async () => {
  const { page, panel } = dialogPage(THROW);
  pad.open(page, 5);
  Object.assign(page.state, { version: 6, recent: [line(6, "correct")] });
  assert.equal(panel.dialog.update(), false);
  await panel.dialog.handlers["pad-confirm"]();
  assert.equal(page.acts[0].at, 6);
  Object.assign(page.state, { version: 7, recent: [line(6, "correct"), line(7)] });
  assert.equal(panel.dialog.update(), true);
  assert.equal(panel.dialog, null);
});

const MOVE = {
  player: 0,
  action: { do: "throw", dice: [1, 2] },
  device: "Phone",
  at: "2026-11-25T10:00:00Z",
  seq: 3,
  events: [],
};
const PREVIEW = {
  version: 5,
  seq: 3,
  was: MOVE.action,
  before: [
    { name: "Ada", score: 1000 },
    { name: "Bob", score: 500 },
  ],
  after: [
    { name: "Ada", score: 850 },
    { name: "Bob", score: 500 },
  ],
  settled: [],
  dropped: 0,
  choices: [],
  turn: [
    { to_act: [0], points: 0 },
    { to_act: [0], points: 0 },
  ],
  set_aside: null,
  over: false,
};

const PLACE = { number: 1, turn_of: 0, turn: 1, throw: 1 };
/** A page of the history with this step. */
const stepPage = (number, next = null, version = 5) => ({
  version,
  moves: [{ ...MOVE, seq: number }],
  places: [{ ...PLACE, number }],
  log: [],
  next,
});

/** Opens the correction of the one step of a game, with the second die changed to `value`. */
async function correcting(value, more) {
  const made = dialogPage(more);
  correction.openSteps(made.page);
  made.asked[0].answer({ version: 5, moves: [MOVE], places: [PLACE], log: [], next: null });
  await settle();
  made.panel.dialog.handlers["correct-step"]({ step: 1, seq: 3, action: MOVE.action, player: 0, at: 1 });
  const { handlers } = made.panel.dialog;
  handlers["correct-value"](value);
  return { ...made, handlers, dialog: made.panel.dialog };
}

test("a correction shows its effect before it is done", async () => {
  const { page, panel, asked, handlers, dialog } = await correcting(6);
  assert.equal(dialog.unsaved(), true);
  assert.match(panel.text, /See what would change/);
  const corrected = { step: 1, action: { do: "throw", dice: [1, 6] }, said: [] };
  assert.deepEqual(asked[1].given, ["corrections/preview", corrected]);
  asked[1].answer(PREVIEW);
  await settle();
  assert.match(panel.text, /Ada 1,000 850 Bob 500 500 .*Correct it$/);
  handlers["correct-do"]();
  await settle();
  assert.deepEqual(asked[2].given, ["corrections", 5, { ...corrected, forced: true }]);
  assert.equal(dialog.unsaved(), false); // it is on its way
  asked[2].answer();
  await settle();
  assert.equal(panel.dialog, null);
  assert.deepEqual(page.said, []);
});

test("a value that is changed back is no correction", async () => {
  const { dialog } = await correcting(2);
  assert.equal(dialog.unsaved(), false);
});

test("a corrected bust says whose turn it will be, its points, and what is set aside by itself", async () => {
  const turn = [
    { to_act: [1], points: 0 },
    { to_act: [0], points: 1150 },
  ];
  const { panel, asked } = await correcting(6);
  asked.at(-1).answer({ ...PREVIEW, turn, set_aside: { do: "set-aside", dice: [1], points: 100 } });
  await settle();
  assert.match(panel.text, /Bob plays → Ada plays This turn: 0 → 1,150/);
  assert.match(panel.text, /\+100 is set aside at once: nothing else is possible/);
});

test("a preview of an older choice is not shown", async () => {
  const { panel, asked, handlers } = await correcting(6);
  handlers["correct-pick"](0);
  handlers["correct-value"](4);
  asked[1].answer(PREVIEW);
  await settle();
  assert.match(panel.text, /See what would change/);
});

test("a preview of an older state is asked for again", async () => {
  const { page, panel, asked } = await correcting(6);
  page.state.version = 6;
  asked[1].answer(PREVIEW);
  await settle();
  assert.equal(asked.length, 3);
  asked[2].answer({ ...PREVIEW, version: 6, dropped: 2 });
  await settle();
  assert.match(panel.text, /Correct it and drop 2 steps$/);
  page.state.version = 7;
  panel.dialog.update();
  assert.equal(asked[3].given[0], "corrections/preview");
});

test("a step that somebody else changed meanwhile is shown in the list again", async () => {
  const { page, panel, asked } = await correcting(6);
  asked[1].answer({ ...PREVIEW, was: { do: "throw", dice: [3, 3] } });
  await settle();
  assert.deepEqual(page.said, ["This step was changed meanwhile."]);
  asked[2].answer({ version: 5, moves: [MOVE], places: [PLACE], log: [], next: null });
  await settle();
  assert.match(panel.text, /^Steps so far/);
});

test("a step that is gone closes its correction, another refusal does not", async () => {
  const { page, panel, asked, handlers, dialog } = await correcting(6);
  asked[1].fail(new RefusedError({ reason: "wrong-count", detail: "Not so." }, 422));
  await settle();
  assert.equal(panel.dialog, dialog);
  handlers["correct-preview"]();
  asked[2].fail(new RefusedError({ reason: "no-such-step", detail: "It is gone." }, 422));
  await settle();
  assert.deepEqual(page.said, ["Not so.", "It is gone."]);
  assert.equal(asked[3].name, "history");
});

test("the question for an undo closes when the table moves on", async () => {
  const { page, panel, asked } = dialogPage({ state: { last_move: MOVE } });
  correction.askUndo(page);
  assert.match(panel.text, /^Take back the last step\?/);
  asked[0].answer({ version: 5, before: PREVIEW.before, after: PREVIEW.before, turn: [50, 0] });
  await settle();
  assert.match(panel.text, /All scores stay as they are\. This turn: 50 → 0/);
  assert.equal(panel.dialog.update(), false);
  page.state.version = 6;
  assert.equal(panel.dialog.update(), true);
  assert.equal(panel.dialog, null);
});

test("a preview of an undo that came too late is not shown", async () => {
  const { page, panel, asked } = dialogPage({ state: { last_move: MOVE } });
  correction.askUndo(page);
  asked[0].answer({ version: 4, before: PREVIEW.before, after: PREVIEW.after, turn: [0, 0] });
  await settle();
  assert.doesNotMatch(panel.text, /850/);
});

test("earlier steps come page by page, and all that are shown come anew with a change", async () => {
  const { page, panel, asked } = dialogPage();
  correction.openSteps(page);
  asked[0].answer(stepPage(9, "900"));
  await settle();
  assert.match(panel.text, /9 · .*Earlier steps$/);
  panel.dialog.handlers["steps-more"]();
  asked[1].answer(stepPage(9, "900"));
  await settle();
  assert.deepEqual(asked[2].given, ["900"]);
  asked[2].answer(stepPage(8));
  await settle();
  assert.match(panel.text, /9 · .*8 · /);
  assert.doesNotMatch(panel.text, /Earlier steps/);
  page.state.version = 6;
  panel.dialog.update();
  asked[3].answer(stepPage(10, "1000", 6));
  await settle();
  assert.deepEqual(asked[4].given, ["1000"]);
  asked[4].answer(stepPage(9, "900", 6));
  await settle();
  assert.match(panel.text, /10 · .*9 · .*Earlier steps$/);
});

test("a name that is typed while the one before is added stays", async () => {
  globalThis.HTMLInputElement = class {};
  const name = Object.assign(new HTMLInputElement(), { value: "Cleo" });
  globalThis.document = { getElementById: () => name };
  let added = () => {};
  const { page, panel } = dialogPage();
  page.act = () => new Promise((done) => (added = done));
  players.handlers(page).players();
  for (const left of ["Dora", ""]) {
    const done = panel.dialog.handlers["player-add"]();
    name.value = "Dora";
    added(true);
    await done;
    assert.equal(name.value, left);
  }
});
