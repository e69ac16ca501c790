// Odds and best play beside the choices, if the table advises: what draws them, advising.js, is loaded then. Nothing is
// drawn before that.

/** @type {typeof import("./advising.js") | null} */
let advising = null;

/** Takes what draws advice. */
export const use = (loaded) => (advising = loaded);

export const isThere = () => advising !== null;
export const request = (ctx) => advising?.request(ctx);
export const current = (ctx) => advising?.current(ctx) ?? null;
export const marksBest = (ctx) => Boolean(advising?.marksBest(ctx));
export const bestFirst = (ctx, entries) => advising?.bestFirst(ctx, entries) ?? entries;
export const cost = (ctx, action) => advising?.cost(ctx, action) ?? "";
export const choiceLine = (ctx, action) => advising?.choiceLine(ctx, action) ?? "";
export const keepAdvice = (ctx, dice) => advising?.keepAdvice(ctx, dice) ?? "";
export const cellCost = (ctx, entry, dice) => advising?.cellCost(ctx, entry, dice) ?? "";
export const openCellChance = (ctx, category, dice) => advising?.openCellChance(ctx, category, dice) ?? "";
export const bonusChance = (ctx, dice) => advising?.bonusChance(ctx, dice) ?? "";
export const spokenLoss = (ctx, action) => advising?.spokenLoss(ctx, action) ?? "";
export const spokenCost = (ctx, entry, dice) => advising?.spokenCost(ctx, entry, dice) ?? "";
export const bestChoices = (ctx) => advising?.bestChoices(ctx) ?? "";
export const notice = (ctx) => advising?.notice(ctx) ?? "";
export const lossOfLastStep = (ctx, lines) => advising?.lossOfLastStep(ctx, lines) ?? "";
