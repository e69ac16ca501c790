// Who may begin the next game, and whom this phone plays for in it: for the table, and for the start page.

import { phone, tab } from "./storage.js";

export const GOES_ALONG = "rollcall.goes-along";
export const BEGINS = "rollcall.begins";

/**
 * The numbers of the players who may begin, by why. Where several share a place nobody lost, or won, alone.
 * @param {{place: number}[]} players
 * @param {number[]} order  the numbers of those who play on
 */
export function mayBegin(players, order) {
  const last = Math.max(...order.map((who) => players[who].place));
  /** @type {Record<string, number>} */
  const who = { next: order[1 % order.length] };
  for (const [why, place] of last > 1
    ? [
        ["loser", last],
        ["winner", 1],
      ]
    : []) {
    const [found, other] = order.filter((each) => players[each].place === place);
    if (other === undefined) who[why] = found;
  }
  return who;
}

/** Why the one begins who does so at this phone's tables. */
export function usualOf(who) {
  const before = phone.text(BEGINS);
  return before && before in who ? before : "next";
}

/** The names of those who have not left, in order. */
export const sortedNames = (players) =>
  players
    .filter((player) => !player.out)
    .map((player) => player.name)
    .sort();

/** Remembers, for the next game, the player for whom this phone plays; null: for all. */
export const goAlong = (players, playsFor) =>
  tab.keep(GOES_ALONG, { names: sortedNames(players), name: players[playsFor]?.name });
