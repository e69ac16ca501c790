// Who may begin the next game: for the ending, and for the start page.

import { phone } from "./storage.js";

const BEGINS = "rollcall.begins";

/** The numbers of the players who may begin, by why. Where several share a place nobody lost, or won, alone.
 * @param {{place: number | null}[]} players @param {number[]} order  the numbers of those who play on */
export function mayBegin(players, order) {
  const last = Math.max(...order.map((who) => Number(players[who].place)));
  /** @type {Record<string, number>} */
  const who = { next: order[1 % order.length] };
  for (const [why, place] of Object.entries(last > 1 ? { loser: last, winner: 1 } : {})) {
    const [found, other] = order.filter((each) => players[each].place === place);
    if (other === undefined) who[why] = found;
  }
  return who;
}

/** Why the one begins who does so at this phone's tables. @param {Record<string, number>} who */
export function usualOf(who) {
  const before = phone.text(BEGINS);
  return before && before in who ? before : "next";
}

/** Remembers who begins at this phone's tables. @param {HTMLSelectElement} choice */
export const keepUsual = (choice) => phone.keepText(BEGINS, choice.selectedOptions[0].dataset.kind ?? "");
