// A photo of the browser's eye: decoded by the browser, and shrunk as `vision/photo.py` has it shrunk.

import { average, blank, opaque, padded, part, roundEven, shrink, upright } from "./pixels.js";

const MEGA = 1_000_000;
const MAX_VIEW = 28 * MEGA; // pixels of a view
const MAX_PIXELS = 50 * MEGA; // of a file: decoded, it takes four bytes each
const MAX_HELD = 6 * MEGA; // pixels that stay decoded so: of larger files, what judging wants is drawn, and they go
const MIN_SIDE = 16;
const SMALLER = 1600; // pixels across a photo at which the browser ended
const SIDEWAYS = 5; // the orientations from this one on swap width and height
const STRIP = 256; // rows that are drawn at once: all of them would take several times the photo's memory
const WIDE_VIEW = 700; // pixels of the longer side of a photo with large dice: enough to read them
const SHOWN_SIDE = 1600; // pixels of the longer side of the picture that phones are shown
const [SHOWN_QUALITY, SMALL_QUALITIES] = [0.85, [0.8, 0.65, 0.5, 0.35, 0.2]];
const [SMALL_SIDE, SMALL_BYTES] = [640, 48 << 10]; // at most, of the picture that is kept as proof of a throw

export class Photo {
  #decode;
  /** @type {ImageBitmap | null} */
  #bitmap = null;
  #orientation;
  #views = new Map();
  width = 0;
  height = 0;

  /**
   * `decode`: decodes the file, null for pixels alone. `isShrunk`: whether views are smaller than the photo.
   * @param {(() => Promise<ImageBitmap>) | null} decode @param {{ width: number, height: number }} size
   * @param {number} orientation @param {boolean} isShrunk
   */
  constructor(decode, { width, height }, orientation, isShrunk) {
    this.#decode = decode;
    this.#orientation = orientation;
    this.isShrunk = isShrunk;
    [this.width, this.height] = orientation >= SIDEWAYS ? [height, width] : [width, height];
  }

  /** A photo of these pixels, upright and whole. @param {Picture} pixels */
  static of(pixels) {
    const photo = new Photo(null, pixels, 1, false);
    photo.#views.set(1, pixels);
    return photo;
  }

  /** Decodes a file without metadata. `smaller`: with SMALLER pixels across. Raises { reason, params } of
   * `vision/reasons.py`.
   * @param {Uint8Array} bytes @param {string} format @param {number} orientation
   */
  static async decode(bytes, format, orientation, smaller = false) {
    /** @type {ImageBitmapOptions} */
    const options = { imageOrientation: "from-image", colorSpaceConversion: "none", premultiplyAlpha: "none" };
    if (smaller) Object.assign(options, { resizeWidth: SMALLER, resizeQuality: "medium" });
    const file = new Blob([bytes], { type: `image/${format.toLowerCase()}` });
    const decode = () => createImageBitmap(file, options);
    let bitmap;
    try {
      bitmap = await decode();
    } catch {
      if (["HEIF", "AVIF"].includes(format)) throw new Refusal("photo-heic");
      throw ["TIFF", "BMP"].includes(format)
        ? new Refusal("photo-unreadable", { format })
        : new Refusal("photo-damaged");
    }
    const { width, height } = bitmap;
    if (Math.min(width, height) < MIN_SIDE) throw new Refusal("photo-too-small", { width, height, limit: MIN_SIDE });
    if (width * height > MAX_PIXELS) {
      bitmap.close();
      const [megapixels, limit] = [Math.round((width * height) / MEGA), MAX_PIXELS / MEGA];
      throw new Refusal("photo-too-many-pixels", { megapixels, limit });
    }
    const photo = new Photo(decode, bitmap, orientation, format === "JPEG");
    photo.#bitmap = bitmap;
    if (width * height > MAX_HELD) await photo.view(Math.max(width, height) / 2); // seldom is more wanted
    return photo;
  }

