// Shrinks a photo before it travels: the reader needs no more pixels, and a home network is slow.

import { stripMetadata } from "./jpeg.js";
import { jpeg } from "./phone-camera.js";

const LONGEST = 2560; // pixels
const TINY = 320; // pixels across
const QUALITY = 0.88;
const SMALL_BYTES = 400_000; // smaller files are not shrunk
// Below this scale pixels must be averaged, which takes a third of the whole time.
const COARSE_BELOW = 0.5;

/**
 * The photo as an upright JPEG with sides of at most LONGEST pixels, if that is smaller than the file. Else the file's
 * own picture, or the file itself if this browser cannot decode it. Place and time stay on the phone.
 *
 * `needless()` is asked during the work; if it is true, the result is null.
 * @param {Blob} file @param {() => boolean} [needless]
 */
export async function shrink(file, needless = () => false) {
  const own = async () => (await stripMetadata(file))?.blob ?? file;
  if (file.size <= SMALL_BYTES) return own();
  try {
    const picture = await drawSmaller(file, needless);
    if (needless()) return null;
    return picture && picture.size < file.size ? picture : own();
  } catch {
    return own();
  }
}

/**
 * The address of a tiny picture of the photo, "" if this browser cannot decode it. Of a file that a page shows itself,
 * a browser keeps all pixels for long.
 * @param {Blob} file
 */
export async function tiny(file) {
  try {
    const bitmap = await createImageBitmap(file, { resizeWidth: TINY, resizeQuality: "low" });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return canvas.toDataURL("image/jpeg");
  } catch {
    return "";
  }
}

/** Draws the photo on a canvas of at most LONGEST pixels a side; null if it is needless by then.
 * @param {Blob} file @param {() => boolean} needless */
async function drawSmaller(file, needless) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    if (needless()) return null;
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.imageSmoothingQuality = scale < COARSE_BELOW ? "medium" : "low";
    pen.fillStyle = "#fff"; // behind the transparent parts of a PNG
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await jpeg(canvas, QUALITY);
  } finally {
    bitmap.close();
  }
}
