// Hears answers, with the browser's own recognition of speech: while something may be answered and nothing is said.

import * as device from "../shared/device.js";
import { t } from "../shared/text.js";
import { answerIn } from "./answer-words.js";
import { languageTag } from "./spoken.js";

const PAUSE_MS = 300; // before it listens on
const SPEAKING_MS = 500; // until it looks again whether the phone still speaks, should the browser not say so
const GUESSES = 3; // of what was said, from the browser
const MOST_VAIN = 5; // times that a browser ends without a word or a reason

// After these errors it listens no more until it is switched on again. After others, with the next question.
const FINAL = ["not-allowed", "service-not-allowed", "language-not-supported"];

const refused = () => t("The microphone may not be used here. Answers by voice are switched off.");
const SENTENCES = {
  "not-allowed": refused,
  "service-not-allowed": refused,
  "language-not-supported": () =>
    t("This browser does not recognise speech in this language. Answers by voice are switched off."),
  network: () => t("No speech was recognised: this browser needs the internet for it."),
  "audio-capture": () => t("No microphone was found."),
  "no-speech": () => t("No answer was heard. Tap it, or answer the next question aloud."),
};

/** @type {any} */
const recognition = () => window["SpeechRecognition"] ?? window["webkitSpeechRecognition"];

/**
 * Whether this browser recognises this language on the phone itself, so that no sound leaves it.
 * @param {string} language
 */
export async function isRecognisedHere(language) {
  try {
    const options = { langs: [languageTag(language)], processLocally: true };
    return (await recognition().available(options)) === "available";
  } catch {
    return false; // older browsers do not tell
  }
}

export class Listener {
  /**
   * @param {Page} ctx
   * @param {() => boolean} isSpeaking  whether this phone speaks
   * @param {(kind: AnswerKind, question: OpenQuestion) => void} heard  called with an answer to this question
   * @param {() => void} changed  called when it begins or ends to listen
   */
  constructor(ctx, isSpeaking, heard, changed) {
    this.ctx = ctx;
    this.isSpeaking = isSpeaking;
    this.heard = heard;
    this.changed = changed;
    /** @type {OpenQuestion | null} */
    this.question = null;
    /** @type {any} */
    this.session = null; // of the browser's recognition
    this.given = ""; // the id of the question of which it heard nothing
    this.vain = 0;
    this.told = new Set(); // errors that were told
    this.timer = 0;
    document.addEventListener("visibilitychange", () => this.update(this.question));
  }

  isOn() {
    return device.canListen() && device.settings().listen;
  }

  isListening() {
    return this.session !== null;
  }

  /** Switches it on or off, at a tap: the browser may ask for the microphone now. */
  switchTo(on) {
    device.saveSetting("listen", on);
    this.told.clear();
    this.given = "";
    if (on && !this.session) this.begin();
    else this.update(this.question);
  }

  /**
   * Listens, or stops, as the open question needs it.
   * @param {OpenQuestion | null} question
   */
  update(question) {
    if (question?.id !== this.question?.id) this.vain = 0;
    this.question = question;
    clearTimeout(this.timer);
    const wanted = this.isOn() && question !== null && question.id !== this.given && !document.hidden;
    if (!wanted || this.isSpeaking()) {
      this.session?.abort();
      if (wanted) this.timer = setTimeout(() => this.update(this.question), SPEAKING_MS);
    } else if (!this.session) this.begin();
  }

  begin() {
    const session = new (recognition())();
    /** @type {string | null} */
    let asked = null; // the question when somebody began to speak
    session.lang = languageTag(this.ctx.setup.language);
    session.maxAlternatives = GUESSES;
    if (this.ctx.local.recognisedHere) session.processLocally = true;
    session.onstart = () => this.update(this.question); // it may be needed no longer
    session.onspeechstart = () => {
      asked = this.question?.id ?? "";
    };
    session.onresult = (event) => this.takeResult(event, asked);
    session.onerror = ({ error }) => this.takeError(error);
    session.onend = () => {
      this.session = null;
      this.changed();
      this.vain += 1;
      if (this.vain >= MOST_VAIN && this.question) this.given = this.question.id;
      this.timer = setTimeout(() => this.update(this.question), PAUSE_MS);
    };
    this.session = session;
    try {
      session.start();
      this.changed();
    } catch {
      this.session = null; // another page of this browser listens
    }
  }

  /** What was said to an older question, or while the phone spoke, answers nothing. */
  takeResult({ results }, asked) {
    const { question } = this;
    const last = results[results.length - 1];
    if (!last?.isFinal || !question || this.isSpeaking() || (asked !== null && asked !== question.id)) return;
    this.vain = 0;
    const kind = answerIn(
      this.ctx.setup.language,
      Array.from(last, ({ transcript }) => transcript),
    );
    if (kind) this.heard(kind, question);
  }

  /** Tells each error once. */
  takeError(error) {
    if (error === "aborted") {
      this.vain = 0;
      return;
    }
    if (this.question) this.given = this.question.id;
    if (FINAL.includes(error)) device.saveSetting("listen", false);
    this.changed();
    if (this.told.has(error)) return;
    this.told.add(error);
    this.ctx.toast((SENTENCES[error] ?? SENTENCES["network"])());
  }
}
