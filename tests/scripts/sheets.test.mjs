import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as adjustments from "../../web/static/sheets/adjustments.js";
import { sheetOf } from "../../web/static/sheets/all.js";
import * as columns from "../../web/static/sheets/columns.js";
import * as figures from "../../web/static/sheets/figures.js";
import * as keptDice from "../../web/static/sheets/kept-dice.js";
import * as knaster from "../../web/static/sheets/knaster.js";
import * as offers from "../../web/static/sheets/offers.js";
import * as scorePad from "../../web/static/sheets/score-pad.js";
import * as simple from "../../web/static/sheets/simple.js";
import * as skunk from "../../web/static/sheets/skunk.js";
import * as tenThousand from "../../web/static/sheets/ten-thousand.js";
import "../../web/static/table/advising.js";
import { line, pageOf, speak, storage, textOf } from "./page.mjs";

beforeEach(async () => {
  globalThis.sessionStorage = storage();
  globalThis.localStorage = storage();
  await speak("en");
});

const score = (category, points, more = {}) => ({ do: "score", category, points, ...more });
const cellsOf = (cells, more = {}) => ({
  column: 1,
  cells,
  upper_sum: 0,
  upper_bonus: 0,
  upper_threshold: 63,
  extra: 0,
  total: 0,
  ...more,
});

/** A page with a sheet of one column: Ada's cells, and what may be written. */
function sheetPage(legal, { cells = {}, more = {}, turn = {}, ...rest } = {}) {
  const sheet = {
    columns: [1],
    upper: ["ones", "twos"],
    lower: ["general"],
    titles: { ones: "Ones", twos: "Twos", general: "General" },
    extra_cell: "general",
    upper_threshold: 63,
  };
  const players = ["Ada", "Bob"].map((name) => ({
    name,
    score: 0,
    columns: [cellsOf(name === "Ada" ? cells : {}, more)],
  }));
  const whole = { dice: [1, 1, 2, 2, 2], throw: [], player: 0, rolls: 3, throws_left: 0, ...turn };
  return pageOf({ standing: { sheet, players, legal, turn: whole }, ...rest });
}

/** The texts of a row's cells, heading first. */
function rowOf(content, title) {
  const rows = String(content)
    .split("<tr")
    .map((row) =>
      row
        .split(/<t[hd]/)
        .slice(1)
        .map((cell) => textOf(`<td${cell}`)),
    );
  return rows.find(([first]) => first === title);
}

test("a sheet is chosen by what the standing holds", () => {
  assert.equal(sheetOf({ sheet: {} }), columns);
  assert.equal(sheetOf({ figures_list: [] }), figures);
  assert.equal(sheetOf({ lines: [] }), knaster);
  assert.equal(sheetOf({ turn: { set_aside: [] } }), tenThousand);
  assert.equal(sheetOf({ turn: {} }), simple);
  assert.equal(sheetOf({ letters: [] }), skunk);
});

test("a cell is worth its points and its bonus", () => {
  assert.equal(offers.sum(score("general", 50)), 50);
  assert.equal(offers.sum(score("general", 50, { bonus: 30 })), 80);
});

test("cells are offered best first, those that bring nothing only if all are asked for", () => {
  const page = sheetPage([score("ones", 2), score("twos", 0), score("general", 20, { bonus: 5 })]);
  const words = (all) =>
    [...String(offers.offers(page, all)).matchAll(/<span>(.*?)<\/span> <strong>(.*?)<\/strong>/g)].map(
      ([, name, points]) => `${name} ${points}`,
    );
  assert.deepEqual(words(false), ["General 25", "Ones 2"]);
  assert.deepEqual(words(true), ["General 25", "Ones 2", "Twos 0"]);
  assert.equal(offers.offers(sheetPage([score("twos", 0)])), "");
});

test("a preview also offers cells that bring nothing, once nothing is left but to write", () => {
  const legal = [score("ones", 2), score("twos", 0)];
  assert.match(String(offers.preview(sheetPage(legal))), /Twos/);
  assert.doesNotMatch(String(offers.preview(sheetPage([...legal, { do: "throw" }]))), /Twos/);
});

