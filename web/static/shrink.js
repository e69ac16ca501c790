// Makes a photo smaller before it travels: the reader needs no more, and a home network is slow.

const LONGEST = 2560; // pixels
const QUALITY = 0.88;
const SMALL_BYTES = 400_000; // not worth the while
const COARSE_BELOW = 0.5; // shrunk by more than two, pixels must be averaged, which takes a third of the time of all this

/**
 * The photo as an upright JPEG of at most LONGEST pixels, where that is smaller than the file; else the file itself, also
 * where this browser cannot decode it. What the camera wrote into the file besides, place and time, stays on the phone.
 */
export async function smaller(file) {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const picture = await drawn(file);
    return picture && picture.size < file.size ? picture : file;
  } catch {
    return file;
  }
}

/** Draws the photo on a canvas no larger than is wanted. */
async function drawn(file) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = scale < COARSE_BELOW ? "medium" : "low";
    pen.fillStyle = "#fff"; // behind what a PNG leaves open
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
  } finally {
    bitmap.close();
  }
}
