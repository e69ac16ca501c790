import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import * as advice from "../../web/static/shared/advising.js";
import { settle } from "./browser.mjs";
import { line, pageOf, speak, textOf } from "./page.mjs";

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  await speak("en");
});

const BANK = { action: { do: "bank" }, odds: {}, loss: 0 };
const THROW = { action: { do: "throw" }, odds: { bust: 0.333, score: 0.667, bank: 1 }, loss: 120.4 };

/** An answer of the server for version 5. */
const answerOf = (more = {}) => ({
  version: 5,
  mode: "best",
  player: 0,
  unit: "points",
  choices: [BANK, THROW],
  odds: {},
  value: 812.5,
  exact: true,
  again: null,
  ...more,
});

/** A page that asks for best play, and the questions that it asked. */
function advisedPage(more = {}) {
  const asked = [];
  const table = { get: (path) => new Promise((answer, fail) => asked.push({ path, answer, fail })) };
  const page = pageOf({ ...more, state: { settings: { advice: "best" }, ...more.state }, table: () => table });
  return { page, asked };
}

async function advised(answer, more) {
  const { page, asked } = advisedPage(more);
  advice.request(page);
  asked[0].answer(answer);
  await settle();
  return page;
}

test("advice is asked for once for each state, and drawn when it is there", async () => {
  const { page, asked } = advisedPage();
  advice.request(page);
  advice.request(page);
  assert.equal(asked.length, 1);
  assert.equal(advice.current(page), null);
  asked[0].answer(answerOf());
  await settle();
  assert.equal(page.drawn, 1);
  assert.equal(advice.current(page).value, 812.5);
  page.state.version = 6;
  assert.equal(advice.current(page), null); // of the state before
  advice.request(page);
  assert.equal(asked.length, 2);
});

test("without advice, or when the game is over, nothing is asked", () => {
  for (const more of [{ state: { settings: { advice: "off" } } }, { standing: { over: true } }]) {
    const { page, asked } = advisedPage(more);
    advice.request(page);
    assert.equal(asked.length, 0);
  }
});

test("an answer to an older question is not taken", async () => {
  const { page, asked } = advisedPage();
  advice.request(page);
  page.state.version = 6;
  advice.request(page);
  asked[1].answer(answerOf({ version: 6 }));
  asked[0].answer(answerOf());
  await settle();
  assert.equal(advice.current(page).version, 6);
  assert.equal(page.drawn, 1);
});

test("what is being worked out is asked for again when the server says so", async () => {
  const { page, asked } = advisedPage();
  advice.request(page);
  asked[0].answer(answerOf({ again: 2, choices: [], without: undefined }));
  await settle();
  assert.equal(advice.current(page), null);
  mock.timers.tick(1999);
  assert.equal(asked.length, 1);
  mock.timers.tick(1);
  assert.equal(asked.length, 2);
});

test("a question that failed is asked again after three seconds", async () => {
  const { page, asked } = advisedPage();
  advice.request(page);
  asked[0].fail(new TypeError("no network"));
  await settle();
  mock.timers.tick(3000);
  assert.equal(asked.length, 2);
  assert.equal(page.drawn, 0);
});

test("a choice is found whatever the order of its dice", async () => {
  const keep = { action: { do: "keep", dice: [1, 5, 1] }, odds: {}, loss: 3 };
  const page = await advised(answerOf({ choices: [keep] }));
  assert.equal(advice.choiceFor(page, { do: "keep", dice: [5, 1, 1], points: 7 }), keep);
  assert.equal(advice.choiceFor(page, { do: "keep", dice: [5, 1] }), null);
});

test("the best choice has a star, another one what it costs in its unit", async () => {
  const cost = async (more, action) => textOf(advice.cost(await advised(answerOf(more)), action));
  assert.equal(await cost({}, { do: "bank" }), "best play");
  assert.equal(await cost({}, { do: "throw" }), "\u2212120.4 120.4 points less");
  const loses = [{ ...BANK, loss: 0.25 }];
  assert.equal(await cost({ unit: "win", choices: loses }, { do: "bank" }), "\u221225% chance to win 25% less");
  assert.equal(await cost({ unit: "turns", choices: loses }, { do: "bank" }), "\u22120.3 0.3 turns more");
  assert.equal(await cost({ mode: "odds" }, { do: "throw" }), ""); // this table asks for best play
});

test("chances that say nothing are left out", async () => {
  const page = await advised(answerOf());
  const words = textOf(advice.choiceLine(page, { do: "throw" }));
  assert.equal(words, "120.4 points less bust 33%");
});

test("the best three choices are offered, what a throw brings cannot be tapped", async () => {
  const pages = [0, 1, 2, 3].map((loss) => ({ action: { do: "keep", dice: [loss + 1] }, odds: {}, loss }));
  const page = await advised(answerOf({ choices: [...pages, THROW] }));
  page.setup.sentences.actions = {
    keep: { choice: [{ text: "Keep {dice}" }] },
    throw: { choice: [{ text: "Throw" }] },
  };
  const drawn = String(advice.bestChoices(page));
  assert.equal(drawn.match(/<button/g).length, 3);
  assert.match(
    textOf(drawn),
    /^Keep 1 best play Keep 2 1.0 points less Keep 3 2.0 points less Ada comes to 812.5 points on average\.$/,
  );
});

test("why there is no best play", async () => {
  const page = await advised(answerOf({ choices: [], without: "memory" }));
  assert.match(textOf(advice.notice(page)), /not enough free memory/);
  assert.equal(advice.notice(await advised(answerOf())), "");
});

test("a lone player is told what the step cost, not one among others", async () => {
  const alone = { standing: { players: [{ name: "Ada", score: 0 }] } };
  const page = await advised(answerOf(), alone);
  const step = (what, seq = 6) => [line(seq, "do", { do: { do: what } })];
  assert.equal(advice.lossOfLastStep(page, step("bank")), "best play");
  assert.equal(advice.lossOfLastStep(page, step("throw")), "120.4 worse than best");
  assert.equal(advice.lossOfLastStep(page, step("throw", 7)), ""); // of another state
  assert.equal(advice.lossOfLastStep(page, []), "");
  assert.equal(advice.lossOfLastStep(await advised(answerOf()), step("bank")), "");
});
