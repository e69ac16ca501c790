// Dialogs and photos: what a table's page loads after its first view.

import * as adjust from "../dialogs/adjust.js";
import * as correction from "../dialogs/correction.js";
import * as menu from "../dialogs/menu.js";
import * as owner from "../dialogs/owner.js";
import * as players from "../dialogs/players.js";
import * as proof from "../dialogs/proof.js";
import * as review from "../dialogs/review.js";
import * as droppedPhoto from "../camera/dropped-photo.js";
import { PhotoSender } from "../camera/photo-sender.js";
import { Moments, momentLines } from "../shared/moments.js";

export const openReview = review.open;
export const { announceChanges } = menu;
export const { proofLine } = proof;
export { Moments, momentLines, PhotoSender };

/** Begins what a table's page does besides showing its state. @param {Page} ctx */
export function begin(ctx) {
  menu.welcome(ctx);
  droppedPhoto.listen(ctx);
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  undo: () => correction.askUndo(ctx),
  correct: () => correction.openSteps(ctx),
  review: () => review.open(ctx),
  ...menu.handlers(ctx),
  ...owner.handlers(ctx),
  ...adjust.handlers(ctx),
  ...players.handlers(ctx),
  ...proof.handlers(ctx),
});
