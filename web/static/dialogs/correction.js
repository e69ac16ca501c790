// The steps of the game so far, who made them, and correcting an earlier throw: first shown, then done.

import { html, json } from "../shared/dom.js";
import { die, keysOf, row } from "../shared/dice.js";
import { icon } from "../shared/icons.js";
import { Refused, whyFailed } from "../shared/net.js";
import * as panel from "./panel.js";
import { capital, noServer, number, phoneName, t, time, tn } from "../shared/text.js";
import { eventLines, said, stepWords, titlesOf } from "../shared/sentences.js";

// While open: {kind: "list", version}; {kind: "undo", version, ...} with the preview `found`; or, of a step to correct,
// {kind: "edit", step, seq, player, was, action, at, said, found, sending, done}: `seq` numbers its log line, `player`
// did it, `was` is its action now, `action` what it is to be, `at` the chosen die, `said` the points that were written
// for the turns that must be settled; `done`: it was corrected, or cannot be any more.
let open_ = null;

// What belongs to an action: `legal` adds what it would bring.
const FIELDS = ["do", "dice", "category", "column", "player", "cell", "line", "cells"];
const bare = (entry) => Object.fromEntries(FIELDS.filter((name) => name in entry).map((name) => [name, entry[name]]));
const same = (one, other) => FIELDS.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

function show(content, kind, mine) {
  open_ = mine;
  panel.open(content, {
    kind,
    closed: () => {
      if (open_ === mine) open_ = null;
    },
    unsaved: () => mine.kind === "edit" && !mine.done && !mine.sending && !same(mine.action, mine.was),
  });
}

/** @param {Page} ctx */
export async function open(ctx) {
  try {
    const history = await ctx.table().history();
    show(steps(ctx, history), "tall", { kind: "list", version: history.version });
  } catch {
    ctx.toast(noServer());
  }
}

/**
 * The steps of the game and between them what was undone and corrected, the newest first.
 * @param {Page} ctx
 */
function steps(ctx, history) {
  const made = history.moves.map((move, i) => ({ seq: move.seq, line: stepLine(ctx, move, i + 1) }));
  const changes = history.log
    .filter((entry) => entry.changed)
    .map((entry) => ({ seq: entry.seq, line: changed(ctx, entry) }));
  const newestFirst = [...made, ...changes].sort((a, b) => b.seq - a.seq);
  return html`${panel.head(t("Steps so far"))}
    <ol class="steps">
      ${newestFirst.map(({ line }) => line)}
    </ol>`;
}

/** @param {Page} ctx */
const whoAndWhat = (ctx, move) =>
  html`${move.player === null ? "" : html`<strong>${ctx.name(move.player)}:</strong>`} ${stepWords(ctx, move)}`;

const whenAndBy = (move) => `${time(move.at)}${move.device ? ` · ${phoneName(move.device)}` : ""}`;

/** @param {Page} ctx */
function stepLine(ctx, move, number_) {
  return html`<li data-key="m${number_}">
    <div>
      ${whoAndWhat(ctx, move)}
      <span class="soft small-line"
        >${number_} ·
        ${whenAndBy(move)}${move.corrected_by
          ? html` · ${t("corrected by {device}", { device: phoneName(move.corrected_by) })}`
          : ""}</span
      >
    </div>
    ${move.action.do === "adjust"
      ? ""
      : html`<button
          type="button"
          class="button"
          data-act="correct-${move.action.do === "throw" ? "step" : "other"}"
          data-arg="${json({ step: number_, seq: move.seq, action: move.action, player: move.player })}"
          aria-label="${t("Correct step {number}", { number: number_ })}"
        >
          ${t("Correct")}
        </button>`}
  </li>`;
}

/**
 * What an undo or a correction changed.
 * @param {Page} ctx
 */
