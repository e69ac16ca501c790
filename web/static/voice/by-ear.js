// Played by ear: the choices of the page with numbers, a number that is spoken, a press that is held.

import { say } from "../shared/announcer.js";
import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { mayActNow, spokenDice } from "../shared/sentences.js";
import { number, plus, t, voiceTag } from "../shared/text.js";
import { afterwards, cellInWords, mustWrite, rankedCells, shutWords, writeAction } from "../sheets/offers.js";
import { openQuestion } from "./questions.js";
import { joinSentences } from "./spoken.js";

export const PHOTO = "photo"; // the kind of the answer that takes one
const SENSIBLE = 3; // choices that a photo is confirmed with
const MOST = 8; // choices with a number of their own; 9 tells the others
const HELD_MS = 600;
// What is chosen on the page itself: its own buttons know what the rules allow.
const CHOICES = ".choices .choice, .table-dice [data-act='keep-toggle'], .on-its-way button, .notice button[data-act]";
const UNDER_WAY = ".on-its-way [role=status], .notice.reading[role=status] p, .notice[role=alert] p";

/** The words of a part of the page, as a screen reader says them. @param {Node} node @returns {string} */
function nameOf(node) {
  if (!(node instanceof Element)) return node.textContent ?? "";
  if (node.getAttribute("aria-hidden") === "true") return "";
  const words = node.getAttribute("aria-label") ?? [...node.childNodes].map(nameOf).join(" ");
  return words.replace(/\s+/g, " ").trim();
}

/** An answer that presses a button of the page; null if it cannot be pressed now.
 * @param {Element | null} element @param {AnswerKind} kind @returns {Answer | null} */
function pressing(element, kind = "choice") {
  if (!element || element.getAttribute("aria-disabled") === "true") return null;
  const kept = element.getAttribute("aria-pressed") === "true" ? ` (${t("kept")})` : "";
  const pressed = element instanceof HTMLLabelElement ? element.control : element;
  return { kind, words: nameOf(element) + kept, does: "press", argument: pressed };
}

/**
 * The answer that confirms a photo: where the rules allow several things with its dice, one for each of the best,
 * which does it too, and one for the throw alone.
 * @param {Page} ctx @param {Answer} answer @returns {Answer[]}
 */
function withChoices(ctx, answer) {
  const would = ctx.state.pending?.would;
  if (answer.does !== "confirm-photo" || !would) return [answer];
  const after = { ...ctx, standing: { ...ctx.standing, ...would } };
  /** @type {[string, Action[]][]} */
  const sets = would.choices.map(({ actions, points, dice_left: left }) => {
    const [{ tiles }] = /** @type {any[]} */ (actions);
    if (tiles) return [shutWords(tiles), actions];
    const banks = actions.some((each) => each.do === "bank");
    const dice = spokenDice(actions.flatMap((each) => each.dice ?? []));
    const words = banks ? t("Bank {points}", { points: number(points) }) : t("Set aside");
    return [banks ? words : `${words} ${dice}, ${plus(points)}, ${afterwards(left)}`, actions];
  });
  /** @type {[string, Action[]][]} */
  const cells = rankedCells(after, mustWrite(after)).map((entry) => [cellInWords(after, entry), [writeAction(entry)]]);
  /** @type {Answer[]} */
  const choices = [...sets, ...cells]
    .slice(0, SENSIBLE)
    .map(([words, argument]) => ({ kind: "choice", words, does: "confirm-photo", argument }));
  return choices.length ? [...choices, { ...answer, words: t("Only the throw") }] : [answer];
}

/** Of many choices those that are told now, and the one that tells the others.
 * @param {Answer[]} answers @param {Record<string, any>} local @param {string} of @returns {Answer[]} */
function partOf(answers, local, of) {
  if (answers.length <= MOST + 1) return answers;
  const passed = local.askedBefore?.id === of ? local.askedBefore.passed : 0;
  const first = (passed % Math.ceil(answers.length / MOST)) * MOST;
  const part = answers.slice(first, first + MOST);
  return [...part, { kind: "no", words: t("Others"), does: "next", argument: of }];
}

