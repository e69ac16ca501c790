// What the networks of the browser's eye are given, and what their answers mean: as `vision/detector.py`,
// `vision/network_eye.py`, `vision/border.py` and `vision/likeness_map.py` say it for a computer's eye.
//
// A network is a function: pictures of one size -> its outputs, each { data: Float32Array, dims: number[] }.

import { average, blank, crop, mirror, part, rotate, roundEven, scale, shrink, shrinkBy } from "./pixels.js";

const STRIDES = [8, 16, 32]; // pixels from place to place on the detector's three levels
const MOST_BOXES = 300;
const GREY = 114;
const NONE = 6; // the class of what is no die
const UPRIGHT = 2; // views of each crop: as it is, and mirrored
const [FEATURES, ELEVATIONS] = [192, 9];
const ROOM = 1.6;
const SIDE = 80;
const [DEPTH, LENGTH] = [40, 256]; // pixels of a strip: into the photo, and along its border
const USUAL = 32; // pixels of the usual die in a strip
const STEP = 8; // pixels along the border from place to place of the network's output
const SHOWN_ROOM = 1.2;
const APART = 192; // pixels from strip to strip
const UNSEEN = 3; // places at the ends of a strip, at which the next one sees more

const float = Math.fround;

// --- detector ---

/**
 * Boxes in fractions of the view's sides, and scores, best first: `Eye.detect` of `vision/eye.py`.
 * @param {Network} network @param {Picture} view @param {number} side @param {number} least @param {boolean} mirrored
 */
export async function detect(network, view, side, least, mirrored) {
  const { fitted, scaleX, scaleY, left, top } = letterbox(mirrored ? mirror(view) : view, side);
  const [places] = await network([fitted]);
  const { boxes, scores } = decode(places, fitted.height, fitted.width, least);
  /** @type {{ boxes: number[][], scores: number[] }} */
  const found = { boxes: [], scores: [] };
  boxes.forEach((box, number) => {
    const [x0, y0, x1, y1] = box.map((edge, place) => (place % 2 ? (edge - top) / scaleY : (edge - left) / scaleX));
    const wide = Math.min(Math.max(x1, 0), view.width) - Math.min(Math.max(x0, 0), view.width);
    const tall = Math.min(Math.max(y1, 0), view.height) - Math.min(Math.max(y0, 0), view.height);
    if (wide < 1 || tall < 1) return;
    const [u0, u1] = [float(x0 / view.width), float(x1 / view.width)];
    const [across0, across1] = mirrored ? [1 - u1, 1 - u0] : [u0, u1];
    found.boxes.push([float(across0), float(y0 / view.height), float(across1), float(y1 / view.height)]);
    found.scores.push(scores[number]);
  });
  return found;
}

/** Scales a picture's longer side to `side`, and pads it with grey to multiples of 32.
 * @param {Picture} picture @param {number} side */
export function letterbox(picture, side) {
  const { width, height } = picture;
  const factor = side / Math.max(width, height);
  const [wide, tall] = [Math.max(1, roundEven(width * factor)), Math.max(1, roundEven(height * factor))];
  const [outWide, outTall] = [wide, tall].map((each) => Math.ceil(each / STRIDES[2]) * STRIDES[2]);
  const [left, top] = [(outWide - wide) >> 1, (outTall - tall) >> 1];
  const fitted = blank(outWide, outTall, GREY);
  scale(reduced(picture, wide, tall), wide, tall, fitted, left, top);
  return { fitted, scaleX: wide / width, scaleY: tall / height, left, top };
}

/** Shrinks by a whole factor, to less than twice `wide` x `tall`.
 * @param {Picture} picture @param {number} wide @param {number} tall */
function reduced(picture, wide, tall) {
  const { width, height } = picture;
  const whole = Math.floor(Math.max(width, height) / Math.max(wide, tall));
  if (whole <= 1) return picture;
  const [across, down] = [width, height].map((each) => Math.max(1, Math.floor(each / whole)));
  const fits = across * whole === width && down * whole === height;
  return fits ? average(picture, whole, 3, across, down) : shrink(picture, across, down);
}

/** The best boxes that score at least `least`, in pixels of the network's picture: see `decode` of
 * `vision/detector.py`.
 * @param {NetworkOutput} output @param {number} height @param {number} width @param {number} least
 */