function changed(ctx, entry) {
  const { body, changed: was } = entry;
  return html`<li class="change" data-key="c${entry.seq}">
    <div>
      ${body.undo
        ? html`${icon("undo")} ${t("Taken back:")} ${whoAndWhat(ctx, was)}`
        : html`${t("Step {number} corrected:", { number: body.correct })}
          ${was.action.do === "throw" && body.action.do === "throw"
            ? html`${row(was.action.dice, "small")} → ${row(body.action.dice, "small")}`
            : html`${stepWords(ctx, was)} → ${stepWords(ctx, body)}`}
          ${was.settled
            ? html`<span class="small-line"
                >${tn("{count} turn settled by hand", "{count} turns settled by hand", was.settled)}</span
              >`
            : ""}
          ${was.dropped
            ? html`<span class="small-line"
                >${tn("{count} later step dropped", "{count} later steps dropped", was.dropped)}</span
              >`
            : ""}`} <span class="soft small-line">${whenAndBy(entry)}</span>
    </div>
  </li>`;
}

/**
 * Shows the step that an undo would take back, and what that changes, before it is done.
 * @param {Page} ctx
 */
export async function askUndo(ctx) {
  const { last_move: move, came_with: first, version } = ctx.state;
  if (!move) return;
  const mine = { kind: "undo", version, moves: first ? [first, move] : [move], found: null, asked: false };
  show(question(ctx, mine), "", mine);
  mine.found = await ctx
    .table()
    .previewUndo()
    .catch(() => null); // what was shown is taken back without it, too
  mine.asked = true;
  if (open_ === mine) panel.draw(question(ctx, mine));
}

/**
 * What is to be taken back, by all that it did: a throw with the keep, or the set-aside, that came with it.
 * @param {Page} ctx
 */
function question(ctx, { moves, version, found, asked }) {
  const move = moves[moves.length - 1];
  return html`${panel.head(t("Take back the last step?"))}
    <div class="steps">
      ${moves.map(
        (each) =>
          html`<p>
            ${whoAndWhat(ctx, each)}${each === move
              ? html` <span class="soft small-line">${whenAndBy(move)}</span>`
              : ""}
          </p>`,
      )}
      ${eventLines(ctx, move.events).map((line) => html`<p class="hint">${line}</p>`)}
    </div>
    ${found && found.version === version ? undone(found) : ""}
    <div class="row end">
      <button type="button" class="button primary grow" data-act="undo-do" ${asked ? "" : html`aria-disabled="true"`}>
        ${icon("undo")}<span>${t("Take it back")}</span>
      </button>
    </div>`;
}

function undone({ before, after, turn: [now, then] }) {
  const same = before.every((player, i) => player.score === (after[i] ?? player).score);
  return html`<div class="effect" role="status">
    ${same ? html`<p class="hint">${t("All scores stay as they are.")}</p>` : scoreTable(before, after)}
    ${(now || 0) === (then || 0)
      ? ""
      : html`<p class="hint">
          ${capital(t("this turn"))}: ${number(now || 0)} → <strong>${number(then || 0)}</strong>
        </p>`}
  </div>`;
}

/**
 * When the table has moved on, another step would be taken back, and a correction may change something else: returns
 * whether the question was closed for that. The list and what a correction would change are shown anew.
 * @param {Page} ctx
 */
export function heard(ctx) {
  if (open_ === null) return false;
  if (open_.kind === "list" && open_.version < ctx.state.version) {
    open_.version = ctx.state.version;
    redrawList(ctx);
  }
  if (open_.kind === "edit" && open_.found && !open_.sending && open_.found.version < ctx.state.version) preview(ctx);
  if (open_.kind !== "undo" || open_.version >= ctx.state.version) return false;
  panel.close();
  return true;
}

/** @param {Page} ctx */
async function redrawList(ctx) {
  const mine = open_;
  const history = await ctx
    .table()
    .history()
    .catch(() => null); // a later state asks again
  if (history && open_ === mine && history.version >= mine.version) panel.draw(steps(ctx, history));
}

