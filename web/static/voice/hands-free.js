// Answers from afar: by large buttons, by the keys of a remote, by ear. All do what a tap on the page would do.

import { hold } from "../camera/watch.js";
import { say } from "../shared/announcer.js";
import { button } from "../shared/buttons.js";
import * as device from "../shared/device.js";
import { digitOfKey, html, targetOf } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { panelHead } from "../dialogs/panel.js";
import { cameraWord } from "../shared/live.js";
import { spokenDice } from "../shared/sentences.js";
import { number, t } from "../shared/text.js";
import { PHOTO, HeldPress, Listener, questionByEar } from "./by-ear.js";
import { answerOf, openQuestion, passOver, wantToWrite } from "./questions.js";
import { joinSentences, turnOf, turnWords } from "./spoken.js";
import { Voice } from "./voice.js";

const DOUBLE_MS = 400; // between two presses that were meant as one

// Keyboards and remotes for reading, presentations and photographs.
/** @type {Record<string, AnswerKind>} */
const KEYS = {
  PageDown: "yes",
  AudioVolumeUp: "yes",
  VolumeUp: "yes",
  Enter: "yes",
  " ": "yes",
  PageUp: "no",
  AudioVolumeDown: "no",
  VolumeDown: "no",
};

/** The answer of this number, from 1; 0 is the photo. @param {OpenQuestion | null} question @param {number} digit */
const answerOfNumber = (question, digit) =>
  (digit ? question?.answers[digit - 1] : question?.answers.find(({ kind }) => kind === PHOTO)) ?? null;

/** The answer of a key. Yes takes the first answer where nothing is asked by yes and no, as the best cell.
 * @param {OpenQuestion | null} question @param {{ code?: string, key: string }} event */
export function answerOfKey(question, event) {
  const digit = digitOfKey(event);
  if (digit !== null) return answerOfNumber(question, digit);
  const kind = KEYS[event.key];
  if (!question || !kind) return null;
  return answerOf(question, kind) ?? (kind === "yes" ? (question.answers[0] ?? null) : null);
}

/** What is open at a table, and who answers it. */
export class HandsFree {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    /** @type {OpenQuestion | null} */
    this.question = null;
    this.voice = new Voice(ctx);
    this.buttons = new LargeButtons(this);
    this.greeted = false;
    ctx.panel.box.addEventListener("close", () => this.update());
  }

  /** Finds, after each drawing of the page, what may be answered now; it is said once. */
  update() {
    const { panel, standing } = this.ctx;
    const { byEar } = device.settings();
    this.sayWatchedThrow();
    this.question = byEar ? questionByEar(this.ctx) : openQuestion(this.ctx);
    this.voice.ask(this.question);
    if (panel.shows(this.buttons)) {
      if (byEar && standing.over) panel.close();
      else panel.draw();
    } else if (byEar && !panel.isOpen() && !standing.over) {
      panel.open(this.buttons);
      this.greet();
    }
  }

  /** Says once where the game stands, before what may be chosen. */
  greet() {
    if (this.greeted) return;
    this.greeted = true;
    this.voice.turn = turnOf(this.ctx); // all of it is told now
    this.voice.hear(this.buttons.standing());
  }

  /** Says a certain throw that the watching camera proposes, before it is confirmed; only once. */
  sayWatchedThrow() {
    const { local, state } = this.ctx;
    const { sure, state: seen, ways } = state.watched ?? {};
    const action = sure && seen === "throw" && ways?.length ? ways[0][ways[0].length - 1] : null;
    if (action?.do !== "throw" || spokenDice(action.dice) === local.saidDice) return;
    local.saidDice = spokenDice(action.dice);
    say(local.saidDice);
  }

  /** Does what an answer to this question says. @param {Answer | null} answer @param {OpenQuestion} question */
  give(answer, question) {
    if (!answer || question.id !== this.question?.id) return null;
    return DOES[answer.does](this, answer.argument, question.version);
  }

  /** @returns {Handlers} */
  handlers() {
    const open = (/** @type {boolean} */ byEar) => {
      device.saveSetting("byEar", byEar);
      this.ctx.panel.open(this.buttons);
      if (byEar) this.greet();
      this.ctx.draw();
    };
    return { "large-buttons": () => open(false), "by-ear": () => open(true) };
  }
}

