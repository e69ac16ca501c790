// Pixels for the browser's eye, as `vision/pixels.py` and OpenCV make them for a computer's, to within a grey level.
//
// A picture is { width, height, data }: `data` has three bytes, red, green and blue, for each pixel, row by row.

const ROOM = 1.6; // a crop's side as a multiple of the box's longer side: as in `vision/judging/seen.py`
const SIDE = 80; // pixels of a crop
const MEASURED = 60_000; // pixels that are measured of a picture
const FRACTION = 2048; // steps of the weights between two pixels

/** @returns {Picture} an empty picture, black or of one grey @param {number} width @param {number} height */
export function blank(width, height, grey = 0) {
  const data = new Uint8Array(width * height * 3);
  return { width, height, data: grey ? data.fill(grey) : data };
}

/** The picture's pixels with four bytes each, as canvases have them. @param {Picture} picture */
export function opaque({ width, height, data }) {
  const out = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    out[to] = data[from];
    out[to + 1] = data[from + 1];
    out[to + 2] = data[from + 2];
  }
  return out;
}

/** Rounds halves to even numbers, as Python and OpenCV do. @param {number} number */
export function roundEven(number) {
  const whole = Math.round(number);
  return whole - number === 0.5 && whole % 2 ? whole - 1 : whole;
}

/** The rectangle from x0, y0 to x1, y1 of a picture, as far as it reaches.
 * @param {Picture} picture @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
export function part({ width, height, data }, x0, y0, x1, y1) {
  const [left, top] = [Math.max(x0, 0), Math.max(y0, 0)];
  const cut = blank(Math.max(0, Math.min(x1, width) - left), Math.max(0, Math.min(y1, height) - top));
  for (let y = 0; y < cut.height; y += 1) {
    const from = ((top + y) * width + left) * 3;
    cut.data.set(data.subarray(from, from + cut.width * 3), y * cut.width * 3);
  }
  return cut;
}

/** The picture with so many of its last pixels repeated beyond each side.
 * @param {Picture} picture @param {number} top @param {number} bottom @param {number} left @param {number} right */
export function padded(picture, top, bottom, left, right) {
  const { width, height, data } = picture;
  const out = blank(width + left + right, height + top + bottom);
  for (let y = 0; y < out.height; y += 1) {
    const row = Math.min(Math.max(y - top, 0), height - 1) * width;
    for (let x = 0, to = y * out.width * 3; x < out.width; x += 1, to += 3) {
      const from = (row + Math.min(Math.max(x - left, 0), width - 1)) * 3;
      out.data[to] = data[from];
      out.data[to + 1] = data[from + 1];
      out.data[to + 2] = data[from + 2];
    }
  }
  return out;
}

/** @param {Picture} picture */
export function mirror({ width, height, data }) {
  const out = blank(width, height);
  for (let y = 0, to = 0; y < height; y += 1)
    for (let x = width - 1; x >= 0; x -= 1, to += 3) {
      const from = (y * width + x) * 3;
      out.data[to] = data[from];
      out.data[to + 1] = data[from + 1];
      out.data[to + 2] = data[from + 2];
    }
  return out;
}

/** The picture turned counter-clockwise by so many quarters. @param {Picture} picture @param {number} quarters */
export function rotate(picture, quarters) {
  if (!quarters) return picture;
  const { width, height, data } = picture;
  const out = quarters % 2 ? blank(height, width) : blank(width, height);
  for (let y = 0, to = 0; y < out.height; y += 1)
    for (let x = 0; x < out.width; x += 1, to += 3) {
      let from;
      if (quarters === 1) from = x * width + (width - 1 - y);
      else if (quarters === 2) from = (height - 1 - y) * width + (width - 1 - x);
      else from = (height - 1 - x) * width + y;
      out.data[to] = data[from * 3];
      out.data[to + 1] = data[from * 3 + 1];
      out.data[to + 2] = data[from * 3 + 2];
    }
  return out;
}

// By a photo's orientation (EXIF 2.32, tag 0x0112): the quarters by which it is turned counter-clockwise to be upright,
// and whether it is mirrored then.
const TURNS = [0, 0, 0, 2, 2, 3, 3, 1, 1];
const MIRRORED = [2, 4, 5, 7];

/** The picture turned upright that a camera stored with this orientation.
 * @param {Picture} picture @param {number} orientation */
export function upright(picture, orientation) {
  const turned = rotate(picture, TURNS[orientation]);
  return MIRRORED.includes(orientation) ? mirror(turned) : turned;
}

/** Which pixels make each of `to` pixels when `from` are averaged, and their weights.
 * @param {number} from @param {number} to */
