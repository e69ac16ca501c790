// Answers from afar: by large buttons, by the keys of a remote. All do what a tap on the page would do.

import { button } from "../shared/buttons.js";
import { dieOfKey, html, targetOf } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { panelHead } from "../dialogs/panel.js";
import { cameraWord } from "../shared/live.js";
import { t } from "../shared/text.js";
import { answerOf, openQuestion, passOver, wantToWrite } from "./questions.js";
import { turnOf, turnWords } from "./spoken.js";
import { Voice } from "./voice.js";

const DOUBLE_MS = 400; // between two presses that were meant as one
const NOTHING_YET = { who: "", points: 0, expects: 0, throws: 0 };

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
/** @type {AnswerKind[]} */
const NUMBERS = ["one", "two", "three"];

/** The answer of a key. Yes takes the first answer where nothing is asked by yes and no, as the best cell. */
export function answerOfKey(question, event) {
  const kind = KEYS[event.key] ?? NUMBERS[dieOfKey(event) - 1];
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
  }

  /**
   * @param {RecentLine[]} since
   * @param {string} done
   */
  takeState(since, done) {
    this.voice.takeState(since, done);
  }

  /** Finds, after each drawing of the page, what may be answered now; it is said once. */
  update() {
    this.question = openQuestion(this.ctx);
    this.voice.speak(this.question);
    if (this.ctx.panel.shows(this.buttons)) this.ctx.panel.draw();
  }

  /**
   * Does what an answer to this question says.
   * @param {Answer | null} answer
   * @param {OpenQuestion} question
   */
  give(answer, question) {
    if (!answer || question.id !== this.question?.id) return null;
    return DOES[answer.does](this, answer.argument, question.version);
  }

  /** @returns {Handlers} */
  handlers() {
    return { "large-buttons": () => this.ctx.panel.open(this.buttons) };
  }
}

/** @type {Record<string, (handsFree: HandsFree, argument: any, at: number) => unknown>} */
const DOES = {
  act: ({ ctx }, action, at) => ctx.act(action, { at }),
  "choose-way": ({ ctx }, way, at) => {
    const { id } = ctx.state.watched;
    return ctx.attempt(() => ctx.table().chooseWay(at, id, way), { at });
  },
  "look-again": ({ ctx }) => ctx.attempt(() => ctx.table().command("watch/again", {})),
  "confirm-photo": ({ ctx }) => {
    if (!ctx.local.review || !ctx.panel.shows(ctx.local.review)) ctx.openReview();
    const button = ctx.panel.place.querySelector('[data-act="review-confirm"]:not([aria-disabled])');
    if (button instanceof HTMLElement) button.click();
  },
  next: (handsFree, id) => {
    const { ctx } = handsFree;
    passOver(ctx, id);
    const { watched } = ctx.state;
    if (watched?.runs_s && watched.id === id)
      ctx
        .table()
        .command("watch/hold", { id })
        .catch(() => {}); // it may have been done meanwhile
    handsFree.update();
  },
  write: (handsFree) => {
    wantToWrite(handsFree.ctx);
    handsFree.update();
  },
};

/** What is asked and its answers, as large as the screen allows. */
class LargeButtons {
  kind = "full afar";

  /** @param {HandsFree} handsFree */
  constructor(handsFree) {
    this.handsFree = handsFree;
    this.pressed = -Infinity;
  }

  content() {
    const { ctx, question } = this.handsFree;
    const { watched } = ctx.state;
    const now = turnOf(ctx);
    const left = turnWords({ ...NOTHING_YET, who: now.who }, now);
    return html`${panelHead(now.who)}
      <p class="left">${left}</p>
      ${watched && html`<p class="soft state">${icon("look")} <span>${cameraWord(watched)}</span></p>`}
      ${question?.words && html`<p class="question" role="alert">${question.words}</p>`}
      ${question
        ? html`<div class="answers">
            ${question.answers.map(({ words }, i) =>
              button(`button ${i ? "" : "primary"}`, "answer", html`<span>${words}</span>`, {
                arg: [question.id, i],
                key: `${question.id} ${i}`,
              }),
            )}
          </div>`
        : html`<p class="soft">${t("Nothing is asked now.")}</p>`}
      <p class="hint">
        ${t("Keys of a remote: Page Down or Volume up is yes, Page Up or Volume down is no; 1, 2 and 3 choose a cell.")}
      </p>`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { question } = this.handsFree;
    if (event.key === " " && targetOf(event).matches("button")) return false; // the browser presses it
    const answer = answerOfKey(question, event);
    if (!answer) return event.key in KEYS && event.key !== "Enter";
    const isDouble = event.timeStamp - this.pressed < DOUBLE_MS;
    this.pressed = event.timeStamp;
    if (!isDouble) this.handsFree.give(answer, question);
    return true;
  }

  handlers = {
    // The second tap of a double tap was meant for the button that stood here.
    answer: ([id, i], _, { detail }) => {
      const { question } = this.handsFree;
      return detail < 2 && question?.id === id && this.handsFree.give(question.answers[i], question);
    },
  };
}
