// The code of a game's link, on the page of a game that somebody made: another phone scans it and has the game.

import { drawCode } from "./qr-code.js";
import { t } from "./texts.js";

const MOST = 1700; // letters: cameras hardly read a code with more

/** Shows the code at the head of what is about sharing, unless the link is too long for one. @param {Document} page */
export async function showGameCode(page) {
  const link = /** @type {HTMLAnchorElement} */ (page.getElementById("game-link"));
  if (link.href.length > MOST) return;
  const [said, code] = [page.createElement("p"), page.createElement("canvas")];
  said.textContent = t("Another phone scans this code, and has the game too.");
  code.className = "game-code";
  code.style.width = "min(100%, 20rem)";
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", t("QR code"));
  await drawCode(code, link.href);
  page.getElementById("share").after(said, code);
}
