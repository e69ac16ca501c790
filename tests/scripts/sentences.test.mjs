import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as sentences from "../../web/static/shared/sentences.js";
import { line, pageOf, speak, textOf } from "./page.mjs";

beforeEach(() => speak("en"));

const SENTENCES = {
  actions: {
    bank: { done: [{ text: "banked {points}" }], choice: [{ text: "Bank {points}" }] },
    "set-aside": { done: [{ text: "set aside" }] },
    score: { done: [{ text: "{category} in ×{column}", when: { column: 3 } }, { text: "{category}" }] },
    circle: { done: [{ text: "circled row {row}, column {column}" }] },
    "circle-line": { done: [{ text: "{count} circle", many: "{count} circles" }] },
  },
  adjustments: { total: { done: [{ text: "{name} has {points}" }], stays: [{ text: "{name} keeps {points}" }] } },
  events: { "line-scored": { done: [{ text: "{name}: {line}" }] } },
  titles: { category: { aces: { text: "Aces" } }, line: { r1: { text: "Row {number}", params: { number: 1 } } } },
};
const page = (more = {}) => {
  const made = pageOf(more);
  made.setup.sentences = SENTENCES;
  return made;
};

test("how many dice come: what the rules expect, or those that are not kept", () => {
  assert.equal(sentences.diceToThrow(pageOf({ standing: { turn: { expects: 4, dice: [] } } })), 4);
  const turn = { dice: [1, 2, 3, 4, 5] };
  assert.equal(sentences.diceToThrow(pageOf({ standing: { turn } })), 0);
  assert.equal(sentences.diceToThrow(pageOf({ standing: { turn }, markedDice: () => [] })), 5);
  assert.equal(sentences.diceToThrow(pageOf({ standing: { turn }, markedDice: () => [1, 2] })), 3);
});

test("a phone that plays for one player acts in his turn alone", () => {
  assert.equal(sentences.mayActNow(pageOf({ mayAct: (player) => player === 1 })), false);
  assert.equal(sentences.mayActNow(pageOf({ standing: { to_act: [0, 1] }, mayAct: (player) => player === 1 })), true);
  assert.equal(sentences.mayActNow(pageOf({ standing: { to_act: [] } })), false);
});

test("who plays and who wins, one or several", () => {
  assert.equal(sentences.whoPlays(pageOf()), "Ada plays");
  assert.equal(sentences.whoPlays(pageOf({ standing: { to_act: [0, 1] } })), "Ada and Bob play");
  assert.equal(sentences.whoWins(pageOf({ standing: { winners: [1] } })), "Bob wins");
});

test("a phrase takes its fields from the action", () => {
  const ctx = page();
  assert.equal(sentences.phraseFor(ctx, { do: "bank", points: 1500 }, "done"), "banked 1,500");
  assert.equal(sentences.phraseFor(ctx, { do: "circle", cell: [2, 4] }, "done"), "circled row 2, column 4");
  assert.equal(sentences.phraseFor(ctx, { do: "adjust", what: "total", player: 1, points: 7 }, "done"), "Bob has 7");
  assert.equal(sentences.phraseFor(ctx, { event: "line-scored", player: 0, line: "r1" }, "done"), "Ada: Row 1");
});

test("a phrase is the first whose condition holds", () => {
  const ctx = page();
  assert.equal(sentences.phraseFor(ctx, { do: "score", category: "aces", column: 3 }, "done"), "Aces in ×3");
  assert.equal(sentences.phraseFor(ctx, { do: "score", category: "aces", column: 2 }, "done"), "Aces");
});

test("a phrase counts cells", () => {
  const ctx = page();
  assert.equal(sentences.phraseFor(ctx, { do: "circle-line", cells: [[1, 1]] }, "done"), "1 circle");
  assert.equal(
    sentences.phraseFor(
      ctx,
      {
        do: "circle-line",
        cells: [
          [1, 1],
          [1, 2],
        ],
      },
      "done",
    ),
    "2 circles",
  );
});