/**
 * Asks what the correction would change, and shows it.
 * @param {Page} ctx
 */
async function preview(ctx) {
  const mine = open_;
  const { action } = mine;
  const said = [...mine.said];
  try {
    const found = await ctx.table().preview(mine.step, action, said);
    if (open_ !== mine || mine.action !== action || String(mine.said) !== String(said)) return;
    if (found.seq !== mine.seq || !same(found.was, mine.was)) {
      ctx.toast(t("This step was changed meanwhile."));
      mine.done = true;
      await open(ctx);
      return;
    }
    if (found.version < Math.max(ctx.state.version, mine.found ? mine.found.version : 0)) {
      await preview(ctx); // somebody acted while it was asked for
      return;
    }
    mine.found = found;
    panel.draw(editor(ctx));
    panel.place.querySelector('[data-act="correct-do"]')?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    ctx.toast(whyFailed(error));
    mine.done = error instanceof Refused && error.reason === "no-such-step";
    if (open_ === mine && mine.done) await open(ctx);
  }
}

/** @param {Page} ctx */
function editor(ctx) {
  const { action, was, found, step } = open_;
  const changed = !same(action, was);
  const shown = changed && found && !found.stale;
  return html`${panel.head(t("Correct step {number}", { number: step }))}
    ${was.do === "throw" ? diceEditor(open_) : otherEditor(ctx, open_)} ${shown ? effect(ctx, found) : ""}
    <div class="row end">
      ${shown
        ? html`<button type="button" class="button primary grow" data-act="correct-do">
            ${icon("check")}<span
              >${found.dropped
                ? tn("Correct it and drop {count} step", "Correct it and drop {count} steps", found.dropped)
                : t("Correct it")}</span
            >
          </button>`
        : html`<button
            type="button"
            class="button primary grow"
            data-act="correct-preview"
            ${changed ? "" : html`aria-disabled="true"`}
          >
            ${t("See what would change")}
          </button>`}
    </div>`;
}

function dieButton(value, i, picked, act, arg) {
  return html`<button
    type="button"
    class="bare ${picked ? "picked" : ""}"
    data-key="${act}-${i}"
    data-act="${act}"
    data-arg="${arg}"
    aria-pressed="${picked ? "true" : "false"}"
    aria-label="${t("Die {number}: {value}", { number: i + 1, value })}"
  >
    ${die(value)}
  </button>`;
}

function diceEditor({ action: { dice }, at }) {
  return html`<p class="hint">${t("Tap the die that was wrong, then what it showed.")}</p>
    <div class="slots">${dice.map((value, i) => dieButton(value, i, at === i, "correct-pick", i))}</div>
    ${at === null ? "" : html`<div class="keys">${keysOf("correct-value")}</div>`}`;
}

/**
 * What could have been done instead: the dice to keep, or one of the choices.
 * @param {Page} ctx
 */
function otherEditor(ctx, { action, was, found }) {
  if (!found) return "";
  const keep = was.do === "keep" && found.choices.find((entry) => entry.do === "keep");
  if (keep) {
    const left = [...action.dice];
    return html`<p class="hint">${t("Tap the dice that were kept.")}</p>
      <div class="slots">
        ${keep.from.map((value, i) => {
          const kept = left.includes(value);
          if (kept) left.splice(left.indexOf(value), 1);
          return dieButton(value, i, kept, "correct-keep", json({ value, kept, most: keep.from.length - 1 }));
        })}
      </div>`;
  }
  const choices = found.choices.filter((entry) => entry.do !== "keep" && entry.player === was.player);
  const bank = was.do === "bank" && choices.find((entry) => entry.do === "bank");
  if (bank)
    return html`<label class="field"
      ><span>${t("What this turn brought")}</span>
      <input
        id="brought"
        type="number"
        inputmode="numeric"
        step="1"
        autocomplete="off"
        data-banked="${bank.points}"
        value="${bank.points}"
    /></label>`;
  if (choices.length < 2)
    return html`<p class="hint">${t("There was nothing else to choose. Correct the throw before it.")}</p>`;
  const columns = [...new Set(choices.map((entry) => entry.column))]; // of a sheet with several, each for itself
  return html`<p class="hint">${t("What was done instead?")}</p>
    ${columns.map(
      (column) =>
        html`<div data-key="g${column ?? ""}">
          ${column === undefined || columns.length < 2 ? "" : html`<h3>×${column}</h3>`}
          <div class="instead" role="group">
            ${choices.filter((entry) => entry.column === column).map((entry) => choice(ctx, entry, action))}
          </div>
        </div>`,
    )}`;
}

