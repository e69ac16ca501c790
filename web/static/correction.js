// The steps of the game so far, who made them, and correcting an earlier throw: first shown, then done.

import { html, json } from "./dom.js";
import { die, row } from "./dice.js";
import { icon } from "./icons.js";
import { Refused } from "./net.js";
import * as panel from "./panel.js";
import { capital, number, phoneName, sentence, t, time, tn } from "./text.js";
import { eventLines, stepWords } from "./words.js";

// While open: {kind: "list", version}; {kind: "undo", version, ...} with the preview `found`; or, of a throw to correct, {kind:
// "edit", step, seq, dice, was, at, found, sending}: `seq` numbers its log line, `was` are its dice now, `at` is the chosen one.
let open_ = null;

const head = (title) => html`<header class="panel-head"><h2 tabindex="-1" autofocus>${title}</h2><button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button></header>`;

const lost = () => t("No connection to the server. Is this phone on the same Wi-Fi?");

function show(content, kind, mine) {
  open_ = mine;
  panel.open(content, { kind, closed: () => { if (open_ === mine) open_ = null; } });
}

export async function open(ctx) {
  try {
    const history = await ctx.table().history();
    show(steps(ctx, history), "tall", { kind: "list", version: history.version });
  } catch {
    ctx.toast(lost());
  }
}

/** The steps of the game and between them what was undone and corrected, the newest first. */
function steps(ctx, history) {
  const made = history.moves.map((move, i) => ({ seq: move.seq, line: stepLine(ctx, move, i + 1) }));
  const changes = history.log.filter((entry) => entry.changed).map((entry) => ({ seq: entry.seq, line: changed(ctx, entry) }));
  const newestFirst = [...made, ...changes].sort((a, b) => b.seq - a.seq);
  return html`${head(t("Steps so far"))}<ol class="steps">${newestFirst.map(({ line }) => line)}</ol>`;
}

const whoAndWhat = (ctx, move) => html`${move.player === null ? "" : html`<strong>${ctx.name(move.player)}:</strong>`} ${stepWords(ctx, move)}`;

const whenAndBy = (move) => `${time(move.at)}${move.device ? ` · ${phoneName(move.device)}` : ""}`;

function stepLine(ctx, move, number_) {
  return html`<li data-key="m${move.seq}">
    <div>${whoAndWhat(ctx, move)}
      <span class="soft small-line">${number_} · ${whenAndBy(move)}${move.corrected_by ? html` · ${t("corrected by {device}", { device: phoneName(move.corrected_by) })}` : ""}</span></div>
    ${move.action.do === "throw" ? html`<button type="button" class="button" data-act="correct-step" data-arg="${json({ step: number_, seq: move.seq, dice: move.action.dice })}" aria-label="${t("Correct step {number}", { number: number_ })}">${t("Correct")}</button>` : ""}
  </li>`;
}

/** What an undo or a correction changed. */
function changed(ctx, entry) {
  const { body, changed: was } = entry;
  return html`<li class="change" data-key="c${entry.seq}"><div>${body.undo
    ? html`${icon("undo")} ${t("Taken back:")} ${whoAndWhat(ctx, was)}`
    : html`${t("Step {number} corrected:", { number: body.correct })} ${was.action.dice ? html`${row(was.action.dice, "small")} → ${row(body.action.dice, "small")}` : ""}
      ${was.dropped ? html`<span class="small-line">${tn("{count} later step dropped", "{count} later steps dropped", was.dropped)}</span>` : ""}`}
    <span class="soft small-line">${whenAndBy(entry)}</span></div></li>`;
}

/** Shows the step that an undo would take back, and what that changes, before it is done. */
export async function askUndo(ctx) {
  const { last_move: move, version } = ctx.state;
  if (!move) return;
  const mine = { kind: "undo", version, move, found: null, asked: false };
  show(question(ctx, mine), "", mine);
  mine.found = await ctx.table().previewUndo().catch(() => null); // what was shown is taken back without it, too
  mine.asked = true;
  if (open_ === mine) panel.draw(question(ctx, mine));
}

function question(ctx, { move, version, found, asked }) {
  return html`${head(t("Take back the last step?"))}
    <div class="steps"><p>${whoAndWhat(ctx, move)}
      <span class="soft small-line">${whenAndBy(move)}</span></p>
      ${eventLines(ctx, move.events).map((line) => html`<p class="hint">${line}</p>`)}</div>
    ${found && found.version === version ? undone(found) : ""}
    <div class="row end"><button type="button" class="button primary grow" data-act="undo-do" ${asked ? "" : html`aria-disabled="true"`}>${icon("undo")}<span>${t("Take it back")}</span></button></div>`;
}

function undone({ before, after, turn: [now, then] }) {
  const same = before.every((player, i) => player.score === after[i].score);
  return html`<div class="effect" role="status">${same ? html`<p class="hint">${t("All scores stay as they are.")}</p>` : scoreTable(before, after)}
    ${(now || 0) === (then || 0) ? "" : html`<p class="hint">${capital(t("this turn"))}: ${number(now || 0)} → <strong>${number(then || 0)}</strong></p>`}</div>`;
}

