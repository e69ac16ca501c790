// The sheets of games that count points.

import * as hands from "./hands.js";
import * as simple from "./simple.js";
import * as tenThousand from "./ten-thousand.js";

/** @param {Standing} standing @returns {Sheet} */
export const sheetOf = ({ turn }) => {
  if (!turn || !("set_aside" in turn)) return simple;
  return "throws_left" in turn ? hands : tenThousand;
};
