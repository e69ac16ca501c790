// On a computer: a photo that is dropped on the page, or pasted into it, is the photo of the throw.

import { field, targetOf } from "../shared/dom.js";
import { t } from "../shared/text.js";

// Few computers know HEIC or AVIF: the type is then empty, and only the name says that the file is a photo.
/** @param {File} file */
const isPhoto = (file) => file.type.startsWith("image/") || (!file.type && /\.(heic|heif|avif)$/i.test(file.name));

/** Files of a drop or a paste that may be a photo. @param {DataTransfer | null} data */
const photosIn = (data) => [...(data ? data.files : [])].filter(isPhoto);

/** Whether something dragged over the page may be a photo. The browser tells its type only when it is dropped.
 * @param {DataTransfer | null} data */
const carriesFile = (data) => [...(data?.items ?? [])].some((item) => item.kind === "file");

/** Listens to drops and pastes. `ctx.toast` says why there is no photo to be taken now. @param {Page} ctx */
export function listen(ctx) {
  let leaving = 0;
  const over = (/** @type {boolean} */ on) => document.body.classList.toggle("drops", on);
  document.addEventListener("dragover", (event) => {
    if (!carriesFile(event.dataTransfer)) return;
    event.preventDefault(); // else the browser would show the photo instead of this page
    clearTimeout(leaving);
    leaving = setTimeout(() => over(false), 300);
    over(photoFieldNow() !== null);
  });
  document.addEventListener("drop", (event) => {
    if (!carriesFile(event.dataTransfer)) return;
    event.preventDefault();
    over(false);
    handOver(ctx, event.dataTransfer);
  });
  document.addEventListener("paste", (event) => {
    if (targetOf(event).closest("input, textarea") || !photosIn(event.clipboardData).length) return;
    event.preventDefault();
    handOver(ctx, event.clipboardData);
  });
}

/** The field for the photo of the throw; null if none may come now, or if a dialog is open. */
function photoFieldNow() {
  return document.querySelector("dialog[open]") || !document.getElementById("photo") ? null : field("photo");
}

/** Hands the photo to the field, as if the person had chosen it there.
 * @param {Page} ctx @param {DataTransfer | null} data */
function handOver(ctx, data) {
  const place = photoFieldNow();
  const [photo] = photosIn(data);
  if (!place || !photo) {
    ctx.toast(place ? t("That isn't a photo.") : t("No photo is needed now."));
    return;
  }
  const one = new DataTransfer();
  one.items.add(photo);
  place.files = one.files;
  place.dispatchEvent(new Event("change", { bubbles: true }));
}
