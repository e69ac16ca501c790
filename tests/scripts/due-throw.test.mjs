import assert from "node:assert/strict";
import { test } from "node:test";
import { dueThrow, renewThrow } from "../../web/static/dialogs/due-throw.js";
import { line, pageOf } from "./page.mjs";

const turn = { expects: 6, throw: [], dice: [] };
const page = pageOf({ standing: { turn } });
const due = dueThrow(page);

/** A state after these lines of the log. */
const stateAfter = (recent, standing = page.standing, steps = 4) => ({
  version: 5 + recent.length,
  steps,
  recent,
  standing,
});

test("a throw is known by its version, its dice and what is kept for it", () => {
  assert.equal(due.version, 5);
  assert.equal(due.count, 6);
  assert.equal(due.keep, null);
});

test("the dice that are marked to be kept are not thrown", () => {
  const keeping = pageOf({ standing: { turn: { dice: [1, 1, 3, 4, 6] } }, markedDice: () => [1, 1] });
  assert.equal(dueThrow(keeping).count, 3);
  assert.deepEqual(dueThrow(keeping).keep, [1, 1]);
});

test("in the same state it is the same throw", () => {
  assert.equal(renewThrow(due, stateAfter([])), due);
});

test("after a correction of an earlier step it is due in the newer version", () => {
  const renewed = renewThrow(due, stateAfter([line(6, "correct"), line(7, "correct")]));
  assert.deepEqual(renewed, { ...due, version: 7 });
});

test("a correction that changes whose turn it is makes it another throw", () => {
  assert.equal(renewThrow(due, stateAfter([line(6, "correct")], { ...page.standing, to_act: [1] })), null);
});

test("a correction that changes the dice of the throw makes it another one", () => {
  const fewer = { ...page.standing, turn: { ...turn, expects: 5 } };
  assert.equal(renewThrow(due, stateAfter([line(6, "correct")], fewer)), null);
});

test("a correction that changes what lies on the table makes it another one", () => {
  const other = { ...page.standing, turn: { ...turn, dice: [2] } };
  assert.equal(renewThrow(due, stateAfter([line(6, "correct")], other)), null);
});

test("after any other step it is another throw, though it looks the same", () => {
  assert.equal(renewThrow(due, stateAfter([line(6)])), null);
  assert.equal(renewThrow(due, stateAfter([line(6, "correct"), line(7, "undo")])), null);
});

test("where the log does not reach back to its version nobody knows: it is another throw", () => {
  assert.equal(renewThrow(due, { ...stateAfter([line(7, "correct")]), version: 7 }), null);
});

test("a correction that drops steps makes it another throw", () => {
  assert.equal(renewThrow(due, stateAfter([line(6, "correct")], page.standing, 3)), null);
});
