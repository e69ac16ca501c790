// From a game that is over to the next one at the same table: the way there, and whom this phone plays for.

import { html } from "./dom.js";
import { t } from "./text.js";

const GOES_ALONG = "rollcall.goes-along";

/** "Play again", or, once any phone has tapped it, the way to the game that it began. */
export const offer = ({ setup, state }) => (state.next
  ? html`<div class="again" role="status" data-key="next"><p>${t("The next game has begun.")}</p>
    <a class="button primary" data-goes-along href="/tables/${state.next}">${t("Go there")}</a></div>`
  : html`<form method="post" action="${setup.base}/again" class="again" data-key="again"><button class="button primary" data-goes-along>${t("Play again")}</button></form>`);

const names = (players) => players.map((player) => player.name);

/** Has the player that this phone plays for go along when the person taps what `offer` shows. */
export function watch(ctx) {
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-goes-along]")) return;
    try {
      sessionStorage.setItem(GOES_ALONG, JSON.stringify({ names: names(ctx.standing.players), playsFor: ctx.playsFor }));
    } catch {
      // storage is off: the person tells it again
    }
  });
}

/** The player who came along to this table, or null: only where the same people play. */
export function came(players) {
  try {
    const along = JSON.parse(sessionStorage.getItem(GOES_ALONG));
    sessionStorage.removeItem(GOES_ALONG);
    return along && JSON.stringify(along.names) === JSON.stringify(names(players)) ? along.playsFor : null;
  } catch {
    return null;
  }
}
