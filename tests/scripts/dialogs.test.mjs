import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { allCells } from "../../web/static/dialogs/adjust.js";
import { distance, lengthInside, placeLabels } from "../../web/static/dialogs/photo-labels.js";
import { closerView, diceAside } from "../../web/static/dialogs/review.js";
import { cornersAfter, regionOf, shows } from "../../web/static/camera/watch.js";
import { speak } from "./page.mjs";

beforeEach(() => speak("en"));

const WHOLE = [0, 0, 1, 0, 1, 1, 0, 1];

test("the cells that may be settled are named as the actions name them", () => {
  const sheet = { columns: [1], upper: ["ones"], lower: ["general"] };
  assert.deepEqual(allCells({ sheet }), [{ category: "ones" }, { category: "general" }]);
  assert.deepEqual(allCells({ sheet: { ...sheet, columns: [1, 2], lower: [] } }), [
    { category: "ones", column: 1 },
    { category: "ones", column: 2 },
  ]);
  assert.deepEqual(allCells({ figures_list: ["pair"] }), [{ category: "pair" }]);
  const grid = allCells({ lines: [] });
  assert.equal(grid.length, 25);
  assert.deepEqual(grid[7], { cell: [2, 3] });
  assert.deepEqual(allCells({}), []);
});

const dice = (...values) => values.map((value) => ({ value, aside: false }));

test("dice that lie aside explain a surplus in one way only", () => {
  assert.deepEqual(diceAside({ beside: [5, 5], dice: dice(1, 5, 2, 5) }, 2), [5, 5]);
  assert.deepEqual(diceAside({ beside: [5, 5], dice: dice(1, 5, 2, 3) }, 2), []); // one 5 alone is there
  assert.deepEqual(diceAside({ beside: [5, 5], dice: dice(1, 5, 5) }, 1), [5]); // either, both show the same
  assert.deepEqual(diceAside({ beside: [1, 5], dice: dice(2, 3, 5) }, 1), [5]);
  assert.deepEqual(diceAside({ beside: [1, 5], dice: dice(1, 3, 5) }, 1), []); // one of both, and nobody knows which
  assert.deepEqual(diceAside({ beside: [], dice: dice(1) }, 0), []);
  assert.deepEqual(diceAside({ beside: [5], dice: [...dice(1), { value: 5, aside: true }] }, 1), []);
});

test("the closer view holds all dice with room around them, within the photo", () => {
  const box = (x, y, side = 100) => ({ box: [x, y, x + side, y + side] });
  const view = closerView({ width: 1000, height: 800, dice: [box(400, 300), box(600, 300)] });
  assert.deepEqual(view, { x: 290, y: 190, w: 470, h: 270 });
  assert.deepEqual(closerView({ width: 1000, height: 800, dice: [] }), { x: 0, y: 0, w: 1000, h: 800 });
  const corner = closerView({ width: 1000, height: 800, dice: [box(0, 0), box(900, 700)] });
  assert.deepEqual(corner, { x: 0, y: 0, w: 1000, h: 800 });
});

test("how much of a line lies in a box", () => {
  const box = [0, 0, 10, 10];
  assert.equal(lengthInside([-5, 5, 15, 5], box), 10);
  assert.equal(lengthInside([2, 2, 5, 6], box), 5);
  assert.equal(lengthInside([5, 5, 5, 20], box), 5);
  assert.equal(lengthInside([-5, 0, 15, 0], box), 0); // along its edge
  assert.equal(lengthInside([11, 0, 20, 9], box), 0);
});

test("how far boxes are apart", () => {
  assert.equal(distance([0, 0, 10, 10], [13, 14, 20, 20]), 5);
  assert.equal(distance([0, 0, 10, 10], [10, 0, 20, 10]), 0);
  assert.equal(distance([0, 0, 10, 10], [5, 5, 6, 6]), 0);
});

test("a label stands above a die that lies alone, inside of the picture", () => {
  const area = { x: 0, y: 0, w: 1000, h: 1000 };
  const [high] = placeLabels([[400, 400, 500, 500]], [[30, 30]], area);
  assert.deepEqual(high, { box: [435, 364, 465, 394], line: null });
  const [low] = placeLabels([[400, 0, 500, 100]], [[30, 30]], area);
  assert.ok(low.box[1] >= 100 && low.line === null);
});

