// The page of one table: draws the server's state, and asks the server for what people tap.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { Announcer, say } from "../shared/announcer.js";
import { digitOfKey, field, html, onActs, render, targetOf } from "../shared/dom.js";
import { icon, playerMark } from "../shared/icons.js";
import { RefusedError, TableClient, failureText } from "../shared/net.js";
import * as camera from "../camera/phone-camera.js";
import { closedNotice, damageNotice, isDamaged } from "../shared/table-notices.js";
import * as device from "../shared/device.js";
import { dueThrow } from "../dialogs/due-throw.js";
import * as headings from "./headings.js";
import * as nextGame from "../shared/next-game.js";
import * as pad from "../dialogs/pad.js";
import { Panel } from "../dialogs/panel.js";
import { photoField } from "../dialogs/photo-field.js";
import { addTexts, joinNames, loadTexts, noServer, number, phoneName, refusalSentence, t, tn } from "../shared/text.js";
import {
  cameWithAnother,
  changeLine,
  lastLines,
  mayActNow,
  offlineNotice,
  diceToThrow,
  hasSheet,
  leaderMark,
  leads,
  whoPlays,
  whoseTurn,
} from "../shared/sentences.js";
import * as adjustments from "../sheets/adjustments.js";
import { embedded } from "../shared/json.js";

const TOAST_MS = 5000;
const AGAIN_MS = 2000; // until what could not be loaded is asked for again
const MOST_CARDS = 3; // more players stand in one line
const MOST_IN_SIGHT = 4; // of these the first one is seen without scrolling
const lowScreen = matchMedia("(max-height: 45rem)");

const setup = embedded("setup");
const first = embedded("state");
const [firstTexts, laterTexts, sheetTexts] = setup.texts;
await loadTexts(setup.language, firstTexts);

const root = document.getElementById("table");
const whose = document.getElementById("whose");
const toastPlace = document.getElementById("toast");
const panel = new Panel(() => toast(t("Closed. Nothing was changed.")), focusNext);
const signals = new device.Signals();
const screenLock = new device.ScreenLock();

/**
 * What only this phone knows, such as the chosen cell. Sheets and dialogs add their own. `busy`: the
 * version for which the change under way was asked, or null. `changeLines`: what was said meanwhile of other phones'
 * changes.
 * @type {Record<string, any>}
 */
const local = { version: first.version, busy: null, changeLines: [], sheet: {}, photoSeen: null };
local.byHand = device.settings().byHand;

/** Everything a sheet needs to draw itself. @type {Page} */
const ctx = {
  setup,
  local,
  get state() {
    return table.state;
  },
  get standing() {
    return table.state.standing;
  },
  get offline() {
    return !table.isOnline;
  },
  get playsFor() {
    return table.playsFor;
  },
  mayAct: (player) => !table.state.closed && (table.playsFor === null || table.playsFor === player),
  get shownPlayer() {
    return sheet.shownPlayer ? sheet.shownPlayer(ctx) : null;
  },
  get idle() {
    return mayActNow(ctx) ? "" : html`aria-disabled="true"`;
  },
  // A step may name a player whose joining was undone.
  name: (player) => table.state.standing.players[player]?.name ?? "–",
  draw,
  act,
  discard: (id) => attempt(() => table.discard(id)),
  wantsPhoto: () => table.state.reader && mayActNow(ctx) && diceToThrow(ctx) > 0,
  markedDice: () => (sheet.markedDice ? sheet.markedDice(ctx) : null),
  attempt,
  command: (path, body) => attempt(() => table.command(path, body)),
  toast,
  panel,
  openReview: (die) => withParts(() => parts.openReview(ctx, die)),
  table: () => table,
};

const table = new TableClient(setup.base, first, takeState, draw, () => toast(waitingText()));
nextGame.listen(ctx);
const arrived = nextGame.arrivedPlayer(first.standing.players);
table.playsFor =
  device.playsFor(setup.key, first.standing.players.length) ??
  (arrived === null ? null : device.bindPlayer(setup.key, arrived));