/**
 * What may be answered now, each answer with its number: the open question, or the choices of the page; after them the
 * dice by hand, and the photo.
 * @param {Page} ctx @returns {OpenQuestion | null}
 */
export function questionByEar(ctx) {
  const { local, state, standing } = ctx;
  const page = document.getElementById("table");
  if (!page || standing.over || state.closed || !mayActNow(ctx)) return null;
  const asked = openQuestion(ctx);
  const back = /** @type {Answer} */ ({ kind: "no", words: t("Back"), does: "write" });
  const isFree = !asked || asked.id.startsWith("offer ");
  const choices = isFree ? [...page.querySelectorAll(CHOICES)].map((one) => pressing(one)) : [];
  if (asked?.id.startsWith("cells ") && !mustWrite(ctx)) choices.push(back);
  const byHand = pressing(page.querySelector("nav [data-act='pad']"));
  const photo = page.querySelector(".reading, .on-its-way") ? null : page.querySelector(".photograph");
  const kept = ctx.markedDice();
  const of = `ear ${state.version} ${asked?.id ?? ""}`;
  const told = [
    ...(isFree ? choices : []),
    ...(asked?.answers ?? []).flatMap((each) => withChoices(ctx, each)),
    ...(isFree ? [] : choices),
    byHand,
  ].filter((answer) => answer !== null);
  const answers = [...partOf(told, local, of), ...[pressing(photo, PHOTO)].filter((answer) => answer !== null)];
  const numbered = answers.map(({ kind, words }, i) => `${kind === PHOTO ? 0 : i + 1}: ${words}`);
  const underWay = nameOf(page.querySelector(UNDER_WAY) ?? document.createTextNode(""));
  const words = joinSentences([underWay, asked?.words ?? ""]);
  return {
    id: `${of} ${words} ${numbered.join()}`,
    version: state.version,
    words,
    spoken: joinSentences([words, ...numbered]),
    changed:
      isFree && !words && kept?.length
        ? joinSentences([`${t("Kept:")} ${spokenDice(kept)}`, ...numbered.filter((one) => one.startsWith("0: "))])
        : "",
    answers,
  };
}

/** Hears a number that somebody says, where the browser can. */
export class Listener {
  /** @param {(digit: number) => void} heard */
  constructor(heard) {
    this.heard = heard;
    const found = /** @type {any} */ (window);
    this.Recognition = found.SpeechRecognition ?? found.webkitSpeechRecognition ?? null;
  }

  control() {
    return this.Recognition
      ? button("button", "listen", t("Say a number"), { key: "listen" })
      : html`<p class="hint">${t("This browser does not listen.")}</p>`;
  }

  listen() {
    const hearing = new this.Recognition();
    Object.assign(hearing, { lang: voiceTag(), maxAlternatives: 5 });
    hearing.onresult = (/** @type {any} */ { results: [found] }) => {
      const digit = [...found].map(({ transcript }) => digitIn(transcript)).find((one) => one !== null);
      this.heard(digit ?? NaN);
    };
    hearing.onerror = () => say(t("This browser does not listen."));
    window.speechSynthesis?.cancel(); // it would hear itself
    hearing.start();
  }
}

/** The number that was said alone, as a digit or a word; null for anything else. @param {string} said */
export function digitIn(said) {
  const word = said
    .trim()
    .toLowerCase()
    .replace(/[.!?]$/, "");
  if (/^\d$/.test(word)) return Number(word);
  const words = t("zero one two three four five six seven eight nine").split(" ");
  const found = words.findIndex((each) => each.split("/").includes(word));
  return found < 0 ? null : found;
}

/** A press that is held does this, and nothing else. */
export class HeldPress {
  /** @param {HTMLElement} place @param {() => void} act */
  constructor(place, act) {
    let timer = 0;
    let held = false;
    place.addEventListener("pointerdown", () => {
      held = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        held = true;
        act();
      }, HELD_MS);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      place.addEventListener(end, () => clearTimeout(timer));
    place.addEventListener(
      "click",
      (event) => {
        if (held && event.detail) {
          event.preventDefault();
          event.stopPropagation();
        }
        held = false;
      },
      true,
    );
  }
}
