// The steps of the game so far, who made them, and correcting an earlier throw: first shown, then done.

import { html, json } from "./dom.js";
import { die } from "./dice.js";
import { icon } from "./icons.js";
import { Refused } from "./net.js";
import * as panel from "./panel.js";
import { number, phoneName, sentence, t, time, tn } from "./text.js";
import { eventLines, stepWords } from "./words.js";

let editing = null; // {step, dice, was, at}: the throw being corrected, and which of its dice

const head = (title) => html`<header class="panel-head"><h2 tabindex="-1" autofocus>${title}</h2><button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button></header>`;

export async function open(ctx) {
  editing = null;
  let history;
  try {
    history = await ctx.table().history();
  } catch {
    ctx.toast(t("No connection to the server. Is this phone in the same Wi-Fi?"));
    return;
  }
  const steps = history.moves.map((move, i) => html`<li data-key="m${i}">
    <div>${move.player === null ? "" : html`<strong>${ctx.name(move.player)}:</strong>`} ${stepWords(ctx, move)}
      <span class="soft small-line">${i + 1} · ${time(move.at)}${move.device ? ` · ${phoneName(move.device)}` : ""}${move.corrected_by ? html` · ${t("corrected by {device}", { device: phoneName(move.corrected_by) })}` : ""}</span></div>
    ${move.action.do === "throw" ? html`<button type="button" class="button" data-act="correct-step" data-arg="${json({ step: i + 1, dice: move.action.dice })}" aria-label="${t("Correct step {number}", { number: i + 1 })}">${t("Correct")}</button>` : ""}
  </li>`).reverse();
  panel.open(html`${head(t("Steps so far"))}<ol class="steps">${steps}</ol>`, { kind: "tall" });
}

/** Shows the step that an undo would take back, before it is done. */
export function askUndo(ctx) {
  const move = ctx.state.last_move;
  if (!move) return;
  const gone = eventLines(ctx, move.events);
  panel.open(html`${head(t("Take back the last step?"))}
    <div class="steps"><p>${move.player === null ? "" : html`<strong>${ctx.name(move.player)}:</strong>`} ${stepWords(ctx, move)}
      <span class="soft small-line">${time(move.at)}${move.device ? ` · ${phoneName(move.device)}` : ""}</span></p>
      ${gone.map((line) => html`<p class="hint">${line}</p>`)}</div>
    <div class="row end"><button type="button" class="button primary grow" data-act="undo-do">${icon("undo")}<span>${t("Take it back")}</span></button></div>`);
}

function editor(ctx) {
  const { dice, was, at, found } = editing;
  const changed = dice.some((value, i) => value !== was[i]);
  return html`${head(t("Correct step {number}", { number: editing.step }))}
    <p class="hint">${t("Tap the die that was wrong, then what it showed.")}</p>
    <div class="slots">${dice.map((value, i) => html`<button type="button" class="bare ${at === i ? "picked" : ""}" data-key="c${i}" data-act="correct-pick" data-arg="${i}" aria-pressed="${at === i ? "true" : "false"}" aria-label="${t("Die {number}: {value}", { number: i + 1, value })}">${die(value)}</button>`)}</div>
    ${at === null ? "" : html`<div class="keys">${[1, 2, 3, 4, 5, 6].map((value) => html`<button type="button" data-key="v${value}" data-act="correct-value" data-arg="${value}" aria-label="${value}">${die(value)}<span aria-hidden="true">${value}</span></button>`)}</div>`}
    ${found ? effect(found) : ""}
    <div class="row end">${found
      ? html`<button type="button" class="button primary grow" data-act="correct-do">${icon("check")}<span>${found.dropped ? tn("Correct it and drop {count} step", "Correct it and drop {count} steps", found.dropped) : t("Correct it")}</span></button>`
      : html`<button type="button" class="button primary grow" data-act="correct-preview" ${changed ? "" : html`aria-disabled="true"`}>${t("See what would change")}</button>`}</div>`;
}

function effect(found) {
  return html`<div class="effect" role="status"><table><thead><tr><th scope="col">${t("Player")}</th><th scope="col">${t("Now")}</th><th scope="col">${t("Then")}</th></tr></thead><tbody>${found.before.map((player, i) => html`<tr><th scope="row">${player.name}</th><td>${number(player.score)}</td><td>${found.after[i].score === player.score ? number(player.score) : html`<strong>${number(found.after[i].score)}</strong>`}</td></tr>`)}</tbody></table>
    ${found.dropped ? html`<p class="notice">${tn("{count} later step no longer holds and would be dropped.", "{count} later steps no longer hold and would be dropped.", found.dropped)} ${found.because ? sentence(found.because) : ""}</p>` : html`<p class="hint">${t("All later steps stay as they are.")}</p>`}</div>`;
}

export const handlers = (ctx) => ({
  "correct-step": ({ step, dice }) => {
    editing = { step, dice: [...dice], was: dice, at: null, found: null };
    panel.open(editor(ctx), { kind: "tall" });
  },
  "correct-pick": (i) => {
    editing.at = editing.at === i ? null : i;
    panel.draw(editor(ctx));
  },
  "correct-value": (value) => {
    editing.dice[editing.at] = value;
    editing.at = null;
    editing.found = null;
    panel.draw(editor(ctx));
  },
  "correct-preview": async () => {
    try {
      editing.found = await ctx.table().preview(editing.step, { do: "throw", dice: editing.dice });
      panel.draw(editor(ctx));
    } catch (error) {
      ctx.toast(error instanceof Refused ? error.message : t("No connection to the server. Is this phone in the same Wi-Fi?"));
    }
  },
  "correct-do": async () => {
    const { step, dice, found } = editing;
    try {
      await ctx.table().correct(step, { do: "throw", dice }, found.dropped > 0);
      panel.close();
    } catch (error) {
      ctx.toast(error instanceof Refused ? error.message : t("No connection to the server. Is this phone in the same Wi-Fi?"));
    }
  },
});