/** @type {Sheet} */
let sheet; // of this game; nothing is drawn before it is there
/** @type {Announcer} */
let announcer;
// They come with what is loaded on demand.
/** @type {typeof import("./on-demand.js")} */
let parts;
/** @type {typeof import("./when-wanted.js")} */
let wanted;
/** @type {import("../camera/stand.js").Stand | null} */
let stand = null;
/** @type {import("../camera/photo-sender.js").PhotoSender | null} */
let sender = null;
/** @type {import("../voice/hands-free.js").HandsFree | null} */
let handsFree = null;
/** @type {import("../shared/moments.js").Moments | null} */
let moments = null;
/** @type {typeof import("./ending.js")} */
let lastScreen;

/** Has this phone play for all where its player has left, or is not there any more. @param {Standing} standing */
function followPlayer({ players }) {
  const player = players[table.playsFor ?? -1];
  if (table.playsFor !== null && (!player || player.out)) table.playsFor = device.bindPlayer(setup.key, null);
}

followPlayer(first.standing);

/** Whether it is the turn of the one player for whom this phone plays. @param {Standing} standing */
const isOwnTurn = (standing) => table.playsFor !== null && standing.to_act.includes(table.playsFor);
local.ownTurn = isOwnTurn(first.standing);
local.over = first.standing.over;

/** @param {View} state */
function takeState(state) {
  if (!sheet) return; // `begin` takes the newest
  /** @type {RecentLine[]} */
  let others = []; // what other phones did since the last state
  /** @type {RecentLine[]} */
  let lines = []; // of the log, since the last state
  if (state.version !== local.version) {
    const before = local.version;
    local.version = state.version;
    others = othersSince(before);
    const since = state.recent.filter((entry) => entry.seq > before);
    const all = since.length === state.version - before;
    lines = since;
    // The server may have added a number to this phone's name.
    for (const entry of since) if (isOwn(entry)) setup.device = entry.device;
    if (!sheet.survives || !all || !since.every((entry) => sheet.survives?.(ctx, entry))) local.sheet = {};
    signals.confirmThrow(state);
    if (isOwnTurn(state.standing) && !local.ownTurn) signals.announceTurn();
    local.ownTurn = isOwnTurn(state.standing);
    local.loss = all ? advice.lossOfLastStep(ctx, lines) : "";
    if (since.some(isOwn)) local.welcome = "";
  }
  followPlayer(state.standing);
  stand?.takeState(state);
  parts?.announceChanges(ctx);
  sheet.update?.(ctx);
  const pending = state.pending;
  const own = sender?.update();
  if (own === "read") local.ownPhoto = true;
  if (pending && pending.status !== "waiting" && local.ownPhoto && local.photoSeen !== pending.id) {
    local.photoSeen = pending.id;
    local.ownPhoto = false;
    // Nothing is put before what a person is doing.
    if (pending.status === "read" && !panel.isOpen()) ctx.openReview();
  }
  const moved = panel.update() || own === "late";
  announcer.tell();
  moments?.tell();
  announce(others, moved);
  const over = state.standing.over && !local.over;
  local.over = state.standing.over;
  draw();
  // The page may be scrolled down to the cell that was written before.
  if (over) scrollTo(0, 0);
  else if (lines.some(isOwnThrow)) headings.showThrow(root);
  if (lines.some(isOwn)) focusNext();
}

// What comes next, the first that is there: the main button, the offers, the next throw, and whose turn it is.
const NEXT = [
  "nav.actions :is(button, a).primary",
  ".choices .choice, .offers button, .square-grid button:not(.written), .box button, .ways .primary",
  ".photograph.primary input",
  "nav.actions [data-act='pad']",
  "h2",
];

/** Gives the focus to what comes next. Under a finger nothing moves. */
function focusNext() {
  if (panel.box.open) return;
  for (const selector of NEXT) {
    const next = [...root.querySelectorAll(selector)].find((one) => !one.hasAttribute("aria-disabled"));
    if (!(next instanceof HTMLElement)) continue;
    next.focus({ preventScroll: true });
    if (next.matches(":focus-visible")) next.scrollIntoView({ block: "nearest" });
    return;
  }
}

/** @param {RecentLine} entry */
const isOwn = (entry) => table.requests.has(entry.request);

