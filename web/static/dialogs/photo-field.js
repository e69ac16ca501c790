// The field for a photo, which opens a phone's camera or its files.

import { html } from "../shared/dom.js";

// The formats that the server reads. With `capture`, Android opens its camera at once only if types alone are named.
// Computers and the file dialogs of phones know HEIC and AVIF by their names alone.
const TYPES = "image/jpeg,image/png,image/webp,image/heic,image/heif,image/avif,image/tiff,image/bmp";
const NAMES = ".jpg,.jpeg,.png,.webp,.heic,.heif,.avif,.tif,.tiff,.bmp";

/** The field of this id: for a photo that the phone takes `now`, else for a stored file.
 * @param {string} id @param {boolean} now */
export const photoField = (id, now) =>
  now && matchMedia("(pointer: coarse)").matches
    ? html`<input type="file" id="${id}" accept="${TYPES}" capture="environment" class="hidden" />`
    : html`<input type="file" id="${id}" accept="${TYPES},${NAMES}" class="hidden" />`;
