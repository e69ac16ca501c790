// The sheets of games that count points.

import * as box from "./box.js";
import * as hands from "./hands.js";
import * as simple from "./simple.js";
import * as tenThousand from "./ten-thousand.js";

export const sheetOf = ({ turn }) => {
  if (turn && "open" in turn) return box;
  if (!turn || !("set_aside" in turn)) return simple;
  return "throws_left" in turn ? hands : tenThousand;
};