/** Whether a line of the log is a throw that this phone told. @param {RecentLine} entry */
const isOwnThrow = (entry) => entry.kind === "do" && entry.body.do.do === "throw" && isOwn(entry);

const waitingText = () => t("No connection. This will be sent as soon as the phone is back.");

/** What other phones did since a version, as far as the state tells. @param {number} version */
const othersSince = (version) =>
  table.state.recent.filter(
    (entry) => entry.seq > version && !table.requests.has(entry.request) && !cameWithAnother(entry),
  );

/**
 * Tells that a dialog was closed (`moved`) because others were quicker, and notes what a refused change of this phone
 * has as its reason. The steps themselves stand on the page.
 * @param {RecentLine[]} others @param {boolean} moved
 */
function announce(others, moved) {
  const lines = others.filter((entry) => entry.kind !== "do").map(changeLine);
  if (moved && others.length) {
    const { device: quicker } = others[others.length - 1];
    lines.push(t("{device} was quicker. Nothing from this phone was changed.", { device: phoneName(quicker) }));
    toast(lines[lines.length - 1]);
  }
  if (lines.length) local.changeLines = moved ? lines : [...lines, refusalSentence({ reason: "stale" })];
}

/** Does one action of the game; tells the person if it was refused. `at`: the version of the state that the person saw.
 * @param {Action} action @param {ActionDetails} details */
async function act(action, { at = local.version, ...details } = {}) {
  return attempt(() => table.act(at, action, details), { at });
}

/** @type {Promise<unknown>} */
let running = Promise.resolve();

/**
 * Does one change at a time, of the state `at` that the person saw; returns whether it was done. A second tap during a
 * change does nothing. A photo (`waits`) waits for the change. So does a tap on its outcome, which the stream may show
 * before the change is answered.
 * @param {() => Promise<unknown>} what @param {{ at?: number, waits?: boolean }} [change] @returns {Promise<boolean>}
 */
function attempt(what, { at = local.version, waits = false } = {}) {
  if (local.busy === at && !waits) {
    if (ctx.offline) toast(waitingText());
    return Promise.resolve(false);
  }
  const done = running.then(() => {
    if (waits || local.version <= at) return runChange(what, at);
    if (othersSince(at).length) toast(refusalSentence({ reason: "stale" }));
    return false;
  });
  running = done.catch(() => {});
  return done;
}

/** @param {() => Promise<unknown>} what @param {number} at */
async function runChange(what, at) {
  local.busy = at;
  local.changeLines = [];
  document.body.setAttribute("aria-busy", "true");
  try {
    await what();
    return true;
  } catch (error) {
    const stale = error instanceof RefusedError && error.reason === "stale";
    toast(stale && local.changeLines.length ? local.changeLines.join(" · ") : failureText(error));
    return false;
  } finally {
    local.busy = null;
    document.body.removeAttribute("aria-busy");
    draw();
  }
}

let toastTimer = 0;

/** Shows a text for some seconds, and has it said. @param {string} text */
function toast(text) {
  say(text);
  panel.top().append(toastPlace); // outside of an open panel nobody could see or hear it
  toastPlace.textContent = text;
  toastPlace.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    toastPlace.hidden = true;
  }, TOAST_MS);
}

