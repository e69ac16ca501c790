// The way from a game that is over to the next one: whom this phone plays for.

import { targetOf } from "./dom.js";
import { tab } from "./storage.js";

const GOES_ALONG = "rollcall.goes-along";

/** The names of those who have not left, in order. @param {Player[]} players */
const sortedNames = (players) => players.flatMap(({ name, out }) => (out ? [] : name)).sort();

/** Remembers, for the next game, the player for whom this phone plays; null: for all.
 * @param {Player[]} players @param {number | null} playsFor */
export const goAlong = (players, playsFor) =>
  tab.keep(GOES_ALONG, { names: sortedNames(players), name: players[playsFor ?? -1]?.name });

/** Remembers the player of this phone when the person taps a link or button to the next game. @param {Page} ctx */
export const listen = (ctx) =>
  document.addEventListener("click", (event) => {
    if (targetOf(event).closest("[data-goes-along]")) goAlong(ctx.standing.players, ctx.playsFor);
  });

/** The player who came along from the last game; null unless the same people play, in any order.
 * @param {Player[]} players */
export function arrivedPlayer(players) {
  const along = tab.value(GOES_ALONG);
  tab.keep(GOES_ALONG, null);
  if (!along || JSON.stringify(along.names) !== JSON.stringify(sortedNames(players))) return null;
  const who = players.findIndex((player) => player.name === along.name);
  return who < 0 ? null : who;
}
