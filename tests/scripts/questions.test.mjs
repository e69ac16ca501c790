import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerOfKey } from "../../web/static/voice/hands-free.js";
import { answerOf, openQuestion, passOver, wantToWrite } from "../../web/static/voice/questions.js";
import { joinSentences, turnOf, turnWords } from "../../web/static/voice/spoken.js";
import "../../web/static/table/advising.js";
import { pageOf, speak, storage } from "./page.mjs";

beforeEach(async () => {
  globalThis.localStorage = storage();
  globalThis.window = {};
  await speak("en");
});

const way = (...dice) => [{ do: "throw", dice }];
const watched = (more) => ({ id: "w1", state: "throw", dice: 2, runs_s: null, question: null, refused: null, ...more });
const cell = (category, points) => ({ do: "score", category, points, bonus: 0 });
const titles = { one: "Ones", two: "Twos", full: "Full house", chance: "Chance" };
const sheet = { columns: [1], titles, upper: [], upper_threshold: 63 };
const kinds = (question) => question.answers.map(({ kind }) => kind);

/** A page on which a cell must be written, of four that may be. */
const lastThrow = (
  legal = ["one", "two", "full", "chance"].map((key, i) => cell(key, [1, 4, 25, 13][i])),
  state = {},
) => pageOf({ standing: { sheet, legal }, state });

test("a full stop stands between sentences that have none", () => {
  assert.equal(joinSentences(["2, 6", "", "Right?", "Bust.", "Bob plays"]), "2, 6. Right? Bust. Bob plays");
});

test("of the turn it is said what is left to throw, if that is new", () => {
  const turn = (who, expects, throws = 0) => ({ who, expects, throws });
  assert.equal(turnWords(turn("Ada plays", 6), turn("Ada plays", 3)), "3 dice to throw");
  assert.equal(turnWords(turn("Ada plays", 6), turn("Bob plays", 6)), "6 dice to throw");
  assert.equal(turnWords(turn("Ada plays", 6), turn("Ada plays", 0)), "");
  assert.equal(turnWords(turn("Ada plays", 5, 3), turn("Ada plays", 0, 2)), "2 throws left");
  assert.equal(turnWords(turn("Ada plays", 0, 0), turn("Bob plays", 5, 3)), "");
});

test("the turn is told in the page's language", async () => {
  await speak("cs", {
    "{names} plays": ["hraje {names}", "hrají {names}", "hraje {names}"],
    "this turn": "v tomto tahu",
    "{count} die to throw": ["{count} kostka k hodu", "{count} kostky k hodu", "{count} kostek k hodu"],
  });
  const page = pageOf({ standing: { turn: { expects: 3, points: 250, throw: [] } } });
  assert.equal(turnWords({ who: "", expects: 0, throws: 0 }, turnOf(page)), "3 kostky k hodu");
});

test("what the camera proposes is answered by yes; no goes on to the next way, and at last to the phone", () => {
  const ways = [[{ do: "set-aside", dice: [1] }, ...way(6, 2)], way(1, 2, 6)];
  const page = pageOf({ state: { watched: watched({ ways, question: { reason: "r", text: "several ways." } }) } });
  const first = openQuestion(page);
  assert.equal(first.words, "Several ways. Set aside: 1. Thrown: 2, 6. Right?");
  assert.equal(first.spoken, first.words);
  assert.deepEqual(answerOf(first, "yes").argument, 0);
  passOver(page, answerOf(first, "no").argument);
  const second = openQuestion(page);
  assert.equal(second.words, "Or this? Thrown: 1, 2, 6");
  assert.deepEqual(answerOf(second, "yes").argument, 1);
  assert.notEqual(first.id, second.id);
  passOver(page, "w1");
  assert.deepEqual(kinds(openQuestion(page)), ["again"]);
  page.state.watched = watched({ id: "w2", ways });
  assert.equal(answerOf(openQuestion(page), "yes").argument, 0); // another proposal begins anew
});

test("a certain throw is not asked about aloud, since its dice are said", () => {
  const page = pageOf({ state: { watched: watched({ ways: [way(6, 2)], sure: true }) } });
  assert.deepEqual([openQuestion(page).words, openQuestion(page).spoken], ["Thrown: 2, 6. Right?", ""]);
});

test("whether somebody banked is answered by its own word too", () => {
  const ways = [[{ do: "bank" }, ...way(1, 2)]];
  const page = pageOf({ state: { watched: watched({ ways, question: { reason: "banked", text: "Banked?" } }) } });
  const question = openQuestion(page);
  assert.equal(question.words, "Banked? Bank the points. Thrown: 1, 2");
  assert.equal(answerOf(question, "bank"), answerOf(question, "yes"));
  page.state.watched.ways = [way(1, 2)];
  assert.equal(answerOf(openQuestion(page), "bank"), null);
});

test("what no rule allows is said; banking stays possible", () => {
  const refused = { reason: "r", text: "4 alone cannot be set aside." };
  const page = pageOf({
    standing: { legal: [{ do: "bank", points: 350 }] },
    state: { watched: watched({ ways: [], refused }) },
  });
  const question = openQuestion(page);
  assert.equal(question.spoken, "4 alone cannot be set aside.");
  assert.deepEqual(kinds(question), ["again", "bank"]);
});

