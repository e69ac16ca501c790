// Luck in words, which the server works out once a game is over.

import { pagePart } from "./page-part.js";

/**
 * The sentences of a game that is over: whether it was luck, and what dice and mistakes did for each player. Empty
 * until the server has worked them out.
 * @param {Context} ctx
 */
export const luckWords = (ctx) => (ctx.standing.over ? pagePart(ctx, "luck", true) : "");