function shares(from, to) {
  const scale = from / to;
  return Array.from({ length: to }, (_, place) => {
    const [start, end] = [place * scale, Math.min((place + 1) * scale, from)];
    const pixels = [];
    for (let at = Math.floor(start); at < end - 1e-9; at += 1)
      pixels.push([at, (Math.min(at + 1, end) - Math.max(at, start)) / (end - start)]);
    return pixels;
  });
}

/** Shrinks a picture; each pixel counts by its area ("INTER_AREA").
 * @param {Picture} picture @param {number} wide @param {number} tall */
export function shrink({ width, height, data }, wide, tall) {
  const out = blank(wide, tall);
  const [across, down] = [shares(width, wide), shares(height, tall)];
  const sums = new Float64Array(wide * 3);
  for (let y = 0; y < tall; y += 1) {
    sums.fill(0);
    for (const [row, heavy] of down[y])
      for (let x = 0, to = 0; x < wide; x += 1, to += 3)
        for (const [column, share] of across[x]) {
          const from = (row * width + column) * 3;
          const weight = heavy * share;
          sums[to] += weight * data[from];
          sums[to + 1] += weight * data[from + 1];
          sums[to + 2] += weight * data[from + 2];
        }
    for (let i = 0, to = y * wide * 3; i < sums.length; i += 1, to += 1) out.data[to] = Math.round(sums[i]);
  }
  return out;
}

/** Shrinks each side by a whole number; what is left over at the right and below goes. Below 2, nothing changes.
 * @param {Picture} picture @param {number} step */
export function shrinkBy(picture, step) {
  const whole = Math.min(step, picture.width, picture.height);
  if (whole < 2) return picture;
  return average(picture, whole, 3, Math.floor(picture.width / whole), Math.floor(picture.height / whole));
}

/** Averages squares of `step` pixels that have `bytes` each, of which three count. Those at the end may be cut off.
 * @param {PixelGrid} picture @param {number} step @param {number} bytes @param {number} wide @param {number} tall */
export function average({ width, height, data }, step, bytes, wide, tall) {
  const out = blank(wide, tall);
  for (let y = 0, to = 0; y < tall; y += 1) {
    const rows = Math.min((y + 1) * step, height);
    for (let x = 0; x < wide; x += 1, to += 3) {
      const columns = Math.min((x + 1) * step, width);
      let [red, green, blue, count] = [0, 0, 0, 0];
      for (let row = y * step; row < rows; row += 1)
        for (let column = x * step, from = (row * width + column) * bytes; column < columns; column += 1) {
          red += data[from];
          green += data[from + 1];
          blue += data[from + 2];
          count += 1;
          from += bytes;
        }
      out.data[to] = Math.round(red / count);
      out.data[to + 1] = Math.round(green / count);
      out.data[to + 2] = Math.round(blue / count);
    }
  }
  return out;
}

/** Where each of `to` pixels lies between two of `from`, and the second one's weight in FRACTIONs.
 * @param {number} from @param {number} to */
function between(from, to) {
  const scale = from / to;
  return Array.from({ length: to }, (_, place) => {
    const at = (place + 0.5) * scale - 0.5;
    const before = Math.floor(at);
    if (before < 0) return [0, 0, 0];
    if (before >= from - 1) return [from - 1, from - 1, 0];
    return [before, before + 1, Math.round((at - before) * FRACTION)];
  });
}

/** Scales a picture; each pixel lies between four ("INTER_LINEAR"). `out`: into this one, from `left`, `top` on.
 * @param {Picture} picture @param {number} wide @param {number} tall */
export function scale({ width, height, data }, wide, tall, out = blank(wide, tall), left = 0, top = 0) {
  const [columns, rows] = [between(width, wide), between(height, tall)];
  for (let y = 0; y < tall; y += 1) {
    const [upper, lower, down] = rows[y];
    let to = ((top + y) * out.width + left) * 3;
    for (let x = 0; x < wide; x += 1) {
      const [before, after, across] = columns[x];
      for (let colour = 0; colour < 3; colour += 1, to += 1) {
        const [a, b] = [(upper * width + before) * 3 + colour, (upper * width + after) * 3 + colour];
        const [c, d] = [(lower * width + before) * 3 + colour, (lower * width + after) * 3 + colour];
        const above = data[a] * (FRACTION - across) + data[b] * across;
        const below = data[c] * (FRACTION - across) + data[d] * across;
        // As OpenCV drops what comes after the point on its way.
        out.data[to] = ((((above >> 4) * (FRACTION - down)) >> 16) + (((below >> 4) * down) >> 16) + 2) >> 2;
      }
    }
  }
  return out;
}

