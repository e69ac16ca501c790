// Takes a JPEG apart and keeps the picture alone, without the camera's metadata.

const ORIENTATION = 0x0112; // the tag of EXIF
const UPRIGHT = 1;
const [SCAN, END, COMMENT] = [0xda, 0xd9, 0xfe];
const KNOWN_FRAMES = [0xc0, 0xc1]; // a decoder may shrink these as it reads them, but not progressive ones
const NEEDED = ["JFIF\0", "ICC_PROFILE\0", "Adobe"]; // how the colours are meant
const EXIF = "Exif\0\0";

/**
 * The picture of a JPEG file without place, time, device, previews and films, as {blob, pixels}. Null for other files
 * and for a JPEG that is not laid out as cameras do it.
 * @param {Blob} file
 */
export async function stripMetadata(file) {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return splitJpeg(bytes, new DataView(bytes.buffer));
  } catch {
    return null; // the file is gone, or cut off within a segment
  }
}

/** @param {Uint8Array} bytes @param {DataView} view */
function splitJpeg(bytes, view) {
  if (view.getUint16(0) !== 0xffd8) return null;
  const parts = [];
  let [at, pixels, orientation] = [2, 0, UPRIGHT];
  for (;;) {
    const marker = view.getUint16(at) - 0xff00;
    if (marker < 0xc0 || marker === 0xff) return null;
    const next = at + 2 + view.getUint16(at + 2);
    if (marker === SCAN) {
      const end = endOfPicture(bytes, next);
      if (!end || !pixels) return null;
      parts.push(bytes.subarray(at, end));
      const turn = orientation === UPRIGHT ? [] : [orientationSegment(orientation)];
      return { blob: new Blob([bytes.subarray(0, 2), ...turn, ...parts], { type: "image/jpeg" }), pixels };
    }
    if (isFrame(marker)) {
      if (!KNOWN_FRAMES.includes(marker)) return null;
      pixels = view.getUint16(at + 5) * view.getUint16(at + 7);
    }
    if (marker === 0xe1 && startsWith(bytes, at + 4, EXIF))
      orientation = orientationOf(view, at + 4 + EXIF.length, next);
    if (!isMetadata(bytes, marker, at + 4)) parts.push(bytes.subarray(at, next));
    at = next;
  }
}

/** @param {number} marker */
const isFrame = (marker) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Whether a segment holds the camera's metadata or a comment.
 * @param {Uint8Array} bytes @param {number} marker @param {number} at */
const isMetadata = (bytes, marker, at) =>
  marker === COMMENT || (marker >= 0xe0 && marker <= 0xef && !NEEDED.some((name) => startsWith(bytes, at, name)));

/** @param {Uint8Array} bytes @param {number} at @param {string} name */
const startsWith = (bytes, at, name) => [...name].every((sign, i) => bytes[at + i] === sign.charCodeAt(0));

/** The offset at which the picture ends; 0 if it has more than one scan, or no end.
 * @param {Uint8Array} bytes @param {number} at */
function endOfPicture(bytes, at) {
  for (let found = bytes.indexOf(0xff, at); found >= 0; found = bytes.indexOf(0xff, found + 2)) {
    const sign = bytes[found + 1];
    if (sign === END) return found + 2;
    if (sign !== 0 && (sign < 0xd0 || sign > 0xd7)) return 0;
  }
  return 0;
}

/** The orientation, 1..8, in the EXIF data that begin at `at` (TIFF 6.0, section 2).
 * @param {DataView} view @param {number} at @param {number} end */
function orientationOf(view, at, end) {
  const little = view.getUint16(at) === 0x4949;
  const directory = at + view.getUint32(at + 4, little);
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < Math.min(directory + 2 + 12 * count, end - 11); entry += 12) {
    if (view.getUint16(entry, little) !== ORIENTATION) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** A segment that holds the orientation and nothing else: a directory of one entry. @param {number} orientation */
function orientationSegment(orientation) {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [...[...EXIF].map((sign) => sign.charCodeAt(0)), ...tiff];
  return new Uint8Array([0xff, 0xe1, 0, body.length + 2, ...body]);
}
