// The end of a game: what a table's page loads once one is over.

import { keepUsual } from "../shared/beginners.js";
import { element } from "../shared/dom.js";
import { sharePicture } from "../shared/ending-picture.js";
import * as parts from "../shared/ending.js";
import { t } from "../shared/text.js";

export const { afterwards, buttons, ending } = parts;

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.matches("[data-begins]")) keepUsual(target);
});

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  // A handler, and no button of the form: the second click of a double one was meant for what lay there before.
  again: () => element("again", HTMLFormElement).submit(),
  "share-ending": async () => {
    const game = document.querySelector("h1").textContent ?? "";
    if (await sharePicture(document.querySelector(".ending"), game)) ctx.toast(t("The picture is saved."));
  },
});