/**
 * When the table has moved on, another step would be taken back, and a correction may change something else: returns
 * whether the question was closed for that. The list and what a correction would change are shown anew.
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

async function redrawList(ctx) {
  const mine = open_;
  const history = await ctx.table().history().catch(() => null); // a later state asks again
  if (history && open_ === mine && history.version >= mine.version) panel.draw(steps(ctx, history));
}

/** Asks what the correction would change, and shows it. */
async function preview(ctx) {
  const mine = open_;
  const dice = [...mine.dice];
  try {
    const found = await ctx.table().preview(mine.step, { do: "throw", dice });
    if (open_ !== mine || String(mine.dice) !== String(dice)) return;
    if (found.seq !== mine.seq || String(found.was.dice) !== String(mine.was)) {
      ctx.toast(t("This step was changed meanwhile."));
      await open(ctx);
      return;
    }
    if (found.version < Math.max(ctx.state.version, mine.found ? mine.found.version : 0)) {
      await preview(ctx); // somebody acted while it was asked for
      return;
    }
    mine.found = found;
    panel.draw(editor(ctx));
  } catch (error) {
    ctx.toast(error instanceof Refused ? error.message : lost());
    if (open_ === mine && error instanceof Refused && error.reason === "no-such-step") await open(ctx);
  }
}

function editor(ctx) {
  const { dice, was, at, found, step } = open_;
  const changed = dice.some((value, i) => value !== was[i]);
  return html`${head(t("Correct step {number}", { number: step }))}
    <p class="hint">${t("Tap the die that was wrong, then what it showed.")}</p>
    <div class="slots">${dice.map((value, i) => html`<button type="button" class="bare ${at === i ? "picked" : ""}" data-key="c${i}" data-act="correct-pick" data-arg="${i}" aria-pressed="${at === i ? "true" : "false"}" aria-label="${t("Die {number}: {value}", { number: i + 1, value })}">${die(value)}</button>`)}</div>
    ${at === null ? "" : html`<div class="keys">${[1, 2, 3, 4, 5, 6].map((value) => html`<button type="button" data-key="v${value}" data-act="correct-value" data-arg="${value}" aria-label="${value}">${die(value)}<span aria-hidden="true">${value}</span></button>`)}</div>`}
    ${found ? effect(found) : ""}
    <div class="row end">${found
      ? html`<button type="button" class="button primary grow" data-act="correct-do">${icon("check")}<span>${found.dropped ? tn("Correct it and drop {count} step", "Correct it and drop {count} steps", found.dropped) : t("Correct it")}</span></button>`
      : html`<button type="button" class="button primary grow" data-act="correct-preview" ${changed ? "" : html`aria-disabled="true"`}>${t("See what would change")}</button>`}</div>`;
}

function scoreTable(before, after) {
  return html`<table><thead><tr><th scope="col">${t("Player")}</th><th scope="col">${t("Now")}</th><th scope="col">${t("Then")}</th></tr></thead><tbody>${before.map((player, i) => html`<tr><th scope="row">${player.name}</th><td>${number(player.score)}</td><td>${after[i].score === player.score ? number(player.score) : html`<strong>${number(after[i].score)}</strong>`}</td></tr>`)}</tbody></table>`;
}

function effect(found) {
  return html`<div class="effect" role="status">${scoreTable(found.before, found.after)}
    ${found.dropped ? html`<p class="notice">${tn("{count} later step no longer holds and would be dropped.", "{count} later steps no longer hold and would be dropped.", found.dropped)} ${found.because ? sentence(found.because) : ""}</p>` : html`<p class="hint">${t("All later steps stay as they are.")}</p>`}</div>`;
}

export const handlers = (ctx) => ({
  "undo-do": () => {
    const { version } = open_; // done, it is closed as the table moves on
    return ctx.tried(() => ctx.table().undo(version), { at: version });
  },
  "correct-step": ({ step, seq, dice }) => {
    const mine = { kind: "edit", step, seq, dice: [...dice], was: dice, at: null, found: null, sending: false };
    open_ = mine;
    show(editor(ctx), "tall", mine);
  },
  "correct-pick": (i) => {
    open_.at = open_.at === i ? null : i;
    panel.draw(editor(ctx));
  },
  "correct-value": (value) => {
    open_.dice[open_.at] = value;
    open_.at = null;
    open_.found = null;
    panel.draw(editor(ctx));
  },
  "correct-preview": () => preview(ctx),
  "correct-do": async () => {
    const mine = open_;
    const { step, dice, found } = mine;
    const { version } = found;
    mine.sending = true;
    const done = await ctx.tried(() => ctx.table().correct(version, step, { do: "throw", dice }, found.dropped > 0), { at: version });
    mine.sending = false;
    if (open_ !== mine) return;
    if (done) panel.close();
    else if (mine.found === found && version < ctx.state.version) await preview(ctx); // what was shown no longer holds
  },
});
