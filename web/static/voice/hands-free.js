// Answers from afar: by voice, by large buttons, by the keys of a remote. All do what a tap on the page would do.

import { dieOfKey, html, json, targetOf } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { panelHead } from "../dialogs/panel.js";
import * as review from "../dialogs/review.js";
import { cameraWord } from "../shared/live.js";
import { t } from "../shared/text.js";
import { isRecognisedHere, Listener } from "./listener.js";
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
    this.voice = new Voice(ctx, () => this.listener.update(this.question));
    this.listener = new Listener(
      ctx,
      () => this.voice.isSpeaking(),
      (kind, question) => this.give(answerOf(question, kind), question),
      () => this.redraw(),
    );
    this.buttons = new LargeButtons(this);
    this.byVoice = new AnswersByVoice(this);
    if (this.listener.isOn()) this.findRecogniser();
  }

  /** Learns where speech is recognised. Browsers that are asked may load something: only who wants it asks. */
  async findRecogniser() {
    const { ctx } = this;
    ctx.local.recognisedHere = await isRecognisedHere(ctx.setup.language);
    this.redraw();
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
    this.listener.update(this.question);
    this.redraw();
  }

  redraw() {
    const { panel } = this.ctx;
    if (panel.shows(this.buttons) || panel.shows(this.byVoice)) panel.draw();
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
    const { ctx } = this;
    return {
      "large-buttons": () => ctx.panel.open(this.buttons),
      "answer-by-voice": () => {
        ctx.panel.open(this.byVoice);
        return this.findRecogniser();
      },
    };
  }
}

/** @type {Record<string, (handsFree: HandsFree, argument: any, at: number) => unknown>} */
const DOES = {
  act: ({ ctx }, action, at) => ctx.act(action, { at }),
  "choose-way": ({ ctx }, way, at) => {
    const { id } = ctx.state.watched;
    return ctx.attempt(() => ctx.table().chooseWay(at, id, way), { at });
  },
  "look-again": ({ ctx }) => ctx.attempt(() => ctx.table().tellCamera("watch/again", {})),
  "confirm-photo": ({ ctx }) => {
    if (!ctx.local.review || !ctx.panel.shows(ctx.local.review)) review.open(ctx);
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
        .tellCamera("watch/hold", { id })
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
    const { ctx, question, listener } = this.handsFree;
    const { watched } = ctx.state;
    const now = turnOf(ctx);
    const left = turnWords({ ...NOTHING_YET, who: now.who }, now);
    return html`${panelHead(now.who)}
      <p class="left">${left}</p>
      ${watched ? html`<p class="soft state">${icon("look")} <span>${cameraWord(watched)}</span></p>` : ""}
      ${listener.isListening() ? html`<p class="soft state" role="status">${icon("mic")} ${t("Listening …")}</p>` : ""}
      ${question?.words ? html`<p class="question" role="alert">${question.words}</p>` : ""}
      ${question
        ? html`<div class="answers">
            ${question.answers.map(
              ({ words }, i) =>
                html`<button
                  type="button"
                  class="button ${i ? "" : "primary"}"
                  data-key="${question.id} ${i}"
                  data-act="answer"
                  data-arg="${json([question.id, i])}"
                >
                  <span>${words}</span>
                </button>`,
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

/** Switches answers by voice on, and says where the sound goes. */
class AnswersByVoice {
  /** @param {HandsFree} handsFree */
  constructor(handsFree) {
    this.handsFree = handsFree;
  }

  content() {
    const { ctx, listener } = this.handsFree;
    return html`${panelHead(t("Answer by voice"))}
      <label class="check"
        ><input type="checkbox" data-act="listen" ${listener.isOn() ? html`checked` : ""} />
        <span>${t("Listen while something may be answered")}</span></label
      >
      <p>
        ${ctx.local.recognisedHere
          ? t("This browser recognises speech on this phone: the sound does not leave it.")
          : html`${t("The browser may send the sound to the company that makes it, which recognises the words.")}
            ${t("Without the internet it may not work.")}`}
      </p>
      <p>${t("The computer of this table never gets the sound.")}</p>
      <p>${t("Say “yes”, “no” or “bank”, and for a cell “one”, “two” or “three”. Words never enter dice.")}</p>
      <p class="hint">${t("While this phone speaks it does not listen.")}</p>`;
  }

  handlers = {
    listen: (_, box) => this.handsFree.listener.switchTo(box.checked),
  };
}
