// The steps of the game so far, and correcting an earlier one: its effect is shown before it is done.

import { button } from "../shared/buttons.js";
import { dieOfKey, html, json } from "../shared/dom.js";
import { numberField, selection } from "../shared/fields.js";
import { die, diceRow, valueKeys } from "../shared/dice.js";
import { icon } from "../shared/icons.js";
import { RefusedError, failureText } from "../shared/net.js";
import { panelHead } from "./panel.js";
import { openPicture, pictureMark } from "./proof.js";
import { capitalize, joinNames, noServer, number, phoneName, plus, t, timeOfDay, tn } from "../shared/text.js";
import { categoryTitle, columnWords, eventLines, phraseFor, stepWords } from "../shared/sentences.js";

// The fields of an action. The entries of `legal` have more: what the action would bring.
const FIELDS = ["do", "what", "dice", "category", "column", "player", "to", "cell", "line", "cells", "tiles", "count"];
/** @param {Action} entry @returns {Action} */
const actionOf = (entry) => ({
  do: entry.do,
  ...Object.fromEntries(FIELDS.filter((name) => name in entry).map((name) => [name, entry[name]])),
});
// Of what is written by hand the points are its own; elsewhere they tell what an action brings.
/** @param {Action} one @param {Action} other */
const isSame = (one, other) =>
  FIELDS.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name])) &&
  (!["write", "adjust"].includes(one.do) || one.points === other.points);

/** Whether a person said what a turn brought, or who has its points: a number that belongs to no cell.
 * @param {any} action */
const isTurnByHand = ({ do: verb, what, category, cells }) =>
  verb === "adjust" && (what === "turn-moved" || (what === "turn" && !category && !cells));

/** @param {Page} ctx */
export async function openSteps(ctx) {
  try {
    const page = await ctx.panel.unlessLeft(ctx.table().history());
    if (page) ctx.panel.open(new Steps(ctx, [page]));
  } catch {
    ctx.toast(noServer());
  }
}

/** The list of the game's steps, undos and corrections, the newest first. */
class Steps {
  kind = "tall";

  /** @param {Page} ctx @param {GameHistory[]} pages  the newest first */
  constructor(ctx, pages) {
    this.ctx = ctx;
    this.pages = pages;
    this.version = pages[0].version;
  }

  content() {
    const { ctx, pages } = this;
    const moves = pages.flatMap((page) => page.moves.map((move, i) => ({ ...move, ...page.places[i] })));
    const lines = new Map(pages.flatMap((page) => page.log.map((line) => [line.seq, line])));
    const made = moves.map((move) => ({ seq: move.seq, place: move, line: stepLine(ctx, move, lines.get(move.seq)) }));
    const standing = new Set(moves.map((move) => move.seq));
    const gone = [...lines.values()]
      .filter((line) => line.body.picture && !standing.has(line.seq))
      .map((line) => ({ seq: line.seq, place: null, line: goneThrow(line) }));
    const changes = [...lines.values()]
      .filter((entry) => entry.changed)
      .map((entry) => ({ seq: entry.seq, place: null, line: changeEntry(ctx, entry) }));
    const newestFirst = [...made, ...changes, ...gone].sort((a, b) => b.seq - a.seq);
    let above = ""; // the turn whose steps are listed
    return html`${panelHead(t("Steps so far"))}
      ${moves.some(({ action }) => action.do === "throw") &&
      html`<p class="hint">${t("Tap the die that was wrong, then what it showed.")}</p>`}
      <ol class="steps">
        ${newestFirst.map(({ place, line }) => {
          const turn = place?.turn ? turnWords(ctx, place) : above;
          const head = turn === above ? "" : html`<li class="turn-head" data-key="${turn}">${turn}</li>`;
          above = turn;
          return [head, line];
        })}
      </ol>
      ${pages[pages.length - 1].next && button("button wide", "steps-more", t("Earlier steps"))}`;
  }

  /** Fetches the list anew for a newer state. */
  update() {
    if (this.version >= this.ctx.state.version) return;
    this.version = this.ctx.state.version;
    this.redraw();
  }

