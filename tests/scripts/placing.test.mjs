// Where a phone on a stand should be, by how large it sees the dice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placing } from "../../web/static/camera/placing.js";

const LENS = 0.75;
const DIE_CM = 1.6;

/** Dice seen from so many centimetres in an upright picture of 480 x 640 pixels, in its middle, as wide as they lie. */
function seenFrom(cm, count = 3) {
  const side = (LENS * 640 * DIE_CM) / cm / (Math.PI / 4);
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [240 + (i - 1) * 1.2 * side, 320];
    return { value: 1, sure: true, box: [x - side / 2, y - side / 2, x + side / 2, y + side / 2] };
  });
}

test("from each height it says how far to go to the best one, in steps of five centimetres", () => {
  const told = [60, 48, 40, 35, 30, 22, 15, 11].map((cm) => placing(seenFrom(cm), 480, 640));
  assert.deepEqual(told, [
    { move: "closer", cm: 40 },
    { move: "closer", cm: 25 },
    { move: "closer", cm: 20 },
    { move: "closer", cm: 15 },
    { move: "good", cm: 0 },
    { move: "good", cm: 0 },
    { move: "good", cm: 0 },
    { move: "further", cm: 10 },
  ]);
});

test("lying on its side, a phone sees more in its width and must be nearer", () => {
  const across = seenFrom(30).map((die) => ({ ...die, box: die.box.map((side, i) => side + (i % 2 ? -80 : 80)) }));
  assert.deepEqual(placing(across, 640, 480), { move: "closer", cm: 15 });
});

test("it never says to move by nothing", () => {
  for (let cm = 5; cm < 100; cm += 0.5) {
    const { move, cm: far } = placing(seenFrom(cm, 1), 480, 640);
    if (move === "closer" || move === "further") assert.ok(far >= 5 && far % 5 === 0, `${cm}: ${far}`);
  }
});

test("whoever moves as far as it says finds it good", () => {
  for (let cm = 9; cm < 90; cm += 1) {
    const { move, cm: far } = placing(seenFrom(cm, 1), 480, 640);
    if (move === "closer") assert.equal(placing(seenFrom(cm - far, 1), 480, 640).move, "good", `${cm}`);
    if (move === "further") assert.equal(placing(seenFrom(cm + far, 1), 480, 640).move, "good", `${cm}`);
  }
});

test("one odd die does not decide", () => {
  const dice = [...seenFrom(25, 2), ...seenFrom(70, 1)];
  assert.equal(placing(dice, 480, 640).move, "good");
});

test("a die at the border, and no die at all, are said so", () => {
  const [die, ...others] = seenFrom(25);
  const side = die.box[2] - die.box[0];
  for (const box of [
    [0, 300, side, 300 + side],
    [479 - side, 300, 479, 300 + side],
    [200, 2, 200 + side, 2 + side],
    [200, 640 - side, 200 + side, 640],
  ])
    assert.deepEqual(placing([{ ...die, box }, ...others], 480, 640), { move: "aside", cm: 0 });
  assert.deepEqual(placing([], 480, 640), { move: "none", cm: 0 });
});