function draw() {
  if (!sheet) return;
  const { state, standing } = ctx;
  if (advice.isThere) advice.request(ctx);
  else if (state.settings.advice !== "off") adviser().catch(() => {}); // the next drawing asks again
  if (standing.over && !lastScreen) showEnding().catch(() => {}); // the next drawing asks again
  const focused = root.contains(document.activeElement);
  const shut = isDamaged(state) || state.closed;
  render(
    root,
    html`
      ${offlineNotice(ctx)} ${damageNotice(ctx)} ${closedNotice(ctx)} ${!standing.over && players()}
      <section class="turn" aria-label="${t("This turn")}">
        ${standing.over ? gameOver() : state.closed ? "" : turn()}
      </section>
      ${standing.over && sheet.players && players()} ${sheet.sheet(ctx)} ${parts?.proofLine(ctx)}
      <nav class="actions" aria-label="${t("What to do")}">
        ${standing.over
          ? lastScreen?.buttons(ctx, shut, undoButton())
          : shut
            ? ""
            : html`${sender?.card()}${actions(state)}`}
      </nav>
    `,
  );
  if (focused && !root.contains(document.activeElement)) focusNext();
  if (parts && !wanted && wantsMore()) whenWanted().catch(() => {}); // the next drawing asks again
  stand?.showLive();
  handsFree?.update();
  headings.place(root);
  screenLock.keep(!standing.over);
  whose.textContent = standing.over ? "" : `▸ ${joinNames(standing.to_act.map(ctx.name))}`;
  document.body.dataset.version = String(state.version);
  document.title = standing.over ? setup.shown : `${joinNames(standing.to_act.map(ctx.name))} · ${setup.shown}`;
  const active = root.querySelector("[data-scroll]");
  if (active && active.dataset.scroll !== local.scrolled) {
    local.scrolled = active.dataset.scroll;
    const box = active.closest(".scroller");
    if (box) box.scrollLeft = Math.max(0, active.offsetLeft - box.clientWidth + active.offsetWidth + 16);
  }
}

const players = () =>
  html`<section
    class="players ${isStrip() && "strip"} ${ctx.standing.players.length > MOST_IN_SIGHT && "crowd"}"
    aria-label="${t("Players")}"
  >
    ${sheet.players ? sheet.players(ctx) : scores()}
  </section>`;

/** Whether the players stand in one line: many, or on a low screen. What is thrown needs the height. */
const isStrip = () => ctx.standing.players.length > MOST_CARDS || lowScreen.matches;

/** The players as they sit; in one line who acts comes first, then those who come next. @param {Standing} standing */
function inLine({ players, to_act: acting }) {
  const from = acting.length === 1 && players.length > MOST_CARDS ? acting[0] : 0;
  return players.map((_, i) => (from + i) % players.length);
}

function scores() {
  const { standing } = ctx;
  const line = isStrip() ? inLine(standing) : standing.players.map((_, who) => who);
  // Among many the first place would be out of sight: it stands beside the player.
  const first = standing.players.length > MOST_IN_SIGHT ? line.findIndex((who) => leads(standing, who)) : 0;
  if (first > 1) line.splice(1, 0, ...line.splice(first, 1));
  return html`<ol class="scores" ${isStrip() && html`tabindex="0"`}>
    ${line.map((who, i) => {
      const player = standing.players[who];
      const acts = standing.to_act.includes(who);
      return html`<li class="${acts && "acts"} ${player.out && "out"}" data-key="player-${who}">
        <span class="name"
          >${acts && html`<span class="sign" aria-hidden="true">▸</span>`}${first > 0 && i === 1 && "1. "}${leaderMark(
            standing,
            who,
          )}${playerMark(who)}${player.name}
          ${acts && html`<span class="hidden">${t("plays now")}</span>`}${player.out &&
          html`<span class="hidden">${t("no longer plays")}</span>`}</span
        >
        <span class="score"
          >${sheet.score ? sheet.score(ctx, player) : number(player.score)}${adjustments.totalPencil(player)}</span
        >
        ${sheet.belowScore && sheet.belowScore(ctx, player, who)}
      </li>`;
    })}
  </ol>`;
}

/** The end of the game; until all of it is there, who has won. */
const gameOver = () =>
  lastScreen
    ? html`<div class="over">
        ${lastScreen.ending(ctx, sheet)} ${sheet.gameOver && sheet.gameOver(ctx)} ${lastScreen.afterwards(ctx)}
      </div>`
    : html`<h2 tabindex="-1">${whoseTurn(ctx, sheet)}</h2>`;