test("an offer is said as a choice where it has no words of its own; other forms are not said", () => {
  const ctx = page();
  assert.equal(sentences.phraseFor(ctx, { do: "bank", points: 50 }, "offer"), "Bank 50");
  assert.equal(sentences.phraseFor(ctx, { do: "bank", points: 50 }, "stays"), "");
});

test("dice that the words do not name stand behind them", () => {
  const phrase = sentences.phraseFor(page(), { do: "set-aside", dice: [1, 5] }, "done");
  assert.match(String(phrase), /^set aside <span class="dice small" role="img" aria-label="1 5"/);
});

test("a bank's step tells the points that its events added", () => {
  const events = [{ event: "turn", player: 0, points: 800 }];
  assert.equal(sentences.stepWords(page(), { action: { do: "bank" }, events }), "banked 800");
});

test("what a step came to", () => {
  const ctx = page({
    standing: {
      players: [
        { name: "Ada", columns: [{ column: 1, cells: { aces: 3, general: 50 } }] },
        { name: "Bob", columns: [] },
      ],
      sheet: { titles: { aces: "Aces", general: "General" }, columns: [1] },
    },
  });
  const step = (action, events = [], more = {}) => sentences.outcome(ctx, { player: 0, action, events, ...more });
  assert.equal(step({ do: "score", category: "aces" }), "Ada: Aces +3");
  const further = [
    { event: "further-general", points: 100 },
    { event: "further-general", points: 100 },
  ];
  assert.equal(step({ do: "score", category: "general" }, further), "Ada: General +250");
  assert.equal(step({ do: "bank" }, [{ event: "turn", points: 1000 }]), "Ada: +1,000");
  assert.equal(step({ do: "pass" }), "Ada: passed");
  assert.equal(step({ do: "set-aside", dice: [1, 1] }), "");
  assert.equal(step({ do: "set-aside", dice: [1, 1] }, [], { gained: 200 }), "Ada: set aside 1 1 +200");
  assert.equal(
    step({ do: "throw" }, [
      { event: "bust", player: 0 },
      { event: "turn", player: 0 },
    ]),
    "Ada: Bust.",
  );
  assert.equal(step({ do: "throw" }, [{ event: "scored", player: 0, points: 0 }]), "Ada scores nothing.");
  assert.equal(sentences.outcome(ctx, { player: null, action: { do: "throw" }, events: [] }), "");
});

test("a bust tells what was lost", () => {
  const lines = (lost) => sentences.eventLines(page(), [{ event: "bust", player: 1, dice: [2, 3], lost }]).map(textOf);
  assert.deepEqual(lines(1), ["Bust. Bob loses 1 point."]);
  assert.deepEqual(lines(350), ["Bust. Bob loses 350 points."]);
  assert.deepEqual(lines(0), ["Bust. Bob scores nothing."]);
});

test("events without words make no line", () => {
  assert.deepEqual(sentences.eventLines(page(), [{ event: "turn", player: 0 }]), []);
});

test("a set-aside that nobody tapped is told with what it gained", () => {
  const last = { action: { do: "set-aside", dice: [5] }, gained: 50, events: [] };
  const [words] = sentences.lastLines(page({ state: { last_move: last } }));
  assert.equal(textOf(words), "+50 set aside: nothing else was possible");
});

test("a category has its column where there are several", () => {
  const page = (columns, setup = {}) => ({
    setup,
    standing: { sheet: { titles: { aces: "Aces" }, columns, factors: columns } },
  });
  assert.equal(sentences.categoryName(page([1]), { category: "aces", column: 1 }), "Aces");
  assert.equal(sentences.categoryName(page([1, 2, 3]), { category: "aces", column: 2 }), "Aces ×2");
  const own = { sentences: { titles: { category: { aces: { text: "Jedničky po našem", params: {} } } } } };
  assert.equal(sentences.categoryName(page([1], own), { category: "aces", column: 1 }), "Jedničky po našem");
});

