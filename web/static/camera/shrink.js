// Makes a photo smaller before it travels: the reader needs no more, and a home network is slow.

import { stripMetadata } from "./jpeg.js";

const LONGEST = 2560; // pixels
const QUALITY = 0.88;
const SMALL_BYTES = 400_000; // not worth the while
// Shrunk by more than two, pixels must be averaged, which takes a third of the time of all this.
const COARSE_BELOW = 0.5;

/**
 * The photo as an upright JPEG of at most LONGEST pixels, where that is smaller than the file; else the file's own
 * picture, and the file itself where this browser cannot make anything of it. What the camera wrote into a JPEG
 * besides, place and time, stays on the phone.
 *
 * `needless()`: asked in the middle of the work; where it says so, there is no picture: null.
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

/** Draws the photo on a canvas no larger than is wanted; null where it is needless by then. */
async function drawSmaller(file, needless) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    if (needless()) return null;
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = scale < COARSE_BELOW ? "medium" : "low";
    pen.fillStyle = "#fff"; // behind what a PNG leaves open
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => {
      canvas.toBlob(done, "image/jpeg", QUALITY);
    });
  } finally {
    bitmap.close();
  }
}
