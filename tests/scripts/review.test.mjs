// The review of a photo: what it says and asks. How it looks and is tapped stands in tests/browser/test_review.py.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../../web/static/dialogs/review.js";
import { dialogPage, speak, storage } from "./page.mjs";

beforeEach(async () => {
  globalThis.localStorage = storage();
  globalThis.sessionStorage = storage();
  globalThis.document = { getElementById: () => null };
  Object.assign(globalThis, { innerWidth: 390, innerHeight: 844, matchMedia: () => ({ matches: true }) });
  await speak(
    "en",
    {},
    {
      "too-many": "{found} dice are seen, {dice} were thrown",
      blurred: "the photo is blurred",
      "from-the-side": "the dice are seen from the side",
      cut: "a die is cut off",
    },
  );
});

/** A die in the photo, the `i`th from the left. */
const dieAt = (value, i, more = {}) => ({ value, sure: true, box: [100 * i, 0, 100 * i + 90, 90], ...more });
const asking = (reason, params = {}) => ({ reason, params, text: "?" });

/** Opens the review of a photo with these dice, where so many were to be thrown. */
function reviewOf(dice, { expects = dice.length, ...told } = {}) {
  const pending = { id: "p", status: "read", width: 900, height: 300, dice, aside: [], asks: [], sure: true, ...told };
  const standing = { turn: { expects, throw: [], dice: [] } };
  const made = dialogPage({ standing, state: { pending }, wantsPhoto: () => true });
  open(made.page);
  const { dialog } = made.panel;
  const html = () => String(dialog.content());
  return { ...made, dialog, html, tap: (act, arg) => dialog.handlers[`review-${act}`](arg) };
}

const doubtful = (...values) => values.map((value, i) => dieAt(value, i, { sure: false }));
const clear = (...values) => values.map((value, i) => dieAt(value, i));
const offers = (html, act) => html.includes(`data-act="review-${act}"`);

test("the values to choose from stand in their order, the two likeliest with a word", () => {
  const dice = clear(6, 5, 4, 3, 2, 1).map((die) => ({
    ...die,
    alternatives: [3, 1, 4, 2].filter((v) => v !== die.value),
  }));
  const { html, tap } = reviewOf(dice);
  for (const [i, { alternatives }] of dice.entries()) {
    tap("pick", i);
    const keys = [...html().matchAll(/<button[^>]*data-act="review-value"[^>]*>/g)].map(([key]) => key);
    assert.deepEqual(
      keys.map((key) => key.match(/data-arg="(\d)"/)?.[1]),
      [..."123456"],
    );
    const likely = keys.flatMap((key, at) => (key.includes(", or maybe") ? [at + 1] : []));
    assert.deepEqual(likely, alternatives.slice(0, 2).sort());
    tap("unpick");
  }
});

test("doubts are said in the head until each was told", () => {
  const { panel, html, tap } = reviewOf([1, 2, 5, 6].map((value, i) => dieAt(value, i, { sure: value < 5 })));
  assert.match(panel.text, /^Ada 4 dice, 2 doubtful/);
  assert.doesNotMatch(html(), /class="count right"/);
  tap("pick", 2);
  tap("value", 5);
  assert.match(panel.text, /^Ada 4 dice, 1 doubtful/);
  assert.ok(offers(html(), "confirm"));
  tap("pick", 3);
  tap("value", 6);
  assert.match(panel.text, /^Ada 4 dice .*Tap a die to change it/);
  assert.match(html(), /class="count right"/);
});

for (const count of [6, 3, 2])
  test(`${count} dice of which none is sure are not confirmed by the way: they may be a circuit board`, () => {
    const dice = doubtful(1, 2, 3, 4, 5, 6).slice(0, count);
    const { panel, html, tap } = reviewOf(dice);
    for (let i = 0; i < count; i += 1) {
      assert.match(html(), /class="button primary grow"[^>]*>.*Photograph again/s);
      assert.equal(offers(html(), "confirm"), false);
      tap("pick", i);
      assert.equal(offers(html(), "confirm"), false);
      tap("unpick");
    }
    assert.match(panel.text, /Confirm the throw$/);
    assert.match(reviewOf(dice).panel.text, /Confirm the throw$/, "also after the page was loaded anew");
  });

test("a person may say that all doubtful dice are right", () => {
  const { panel, html, tap } = reviewOf(doubtful(1, 2, 3));
  assert.equal(offers(html(), "confirm"), false);
  tap("right");
  assert.match(panel.text, /^Ada 3 dice .*Confirm the throw$/);
});

test("how many dice were seen is not said of dice that were changed", () => {
  const asks = [asking("too-many", { found: 4, dice: 3 }), asking("blurred")];
  const { panel, tap } = reviewOf([...clear(1, 2, 3), dieAt(4, 3, { sure: false })], { expects: 3, asks, sure: false });
  assert.match(panel.text, /1 die too many .*4 dice are seen/i);
  tap("pick", 0);
  tap("remove");
  assert.doesNotMatch(panel.text, /are seen/);
  assert.match(panel.text, /3 dice, 1 doubtful .*the photo is blurred/i);
});

test("a doubtful photo of clear dice says why it asks", () => {
  const { panel, html } = reviewOf(clear(1, 2, 3), { asks: [asking("from-the-side"), asking("cut")], sure: false });
  assert.match(panel.text, /from the side · a die is cut off/i);
  assert.doesNotMatch(html(), /class="count right"/);
});

test("dice that may lie aside are left out by themselves where their values tell which", () => {
  const { panel, html } = reviewOf(clear(1, 5, 2, 2, 3, 4, 6, 6), { expects: 6, beside: [1, 5] });
  assert.match(panel.text, /^Ada 6 dice .*lie aside/);
  const aside = [...html().matchAll(/Die \d: (\d), lies aside/g)].map(([, value]) => value);
  assert.deepEqual([...new Set(aside)].sort(), ["1", "5"]);
});