test("a column is named by its order, by how often it counts, or by its number", () => {
  const signs = (sheet) => sheet.columns.map((column) => sentences.columnSign(sheet, column));
  const yamb = { columns: [1, 2, 3, 4], factors: [1, 1, 1, 1], orders: ["down", "free", "up", "announced"] };
  assert.deepEqual(signs(yamb), ["↓", "↕\ufe0e", "↑", "!"]);
  assert.deepEqual(signs({ columns: [1, 2], factors: [1, 3], orders: ["down", "down"] }), ["↓", "↓×3"]);
  assert.deepEqual(signs({ columns: [1, 2], factors: [1, 1], orders: ["down", "down"] }), ["↓ #1", "↓ #2"]);
  assert.deepEqual(signs({ columns: [1, 2], factors: [1, 1] }), ["×1 #1", "×1 #2"]);
  const ctx = { setup: {}, standing: { sheet: { ...yamb, titles: { aces: "Aces" } } } };
  assert.equal(sentences.categoryName(ctx, { category: "aces", column: 4 }), "Aces !");
  assert.equal(
    sentences.categoryName(ctx, { category: "aces", column: 3 }, true),
    "Aces, column 3, from bottom to top",
  );
});

test("the cell that was written last is marked, and the turn that ended", () => {
  const last = { player: 0, action: { do: "score", category: "aces" }, events: [{ event: "turn", player: 0 }] };
  const ctx = page({ state: { last_move: last } });
  assert.equal(sentences.isFresh(ctx, 0, { category: "aces" }), true);
  assert.equal(sentences.isFresh(ctx, 0, { category: "aces", column: 2 }), false);
  assert.equal(sentences.isFresh(ctx, 0, { category: "twos" }), false);
  assert.equal(sentences.isFresh(ctx, 1, { category: "aces" }), false);
  assert.equal(sentences.isFresh(ctx, 0), true);
  assert.equal(sentences.isFresh({ ...ctx, printing: true }, 0), false);
});

test("a line of the log that came with another one is known by its request", () => {
  assert.equal(sentences.cameWithAnother(line(6, "do", {}, "with-0a")), true);
  assert.equal(sentences.cameWithAnother(line(6, "do", {}, "0a")), false);
});

test("undone and corrected steps are told with the phone", () => {
  assert.equal(sentences.changeLine(line(6, "undo")), "Computer: the last step was undone");
  assert.equal(sentences.changeLine(line(6, "correct", { correct: 3 })), "Computer: step 3 was corrected");
});

test("what happened is said with the player's name once, and with whose turn it is", () => {
  const step = (seq, action, events = []) => ({ seq, action, events, player: 0, device: "", at: "" });
  const thrown = step(6, { do: "throw", dice: [4, 2, 2] }, [{ event: "bust", player: 0, dice: [], lost: 0 }]);
  const spoken = { ...SENTENCES, actions: { ...SENTENCES.actions, throw: { done: [{ text: "threw" }] } } };
  const ctx = page({ state: { version: 6, recent: [line(6)], last_move: thrown } });
  ctx.setup.sentences = spoken;
  assert.equal(sentences.changeSentence(ctx, 5, "Bob plays"), "Ada: threw 2, 2, 4. Bust. Bob plays.");
  assert.equal(
    sentences.changeSentence(ctx, 3, "Bob plays"),
    "Bob plays.",
    "of steps that are not known nothing is said",
  );
  assert.equal(sentences.changeSentence(ctx, 3, ""), "");
});

test("where the player chooses how many dice he throws, any of these counts is right", () => {
  const legal = [1, 2, 3].map((count) => ({ do: "throw", count }));
  const page = pageOf({ standing: { turn: { expects: 1, dice: [] }, legal } });
  assert.deepEqual(
    [0, 1, 3, 4].map((count) => sentences.diceDue(page, count)),
    [1, 1, 3, 1],
  );
  const one = pageOf({ standing: { turn: { expects: 3, dice: [] }, legal: [{ do: "throw", count: 3 }] } });
  assert.deepEqual(
    [2, 3, 5].map((count) => sentences.diceDue(one, count)),
    [3, 3, 3],
  );
});
