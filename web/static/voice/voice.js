// Says aloud what is said on the page, and what may be answered, with the browser's own voices, if this phone's
// settings ask for it.

import { say, speakBy } from "../shared/announcer.js";
import * as device from "../shared/device.js";
import { voiceTag } from "../shared/text.js";
import { joinSentences, turnOf, turnWords } from "./spoken.js";

export class Voice {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.turn = turnOf(ctx);
    this.asked = { id: "", version: -1 }; // the question that was said last
    /** @type {string[]} */
    this.unsaid = [];
    /** @type {OpenQuestion | null} */
    this.question = null;
    this.waits = false;
    speakBy(this);
  }

  isOn() {
    const { voice, byEar } = device.settings();
    return device.canSpeak() && (voice || byEar);
  }

  /** @param {string} text */
  hear(text) {
    this.unsaid.push(text);
    this.speakSoon();
  }

  /** Says the open question once. @param {OpenQuestion | null} question */
  ask(question) {
    this.question = question;
    this.speakSoon();
  }

  /** Words of one state make one text: newer ones end what is being said. */
  speakSoon() {
    if (this.waits) return;
    this.waits = true;
    queueMicrotask(() => {
      this.waits = false;
      this.speak();
    });
  }

  speak() {
    const { question, turn } = this;
    this.turn = turnOf(this.ctx);
    const asked = this.asked.id === question?.id ? "" : this.toAsk(question);
    const text = joinSentences([...this.unsaid, turnWords(turn, this.turn), asked]);
    this.asked = { id: question?.id ?? "", version: question?.version ?? -1 };
    this.unsaid = [];
    if (text && this.isOn()) this.say(text);
    else if (asked && device.settings().byEar) say(asked); // a screen reader must
  }

  /** @param {OpenQuestion | null} question */
  toAsk(question) {
    return (question?.version === this.asked.version && question?.changed) || question?.spoken;
  }

  /** @param {string} text */
  say(text) {
    speechSynthesis.cancel(); // words about an older state help nobody
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = voiceTag();
    speechSynthesis.speak(utterance);
  }
}