function turn() {
  const { state } = ctx;
  const changed = state.recent.filter((entry) => entry.kind !== "do" && entry.seq === state.version).map(changeLine);
  const lines = [...changed, ...lastLines(ctx), ...(parts?.momentLines(ctx) ?? []), local.loss].filter(Boolean);
  const busted = ctx.standing.events.some((event) => event.event === "bust");
  return html`
    <h2 class="who" tabindex="-1">${sheet.heading ? sheet.heading(ctx) : whoPlays(ctx)}</h2>
    ${sheet.turn(ctx)}
    ${lines.length > 0 &&
    html`<div class="events ${busted && "bust"}">${lines.map((line) => html`<p>${line}</p>`)}</div>`}
    ${keysInTurn()} ${local.welcome && html`<p class="hint">${local.welcome}</p>`} ${advice.notice(ctx)}
    ${wanted?.notice(ctx)} ${stand?.notice()}
    ${state.pending && !wanted?.shows(state) && sender?.photo?.status !== "reading" && pendingNotice(state.pending)}
    ${!state.reader && state.reader_problem && html`<p class="notice">${refusalSentence(state.reader_problem)}</p>`}
  `;
}

/** @param {Pending} pending */
function pendingNotice(pending) {
  if (pending.status === "waiting") {
    return html`<div class="notice reading" role="status">
      <span class="spinner" aria-hidden="true"></span>
      <p>
        ${pending.place > 1
          ? t("Waiting to read the photo: place {place}", { place: pending.place })
          : t("Reading the dice …")}
      </p>
    </div>`;
  }
  if (pending.status === "failed") {
    return html`<div class="notice" role="alert">
      <p>${pending.problem && refusalSentence(pending.problem)}</p>
      ${mayActNow(ctx) && button("quiet", "discard", t("Close"))}
    </div>`;
  }
  return html`<div class="notice reading">
    <p>${t("A photo is waiting to be confirmed ({device})", { device: phoneName(pending.device) })}</p>
    ${button("button primary", "review", t("Look at it"))}
  </div>`;
}

const undoButton = () =>
  ctx.state.steps ? button("tool", "undo", t("Undo"), { sign: "undo", label: t("Undo the last step") }) : "";

/** @param {View} state */
function actions(state) {
  const undo = undoButton();
  if (!mayActNow(ctx)) {
    return html`${undo}
      <p class="waiting">
        ${t("This phone plays for {name}. Waiting for {names}.", {
          name: ctx.name(table.playsFor ?? -1),
          names: joinNames(ctx.standing.to_act.map(ctx.name)),
        })}
      </p>`;
  }
  const own = sheet.actions(ctx);
  const dice = local.sheet.cell ? 0 : diceToThrow(ctx);
  if (!own && !dice)
    return html`${undo}
      <p class="waiting">${t("Tap a cell of the sheet to write there.")}</p>`;
  // A photo under review comes first, whichever phone took it.
  const quiet = hasPhoto() || Boolean(own?.text.includes(" primary"));
  return html`${undo}${own}${dice ? throwButtons(state, dice, quiet) : ""}`;
}

/** Whether nothing lies on the table yet: a turn's first throw is due. @param {Standing} standing */
const isFirst = ({ turn }) => !(turn.dice ?? turn.throw).length;

/** Whether a photo is on its way, or waits for its answer. */
const hasPhoto = () => Boolean(sender?.photo || (ctx.state.pending && ctx.state.pending.status !== "failed"));

/** The six keys on the page, through the whole turn; none beside a photo.
 * @param {number} count @param {boolean} spare */
const quickKeys = (count, spare) => (hasPhoto() ? "" : pad.keys(count, spare));

/**
 * The keys below the dice of a sheet game. Beside dice that lie there they would be taken for dice, but not by those
 * who tap their throws in.
 */
function keysInTurn() {
  const { standing } = ctx;
  const isDue = hasSheet(standing) && mayActNow(ctx) && !local.sheet.cell && (local.byHand || isFirst(standing));
  return isDue && diceToThrow(ctx) ? quickKeys(diceToThrow(ctx), false) : "";
}

/** The buttons to tell a throw: the photo stands out, if photos can be read.
 * @param {View} state @param {number} count @param {boolean} quiet */