export function decode({ data, dims }, height, width, least) {
  const [rows, places] = dims.slice(-2);
  const bins = (rows - 1) / 4;
  const logits = data.subarray((rows - 1) * places);
  const likely = [];
  for (let place = 0; place < places; place += 1) {
    const score = float(1 / (1 + Math.exp(-Math.min(Math.max(logits[place], -30), 30))));
    if (score >= least) likely.push([place, score]);
  }
  likely.sort((a, b) => b[1] - a[1]).splice(MOST_BOXES);
  const levels = STRIDES.map((stride) => [Math.floor(height / stride), Math.floor(width / stride)]);
  const boxes = likely.map(([place]) => {
    let [level, at] = [0, place];
    while (at >= levels[level][0] * levels[level][1]) at -= levels[level][0] * levels[level++][1];
    const columns = levels[level][1];
    const [x, y] = [(at % columns) + 0.5, Math.floor(at / columns) + 0.5];
    const edges = [0, 1, 2, 3].map((edge) => {
      const given = Array.from({ length: bins }, (_, bin) => data[(edge * bins + bin) * places + place]);
      const most = Math.max(...given);
      const chances = given.map((each) => Math.exp(each - most));
      const whole = chances.reduce((sum, each) => sum + each, 0);
      return chances.reduce((sum, each, bin) => sum + each * bin, 0) / whole;
    });
    return [x - edges[0], y - edges[1], x + edges[2], y + edges[3]].map((each) => float(each * STRIDES[level]));
  });
  return { boxes, scores: likely.map(([, score]) => score) };
}

// --- crop classifier ---

/** The answers for crops [box, turn, quarters] of a picture: `Eye.classify`.
 * @param {Network} network @param {Picture} picture @param {[number[], number, boolean][]} crops */
export async function classify(network, picture, crops) {
  /** @type {(number[] | number[][])[][]} */
  const answers = [];
  for (const quarters of [true, false]) {
    const some = crops.flatMap((each, place) => (each[2] === quarters ? [place] : []));
    if (!some.length) continue;
    const cut = some.map((place) => crop(picture, crops[place][0], SIDE, ROOM, crops[place][1]));
    const turns = quarters ? [1, 3] : [];
    const views = [...cut, ...cut.map(mirror), ...turns.flatMap((turn) => cut.map((each) => rotate(each, turn)))];
    const [outputs, ...others] = await network(views);
    some.forEach((place, number) => {
      /** @param {NetworkOutput} given @param {number} count */
      const rows = (given, count) => Array.from({ length: count }, (_, view) => row(given, view * cut.length + number));
      const told = rows(outputs, UPRIGHT + turns.length);
      const means = others.flatMap((given) => {
        const [plain, mirrored] = rows(given, UPRIGHT);
        return plain.map((each, at) => float((each + mirrored[at]) / UPRIGHT));
      });
      answers[place] = [
        told.map((each) => each.slice(0, NONE + 1)),
        told.map((each) => each.slice(NONE + 1)),
        means.slice(0, FEATURES),
        means.slice(FEATURES, FEATURES + ELEVATIONS),
        means.slice(FEATURES + ELEVATIONS),
      ];
    });
  }
  return answers;
}

/** @param {NetworkOutput} output @param {number} number */
function row({ data, dims }, number) {
  const wide = data.length / dims[0];
  return Array.from(data.subarray(number * wide, (number + 1) * wide));
}

// --- likeness ---

/** The vectors of features, for the dice memory and for dice of one set: `Eye.compare`. `maps`: arrays by name, each
 * { data, shape }.
 * @param {Record<string, LikenessMap>} maps @param {number[][]} features
 */
export function compare(maps, features) {
  const { middle, across, inner, inner_bias: bias, outer, set_middle: setMiddle, set_across: setAcross } = maps;
  /** @param {number[]} row @param {LikenessMap} map */
  const less = (row, { data }) => row.map((each, at) => float(each - data[at]));
  const vectors = features.map((given) => {
    const off = less(given, middle);
    const hidden = product(off, inner).map((each, at) => Math.max(float(each + bias.data[at]), 0));
    const added = product(hidden, outer);
    return product(off, across).map((each, at) => float(each + added[at]));
  });
  return [vectors, features.map((given) => product(less(given, setMiddle), setAcross, (each) => each))];
}

/** @param {number[]} row @param {LikenessMap} map @param {(sum: number) => number} [stored] */
function product(row, { data, shape: [, wide] }, stored = float) {
  const sums = new Array(wide).fill(0);
  row.forEach((each, at) => {
    for (let column = 0; column < wide; column += 1) sums[column] += each * data[at * wide + column];
  });
  return sums.map(stored);
}

// --- border ---

/** Where a die, usually like these in `boxes`, in the photo's pixels, may lie across its border:
 * `Eye.look_along_border`. `photoWidth`: in those pixels.
 * @param {Network} network @param {Picture} picture @param {number} photoWidth @param {number[][]} boxes
 */