test("of the phone's own photo the dice are said; what is wrong in it is corrected by hand", () => {
  const die = (value, sure = true) => ({ value, sure });
  const pending = {
    id: "p1",
    status: "read",
    source: "photo",
    device: "Ada's phone",
    dice: [die(5), die(2, false)],
    asks: [{ reason: "dark", text: "more light helps" }],
  };
  const page = pageOf({ standing: { turn: { expects: 2, throw: [], dice: [] } }, state: { pending } });
  assert.equal(openQuestion(page).words, "2, 5. 1 doubtful. More light helps. Right?");
  pending.dice = [die(5), die(2)];
  assert.equal(openQuestion(page).words, "2, 5. Right?");
  pending.dice = [die(5)];
  assert.equal(openQuestion(page).words, "5. 1 die is missing. More light helps. Change the dice on the phone.");
  assert.deepEqual(kinds(openQuestion(page)), ["no"]);
  pending.dice = [die(5, false), die(2, false)]; // perhaps none of them is a die
  assert.deepEqual(kinds(openQuestion(page)), ["no"]);
  pending.device = "Bob's phone";
  assert.equal(openQuestion(page), null);
});

test("after the last throw the best three cells are told, each with its number; no tells the others", () => {
  const page = lastThrow();
  const question = openQuestion(page);
  assert.equal(question.spoken, "1: Full house: 25 points. 2: Chance: 13 points. 3: Twos: 4 points");
  assert.deepEqual(kinds(question), ["choice", "choice", "choice", "no"]);
  assert.deepEqual(question.answers[1].argument, { do: "score", category: "chance" });
  passOver(page, answerOf(question, "no").argument);
  assert.equal(openQuestion(page).spoken, "1: Ones: 1 point");
  passOver(page, answerOf(question, "no").argument);
  assert.equal(openQuestion(page).id.split(" ").slice(0, 2).join(), question.id.split(" ").slice(0, 2).join());
  assert.equal(openQuestion(page).spoken, question.spoken); // from the beginning
});

test("cells are ranked as on the page, and keep the numbers under which they were told", () => {
  const page = lastThrow(undefined, { settings: { advice: "best" } });
  assert.equal(openQuestion(page).spoken, ""); // the advice, which ranks them, is not there yet
  const choices = [
    { action: cell("chance", 13), odds: {}, loss: 0 },
    { action: cell("full", 25), odds: {}, loss: 3 },
  ];
  page.local.adviceState = {
    key: "",
    timer: 0,
    answer: { version: 5, mode: "best", unit: "points", player: 0, choices },
  };
  assert.match(
    openQuestion(page).spoken,
    /^1: Chance: 13 points, best play\. 2: Full house: 25 points, 3\.0 points less/,
  );
  page.local.adviceState.answer.choices = [];
  assert.equal(openQuestion(page).answers[0].argument.category, "chance");
});

test("before the last throw a cell is asked for by whoever wants to write", () => {
  const page = pageOf({ standing: { sheet, legal: [cell("full", 25), { do: "keep", from: [] }] } });
  const offered = openQuestion(page);
  assert.deepEqual([offered.words, offered.spoken, kinds(offered)], ["", "", ["bank"]]);
  wantToWrite(page);
  assert.equal(openQuestion(page).spoken, "1: Full house: 25 points");
  wantToWrite(page);
  assert.equal(openQuestion(page).words, ""); // he would rather throw
  wantToWrite(page);
  page.state.version += 1;
  assert.equal(openQuestion(page).words, ""); // of another throw it was not asked
});

test("what nobody asked is not said: banking", () => {
  const question = openQuestion(
    pageOf({
      standing: {
        legal: [
          { do: "throw", count: 2 },
          { do: "bank", points: 350 },
        ],
      },
    }),
  );
  assert.deepEqual([question.spoken, kinds(question)], ["", ["bank"]]);
  assert.deepEqual(question.answers[0].argument, { do: "bank" });
});

test("a phone that may not act is asked nothing, nor is anybody after the game", () => {
  const standing = { legal: [{ do: "bank", points: 350 }] };
  assert.equal(openQuestion(pageOf({ standing, mayAct: () => false })), null);
  assert.equal(openQuestion(pageOf({ standing: { ...standing, over: true } })), null);
  assert.equal(openQuestion(pageOf({ standing, state: { closed: true } })), null);
});

test("keys of remotes answer: yes, no, and the number of a cell", () => {
  const asked = openQuestion(pageOf({ state: { watched: watched({ ways: [way(6, 2)] }) } }));
  for (const key of ["PageDown", "AudioVolumeUp", "Enter", " "])
    assert.equal(answerOfKey(asked, { key }).kind, "yes", key);
  for (const key of ["PageUp", "AudioVolumeDown"]) assert.equal(answerOfKey(asked, { key }).kind, "no", key);
  assert.equal(answerOfKey(asked, { key: "1" }).kind, "yes"); // the first answer
  assert.equal(answerOfKey(asked, { key: "x" }), null);
  assert.equal(answerOfKey(null, { key: "PageDown" }), null);
  const cells = openQuestion(lastThrow());
  assert.equal(answerOfKey(cells, { code: "Digit2", key: "ě" }), cells.answers[1]);
  assert.equal(answerOfKey(cells, { key: "PageDown" }), cells.answers[0]); // the best
});