  /** Fetches as many pages anew as are shown, and so many `more`. */
  async redraw(more = 0) {
    const { panel, table } = this.ctx;
    /** @type {GameHistory[]} */
    const pages = [];
    try {
      do pages.push(await table().history(pages.at(-1)?.next ?? ""));
      while (pages.length < this.pages.length + more && pages[pages.length - 1].next);
    } catch {
      if (more) this.ctx.toast(noServer()); // otherwise a later state asks again
      return;
    }
    if (!panel.shows(this) || pages[0].version < this.version) return;
    this.pages = pages;
    panel.draw();
  }

  /** @type {Handlers} */
  handlers = {
    "steps-more": () => this.redraw(1),
    "step-picture": (picture) => openPicture(this.ctx, picture, this),
    "correct-step": (step) => this.ctx.panel.open(new Correction(this.ctx, step, this)),
    "correct-other": (step) => {
      const correction = new Correction(this.ctx, step, this);
      this.ctx.panel.open(correction);
      return correction.fetchPreview(); // the preview has the other choices
    },
  };
}

/** The turn of a step: `turn_of` is null where it is nobody's. @param {Context} ctx @param {StepPlace} place */
const turnWords = (ctx, { turn_of: player, turn }) =>
  player === null
    ? ctx.standing.pad || ctx.standing.letters
      ? t("Round {round}", { round: turn })
      : t("Turn {number}", { number: turn })
    : t("{name}, turn {number}", { name: ctx.name(player), number: turn });

/** The place of a throw in the game: its player, turn, and number in it.
 * @param {Context} ctx @param {StepPlace} place */
const throwWords = (ctx, place) =>
  place.turn_of === null
    ? turnWords(ctx, place)
    : `${turnWords(ctx, place)}, ${t("throw {number}", { number: place.throw })}`;

/** @param {Page} ctx @param {StepOf} move */
const who = (ctx, move) => (move.player === null ? "" : html`<strong>${ctx.name(move.player ?? -1)}:</strong>`);

/** @param {Page} ctx @param {StepOf} move */
const whoAndWhat = (ctx, move) => html`${who(ctx, move)} ${stepWords(ctx, move)}`;

/** @param {{at: string, device: string}} move */
const whenAndBy = (move) => `${timeOfDay(move.at)}${move.device ? ` · ${phoneName(move.device)}` : ""}`;

/** @param {Page} ctx @param {Move & StepPlace} move @param {HistoryLine | undefined} line */
function stepLine(ctx, move, line) {
  const { action, player, number: stepNumber } = move;
  const isThrow = action.do === "throw";
  const where = isThrow ? throwWords(ctx, move) : turnWords(ctx, move);
  const ended = move.events.find((event) => event.event === "turn" && event.player === player);
  const step = { step: stepNumber, seq: move.seq, action, player, where, brought: ended?.points ?? 0 };
  const label = `${t("Correct step {number}", { number: stepNumber })}: ${where}`;
  return html`<li data-key="m${stepNumber}">
    <div>
      ${isThrow
        ? html`${who(ctx, move)}
            <div class="slots" role="group" aria-label="${label}">
              ${action.dice.map((/** @type {number} */ value, /** @type {number} */ at) =>
                dieButton(value, at, null, "correct-step", { ...step, at }),
              )}
            </div>`
        : whoAndWhat(ctx, move)}
      <span class="soft small-line"
        >${stepNumber} ·
        ${whenAndBy(move)}${move.corrected_by &&
        html` · ${t("corrected by {device}", { device: phoneName(move.corrected_by) })}`}</span
      >
      ${pictureMark(line, where, move.corrected_by)}
    </div>
    ${(!(isThrow || action.do === "adjust") || isTurnByHand(action)) &&
    button("button", "correct-other", t("Correct"), { arg: step, label })}
  </li>`;
}

/** A throw that was taken back: its picture stays. @param {HistoryLine} line */
const goneThrow = (line) =>
  html`<li class="change" data-key="g${line.seq}">
    <div>
      ${t("Thrown, and taken back later:")} ${diceRow(line.body.do.dice, "small")}
      <span class="soft small-line">${whenAndBy(line)}</span>
      ${pictureMark(line, t("Thrown, and taken back later:"))}
    </div>
  </li>`;