test("after the last throw the best cell is chosen, once for each state", () => {
  const page = sheetPage([score("ones", 2), score("general", 50, { bonus: 5 }), score("twos", 0)]);
  offers.update(page);
  assert.equal(page.local.sheet.cell.category, "general");
  page.local.sheet = {};
  offers.update(page);
  assert.equal(page.local.sheet.cell, undefined); // the person has chosen otherwise since
});

test("no cell is chosen while dice may be thrown, for another player, or where none brings points", () => {
  for (const page of [
    sheetPage([score("ones", 2), { do: "throw" }]),
    sheetPage([score("ones", 2)], { mayAct: () => false }),
    sheetPage([score("ones", 0)]),
  ]) {
    offers.update(page);
    assert.ok(!page.local.sheet.cell);
  }
});

test("the chosen cell is written in its column, and says so", () => {
  const page = sheetPage([]);
  assert.equal(offers.chosenMove(page), null);
  page.local.sheet.cell = score("general", 1000, { bonus: 100 });
  assert.deepEqual(offers.chosenMove(page), {
    action: { do: "score", category: "general" },
    words: "Write 1,100: General",
  });
  page.local.sheet.cell = score("ones", 3, { column: 2 });
  assert.deepEqual(offers.chosenMove(page).action, { do: "score", category: "ones", column: 2 });
});

test("a second tap on a cell leaves it, unless one must be written", () => {
  const element = { closest: () => null };
  const free = sheetPage([score("ones", 2), { do: "throw" }]);
  offers.choose(free, score("ones", 2), element);
  assert.equal(offers.isChosen(free, score("ones", 2)), true);
  assert.equal(offers.isChosen(free, score("ones", 2, { column: 2 })), false);
  offers.choose(free, score("ones", 2), element);
  assert.equal(free.local.sheet.cell, null);
  const bound = sheetPage([score("ones", 2)]);
  offers.choose(bound, score("ones", 2), element);
  offers.choose(bound, score("ones", 2), element);
  assert.equal(bound.local.sheet.cell.category, "ones");
});

test("the sheet shows sums, what is missing to the bonus, and totals", () => {
  const more = { upper_sum: 54, total: 1154, extra: 200 };
  const drawn = columns.sheet(sheetPage([score("ones", 3)], { cells: { general: 50, twos: 0 }, more }));
  assert.deepEqual(rowOf(drawn, "Upper sum"), ["Upper sum", "54 /63", "54 /63"]);
  assert.deepEqual(rowOf(drawn, "Bonus"), ["Bonus", "·", "·"]);
  assert.deepEqual(rowOf(drawn, "Total"), ["Total", "1,154", "1,154"]);
  assert.equal(rowOf(drawn, "General")[1], "50 +&nbsp;200");
  assert.equal(rowOf(drawn, "Twos")[1], "–");
  assert.equal(rowOf(drawn, "Ones")[1], "3");
});

test("a bonus that was reached stands in its row, and nothing is missing to it", () => {
  const drawn = columns.sheet(sheetPage([], { more: { upper_sum: 70, upper_bonus: 35 } }));
  assert.deepEqual(rowOf(drawn, "Bonus"), ["Bonus", "35", "35"]);
  assert.deepEqual(rowOf(drawn, "Upper sum"), ["Upper sum", "70", "70"]);
});

test("a total that was set by hand has a row of its own, which adds up", () => {
  const page = sheetPage([]);
  assert.equal(rowOf(columns.sheet(page), "settled by hand"), undefined);
  Object.assign(page.standing.players[0], { adjusted: [{ what: "total" }], adjusted_by: -40 });
  assert.deepEqual(rowOf(columns.sheet(page), "By hand"), ["By hand", "\u221240 settled by hand", ""]);
});