/** The square of `room` times the box's longer side around its middle, in `side` x `side` pixels: see `crop` of
 * `vision/pixels.py`. `turn`: degrees by which the content is turned clockwise.
 * @param {Picture} picture @param {number[]} box
 */
export function crop(picture, [x0, y0, x1, y1], side = SIDE, room = ROOM, turn = 0) {
  const reach = Math.max(x1 - x0, y1 - y0, 1) * room;
  let [left, top, factor, from] = [(x0 + x1 - reach) / 2, (y0 + y1 - reach) / 2, side / reach, picture];
  if (factor < 0.5) {
    const step = Math.trunc(1 / factor);
    const near = step + (turn ? Math.trunc(0.21 * reach) : 0);
    const [u0, v0] = [Math.max(Math.trunc(left) - near, 0), Math.max(Math.trunc(top) - near, 0)];
    const far = near + step;
    const u1 = Math.min(Math.trunc(left + reach) + far, picture.width);
    const v1 = Math.min(Math.trunc(top + reach) + far, picture.height);
    if (Math.min(u1 - u0, v1 - v0) >= step) {
      from = shrinkBy(part(picture, u0, v0, u1, v1), step);
      [left, top, factor] = [(left - u0) / step, (top - v0) / step, factor * step];
    }
  }
  const angle = (turn * Math.PI) / 180;
  const [cos, sin, middle] = [Math.cos(angle), Math.sin(angle), (side - 1) / 2];
  const { width, height, data } = from;
  const out = blank(side, side);
  for (let y = 0, to = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1, to += 3) {
      // Back by the turn, then by the scale. Pixel centres lie at half numbers.
      const [across, down] = [x - middle, y - middle];
      const u = (cos * across + sin * down + middle + 0.5) / factor - 0.5 + left;
      const v = (cos * down - sin * across + middle + 0.5) / factor - 0.5 + top;
      const [column, row] = [Math.floor(u), Math.floor(v)];
      const [a, b] = [u - column, v - row];
      const [c0, c1] = [Math.min(Math.max(column, 0), width - 1), Math.min(Math.max(column + 1, 0), width - 1)];
      const [r0, r1] = [Math.min(Math.max(row, 0), height - 1), Math.min(Math.max(row + 1, 0), height - 1)];
      const [p, q, r, s] = [(r0 * width + c0) * 3, (r0 * width + c1) * 3, (r1 * width + c0) * 3, (r1 * width + c1) * 3];
      for (let colour = 0; colour < 3; colour += 1)
        out.data[to + colour] = Math.round(
          (data[p + colour] * (1 - a) + data[q + colour] * a) * (1 - b) +
            (data[r + colour] * (1 - a) + data[s + colour] * a) * b,
        );
    }
  return out;
}

/** How light and sharp a picture is: `Visibility` of `vision/judging/seen.py`. @param {Picture} picture */
export function measureLight({ width, height, data }) {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1)
    grey[at] = (data[at * 3] * 9798 + data[at * 3 + 1] * 19235 + data[at * 3 + 2] * 3735 + 16384) >> 15;
  const every = Math.max(1, Math.floor(grey.length / MEASURED));
  /** @type {number[][]} */
  const [some, off] = [[], []];
  /** @param {number} at @param {number} size */
  const inside = (at, size) => (at < 0 ? Math.min(-at, size - 1) : at >= size ? Math.max(2 * size - 2 - at, 0) : at);
  for (let at = 0; at < grey.length; at += every) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [left, right] = [grey[y * width + inside(x - 1, width)], grey[y * width + inside(x + 1, width)]];
    const [above, below] = [grey[inside(y - 1, height) * width + x], grey[inside(y + 1, height) * width + x]];
    some.push(grey[at]);
    off.push(Math.abs(left + right + above + below - 4 * grey[at]));
  }
  for (const numbers of [some, off]) numbers.sort((a, b) => a - b);
  const lightest = some.slice(some.length >> 1);
  const range = Math.max(percentile(some, 99) - percentile(some, 1), 1);
  return {
    brightness: lightest.reduce((sum, each) => sum + each, 0) / lightest.length,
    sharpness: percentile(off, 99) / range / 4,
  };
}

/** @param {number[]} sorted @param {number} percent */
function percentile(sorted, percent) {
  const at = (percent / 100) * (sorted.length - 1);
  const before = Math.floor(at);
  const after = Math.min(before + 1, sorted.length - 1);
  return sorted[before] + (at - before) * (sorted[after] - sorted[before]);
}
