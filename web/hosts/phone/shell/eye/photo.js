// A photo of the browser's eye: decoded by the browser, and shrunk as `vision/photo.py` has it shrunk.

import { MIRRORED, TURNS, average, blank, padded, part, roundEven, shrink, upright } from "./pixels.js";

const MEGA = 1_000_000;
const MAX_VIEW = 28 * MEGA; // pixels of a view
const MAX_PIXELS = 50 * MEGA; // of a file: decoded, it takes four bytes each
const MIN_SIDE = 16;
const SMALLER = 1600; // pixels across a photo at which the browser ended
const SIDEWAYS = 5; // the orientations from this one on swap width and height
const STRIP = 256; // rows that are drawn at once: all of them would take several times the photo's memory
const WIDE_VIEW = 700; // pixels of the longer side of a photo with large dice: enough to read them
const SHOWN_SIDE = 1600; // pixels of the longer side of the picture that phones are shown
const [SHOWN_QUALITY, SMALL_QUALITIES] = [0.85, [0.8, 0.65, 0.5, 0.35, 0.2]];
const [SMALL_SIDE, SMALL_BYTES] = [640, 48 << 10]; // at most, of the picture that is kept as proof of a throw

export class Photo {
  #bitmap;
  #orientation;
  #views = new Map();

  /** `bitmap`: the decoded file, null for pixels alone. `isShrunk`: whether views are smaller than the photo. */
  constructor(bitmap, orientation, isShrunk, pixels) {
    this.#bitmap = bitmap;
    this.#orientation = orientation;
    this.isShrunk = isShrunk;
    const { width, height } = bitmap ?? pixels;
    [this.width, this.height] = orientation >= SIDEWAYS ? [height, width] : [width, height];
    if (pixels) this.#views.set(1, pixels);
  }

  /** Decodes a file without metadata. `smaller`: with SMALLER pixels across. Raises { reason, params } of
   * `vision/reasons.py`. */
  static async decode(bytes, format, orientation, smaller = false) {
    let bitmap;
    try {
      /** @type {ImageBitmapOptions} */
      const options = { imageOrientation: "from-image", colorSpaceConversion: "none", premultiplyAlpha: "none" };
      if (smaller) Object.assign(options, { resizeWidth: SMALLER, resizeQuality: "medium" });
      bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${format.toLowerCase()}` }), options);
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
    return new Photo(bitmap, orientation, format === "JPEG");
  }

  /** The photo with a longer side of at least `side` pixels, or whole if it has fewer. */
  view(side) {
    const longest = Math.max(this.width, this.height);
    let step = [8, 4, 2].find((each) => this.isShrunk && longest / each >= side) ?? 1;
    while (this.width * this.height > MAX_VIEW * step ** 2) step *= 2;
    const finer = [...this.#views.keys()].filter((each) => each <= step);
    if (finer.length) return this.#views.get(Math.max(...finer));
    this.#views.set(step, upright(this.#drawn(step), this.#orientation));
    return this.#views.get(step);
  }

  /** The bitmap's pixels, each the average of `step` x `step`. */
  #drawn(step) {
    const { width, height } = this.#bitmap;
    const out = blank(Math.ceil(width / step), Math.ceil(height / step));
    const canvas = new OffscreenCanvas(width, Math.min(STRIP, height));
    const context = canvas.getContext("2d", { willReadFrequently: true });
    for (let top = 0; top < height; top += STRIP) {
      const rows = Math.min(STRIP, height - top);
      context.fillStyle = "white"; // behind what is transparent
      context.fillRect(0, 0, width, rows);
      context.drawImage(this.#bitmap, 0, top, width, rows, 0, 0, width, rows);
      const { data } = context.getImageData(0, 0, width, rows);
      const strip = average({ width, height: rows, data }, step, 4, out.width, Math.ceil(rows / step));
      out.data.set(strip.data, (top / step) * out.width * 3);
    }
    return out;
  }

  /** The rectangle of a photo as a photo of its own: `Eye.cut` of `vision/eye.py`. */
  cut([left, top, right, bottom]) {
    const isWider = right - left > this.width || bottom - top > this.height;
    let view = isWider ? this.view(WIDE_VIEW) : this.view(Math.max(this.width, this.height));
    const longest = Math.max(view.width, view.height);
    if (isWider && longest > WIDE_VIEW) {
      const factor = WIDE_VIEW / longest;
      view = shrink(view, roundEven(view.width * factor), roundEven(view.height * factor));
    }
    const [across, down] = [view.width / this.width, view.height / this.height];
    const [x0, x1] = [roundEven(left * across), roundEven(right * across)];
    const [y0, y1] = [roundEven(top * down), roundEven(bottom * down)];
    const inner = part(view, x0, y0, x1, y1);
    const beyond = [-y0, y1 - view.height, -x0, x1 - view.width].map((each) => Math.max(each, 0));
    return new Photo(null, 1, false, beyond.some(Boolean) ? padded(inner, ...beyond) : inner);
  }

  /** A JPEG for the page, and a small one as proof of a throw, undefined if none is small enough. */
  async pictures() {
    const [shown, small] = [this.#canvas(SHOWN_SIDE), this.#canvas(SMALL_SIDE)];
    const jpeg = async (canvas, quality) =>
      new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality })).arrayBuffer());
    const picture = await jpeg(shown, SHOWN_QUALITY);
    for (const quality of SMALL_QUALITIES) {
      const proof = await jpeg(small, quality);
      if (proof.length <= SMALL_BYTES) return [picture, proof];
    }
    return [picture, undefined];
  }

  /** The photo upright on a canvas, with a longer side of at most so many pixels. */
  #canvas(most) {
    const factor = Math.min(1, most / Math.max(this.width, this.height));
    const [wide, tall] = [this.width, this.height].map((each) => Math.max(1, Math.round(each * factor)));
    const canvas = new OffscreenCanvas(wide, tall);
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, wide, tall);
    context.imageSmoothingQuality = "high";
    const quarters = TURNS[this.#orientation];
    const [own, other] = quarters % 2 ? [tall, wide] : [wide, tall]; // sides of the stored picture
    context.translate(wide / 2, tall / 2);
    if (MIRRORED.includes(this.#orientation)) context.scale(-1, 1);
    context.rotate((-quarters * Math.PI) / 2);
    context.drawImage(this.#bitmap, -own / 2, -other / 2, own, other);
    return canvas;
  }

  close() {
    this.#bitmap?.close();
    this.#views.clear();
  }
}

/** Why a photo cannot be read: a reason of `vision/reasons.py`. */
export class Refusal extends Error {
  constructor(reason, params = {}) {
    super(reason);
    Object.assign(this, { reason, params });
  }
}