test("a cell that was settled has a pencil until it is opened again", () => {
  const settled = (...points) => ({ adjusted: points.map((each) => ({ category: "ones", points: each })) });
  assert.match(textOf(adjustments.cellPencil(settled(3), "ones")), /settled by hand/);
  assert.equal(adjustments.cellPencil(settled(3, null), "ones"), "");
  assert.equal(adjustments.cellPencil(settled(3), "twos"), "");
  assert.equal(adjustments.cellPencil(settled(3), "ones", 2), "");
  assert.equal(adjustments.cellPencil({}, "ones"), "");
  const cell = (number) => ({ cells: [{ cell: [2, 3], number }] });
  assert.equal(adjustments.isAdjustedGridCell({ adjusted: [cell(7)] }, 2, 3), true);
  assert.equal(adjustments.isAdjustedGridCell({ adjusted: [cell(7), cell(null)] }, 2, 3), false);
  assert.equal(adjustments.isAdjustedGridCell({ adjusted: [cell(7)] }, 3, 2), false);
});

test("dice that are marked are kept until the next throw", () => {
  const page = sheetPage([{ do: "keep" }], { turn: { dice: [1, 1, 4, 6, 6], rolls: 1, throws_left: 2 } });
  const { "keep-toggle": toggle } = keptDice.handlers(page);
  assert.deepEqual(keptDice.markedDice(page), []);
  for (const i of [4, 0, 3, 0]) toggle(i);
  assert.deepEqual(keptDice.markedDice(page), [6, 6]);
  assert.equal(page.drawn, 4);
  const again = { ...page, local: { sheet: {} } }; // the tab was loaded anew
  assert.deepEqual(keptDice.markedDice(again), [6, 6]);
  again.standing.turn.rolls = 2;
  assert.deepEqual(keptDice.markedDice(again), []);
});

test("where none may be kept there are no marked dice", () => {
  assert.equal(keptDice.markedDice(sheetPage([score("ones", 2)])), null);
});

test("the dice with which a photo came are marked, once", () => {
  const pending = { id: "p1", keep: [6, 1] };
  const page = sheetPage([{ do: "keep" }], {
    turn: { dice: [1, 1, 4, 6, 6], rolls: 1 },
    state: { pending, version: 5, steps: 4 },
  });
  keptDice.update(page);
  assert.deepEqual(keptDice.markedDice(page), [1, 6]);
  keptDice.handlers(page)["keep-toggle"](0);
  keptDice.update(page);
  assert.deepEqual(keptDice.markedDice(page), [6]);
});

test("turns are added up for each player", () => {
  const players = [
    { name: "Ada", score: 1350, turns: [1000, 0, 350] },
    { name: "Bob", score: 50, turns: [50, 0] },
  ];
  const page = pageOf({ standing: { players } });
  const rows = String(tenThousand.sheet(page)).split("<tr").slice(2).map(textOf);
  assert.match(rows[0], /1 \+1,000 1,000 \+50 50$/);
  assert.match(rows[1], /2 – 1,000 – 50$/);
  assert.match(rows[2], /3 \+350 1,350$/);
  assert.equal(tenThousand.sheet(pageOf()), "");
});

test("a bust is called so in its cell, a turn without points of other games is not", () => {
  const players = [{ name: "Ada", score: -500, turns: [0, -500] }];
  const cells = (turn) => textOf(tenThousand.sheet(pageOf({ standing: { players, turn: { throw: [], ...turn } } })));
  assert.match(cells({ set_aside: [] }), /1 bust 0 2 bust −500 −500$/);
  assert.match(cells({}), /1 – 0 2 −500 −500$/);
});

test("most points are named beside their star", () => {
  const legal = [{ do: "set-aside", dice: [1], points: 100, dice_left: 5, may_bank: true }];
  const page = pageOf({ standing: { legal, turn: { throw: [1, 2], points: 0, set_aside: [] } } });
  assert.match(textOf(tenThousand.turn(page)), /\+100 Most points/);
});

test("writing is offered only where something can be written", () => {
  const turn = { dice: [1, 2], rolls: 1, throws_left: 2 };
  const hint = (legal, marked = []) => {
    const page = sheetPage([{ do: "keep", from: [1, 2] }, ...legal], { turn });
    for (const place of marked) keptDice.handlers(page)["keep-toggle"](place);
    return textOf(keptDice.view(page, 5));
  };
  assert.match(hint([score("ones", 1)]), /or write them below\.$/);
  assert.match(hint([]), /Tap the dice to keep, and throw the others again\.$/);
  assert.match(hint([], [0, 1]), /Nothing can be written: throw at least one die again\.$/);
});