/**
 * One of the things that could have been done: a cell by its name alone, to find it among many.
 * @param {Page} ctx
 */
function choice(ctx, entry, action) {
  const pressed = same(bare(entry), action);
  const { category } = entry;
  const name = category ? t(titlesOf(ctx.standing)[category]) : stepWords(ctx, { action: entry });
  return html`<button
    type="button"
    class="button ${pressed ? "primary" : ""}"
    data-key="o${json(bare(entry))}"
    data-act="correct-choose"
    data-arg="${json(bare(entry))}"
    aria-pressed="${pressed ? "true" : "false"}"
  >
    <span>${name}</span>${"points" in entry ? html` <strong>${number(entry.points + (entry.bonus || 0))}</strong>` : ""}
  </button>`;
}

function scoreTable(before, after) {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${t("Player")}</th>
        <th scope="col">${t("Now")}</th>
        <th scope="col">${t("Then")}</th>
      </tr>
    </thead>
    <tbody>
      ${before
        .filter((_, i) => after[i])
        .map(
          (player, i) =>
            html`<tr>
              <th scope="row">${player.name}</th>
              <td>${number(player.score)}</td>
              <td>
                ${after[i].score === player.score
                  ? number(player.score)
                  : html`<strong>${number(after[i].score)}</strong>`}
              </td>
            </tr>`,
        )}
    </tbody>
  </table>`;
}

/** @param {Page} ctx */
function effect(ctx, found) {
  const settled = found.settled
    .map(({ adjustments }, i) => ({ action: adjustments.find(settles), i }))
    .filter(({ action }) => action);
  const because = found.settled.map((place) => place.because).find((each) => each);
  return html`<div class="effect">
    <div role="status">
      ${scoreTable(found.before, found.after)} ${because ? html`<p class="hint">${reason(because)}</p>` : ""}
      ${found.dropped
        ? html`<p class="notice">
            ${tn(
              "{count} step of the running turn no longer holds and would be dropped. The turn goes on from here.",
              "{count} steps of the running turn no longer hold and would be dropped. The turn goes on from here.",
              found.dropped,
            )}
          </p>`
        : ""}
      ${found.settled.length ? "" : html`<p class="hint">${t("All later steps stay as they are.")}</p>`}
    </div>
    ${settled.length
      ? html`<p class="hint">
          ${t("These turns can no longer stand as they were played.")}
          ${t("They are worth what they were, or what you write here; the rest of the game stays.")}
        </p>`
      : ""}
    ${settled.map(({ action, i }) => html`<div data-key="s${i}">${settlement(ctx, action, i)}</div>`)}
  </div>`;
}

/** Whether an adjustment settles something: those of who plays, and when, stand as they were done. */
const settles = ({ what }) =>
  !["player-added", "player-removed", "player-renamed", "turn-skipped", "order"].includes(what);

/**
 * A turn that must be settled: what it is worth can be written, where it is worth points.
 * @param {Page} ctx
 */
function settlement(ctx, action, i) {
  const name = action.player === undefined ? "" : ctx.name(action.player);
  const stays = said(ctx, action, "stays");
  if (stays) return html`<p>${stays}</p>`;
  const titles = titlesOf(ctx.standing);
  const column = action.column === undefined ? "" : ` ×${action.column}`;
  return html`<label class="field"
    ><span><strong>${name}</strong> ${action.category ? t(titles[action.category]) + column : t("this turn")}</span>
    <input type="number" inputmode="numeric" step="1" data-said="${i}" value="${action.points}"
  /></label>`;
}

/** Why a later step no longer holds: dice as pictures. */
function reason({ reason: key, params, message }) {
  if (!Array.isArray(params.dice)) return message;
  if (key === "dice-not-there")
    return html`${row(params.dice, "small")} ${t("no longer lie among")} ${row(params.table, "small")}`;
  return html`${row(params.dice, "small")} ${t("no longer fit what was done with them.")}`;
}

/** @param {Page} ctx */
function edit(ctx, { step, seq, action, player }) {
  const mine = {
    kind: "edit",
    step,
    seq,
    player,
    was: action,
    action,
    at: null,
    said: [],
    found: null,
    sending: false,
    done: false,
  };
  open_ = mine;
  show(editor(ctx), "tall", mine);
}

/**
 * Has the step be this instead, and what was found for another no longer hold.
 * @param {Page} ctx
 */
function change(ctx, action) {
  open_.action = action;
  open_.said = [];
  open_.found = action.do === "throw" ? null : { ...open_.found, stale: true }; // what else there was still holds
  panel.draw(editor(ctx));
}

/**
 * Points that were written for a turn that was banked.
 * @param {Page} ctx
 */
function changeBank(ctx, { valueAsNumber: points, dataset }) {
  const { was, player } = open_;
  if (!Number.isInteger(points)) return;
  change(ctx, points === Number(dataset.banked) ? was : { do: "adjust", what: "turn", player, points });
  preview(ctx);
}

/**
 * Points that were written for a turn that was banked, or must be settled: what they change is shown at once.
 * @param {Page} ctx
 */
function listen(ctx) {
  panel.place.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.id === "brought" && open_?.kind === "edit") changeBank(ctx, target);
    if (target.dataset.said === undefined || open_?.kind !== "edit") return;
    const { length } = open_.found.settled;
    open_.said = Array.from({ length }, (_, i) => open_.said[i] ?? null);
    open_.said[Number(target.dataset.said)] = Number.isInteger(target.valueAsNumber) ? target.valueAsNumber : null;
    preview(ctx);
  });
}

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => (
  listen(ctx),
  {
    "undo-do": () => {
      const { version } = open_; // done, it is closed as the table moves on
      return ctx.tried(() => ctx.table().undo(version), { at: version });
    },
    "correct-step": (step) => edit(ctx, step),
    "correct-other": (step) => {
      edit(ctx, step);
      return preview(ctx); // which says what else there was
    },
    "correct-choose": (action) => {
      change(ctx, action);
      return preview(ctx);
    },
    "correct-keep": ({ value, kept, most }) => {
      const dice = [...open_.action.dice];
      if (kept) dice.splice(dice.indexOf(value), 1);
      else if (dice.length < most) dice.push(value);
      change(ctx, { do: "keep", dice: dice.sort() });
      return preview(ctx);
    },
    "correct-pick": (i) => {
      open_.at = open_.at === i ? null : i;
      panel.draw(editor(ctx));
    },
    "correct-value": (value) => {
      const dice = [...open_.action.dice];
      dice[open_.at] = value;
      open_.at = null;
      change(ctx, { do: "throw", dice });
    },
    "correct-preview": () => preview(ctx),
    "correct-do": async () => {
      const mine = open_;
      const { step, action, said, found } = mine;
      const { version } = found;
      mine.sending = true;
      mine.done = await ctx.tried(() => ctx.table().correct(version, step, action, said), { at: version });
      mine.sending = false;
      if (open_ !== mine) return;
      if (mine.done) panel.close();
      // What was shown no longer holds.
      else if (mine.found === found && version < ctx.state.version) await preview(ctx);
    },
  }
);
