// The page of a game that people made: its link is sent by the phone's own means, or copied.

import { element, field } from "../shared/dom.js";

const link = element("game-link", HTMLAnchorElement).href;
const text = field("game-link-text");
const button = element("game-link-send", HTMLButtonElement);
text.value = link;
text.addEventListener("focus", () => text.select());
if (!navigator.share) button.textContent = button.dataset.copy ?? null;

button.addEventListener("click", async () => {
  if (navigator.share) {
    try {
      await navigator.share({ title: document.title, url: link });
      return;
    } catch (/** @type {any} */ error) {
      if (error.name === "AbortError") return; // the person has thought better of it
    }
  }
  if (await copy()) button.textContent = button.dataset.copied ?? null;
});

/** Copies the link, else leaves it selected. Over plain http a browser lets only what is selected be copied. */
async function copy() {
  text.select();
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

document.body.dataset.ready = "yes";