test("forbidden dice are crossed out where they were thrown", () => {
  const turn = { expects: 4, points: 0, throw: [3, 1, 5] };
  const page = pageOf({ standing: { forbidden: [3, 5], turn, options: { rounds: 1 } } });
  const thrown = String(simple.turn(page)).split('class="thrown"')[1];
  assert.equal(thrown.match(/class="no"/g).length, 2);
});

test("tapped dice leave the choices that hold them, and the exact one is set aside", () => {
  const choice = (dice, points) => ({ do: "set-aside", dice, points, dice_left: 6 - dice.length, may_bank: true });
  const legal = [choice([1], 100), choice([1, 1], 200), choice([5], 50), choice([1, 1, 5], 250)];
  const page = pageOf({ standing: { legal, turn: { throw: [5, 1, 1, 3], points: 0, set_aside: [] } } });
  const offered = () => [...String(tenThousand.turn(page)).matchAll(/data-key="(\d+)"/g)].map(([, dice]) => dice);
  assert.deepEqual(offered(), ["115", "11", "1", "5"]);
  const { take } = tenThousand.handlers(page);
  take(1);
  take(2);
  assert.deepEqual(offered(), ["11", "115"]);
  assert.equal(textOf(tenThousand.actions(page)), "Set aside +200");
  take(3);
  assert.match(textOf(tenThousand.turn(page)), /These dice score nothing together\./);
  assert.equal(textOf(tenThousand.actions(page)), "Tap the dice that you set aside.");
});

/** Has the page's table advise best play: the losses of its legal actions, in their order. */
function adviseBest(page, losses) {
  const choices = page.standing.legal.map((action, i) => ({ action, odds: {}, loss: losses[i] }));
  const answer = { version: page.state.version, mode: "best", player: 0, unit: "points", choices, odds: {}, value: 1 };
  page.state.settings.advice = "best";
  page.local.adviceState = { key: "", answer, timer: 0 };
}

test("best play is offered first among set-asides, the others stay as they were; tapped dice come before it", () => {
  const choice = (dice, points) => ({ do: "set-aside", dice, points, dice_left: 6 - dice.length, may_bank: true });
  const all = [[1, 1, 1, 5], [1, 1, 1], [1, 1, 5], [1, 1], [1, 5], [1], [5]];
  const legal = all.map((dice, i) => choice(dice, 1000 - 100 * i));
  const page = pageOf({ standing: { legal, turn: { throw: [5, 1, 1, 1, 3, 4], points: 0, set_aside: [] } } });
  const offered = () => [...String(tenThousand.turn(page)).matchAll(/data-key="(\d+)"/g)].map(([, dice]) => dice);
  adviseBest(page, [90, 80, 70, 60, 50, 0, 40]);
  assert.deepEqual(offered(), ["1", "1115", "111", "115", "11", "15", "5"]);
  tenThousand.handlers(page).take(1);
  tenThousand.handlers(page).take(2);
  assert.deepEqual(offered()[0], "11");
  page.local.sheet = {};
  adviseBest(page, [9, 9, 9, 9, 9, 9, 9]); // something else than setting aside is best
  assert.deepEqual(offered()[0], "1115");
});