function throwButtons(state, count, quiet) {
  const byHand = button(state.reader ? "tool" : `button ${quiet ? "" : "primary"}`, "pad", t("By hand"), {
    sign: "keys",
    more: html`aria-keyshortcuts="0"`,
  });
  const title = html`title="${t("Look with the server's camera")}"`;
  const look = state.camera && state.reader ? button("tool", "look", t("Look"), { sign: "look", more: title }) : "";
  const watching = wanted?.watchButton(ctx);
  const live = camera.available() ? button("tool", "live", t("Live"), { sign: "live" }) : "";
  // A sheet needs the height that the keys would take below it, and a pad has keys of its own.
  const keys = hasSheet(ctx.standing) || ctx.standing.pad ? "" : quickKeys(count, !local.byHand || quiet);
  if (!state.reader) return html`${keys}${byHand}`;
  return html`${keys}${byHand}${look}${watching}${live}<label
      class="button ${!quiet && "primary"} photograph"
      data-key="photograph"
      >${icon("camera")}<span>${tn("Photograph {count} die", "Photograph {count} dice", count)}</span> ${photoField(
        "photo",
        true,
      )}</label
    >`;
}

/** The throw that a picture taken now will show: it comes after a change that is still on its way. */
const throwOfPicture = () =>
  local.busy === local.version ? running.then(() => dueThrow(ctx)) : Promise.resolve(dueThrow(ctx));

/**
 * Sends a photo of a throw, if that throw is still due. Its review opens when it is read. `replaces`: the id of the
 * photo in whose place a person took it.
 * @param {Blob} file @param {Promise<DueThrow>} shown @param {string | null} [replaces]
 */
async function takePhoto(file, shown, replaces = null) {
  pad.noteByHand(ctx, false);
  for (let tries = 0; !sender; tries += 1) {
    if (tries === 1) toast(waitingText());
    if (tries) await new Promise((done) => setTimeout(done, AGAIN_MS)); // nobody can take it once more
    await onDemand().catch(() => {});
  }
  return sender.take(file, shown, replaces);
}

/** @type {Handlers} */
const handlers = {
  pad: () => pad.open(ctx),
  "pad-key": (value, key) => pad.open(ctx, value, key.parentElement),
  look: async () => {
    const { version: at, keep } = await throwOfPicture();
    local.ownPhoto = true; // before it is asked for: the stream may be quicker than the answer
    if (!(await attempt(() => table.look(at, keep), { at, waits: true }))) local.ownPhoto = false;
  },
  live: () => {
    const shown = throwOfPicture();
    panel.close();
    return camera.open(
      ctx,
      (file) => takePhoto(file, shown),
      () => whenWanted().then(() => stand?.start(), cannotLoad),
    );
  },
  "stand-stop": () => stand?.stop(),
  discard: () => table.state.pending && ctx.discard(table.state.pending.id),
  // The second tap of a double tap was meant for what lay over this button.
  act: (action, _, { detail }) => (detail > 1 ? false : act(action)),
  advised: (action) => act(action),
  close: () => panel.close(),
};

/**
 * Loads a script once. After a failure the next call tries again, by another address: a browser remembers one that
 * failed.
 * @template T
 * @param {(query: string) => Promise<T>} load
 * @param {(loaded: T) => void} begin  called once, when it is there
 */
function loader(load, begin) {
  /** @type {Promise<void> | null} */
  let loading = null;
  let failures = 0;
  return () =>
    (loading ??= load(failures ? `?${failures}` : "").then(begin, (error) => {
      loading = null;
      failures += 1;
      throw error;
    }));
}

/** The parts of the page that nobody sees until they are asked for. */
const onDemand = loader(
  (query) => Promise.all([import(`./on-demand.js${query}`), addTexts(laterTexts)]),
  ([loaded]) => {
    parts = loaded;
    sender = new parts.PhotoSender(ctx, (shown) => running.then(() => shown), ctx.openReview);
    moments = new parts.Moments(ctx, signals);
    Object.assign(handlers, parts.handlers(ctx), sender.handlers);
    parts.begin(ctx);
    sender.restore();
    draw();
  },
);

/** A camera that watches, the voice, the large buttons, play by ear, and programs. */
const whenWanted = loader(
  (query) => Promise.all([import(`./when-wanted.js${query}`), onDemand()]),
  ([loaded]) => {
    wanted = loaded;
    stand = new wanted.Stand(ctx);
    handsFree = new wanted.HandsFree(ctx);
    Object.assign(handlers, wanted.handlers(ctx), handsFree.handlers());
    wanted.stopAtTouch(ctx);
    draw();
  },
);