/** What an undo or a correction changed. @param {Page} ctx @param {HistoryLine} entry */
function changeEntry(ctx, entry) {
  const { body } = entry;
  const was = /** @type {ChangedStep} */ (entry.changed);
  return html`<li class="change" data-key="c${entry.seq}">
    <div>
      ${body.undo
        ? html`${icon("undo")} ${t("Taken back:")} ${whoAndWhat(ctx, was)}`
        : html`${t("Step {number} corrected:", { number: body.correct })}
          ${was.action.do === "throw" && body.action.do === "throw"
            ? html`${diceRow(was.action.dice, "small")} → ${diceRow(body.action.dice, "small")}`
            : html`${stepWords(ctx, was)} → ${stepWords(ctx, /** @type {Move} */ (body))}`}
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

/** Shows the step that an undo would take back, and its effect, before it is done. @param {Page} ctx */
export async function askUndo(ctx) {
  if (!ctx.state.last_move) return;
  const undo = new Undo(ctx);
  ctx.panel.open(undo);
  await undo.fetchPreview();
}

/** The question whether the last step is taken back. */
class Undo {
  /** @param {Page} ctx */
  constructor(ctx) {
    const { last_move: move, came_with: others, version } = ctx.state;
    this.ctx = ctx;
    this.version = version;
    this.moves = move ? [...others, move] : others; // a throw with what one request did before and after it
    this.found = null; // the preview of its effect
    this.asked = false;
  }

  async fetchPreview() {
    const { panel, table } = this.ctx;
    // Without an answer the step can be taken back all the same.
    this.found = await table()
      .get("undo/preview")
      .catch(() => null);
    this.asked = true;
    if (panel.shows(this)) panel.draw();
  }

  content() {
    const { ctx, moves, found } = this;
    const move = /** @type {Move} */ (moves[moves.length - 1]);
    return html`${panelHead(t("Take back the last step?"))}
      <div class="steps">
        ${moves.map(
          (each) =>
            html`<p>
              ${whoAndWhat(ctx, each)}${each === move && html` <span class="soft small-line">${whenAndBy(move)}</span>`}
            </p>`,
        )}
        ${eventLines(ctx, move.events).map((line) => html`<p class="hint">${line}</p>`)}
      </div>
      ${found && found.version === this.version && undoEffect(found)}
      <div class="row end">
        ${button("button primary grow", "undo-do", t("Take it back"), { sign: "undo", off: !this.asked })}
      </div>`;
  }

  /** Closes the question when another step would be taken back; returns whether it did. */
  update() {
    if (this.version >= this.ctx.state.version) return false;
    this.ctx.panel.close();
    return true;
  }

  handlers = {
    // The question is closed as the table moves on.
    "undo-do": () => this.ctx.attempt(() => this.ctx.table().change("undo", this.version, {}), { at: this.version }),
  };
}

/** @param {UndoPreview} found */
function undoEffect({ before, after, turn: [now, then] }) {
  const unchanged = before.every((player, i) => player.score === (after[i] ?? player).score);
  return html`<div class="effect" role="status">
    ${unchanged ? html`<p class="hint">${t("All scores stay as they are.")}</p>` : scoreTable(before, after)}
    ${turnPoints(now || 0, then || 0)}
  </div>`;
}

/** What the running turn has now and then; "" if that stays as it is. @param {number} now @param {number} then */
const turnPoints = (now, then) =>
  now === then
    ? ""
    : html`<p class="hint">${capitalize(t("this turn"))}: ${number(now)} → <strong>${number(then)}</strong></p>`;

/** The correction of a step: its new action, and the effect of that. */
class Correction {
  kind = "tall";

  /**
   * @param {Page} ctx
   * @param {{step: number, seq: number, action: Action, player: number | null, where: string, brought?: number,
   *   at?: number | null}} step  `seq` numbers its log line; `where` names its turn; `brought`: the points of the turn
   *   that it ended; `at`: the die that was wrong
   * @param {Steps} from
   */
  constructor(ctx, { step, seq, action, player, where, brought = 0, at = null }, from) {
    this.ctx = ctx;
    this.from = from;
    this.step = step;
    this.seq = seq;
    this.player = player;
    this.where = where;
    this.was = action;
    this.action = action; // what the step is to be
    this.at = at; // the chosen die
    this.points = isTurnByHand(action) ? action.points : brought; // of the turn that it ended
    this.to = action.to ?? player; // who has them
    /** @type {(number | null)[]} */
    this.said = []; // points that were written for the turns that must be settled
    /** @type {(CorrectionPreview & { stale?: boolean }) | null} */
    this.found = null; // the preview; `stale` once the action has changed
    /** @type {Action | null} */
    this.asked = null; // the action whose preview is on its way
    this.sending = false;
    this.done = false; // the step was corrected, or cannot be any more
  }

  isChanged() {
    return !isSame(this.action, this.was);
  }

  inner() {
    return this.at === null ? null : () => this.handlers["correct-pick"](null);
  }

  unsaved() {
    return !this.done && !this.sending && this.isChanged();
  }

  /** Shows anew what the correction would change in a newer state. */
  update() {
    if (this.found && !this.sending && this.found.version < this.ctx.state.version) this.fetchPreview();
  }

  /** Asks what the correction would change, and shows it. */
  async fetchPreview() {
    const { ctx, action } = this;
    const said = [...this.said];
    this.asked = action;
    try {
      /** @type {CorrectionPreview} */
      const found = await ctx.table().post("corrections/preview", { step: this.step, action, said });
      if (!ctx.panel.shows(this) || this.action !== action || String(this.said) !== String(said)) return;
      if (found.seq !== this.seq || !isSame(found.was, this.was)) {
        ctx.toast(t("This step was changed meanwhile."));
        this.done = true;
        await openSteps(ctx);
        return;
      }
      if (found.version < Math.max(ctx.state.version, this.found ? this.found.version : 0)) {
        await this.fetchPreview(); // somebody acted while the server was asked
        return;
      }
      this.found = found;
      this.asked = null;
      if (found.settled.some(({ allowed }, i) => allowed.length && this.said[i] === undefined)) {
        // What the rules allow now, and not what the old dice brought.
        this.said = found.settled.map(({ allowed }, i) => this.said[i] ?? allowed[0]?.points ?? null);
        await this.fetchPreview();
        return;
      }
      ctx.panel.draw();
      ctx.panel.place.querySelector('[data-act="correct-do"]')?.scrollIntoView({ block: "nearest" });
    } catch (error) {
      ctx.toast(failureText(error));
      this.done = error instanceof RefusedError && error.reason === "no-such-step";
      if (this.action === action) this.asked = null;
      if (!ctx.panel.shows(this)) return;
      if (this.done) await openSteps(ctx);
      else ctx.panel.draw();
    }
  }

  content() {
    const { was, found, step } = this;
    const shown = this.isChanged() && found && !found.stale;
    return html`${panelHead(t("Correct step {number}", { number: step }))}
      <p class="strong">${this.where}</p>
      ${was.do === "throw" ? this.diceEditor() : this.choiceEditor()} ${this.receiver()}
      ${shown && effect(this.ctx, found, step)}
      <div class="row end">
        ${shown
          ? button(
              "button primary grow",
              "correct-do",
              found.dropped
                ? tn("Correct it and drop {count} step", "Correct it and drop {count} steps", found.dropped)
                : t("Correct it"),
              { sign: "check" },
            )
          : button("button primary grow", "correct-preview", t("See what would change"), {
              off: !(this.isChanged() && this.asked !== this.action),
            })}
      </div>`;
  }

  diceEditor() {
    const { at, action, was } = this;
    return html`<p class="hint">${t("Tap the die that was wrong, then what it showed.")}</p>
      <div class="slots">
        ${(action.dice ?? was.dice).map((/** @type {number} */ value, /** @type {number} */ i) =>
          dieButton(value, i, at === i, "correct-pick", i),
        )}
      </div>
      ${at !== null && html`<div class="keys">${valueKeys("correct-value")}</div>`}`;
  }

  /** The choices that the player had: the dice to keep, or other actions. */
  choiceEditor() {
    const { action, was, found } = this;
    if (!found) return "";
    const keep = was.do === "keep" && found.choices.find((entry) => entry.do === "keep");
    if (keep) {
      const left = [...action.dice];
      return html`<p class="hint">${t("Tap the dice that were kept.")}</p>
        <div class="slots">
          ${keep.from.map((/** @type {number} */ value, /** @type {number} */ i) => {
            const kept = left.includes(value);
            if (kept) left.splice(left.indexOf(value), 1);
            return dieButton(value, i, kept, "correct-keep", { value, kept, most: keep.from.length - 1 });
          })}
        </div>`;
    }
    const choices = found.choices.filter((entry) => entry.do !== "keep" && entry.player === was.player);
    if (was.do === "bank" || isTurnByHand(was))
      return numberField(t("What this turn brought"), { id: "brought", value: this.points });
    if (was.do === "write" && "points" in was)
      return numberField(t("Points of {name}", { name: this.ctx.name(was.player) }), {
        id: "written",
        value: was.points,
      });
    if (choices.length < 2)
      return html`<p class="hint">${t("There was nothing else to choose. Correct the throw before it.")}</p>`;
    const columns = [...new Set(choices.map((entry) => entry.column))]; // each column of a sheet for itself
    return html`<p class="hint">${t("What was done instead?")}</p>
      ${columns.map(
        (column) =>
          html`<div data-key="g${column ?? ""}">
            ${!(column === undefined || columns.length < 2) &&
            html`<h3>${columnWords(this.ctx.standing.sheet, column)}</h3>`}
            <div class="instead" role="group">
              ${choices
                .filter((entry) => entry.column === column)
                .map((entry) => choiceButton(this.ctx, entry, action))}
            </div>
          </div>`,
      )}`;
  }

  /** Who has the points of the turn that the step ended, where they may be another one's; else "". */
  receiver() {
    const { standing, setup } = this.ctx;
    if (!this.points || standing.order.length < 2 || !("turn-moved" in setup.sentences.adjustments)) return "";
    const names = standing.order.map((who) => [who, this.ctx.name(who)]);
    return selection(t("The points go to"), html`id="receiver"`, names, Number(this.to));
  }

  /** Takes what the turn brought, and to whom, and shows the effect.
   * @param {number} points @param {number | null} to */
  bring(points, to) {
    const { was, player, found } = this;
    const bank = found?.choices.find((entry) => entry.do === "bank" && entry.points === points);
    const byHand = { do: "adjust", what: "turn", player, points };
    this.points = points;
    this.to = to;
    if (to !== player) this.change({ ...byHand, what: "turn-moved", to });
    else this.change(bank ? { do: "bank" } : was.do === "throw" ? was : byHand);
    if (this.isChanged()) this.fetchPreview();
  }

  /** Points were written for a banked turn, or for one that must be settled: shows their effect at once.
   * @param {Event} event */
  changed(event) {
    const { id, value, valueAsNumber: points, dataset } = /** @type {HTMLInputElement} */ (event.target);
    const isNumber = Number.isInteger(points);
    if (id === "receiver") this.bring(this.points, Number(value));
    else if (id === "brought" && isNumber) this.bring(points, this.to);
    else if (id === "written" && isNumber) {
      this.change({ ...this.was, points });
      if (this.isChanged()) this.fetchPreview();
    } else if (dataset.said !== undefined) this.say(Number(dataset.said), isNumber ? points : null);
  }

  /** Takes points for the turn at the settled place `i`, and shows their effect.
   * @param {number} i @param {number | null} points */
  say(i, points) {
    this.said = (this.found?.settled ?? []).map((_, other) => (other === i ? points : (this.said[other] ?? null)));
    return this.fetchPreview();
  }

  /** Takes another action for the step. Of the old action's preview only the choices still hold.
   * @param {Action} action */
  change(action) {
    this.action = action;
    this.said = [];
    this.found = action.do === "throw" || !this.found ? null : { ...this.found, stale: true };
    this.ctx.panel.draw();
  }

  /** A digit is the value of the chosen die, or of the one that has the focus; Backspace gives it its old one.
   * @param {KeyboardEvent} event */
  key(event) {
    const { was, action } = this;
    const focused = /** @type {HTMLElement} */ (event.target).closest('[data-act="correct-pick"]');
    const at = focused instanceof HTMLElement ? Number(focused.dataset.arg) : this.at;
    const value = event.key === "Backspace" && at !== null ? was.dice?.[at] : dieOfKey(event);
    if (event.key === "Enter" && this.isChanged()) {
      if (this.found && !this.found.stale) this.send();
      else if (this.asked !== action) this.fetchPreview();
    } else if (value && at !== null && action.do === "throw") {
      this.at = at;
      this.handlers["correct-value"](value);
      this.ctx.panel.focus(".primary");
    } else return false;
    return true;
  }

  handlers = {
    "correct-choose": (/** @type {Action} */ action) => {
      this.change(action);
      return this.fetchPreview();
    },
    "correct-keep": (/** @type {{ value: number, kept: boolean, most: number }} */ { value, kept, most }) => {
      const dice = [...this.action.dice];
      if (kept) dice.splice(dice.indexOf(value), 1);
      else if (dice.length < most) dice.push(value);
      this.change({ do: "keep", dice: dice.sort() });
      return this.fetchPreview();
    },
    "correct-pick": (/** @type {number | null} */ i) => {
      this.at = i;
      this.ctx.panel.draw();
    },
    "correct-value": (/** @type {number} */ value) => {
      const dice = [...this.action.dice];
      dice[Number(this.at)] = value;
      this.at = null;
      this.change({ do: "throw", dice });
      return this.isChanged() && this.fetchPreview();
    },
    "correct-said": (/** @type {{ i: number, points: number }} */ { i, points }) => this.say(i, points),
    "correct-preview": () => this.fetchPreview(),
    "correct-do": () => this.send(),
  };

  async send() {
    const { ctx, step, action, said, found } = this;
    const version = found?.version ?? ctx.state.version;
    this.sending = true;
    const correction = { step, action, said, forced: true };
    this.done = await ctx.attempt(() => ctx.table().change("corrections", version, correction), { at: version });
    this.sending = false;
    if (!ctx.panel.shows(this)) return;
    if (this.done) ctx.panel.close();
    // What was shown no longer holds.
    else if (this.found === found && version < ctx.state.version) await this.fetchPreview();
  }
}

/** A die to tap. `picked`: whether it is chosen, or kept; null in a list, where a keyboard stops at the first.
 * @param {number} value @param {number} i @param {boolean | null} picked @param {string} act @param {unknown} arg */
function dieButton(value, i, picked, act, arg) {
  return button(`bare ${picked ? "picked" : ""}`, act, die(value), {
    arg,
    key: `${act}-${i}`,
    label: t("Die {number}: {value}", { number: i + 1, value }),
    pressed: picked ?? undefined,
    more: picked === null ? html`tabindex="${i ? -1 : 0}"` : "",
  });
}

/** The button of one choice. A cell is called by its name alone, so that it is found among many. @param {Page} ctx
 * @param {Action} entry @param {Action} action */
function choiceButton(ctx, entry, action) {
  const pressed = isSame(actionOf(entry), action);
  const { category } = entry;
  const name = category ? categoryTitle(ctx, category) : stepWords(ctx, { action: entry });
  return button(
    `button ${pressed ? "primary" : ""}`,
    "correct-choose",
    html`<span>${name}</span>${"points" in entry &&
      html` <strong>${number(entry.points + (entry.bonus || 0))}</strong>`}`,
    { arg: actionOf(entry), key: `o${json(actionOf(entry))}`, pressed },
  );
}

/** @param {Score[]} before @param {Score[]} after */
function scoreTable(before, after) {
  const ranked = before.some((player, i) => after[i] && after[i].place !== player.place);
  /** @param {Score} of */
  const cell = ({ score, place }) => html`${number(score)}${ranked && place ? html` <small>(${place}.)</small>` : ""}`;
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
              <td>${cell(player)}</td>
              <td>
                ${after[i].score === player.score && after[i].place === player.place
                  ? cell(player)
                  : html`<strong>${cell(after[i])}</strong>`}
              </td>
            </tr>`,
        )}
    </tbody>
  </table>`;
}

/** Whose turn it would be, and the points of that turn. @param {Page} ctx @param {CorrectionPreview} found */
function turnEffect(ctx, { turn: [now, then], set_aside: alone, over }) {
  const acting = (/** @type {TurnPreview} */ { to_act: players }) =>
    tn("{names} plays", "{names} play", players.length, { names: joinNames(players.map(ctx.name)) });
  return html`${!(over || String(now.to_act) === String(then.to_act)) &&
  html`<p class="hint">
    ${now.to_act.length ? acting(now) : t("The game is over")} →
    <strong>${acting(then)}</strong>
  </p>`}
  ${turnPoints(now.points, then.points)}
  ${alone &&
  html`<p class="hint">
    ${diceRow(alone.dice, "small")} <strong>${plus(alone.points)}</strong> ${t(
      "is set aside at once: nothing else is possible",
    )}
  </p>`}`;
}

/** What a correction of this step changes. @param {Page} ctx @param {number} step @param {CorrectionPreview} found */
function effect(ctx, found, step) {
  const settled = found.settled.flatMap(({ adjustments, allowed }, i) => {
    const action = adjustments.find(isSettlement);
    return action ? [{ action, allowed, i }] : [];
  });
  const because = found.settled.map((place) => place.because).find((each) => each);
  return html`<div class="effect">
    <div role="status">
      ${scoreTable(found.before, found.after)} ${turnEffect(ctx, found)}
      ${because && html`<p class="hint">${reason(because)}</p>`}
      ${found.dropped
        ? html`<p class="notice">
            ${tn(
              "{count} step of the running turn no longer holds and would be dropped. The turn goes on from here.",
              "{count} steps of the running turn no longer hold and would be dropped. The turn goes on from here.",
              found.dropped,
            )}
          </p>`
        : ""}
      ${!(found.settled.length || step === ctx.state.steps) &&
      html`<p class="hint">${t("All later steps stay as they are.")}</p>`}
    </div>
    ${settled.length > 0 &&
    html`<p class="hint">
      ${t("These turns can no longer stand as they were played.")}
      ${settled.some(({ allowed }) => allowed.length)
        ? t("What was set aside instead? The rest of the game stays.")
        : t("They are worth what they were, or what you write here; the rest of the game stays.")}
    </p>`}
    ${settled.map(
      ({ action, allowed, i }) =>
        html`<div data-key="s${i}">
          ${allowed.length > 0 &&
          html`<div class="instead" role="group">
            ${allowed.map(({ dice, points }) => insteadButton(dice, points, action.points, i))}
          </div>`}${settlement(ctx, action, i)}
        </div>`,
    )}
  </div>`;
}

/** The button of a set-aside that the rules allow, with the points that its turn would bring.
 * @param {number[]} dice @param {number} points @param {number} now @param {number} i */
const insteadButton = (dice, points, now, i) =>
  button(
    `button ${points === now ? "primary" : ""}`,
    "correct-said",
    html`${diceRow(dice, "small")} <strong>= ${number(points)}</strong>`,
    { arg: { i, points }, key: `i${dice.join("")}`, pressed: points === now },
  );

/** Whether an adjustment settles points: those of players and turns stand as they were made. @param {Action} action */
const isSettlement = ({ what }) =>
  !["player-added", "player-removed", "player-renamed", "turn-skipped", "order"].includes(what);

/** A turn that must be settled, with a field for its points if it is worth points. @param {Page} ctx
 * @param {Action} action @param {number} i */
function settlement(ctx, action, i) {
  const name = action.player === undefined ? "" : ctx.name(action.player);
  const stays = phraseFor(ctx, action, "stays");
  if (stays) return html`<p>${stays}</p>`;
  const column = action.column === undefined ? "" : ` ×${action.column}`;
  const where = action.category
    ? categoryTitle(ctx, action.category) + column
    : action.round
      ? t("Round {round}", { round: action.round })
      : t("this turn");
  return numberField(html`<strong>${name}</strong> ${where}`, { "data-said": i, value: action.points });
}

/** Why a later step no longer holds, with dice as pictures. @param {RefusalDocument} because */
function reason({ reason: key, params, message }) {
  if (!Array.isArray(params.dice)) return message;
  if (key === "dice-not-there")
    return html`${diceRow(params.dice, "small")} ${t("no longer lie among")} ${diceRow(params.table, "small")}`;
  return html`${diceRow(params.dice, "small")} ${t("no longer fit what was done with them.")}`;
}