test("best play comes before the cells that would bring points, and the best cell before the others", () => {
  const page = sheetPage([score("ones", 2), score("twos", 6), score("general", 20), { do: "keep", from: [1] }], {
    turn: { rolls: 1, throws_left: 2 },
  });
  const cells = () => [...String(columns.turn(page)).matchAll(/data-key="o(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(cells(), ["general", "twos", "ones"]);
  page.setup.sentences.actions = {
    score: { done: [], offer: [{ text: "write" }] },
    keep: { offer: [{ text: "keep" }] },
  };
  adviseBest(page, [0, 3, 2, 1]);
  assert.deepEqual(cells(), ["ones", "general", "twos"]);
  const shown = String(columns.turn(page));
  assert.ok(shown.indexOf("advised-choices") < shown.indexOf('class="offers"'));
});

test("the bar shows the part of the target, never more than all of it", () => {
  const part = (score, target) =>
    /class="part" width="(\d+)"/.exec(
      String(tenThousand.progress(pageOf({ standing: { options: { target } } }), { score })),
    )?.[1];
  assert.equal(part(2500, 10000), "25");
  assert.equal(part(12000, 10000), "100");
  assert.equal(part(-500, 10000), "0");
  assert.equal(part(500, undefined), undefined);
});

test("figures are counted, and their points and saved throws", async () => {
  await speak("cs", { "{count} point": ["{count} bod", "{count} body", "{count} bodů"] });
  const player = { figures: { a: 1, b: 2 }, score: 3, saved: 1 };
  const page = pageOf({ standing: { figures_list: ["a", "b", "c"] } });
  assert.equal(textOf(figures.score(page, player)), "2 /3");
  assert.equal(textOf(figures.belowScore(page, player)), "3 body 1 throw saved");
});

test("a lone player's knaster is rated, another game is not", () => {
  const rated = (...players) => textOf(knaster.gameOver(pageOf({ standing: { players } })));
  assert.equal(rated({ name: "Ada", rating: "great" }), "Great");
  assert.equal(rated({ name: "Ada", rating: null }), "");
  assert.equal(rated({ name: "Ada", rating: "great" }, { name: "Bob" }), "");
});

/** A page of knaster on which Ada and Bob write a 7. */
function gridPage({ pending = {}, legal = [], ...more } = {}) {
  const grid = Array.from({ length: 5 }, () => Array(5).fill(null));
  const players = ["Ada", "Bob"].map((name) => ({ name, score: 0, circles: 0, grid, lines: {} }));
  return pageOf({
    standing: {
      players,
      legal,
      lines: [],
      to_act: [0, 1],
      turn: { expects: 0, sum: 7, dice: [3, 4], pending, player: 0 },
    },
    ...more,
  });
}

test("in knaster a cell is chosen for the player whose grid is shown", () => {
  const page = gridPage();
  assert.equal(knaster.shownPlayer(page), 0);
  const { "knaster-cell": tap, view } = knaster.handlers(page);
  tap([0, 2, 3, "write"]);
  assert.equal(textOf(knaster.actions(page)), "Ada: Write 7");
  tap([0, 4, 4, "circle"]);
  assert.equal(textOf(knaster.actions(page)), "Ada: Circle the 7");
  tap([0, 4, 4, "circle"]);
  assert.deepEqual(page.local.sheet.cells, []);
  view(1);
  assert.equal(knaster.shownPlayer(page), 1);
  assert.equal(knaster.shownPlayer({ ...page, local: { sheet: {} }, playsFor: 1 }), 1);
});

test("of a line only so many cells are chosen as must be circled, the newest", () => {
  const cells = [
    [1, 1],
    [1, 2],
    [1, 3],
  ];
  const page = gridPage({ pending: { 0: [{ line: "r1", circles: 2, cells }] } });
  const { "knaster-cell": tap } = knaster.handlers(page);
  assert.match(textOf(knaster.actions(page)), /2 more cells/);
  for (const [row, column] of cells) tap([0, row, column, "circle"]);
  assert.deepEqual(page.local.sheet.cells, [
    [1, 2],
    [1, 3],
  ]);
  assert.match(textOf(knaster.actions(page)), /Ada: Circle 2 cells/);
});

test("what is chosen stays while others write, and goes with one's own step", () => {
  const page = gridPage();
  page.local.sheet = { who: 0, cells: [[1, 1]] };
  const wrote = (player) => ({ kind: "do", body: { do: { do: "write", player } } });
  assert.equal(knaster.survives(page, wrote(1)), true);
  assert.equal(knaster.survives(page, wrote(0)), false);
  assert.equal(knaster.survives(page, { kind: "do", body: { do: { do: "throw" } } }), false);
  assert.equal(knaster.survives(page, { kind: "undo", body: {} }), false);
});

/** Has the page show the state after this line of the log, of this phone or another one, with those who must act then. */
function wrote(page, player, own, ...toAct) {
  const request = `r${page.state.version + 1}`;
  page.state.version += 1;
  page.state.recent = [{ ...line(page.state.version, "do", { do: { do: "write", player } }, request) }];
  if (own) page.requests.add(request);
  page.standing.to_act = toAct;
  knaster.update(page);
}

/** A page of knaster, and the requests of its phone. */
function writerPage(more = {}) {
  const requests = new Set();
  const page = gridPage({ requests, table: () => ({ requests }), ...more });
  knaster.update(page);
  return page;
}

test("the grid of whom this phone wrote for gives way to that of the next", () => {
  const page = writerPage();
  wrote(page, 0, true, 1);
  assert.equal(knaster.shownPlayer(page), 1);
  page.state.version += 1;
  page.state.recent = [line(page.state.version, "undo", { undo: true }, "back")];
  page.requests.add("back");
  page.standing.to_act = [0, 1];
  knaster.update(page);
  assert.equal(knaster.shownPlayer(page), 0);
});

test("a grid stays in sight when another phone was quicker, and the page leads to the next one", () => {
  for (const chosen of [false, true]) {
    const page = writerPage();
    if (chosen) knaster.handlers(page).view(0);
    wrote(page, 0, false, 1);
    assert.equal(knaster.shownPlayer(page), 0);
    assert.equal(textOf(knaster.actions(page)), "Grid of Bob");
    wrote(page, 1, false, 1); // all have written: Bob throws
    page.standing.turn.expects = 2;
    knaster.update(page);
    assert.equal(knaster.shownPlayer(page), 0);
  }
  const own = writerPage({ playsFor: 1 });
  wrote(own, 1, true, 0);
  assert.equal(knaster.shownPlayer(own), 1);
});

test("a phone that plays for several names the player on its buttons, another one does not", () => {
  const page = writerPage();
  knaster.handlers(page)["knaster-cell"]([0, 2, 3, "write"]);
  assert.equal(textOf(knaster.actions(page)), "Ada: Write 7");
  assert.equal(textOf(knaster.actions({ ...page, playsFor: 0 })), "Write 7");
});

test("a phone that comes to a table of knaster is asked once whom it plays for", () => {
  const asked = (page) => textOf(knaster.turn(page)).includes("Whom does this phone play for? Ada Bob Everybody");
  const page = writerPage();
  assert.equal(asked(page), true);
  const first = writerPage();
  first.setup.owner = true;
  assert.equal(asked(first), false);
  wrote(first, 1, false, 0); // a second phone writes
  first.state.recent[0].device = "Bob's phone";
  assert.equal(asked(first), true);
  const table = { requests: page.requests, playsFor: null };
  knaster.handlers({ ...page, table: () => table })["play-for"](1);
  assert.equal(table.playsFor, 1);
  assert.equal(asked(page), false);
});

test("a cell that stands several times shows each time, what it brings, and the next offer", () => {
  const boxes = { ones: [3, 0, null, null], twos: [null, null, null, null], general: [50, null, null, null] };
  const cells = { ones: 3, general: 50 };
  const page = sheetPage([score("ones", 2), score("general", 0)], { cells, more: { boxes, tiers: { general: 2 } } });
  const drawn = columns.sheet(page);
  assert.equal(rowOf(drawn, "Ones")[1], "3 0 · · 2");
  assert.equal(rowOf(drawn, "General")[1], "50 · · · +2 0");
  assert.equal(rowOf(drawn, "Twos")[1], "· · · ·");
  assert.match(String(drawn), /aria-label="Ones: 3 points for Ada"/);
  assert.match(String(drawn), /\[0,\{&quot;category&quot;:&quot;ones&quot;,&quot;number&quot;:2\}\]/); // a tap settles the last one
  const printed = columns.sheet({ ...page, printing: true });
  assert.equal(rowOf(printed, "Ones")[1], "3 0 · ·");
});

test("where only what the sums reach counts, it stands below them", () => {
  const page = sheetPage([], { more: { total: 420 } });
  page.standing.sheet.total_tiers = true;
  page.standing.players.forEach((player) => Object.assign(player, { by_total: 1, score: 3 }));
  const drawn = columns.sheet(page);
  assert.deepEqual(rowOf(drawn, "Sum").slice(1), ["420", "420"]);
  assert.deepEqual(rowOf(drawn, "Points for the sum").slice(1), ["+1", "+1"]);
  assert.deepEqual(rowOf(drawn, "Points").slice(1), ["3", "3"]);
  assert.equal(rowOf(drawn, "Total"), undefined);
});

test("a bonus that may still grow says what it lacks", () => {
  const page = sheetPage([], { more: { upper_sum: 66, upper_bonus: 35, upper_threshold: 71 } });
  assert.equal(rowOf(columns.sheet(page), "Upper sum")[1], "66 /71");
});

test("what wins the game is offered first, and says so", () => {
  const page = sheetPage([score("twos", 99), score("general", 50, { wins: true })]);
  assert.deepEqual(
    offers.rankedCells(page, false).map(({ category }) => category),
    ["general", "twos"],
  );
  assert.equal(offers.cellInWords(page, page.standing.legal[1]), "General: 50 points, wins the game");
  page.local.sheet.cell = page.standing.legal[1];
  assert.deepEqual(offers.chosenMove(page), {
    action: { do: "score", category: "general" },
    words: "Win with General",
  });
});

test("a score pad hears the keyboard once, however often its buttons are asked for", () => {
  let heard = 0;
  globalThis.document = { addEventListener: () => (heard += 1) };
  const page = pageOf();
  for (let asked = 0; asked < 3; asked++) scorePad.handlers(page);
  assert.equal(heard, 0);
  scorePad.listen(page);
  assert.equal(heard, 1);
});

test("points typed for the next player stay when the ones before are written", async () => {
  const players = ["Ada", "Bob"].map((name) => ({ name, score: 0, rounds: [], now: null }));
  const pad = { round: 1, rounds: 0, low: -9999, high: 9999, notes: [], won: [], wins: "total" };
  let written = () => {};
  const act = () => new Promise((done) => (written = done));
  const page = pageOf({ standing: { players, pad, to_act: [0, 1] }, act });
  const { "points-of": of, "points-key": key, "points-write": write } = scorePad.handlers(page);
  const waits = () => {
    of([0, null]);
    key(4);
    return write();
  };
  let done = waits();
  written(true);
  await done;
  assert.deepEqual(page.local.sheet, {});
  done = waits();
  of([1, null]);
  key(7);
  written(true);
  await done;
  assert.deepEqual(page.local.sheet, { who: 1, round: null, digits: "7", minus: false });
});

/** A page of skunk after a throw of 17 points, for which Bob had sat down with 9. */
function skunkPage(more = {}) {
  const players = [
    { name: "Ada", score: 12, turns: [12], kept: null },
    { name: "Bob", score: 9, turns: [0], kept: 9 },
  ];
  const legal = [
    { do: "throw", count: 2 },
    { do: "sit", player: 0, points: 17 },
  ];
  const turn = { player: null, points: 17, expects: 2, throw: [2, 6] };
  const standing = { players, legal, turn, letters: [..."SKUNK"], round: 2, order: [0, 1], to_act: [0] };
  return pageOf({ standing, ...more });
}

test("in skunk the page says who stands, and has them sit down", () => {
  const page = skunkPage();
  assert.equal(skunk.heading(page), "Ada stands");
  assert.equal(textOf(skunk.belowScore(page, page.standing.players[1], 1)), "sits with 9");
  assert.match(textOf(skunk.turn(page)), /Round 2 of 5: K .*17 for all who stand.*Sit down with 17: .*Ada/s);
  assert.equal(skunk.actions(page), null);
  assert.equal(textOf(skunk.actions({ ...page, playsFor: 0 })), "Sit down with 17");
  assert.match(String(skunk.preview(page)), /review-choice/);
});

test("the sheet of skunk has a row for each letter, with what is kept in this round", () => {
  const page = skunkPage();
  assert.deepEqual(rowOf(skunk.sheet(page), "S"), ["S", "+12 12", "– 0"]);
  assert.deepEqual(rowOf(skunk.sheet(page), "N"), ["N", "", ""]);
  assert.match(String(skunk.sheet(page)), /\+9/);
});