export async function lookAlongBorder(network, picture, photoWidth, boxes) {
  const sides = boxes.map(([x0, y0, x1, y1]) => Math.max(x1 - x0, y1 - y0)).sort((a, b) => a - b);
  const usual = (sides[(sides.length - 1) >> 1] + sides[sides.length >> 1]) / 2 / photoWidth;
  const view = shrinkBy(picture, Math.trunc((usual * picture.width) / USUAL));
  const die = usual * view.width;
  const shown = showDice(
    view,
    boxes.map((box) => box.map((edge) => edge * (view.width / photoWidth))),
  );
  /** @type {[Picture[], (number[] | null)[]]} */
  const [pictures, kept] = [[], []];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const turned = rotate(view, quarter);
    const { strip, length } = stripAtTop(turned, die);
    const last = strip.width - LENGTH;
    const starts = [];
    for (let start = 0; start < last; start += APART) starts.push(start);
    for (const start of [...starts, last]) {
      pictures.push(beside([...shown, part(strip, start, 0, start + LENGTH, DEPTH)]));
      for (let place = 0; place < LENGTH / STEP; place += 1) {
        const middle = start + STEP * (place + 0.5);
        const isAtEnd = (place >= UNSEEN || start === 0) && (place < LENGTH / STEP - UNSEEN || start === last);
        kept.push(isAtEnd && middle < length ? boxAt(middle, length, die / turned.height / 2, quarter) : null);
      }
    }
  }
  const [{ data }] = await network(pictures);
  return {
    boxes: kept.filter(Boolean),
    logOdds: Array.from(data).filter((_, place) => kept[place]),
  };
}

/** What lies along the upper border, scaled so that a `die` of so many pixels has USUAL; and its own length in it.
 * @param {Picture} picture @param {number} die */
export function stripAtTop(picture, die) {
  const factor = USUAL / die;
  const above = part(picture, 0, 0, picture.width, Math.max(1, roundEven(DEPTH / factor)));
  const length = Math.max(STEP, roundEven(above.width * factor));
  const depth = Math.min(DEPTH, Math.max(1, roundEven(above.height * factor)));
  const strip = blank(Math.max(length, LENGTH), DEPTH);
  const smaller = factor < 1 && length <= above.width && depth <= above.height;
  const scaled = smaller ? shrink(above, length, depth) : scale(above, length, depth);
  for (let y = 0; y < depth; y += 1)
    strip.data.set(scaled.data.subarray(y * length * 3, (y + 1) * length * 3), y * strip.width * 3);
  return { strip, length };
}

/** The two dice whose colours differ most, or one twice. @param {Picture} picture @param {number[][]} boxes */
export function showDice(picture, boxes) {
  const crops = boxes.map((box) => crop(picture, box, DEPTH, SHOWN_ROOM));
  const edge = DEPTH / 4;
  const colours = crops.map((each) => {
    const { data } = part(each, edge, edge, DEPTH - edge, DEPTH - edge);
    const sums = [0, 0, 0];
    data.forEach((value, at) => (sums[at % 3] += value));
    return sums.map((sum) => (sum * 3) / data.length);
  });
  let [most, one, other] = [-1, 0, 0];
  colours.forEach((mine, i) =>
    colours.forEach((its, j) => {
      const apart = mine.reduce((sum, each, at) => sum + Math.abs(each - its[at]), 0);
      if (apart > most) [most, one, other] = [apart, i, j];
    }),
  );
  return [crops[one], crops[other]];
}

/** @param {Picture[]} pictures */
function beside(pictures) {
  const out = blank(
    pictures.reduce((sum, each) => sum + each.width, 0),
    DEPTH,
  );
  for (let y = 0, to = 0; y < DEPTH; y += 1)
    for (const { width, data } of pictures) {
      out.data.set(data.subarray(y * width * 3, (y + 1) * width * 3), to);
      to += width * 3;
    }
  return out;
}

/** A box at the upper border of a picture that was turned by so many quarters, in the picture itself.
 * @param {number} middle @param {number} length @param {number} into @param {number} quarter */
function boxAt(middle, length, into, quarter) {
  /** @param {number} half */
  const at = (half) => Math.min(Math.max(middle / length + (half * USUAL) / length, 0), 1);
  const [start, end, far] = [at(-0.5), at(0.5), Math.min(into, 1)];
  return [
    [start, 0, end, far],
    [1 - far, start, 1, end],
    [1 - end, 1 - far, 1 - start, 1],
    [0, 1 - end, far, 1 - start],
  ][quarter].map(float);
}