/** @type {Record<string, (handsFree: HandsFree, argument: any, at: number) => unknown>} */
const DOES = {
  act: ({ ctx }, action, at) => ctx.act(action, { at }),
  discard: ({ ctx }, id) => ctx.discard(id),
  press: (_, element) => element.click(), // a button of the page
  "choose-way": ({ ctx }, way, at) => {
    const id = ctx.state.watched?.id;
    return ctx.attempt(() => ctx.table().change("watch/choose", at, { id, way }), { at });
  },
  "look-again": ({ ctx }) => ctx.command("watch/again", {}),
  "confirm-photo": async ({ ctx }, then) => {
    if (!ctx.local.review || !ctx.panel.shows(ctx.local.review)) await ctx.openReview();
    if (then) return ctx.local.review.confirm(then);
    const button = ctx.panel.place.querySelector('[data-act="review-confirm"]:not([aria-disabled])');
    if (button instanceof HTMLElement) button.click();
    return null;
  },
  next: (handsFree, id) => {
    const { ctx } = handsFree;
    passOver(ctx, id);
    const { watched } = ctx.state;
    if (watched?.runs_s && watched.id === id) hold(ctx, id);
    handsFree.update();
  },
  write: (handsFree) => {
    wantToWrite(handsFree.ctx);
    handsFree.update();
  },
};

/** What is asked and its answers, as large as the screen allows. By ear they have numbers. */
class LargeButtons {
  /** @param {HandsFree} handsFree */
  constructor(handsFree) {
    this.handsFree = handsFree;
    this.pressed = { key: "", at: -Infinity };
    this.listener = new Listener((digit) => this.choose(digit));
    new HeldPress(handsFree.ctx.panel.box, () => handsFree.ctx.panel.shows(this) && this.repeat());
  }

  get kind() {
    return `full afar ${device.settings().byEar ? "by-ear" : ""}`;
  }

  /** The points so far, what is left to throw, and by ear the dice that lie there. */
  standing() {
    const { ctx } = this.handsFree;
    const now = turnOf(ctx);
    const { dice, points, throw: thrown } = ctx.standing.turn;
    return joinSentences([
      device.settings().byEar ? spokenDice(dice ?? thrown) : "",
      points ? `${number(points)} ${t("this turn")}` : "",
      turnWords({ who: now.who, scores: "", expects: 0, throws: 0 }, now),
    ]);
  }

  content() {
    const { ctx, question } = this.handsFree;
    const { watched } = ctx.state;
    const { byEar } = device.settings();
    return html`${panelHead(turnOf(ctx).who)}
      <p class="left">${this.standing()}</p>
      ${watched && html`<p class="soft state">${icon("look")} <span>${cameraWord(watched)}</span></p>`}
      ${question?.words &&
      html`<p class="question" ${!this.handsFree.voice.isOn() && html`role="alert"`}>${question.words}</p>`}
      ${question
        ? html`<div class="answers">
            ${question.answers.map(({ kind, words }, i) =>
              button(
                `button ${kind === PHOTO || (!byEar && !i) ? "primary" : ""}`,
                "answer",
                html`<span>${byEar || kind === "choice" ? `${kind === PHOTO ? 0 : i + 1}: ` : ""}${words}</span>`,
                { arg: [question.id, i], key: `${question.id} ${i}` },
              ),
            )}
          </div>`
        : html`<p class="soft">${t("Nothing is asked now.")}</p>`}
      ${byEar && this.listener.control()}
      <p class="hint">
        ${byEar
          ? t("A digit chooses, 0 is the photo. A long press says all of it again.")
          : t("Keys of a remote: Page Down or Volume up is yes, Page Up or Volume down no; 1, 2 and 3 choose a cell.")}
      </p>`;
  }

  /** Says again where the game stands and what may be chosen. */
  repeat() {
    const { question, voice } = this.handsFree;
    const text = joinSentences([turnOf(this.handsFree.ctx).who, this.standing(), question?.spoken ?? ""]);
    if (voice.isOn()) voice.say(text);
    else say(text);
  }

  /** Whoever closes it goes on by sight; the end of the game, and what opens over it, do not close it for good. */
  closed() {
    const { panel, standing } = this.handsFree.ctx;
    if (!panel.isOpen() && !standing.over) device.saveSetting("byEar", false);
  }

  /** @param {number} digit */
  choose(digit) {
    const { question } = this.handsFree;
    const answer = answerOfNumber(question, digit);
    if (answer && question) this.handsFree.give(answer, question);
    else this.repeat();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { question } = this.handsFree;
    if (event.key === " " && targetOf(event).matches("button")) return false; // the browser presses it
    const answer = answerOfKey(question, event);
    if (!answer) return event.key in KEYS && event.key !== "Enter";
    const isDouble = event.key === this.pressed.key && event.timeStamp - this.pressed.at < DOUBLE_MS;
    this.pressed = { key: event.key, at: event.timeStamp };
    if (!isDouble && question) this.handsFree.give(answer, question);
    return true;
  }

  /** @type {Handlers} */
  handlers = {
    // The second tap of a double tap was meant for the button that stood here.
    answer: ([id, i], _, { detail }) => {
      const { question } = this.handsFree;
      return (
        detail < 2 && question !== null && question.id === id && this.handsFree.give(question.answers[i], question)
      );
    },
    listen: () => this.listener.listen(),
  };
}
