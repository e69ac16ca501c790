// Who may begin the next game, and whom this phone plays for in it: for the table, and for the start page.

import { phone, tab } from "./storage.js";

export const GOES_ALONG = "rollcall.goes-along";
export const BEGINS = "rollcall.begins";

/**
 * The numbers of the players who may begin, by why. Of several in one place it is the next in turn.
 * @param {{place: number}[]} players
 * @param {number[]} order  the numbers of those who play on
 */
export function mayBegin(players, order) {
  const inTurn = [...order.slice(1), order[0]];
  const last = Math.max(...inTurn.map((who) => players[who].place));
  const first = (place) => inTurn.find((who) => players[who].place === place);
  return last > 1 ? { next: inTurn[0], loser: first(last), winner: first(1) } : { next: inTurn[0] };
}

/** Why the one begins who does so at this phone's tables. */
export function usualOf(who) {
  const before = phone.text(BEGINS);
  return before in who ? before : "next";
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
