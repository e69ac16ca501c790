// What the tests of the scripts share: a page's context, texts in a language, and the little of a browser that a module needs.

import { keyOf, loadTexts } from "../../web/static/shared/text.js";

Object.defineProperty(globalThis, "navigator", { configurable: true, writable: true, value: { languages: [] } });

const THIN = "\u202f";
// As `script_texts` has them (tests/web/texts/test_languages.py).
const LANGUAGES = {
  cs: { numbers: { forms: { one: 0, few: 1, other: 2 }, thousands: THIN }, voice: "cs-CZ" },
  de: { numbers: { forms: { one: 0, other: 1 }, thousands: "." }, voice: "de-DE" },
  pl: { numbers: { forms: { one: 0, few: 1, many: 2 }, thousands: THIN }, voice: "pl-PL" },
  en: { numbers: { forms: { one: 0, other: 1 }, thousands: "," }, voice: "en-GB" },
};

/** Has the scripts speak this language, with these texts of its catalogue. */
export function speak(language, texts = {}, reasons = {}) {
  const sent = { texts: keyed(texts), reasons, ...LANGUAGES[language] };
  return loadTexts(language, `data:application/json,${encodeURIComponent(JSON.stringify(sent))}`);
}

/** Texts as the server sends them. */
const keyed = (texts) => Object.fromEntries(Object.entries(texts).map(([text, said]) => [keyOf(text), said]));

/** The context of a page on which Ada and Bob play; `standing`, `state` and `more` replace its parts. */
export function pageOf({ standing = {}, state = {}, ...more } = {}) {
  const players = ["Ada", "Bob"].map((name) => ({ name, score: 0, turns: [], place: 1 }));
  const whole = { events: [], legal: [], options: {}, order: [0, 1], over: false, players, to_act: [0], winners: [] };
  const all = { ...whole, turn: { expects: 0, throw: [], dice: [] }, ...standing };
  return {
    setup: {
      key: "k",
      base: "/tables/k",
      device: "Ada's phone",
      sentences: { actions: {}, adjustments: {}, events: {}, titles: {} },
    },
    local: { sheet: {} },
    state: {
      version: 5,
      steps: 4,
      recent: [],
      settings: { advice: "off", dice_set: "", keeps_pictures: false },
      pending: null,
      last_move: null,
      came_with: [],
      standing: all,
      ...state,
    },
    standing: all,
    playsFor: null,
    shownPlayer: null,
    idle: "",
    mayAct: () => true,
    markedDice: () => null,
    name: (player) => all.players[player]?.name ?? "–",
    drawn: 0,
    draw() {
      this.drawn += 1;
    },
    ...more,
  };
}

/** A line of the log. */
export const line = (seq, kind = "do", body = {}, request = `r${seq}`) => ({
  seq,
  kind,
  body,
  request,
  device: "Computer",
  at: "2026-11-25T10:00:00Z",
});

/** What people read of a piece of HTML, without tags, its blanks as one. */
export const textOf = (content) =>
  String(content)
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/[ \n]+/g, " ")
    .trim();

/** Storage as a browser has it. */
export function storage() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, String(text)),
  };
}

/** A page with a panel, whose table answers what a test says; `asked` holds its questions. */
export function dialogPage(more = {}) {
  const asked = [];
  const question =
    (name) =>
    (...given) =>
      new Promise((answer, fail) => asked.push({ name, given, answer, fail }));
  const names = ["history", "get", "post", "change", "discard", "poll", "sendUntilAnswered"];
  const table = Object.fromEntries(names.map((name) => [name, question(name)]));
  const panel = {
    dialog: null,
    text: "",
    place: { querySelector: () => null },
    open(dialog) {
      panel.dialog = dialog;
      panel.draw();
    },
    draw() {
      if (panel.dialog) panel.text = textOf(panel.dialog.content());
    },
    shows: (dialog) => panel.dialog === dialog,
    async unlessLeft(asked) {
      const { dialog } = panel;
      const found = await asked;
      return panel.dialog === dialog ? found : null;
    },
    close() {
      panel.dialog = null;
    },
  };
  const page = pageOf({
    ...more,
    panel,
    table: () => table,
    said: [],
    acts: [],
    toast: (text) => page.said.push(text),
    act: async (action, details) => page.acts.push({ action, ...details }) > 0,
    attempt: async (what) => {
      await what();
      return true;
    },
  });
  page.setup.sentences.actions = { throw: { done: [{ text: "threw" }] } };
  return { page, panel, asked };
}
