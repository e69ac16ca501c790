// What a table's page loads when somebody wants it: a camera that watches, answers from afar, programs, notes.

import { Stand } from "../camera/stand.js";
import * as watch from "../camera/watch.js";
import * as programs from "../dialogs/programs.js";
import * as roundNote from "../dialogs/round-note.js";
import { HandsFree } from "../voice/hands-free.js";

export { HandsFree, Stand };
export const { notice, shows, stopAtTouch, watchButton } = watch;

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({ ...programs.handlers(ctx), ...watch.handlers(ctx), ...roundNote.handlers(ctx) });