test("labels stand on no die and on no other label, also in a heap; those without room have a line", () => {
  const boxes = [];
  for (let x = 0; x < 4; x++) for (let y = 0; y < 4; y++) boxes.push([x * 100, y * 100, x * 100 + 100, y * 100 + 100]);
  const places = placeLabels(
    boxes,
    boxes.map(() => [40, 40]),
    { x: 0, y: 0, w: 400, h: 400 },
  );
  assert.equal(places.length, 16);
  places.forEach(({ box }, i) => {
    for (const other of boxes) assert.ok(distance(box, other) > 0, `label ${i} on a die`);
    places.forEach((other, j) => assert.ok(i === j || distance(box, other.box) > 0, `labels ${i} and ${j}`));
  });
  assert.ok(places.some(({ line }) => line !== null));
});

// Boxes of dice that touch each other on all sides.
const grid = (columns, rows, side, left = 420, top = 300) =>
  Array.from({ length: columns * rows }, (_, number) => {
    const [x, y] = [left + (number % columns) * side, top + Math.floor(number / columns) * side];
    return [x, y, x + side, y + side];
  });
const LAYOUTS = {
  "a row": grid(6, 1, 110),
  "a column": grid(1, 6, 110, 420, 100),
  "two rows": grid(3, 2, 130),
  "two columns": grid(2, 3, 130, 420, 200),
  "small dice in two rows": grid(3, 2, 40),
  "one in the middle": [1, 3, 5, 7, 4].map((place) => grid(3, 3, 120)[place]),
  "in the photo's corner": grid(3, 2, 130, 2, 2),
  "in the other corner": grid(3, 2, 130, 1198 - 390, 898 - 260),
  shifted: [...grid(3, 1, 120, 400, 300), ...grid(3, 1, 120, 460, 420)],
  "overlapping boxes": [0, 1, 2, 3, 4, 5].map((i) => {
    const [x, y] = [400 + 85 * i, 300 + 30 * (i % 2)];
    return [x, y, x + 110, y + 110];
  }),
};

for (const [layout, boxes] of Object.entries(LAYOUTS))
  test(`no label covers a pip or is taken for a neighbour's: ${layout}`, () => {
    const area = closerView({ width: 1200, height: 900, dice: boxes.map((box) => ({ box })) });
    const high = (24 * area.w) / 370; // as on a phone
    const sizes = boxes.map((_, number) => [number === 1 ? 1.7 * high : high, high]); // the second has a question mark
    const places = placeLabels(boxes, sizes, area);
    places.forEach(({ box: label, line }, one) => {
      if (line) {
        const [x0, y0, x1, y1] = line;
        assert.ok(distance([x0, y0, x0, y0], boxes[one]) <= 1, `the line of ${one} begins at its die`);
        assert.ok(distance([x1, y1, x1, y1], label) <= 1, `the line of ${one} ends at its label`);
      }
      boxes.forEach((die, other) => {
        assert.ok(distance(label, die) > 0, `label ${one} is on die ${other}`);
        if (one === other) return;
        assert.ok(distance(label, places[other].box) > 0, `label ${one} is on label ${other}`);
        assert.ok(
          line || distance(label, die) > distance(label, boxes[one]),
          `label ${one} is as near to die ${other}`,
        );
        const rim = 0.12 * (die[2] - die[0]); // of the face, where no pips are
        const face = [die[0] + rim, die[1] + rim, die[2] - rim, die[3] - rim];
        if (line && layout !== "overlapping boxes")
          // there it may have to cross what is two dice's
          assert.equal(lengthInside(line, face), 0, `the line of label ${one} runs across die ${other}`);
      });
    });
  });

test("a die without a label has no place", () => {
  const [none] = placeLabels([[0, 0, 10, 10]], [null], { x: 0, y: 0, w: 10, h: 10 });
  assert.equal(none, null);
});

test("a corner that is dragged stays within the picture, and the others where they are", () => {
  assert.deepEqual(cornersAfter(WHOLE, 0, 0.1, 0.2), [0.1, 0.2, 1, 0, 1, 1, 0, 1]);
  assert.deepEqual(cornersAfter(WHOLE, 2, 1.5, -3), [0, 0, 1, 0, 1, 0, 0, 1]);
});

test("the whole picture is no region; a region is rounded to thousandths", () => {
  assert.equal(regionOf(WHOLE), null);
  assert.deepEqual(regionOf(cornersAfter(WHOLE, 0, 0.12345, 0.5)), [0.123, 0.5, 1, 0, 1, 1, 0, 1]);
});

test("the watching camera's throw is under review only with a way to confirm it", () => {
  const pending = { source: "watch" };
  assert.equal(shows({ watched: { ways: [[]] }, pending }), true);
  assert.equal(shows({ watched: { ways: [] }, pending }), false);
  assert.equal(shows({ watched: { ways: [[]] }, pending: { source: "phone" } }), false);
  assert.equal(shows({ watched: null, pending }), false);
});