/** What draws the end of a game, with the texts that come with the dialogs. */
const showEnding = loader(
  (query) => Promise.all([import(`./ending.js${query}`), onDemand()]),
  ([loaded]) => {
    lastScreen = loaded;
    Object.assign(handlers, lastScreen.handlers(ctx));
    draw();
  },
);

const adviser = loader((query) => import(`./advising.js${query}`), draw);

/** Whether a camera watches or could, or this phone speaks or is to watch. */
function wantsMore() {
  const { camera: has, reader, watched } = table.state;
  return (
    Boolean(watched || (has && reader)) ||
    device.settings().voice ||
    device.settings().byEar ||
    location.hash === camera.STAND
  );
}

const cannotLoad = () => toast(noServer());

/** Does something with the parts on demand, or says that they cannot be had now. @param {() => unknown} what */
const withParts = (what) => onDemand().then(what, cannotLoad);

/** What a tap does on a button whose handler is not there yet. @param {string} act @returns {Handlers[string]} */
const handlerOnDemand = (act) => (argument, element, event) => {
  const handle = () => handlers[act]?.(argument, element, event);
  return withParts(() => (handlers[act] ? handle() : whenWanted().then(handle, cannotLoad)));
};

const PHOTO_FIELDS = ["photo", "library", "again"]; // for the camera, for stored photos, and in a review
/** @type {Promise<DueThrow> | null} */
let photographed = null; // the throw that was due when the camera was opened, which may be long ago

onActs(document.body, (act, element) => panel.handler(act, element) ?? handlers[act] ?? handlerOnDemand(act));
document.addEventListener("keydown", (event) => {
  if (digitOfKey(event) !== 0 || event.repeat || event.ctrlKey || event.metaKey || event.altKey || panel.box.open)
    return;
  if (mayActNow(ctx) && diceToThrow(ctx) > 0 && !ctx.standing.over && !ctx.state.closed) pad.open(ctx);
});
document.body.addEventListener("click", (event) => {
  if (PHOTO_FIELDS.includes(targetOf(event).id)) photographed = throwOfPicture();
});
document.body.addEventListener("change", (event) => {
  if (!PHOTO_FIELDS.includes(targetOf(event).id)) return;
  const taken = field(targetOf(event).id);
  const file = taken.files?.[0];
  if (!file) return;
  const shown = photographed || throwOfPicture();
  photographed = null;
  const replaces = taken.id === "again" ? table.state.pending?.id : null;
  if (taken.id !== "photo") panel.close(); // that one lies on the page itself
  taken.value = ""; // the same file may be chosen again
  takePhoto(file, shown, replaces);
});

setup.shown = document.querySelector("h1").textContent;

/** Shows the table. @param {Sheet} found  of its game */
function begin(found) {
  sheet = found;
  ctx.sheet = sheet;
  announcer = new Announcer(ctx, sheet);
  Object.assign(handlers, sheet.handlers?.(ctx));
  sheet.listen?.(ctx);
  root.classList.toggle("keeps", Boolean(sheet.markedDice));
  sheet.update?.(ctx);
  document.body.dataset.ready = "yes";
  headings.watch(root);
  lowScreen.addEventListener("change", draw);
  if (table.state.version === local.version) draw();
  else takeState(table.state);
  if (root.matches(".tight")) headings.showThrow(root);
  setTimeout(() => onDemand().catch(() => {})); // after the first view; whoever asks for it asks again
}

// It needs this script's modules, so this script cannot wait for it.
const loadSheet = loader(
  (query) => Promise.all([import(`../sheets/${setup.sheets}.js${query}`), addTexts(sheetTexts)]),
  ([found]) => begin(found.sheetOf?.(first.standing) ?? found), // a family's sheets, or the one that it has
);

/** Loads the sheet, again and again until it is there. */
const showTable = () =>
  loadSheet().catch((error) => {
    if (sheet) throw error; // it is there
    toast(failureText(error));
    setTimeout(showTable, AGAIN_MS);
  });
showTable();
if (first.pending && first.pending.status === "read" && first.pending.device === setup.device)
  local.photoSeen = first.pending.id;
