// The way from a game that is over to the next one: whom this phone plays for.

import { BEGINS, GOES_ALONG, goAlong, sortedNames } from "./beginners.js";
import { targetOf } from "./dom.js";
import { phone, tab } from "./storage.js";

/**
 * Remembers the player of this phone when the person taps a link or button to the next game.
 * @param {Page} ctx
 */
export function listen(ctx) {
  document.addEventListener("click", (event) => {
    if (!targetOf(event).closest("[data-goes-along]")) return;
    const { players } = ctx.standing;
    goAlong(players, ctx.playsFor);
  });
  document.addEventListener("change", (event) => {
    if (!targetOf(event).matches("[data-begins]")) return;
    const choice = /** @type {HTMLSelectElement} */ (event.target);
    phone.keepText(BEGINS, choice.selectedOptions[0].dataset.kind);
  });
}

/** The player who came along from the last game; null unless the same people play, in any order. */
export function arrivedPlayer(players) {
  const along = tab.value(GOES_ALONG);
  tab.keep(GOES_ALONG, null);
  if (!along || JSON.stringify(along.names) !== JSON.stringify(sortedNames(players))) return null;
  const who = players.findIndex((player) => player.name === along.name);
  return who < 0 ? null : who;
}
