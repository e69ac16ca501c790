// The picture of the score history, which the server draws: for the board, and for a game that is over.

import { pagePart } from "./page-part.js";

/**
 * The picture as it was drawn last; a new one is requested when a turn has ended.
 * @param {Context} ctx
 */
export const picture = (ctx) => pagePart(ctx, "statistics", ctx.standing.over || !ctx.standing.turn.throw.length);
