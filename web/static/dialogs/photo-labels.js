// Places for the labels of dice in a photo. A label stands on no die; it is nearest to its own, or a line leads there.

const GAP = 0.2; // of a label's height, between a label and its die
const CLEARER = 0.3; // of a label's height: by so much its own die is nearer than any other
const STEP = 0.5; // of a label's height, between the places that are tried for one with a line
const REACH = 4; // label heights around all dice in which such places are looked for
const CROSSING = 6; // the cost of a line's length across dice, in its length elsewhere
const INNER = 0.12; // of a die's side: the rim, where no pips are and lines may run
const OUTSIDE = 8; // label heights: the cost of a place outside of the picture

/**
 * Places for the labels of all dice. `boxes`: [x0, y0, x1, y1] of each die; `sizes`: [width, height] of each label,
 * null for none; `area`: the part {x, y, w, h} of the photo that is shown. All in the same unit. Returns for each die
 * {box, line}, `line` [x0, y0, x1, y1] from the die to its label or null where it stands beside it; null for none.
 * @param {Box[]} boxes @param {([number, number] | null)[]} sizes
 * @param {{x: number, y: number, w: number, h: number}} area
 */
export function placeLabels(boxes, sizes, area) {
  /** @type {({box: Box, line: Box | null} | null)[]} */
  const places = boxes.map(() => null);
  const near = boxes.map((_, i) => (sizes[i] ? placesBeside(i, boxes, sizes[i], area) : []));
  const order = boxes
    .map((_, i) => i)
    .filter((i) => sizes[i])
    .sort((a, b) => near[a].length - near[b].length);
  const taken = () => places.flatMap((place) => place ?? []);
  const left = order.filter((i) => {
    const box = near[i].find((one) => taken().every((other) => distance(one, other.box) > 0));
    if (box) places[i] = { box, line: null };
    return !box;
  });
  for (const i of left) places[i] = placeWithLine(i, boxes, /** @type {[number, number]} */ (sizes[i]), area, taken());
  return places;
}

/** Places beside a die, the best first, where its label covers no die and is clearly nearest to its own.
 * @returns {Box[]} @param {number} i @param {Box[]} boxes @param {[number, number]} size @param {Area} area */
function placesBeside(i, boxes, [w, h], area) {
  const [x0, y0, x1, y1] = boxes[i];
  const gap = GAP * h;
  /** @param {number} from @param {number} to @param {number} size */
  const along = (from, to, size) => [(from + to - size) / 2, from, to - size];
  const places = [
    ...along(x0, x1, w).map((x) => [x, y0 - gap - h]),
    ...along(x0, x1, w).map((x) => [x, y1 + gap]),
    ...along(y0, y1, h).map((y) => [x0 - gap - w, y]),
    ...along(y0, y1, h).map((y) => [x1 + gap, y]),
  ].map(([x, y]) => /** @type {Box} */ ([x, y, x + w, y + h]));
  const clear = (/** @type {Box} */ box) =>
    boxes.every((other, j) => (j === i ? distance(box, other) > 0 : distance(box, other) >= gap + CLEARER * h));
  const free = places.filter(clear);
  return [...free.filter((box) => isWithin(box, area)), ...free.filter((box) => !isWithin(box, area))];
}

/**
 * The place for a label that has no room beside its die: outside of all dice, with a short and clear line.
 * @returns {{box: Box, line: Box}} @param {number} i @param {Box[]} boxes @param {[number, number]} size
 * @param {Area} area @param {LabelPlace[]} taken
 */
function placeWithLine(i, boxes, [w, h], area, taken) {
  const step = STEP * h;
  const [left, top] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - REACH * h);
  const [right, bottom] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + REACH * h);
  const blocked = [...boxes, ...taken.map((place) => place.box)];
  /** @type {any} */
  let best = null;
  for (let y = top; y <= bottom; y += step) {
    for (let x = left; x <= right; x += step) {
      /** @type {Box} */
      const box = [x, y, x + w, y + h];
      if (blocked.some((other) => distance(box, other) < GAP * h)) continue;
      const away = isWithin(box, area) ? 0 : OUTSIDE * h;
      if (best && distance(box, boxes[i]) + away >= best.cost) continue;
      for (const from of rimPoints(boxes[i])) {
        const [[fromX, fromY], [toX, toY]] = [from, nearestPoint(box, from)];
        /** @type {Box} */
        const line = [fromX, fromY, toX, toY];
        const cost =
          length(line) + away + CROSSING * lengthAcrossDice(line, boxes) + CROSSING * overlapCost(line, box, taken, h);
        if (!best || cost < best.cost) best = { box, line, cost };
      }
    }
  }
  return { box: best.box, line: best.line };
}

/** Points on the edge of a box from which a line may start. @returns {[number, number][]} @param {Box} box */
function rimPoints([x0, y0, x1, y1]) {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return [
    [x, y0],
    [x, y1],
    [x0, y],
    [x1, y],
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ];
}

/** @param {Box} line */
const length = ([x0, y0, x1, y1]) => Math.hypot(x1 - x0, y1 - y0);

/** @param {Box} box @param {[number, number]} point */
const nearestPoint = ([x0, y0, x1, y1], [x, y]) => [Math.min(Math.max(x, x0), x1), Math.min(Math.max(y, y0), y1)];

/** The length of a line across the faces of dice, its own included. @param {Box} line @param {Box[]} boxes */
function lengthAcrossDice(line, boxes) {
  let sum = 0;
  for (const [x0, y0, x1, y1] of boxes) {
    const rimX = INNER * (x1 - x0);
    const rimY = INNER * (y1 - y0);
    sum += lengthInside(line, [x0 + rimX, y0 + rimY, x1 - rimX, y1 - rimY]);
  }
  return sum;
}

/** The cost of a line under another label, and of a label on another's line.
 * @param {Box} line @param {Box} box @param {LabelPlace[]} taken @param {number} h */
function overlapCost(line, box, taken, h) {
  let sum = 0;
  for (const other of taken) {
    sum += lengthInside(line, other.box);
    if (other.line && lengthInside(other.line, box) > 0) sum += REACH * h;
  }
  return sum;
}

/** The length of a line inside a box (Liang and Barsky 1984). @param {Box} line @param {Box} box */
export function lengthInside([ax, ay, bx, by], [x0, y0, x1, y1]) {
  let from = 0;
  let to = 1;
  for (const [start, way, low, high] of [
    [ax, bx - ax, x0, x1],
    [ay, by - ay, y0, y1],
  ]) {
    if (way === 0) {
      if (start <= low || start >= high) return 0;
      continue;
    }
    const [one, other] = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return to > from ? (to - from) * Math.hypot(bx - ax, by - ay) : 0;
}

/** @param {Box} box @param {Area} area */
const isWithin = ([x0, y0, x1, y1], { x, y, w, h }) => x0 >= x && y0 >= y && x1 <= x + w && y1 <= y + h;

/** The distance of two boxes; 0 if they touch or overlap. @param {Box} a @param {Box} b */
export function distance(a, b) {
  return Math.hypot(Math.max(0, a[0] - b[2], b[0] - a[2]), Math.max(0, a[1] - b[3], b[1] - a[3]));
}