  /** The photo with a longer side of at least `side` pixels, or whole if it has fewer.
   * @param {number} side @returns {Promise<Picture>} */
  async view(side) {
    const longest = Math.max(this.width, this.height);
    let step = [8, 4, 2].find((each) => this.isShrunk && longest / each >= side) ?? 1;
    while (this.width * this.height > MAX_VIEW * step ** 2) step *= 2;
    const finer = [...this.#views.keys()].filter((each) => each <= step);
    const next = Math.max(...finer);
    if (next === step) return this.#views.get(step);
    if (finer.length && (!this.isShrunk || this.#bitmap)) return this.#views.get(next);
    this.#views.set(step, finer.length ? coarser(this.#views.get(next), step / next) : await this.#drawn(step));
    return this.#views.get(step);
  }

  /** The file's pixels upright, each the average of `step` x `step`. @param {number} step */
  async #drawn(step) {
    const bitmap = this.#bitmap ?? (await /** @type {() => Promise<ImageBitmap>} */ (this.#decode)());
    const { width, height } = bitmap;
    const out = blank(Math.ceil(width / step), Math.ceil(height / step));
    const canvas = new OffscreenCanvas(width, Math.min(STRIP, height));
    const options = { willReadFrequently: true };
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", options));
    for (let top = 0; top < height; top += STRIP) {
      const rows = Math.min(STRIP, height - top);
      context.fillStyle = "white"; // behind what is transparent
      context.fillRect(0, 0, width, rows);
      context.drawImage(bitmap, 0, top, width, rows, 0, 0, width, rows);
      const { data } = context.getImageData(0, 0, width, rows);
      const strip = average({ width, height: rows, data }, step, 4, out.width, Math.ceil(rows / step));
      out.data.set(strip.data, (top / step) * out.width * 3);
    }
    if (width * height > MAX_HELD) {
      bitmap.close();
      this.#bitmap = null;
    }
    return upright(out, this.#orientation);
  }

  /** The rectangle of a photo as a photo of its own: `Eye.cut` of `vision/eye.py`. @param {number[]} box */
  async cut([left, top, right, bottom]) {
    const isWider = right - left > this.width || bottom - top > this.height;
    let view = await this.view(isWider ? WIDE_VIEW : Math.max(this.width, this.height));
    const longest = Math.max(view.width, view.height);
    if (isWider && longest > WIDE_VIEW) {
      const factor = WIDE_VIEW / longest;
      view = shrink(view, roundEven(view.width * factor), roundEven(view.height * factor));
    }
    const [across, down] = [view.width / this.width, view.height / this.height];
    const [x0, x1] = [roundEven(left * across), roundEven(right * across)];
    const [y0, y1] = [roundEven(top * down), roundEven(bottom * down)];
    const inner = part(view, x0, y0, x1, y1);
    const [above, below, before, after] = [-y0, y1 - view.height, -x0, x1 - view.width].map((each) =>
      Math.max(each, 0),
    );
    return Photo.of(above || below || before || after ? padded(inner, above, below, before, after) : inner);
  }

  /** A JPEG for the page, and a small one as proof of a throw, undefined if none is small enough. */
  async pictures() {
    const view = await this.view(SHOWN_SIDE);
    const whole = await createImageBitmap(new ImageData(opaque(view), view.width, view.height));
    const [shown, small] = [SHOWN_SIDE, SMALL_SIDE].map((side) => fitted(whole, side));
    whole.close();
    /** @param {OffscreenCanvas} canvas @param {number} quality */
    const jpeg = async (canvas, quality) =>
      new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality })).arrayBuffer());
    const picture = await jpeg(shown, SHOWN_QUALITY);
    for (const quality of SMALL_QUALITIES) {
      const proof = await jpeg(small, quality);
      if (proof.length <= SMALL_BYTES) return [picture, proof];
    }
    return [picture, undefined];
  }

  close() {
    this.#bitmap?.close();
    // What is only dropped, browsers give back much later.
    for (const { data } of this.#views.values()) if (data.length) data.buffer.transfer?.(0);
    this.#views.clear();
  }
}

/** The bitmap on a canvas, with a longer side of at most so many pixels.
 * @param {ImageBitmap} bitmap @param {number} most */
function fitted(bitmap, most) {
  const factor = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  const [wide, tall] = [bitmap.width, bitmap.height].map((each) => Math.max(1, Math.round(each * factor)));
  const canvas = new OffscreenCanvas(wide, tall);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, wide, tall);
  return canvas;
}

/** A view with its sides divided by a whole number. @param {Picture} view @param {number} step */
const coarser = (view, step) => average(view, step, 3, Math.ceil(view.width / step), Math.ceil(view.height / step));

/** Why a photo cannot be read: a reason of `vision/reasons.py`. */
export class Refusal extends Error {
  /** @param {string} reason */
  constructor(reason, params = {}) {
    super(reason);
    Object.assign(this, { reason, params });
  }
}
