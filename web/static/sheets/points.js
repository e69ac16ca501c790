// The sheets of games that count points.

import * as simple from "./simple.js";
import * as tenThousand from "./ten-thousand.js";

export const sheetOf = ({ turn }) => (turn && "set_aside" in turn ? tenThousand : simple);
