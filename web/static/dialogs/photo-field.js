// The field for a photo, which opens a phone's camera or its files.

import { html } from "../shared/dom.js";

// What the server reads. With `capture`, Android opens its camera at once only where nothing but types is named; the
// dialogs of computers, and of a phone's files, know HEIC by its name alone.
const TYPES = "image/jpeg,image/png,image/webp,image/heic,image/heif";
const NAMES = ".jpg,.jpeg,.png,.webp,.heic,.heif";

/** The field of this id: `now` for a photo that a phone takes, else for a file that is there already. */
export const photoField = (id, now) =>
  now && matchMedia("(pointer: coarse)").matches
    ? html`<input type="file" id="${id}" accept="${TYPES}" capture="environment" class="hidden" />`
    : html`<input type="file" id="${id}" accept="${TYPES},${NAMES}" class="hidden" />`;
