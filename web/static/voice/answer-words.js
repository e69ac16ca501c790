// The words that answer by voice, in each language; the first of each kind is the one that people are told.

/** @type {Record<string, Record<AnswerKind, string[]>>} */
const WORDS = {
  en: {
    yes: ["yes", "yeah", "yep", "right", "correct", "that's right"],
    no: ["no", "nope", "wrong"],
    bank: ["bank", "bank it", "write", "write it"],
    pass: ["pass"],
    again: ["look again"],
    one: ["one", "1", "number one", "the first"],
    two: ["two", "2", "number two", "the second"],
    three: ["three", "3", "number three", "the third"],
  },
  cs: {
    yes: ["ano", "jo", "správně", "přesně"],
    no: ["ne", "není", "špatně"],
    bank: ["zapsat", "zapiš", "zapisuji", "zapisuju", "píšu"],
    pass: ["vynechat", "pas"],
    again: ["znovu"],
    one: ["jedna", "1", "jednička", "první"],
    two: ["dva", "2", "dvě", "dvojka", "druhá", "druhé"],
    three: ["tři", "3", "trojka", "třetí"],
  },
  pl: {
    yes: ["tak", "dobrze"],
    no: ["nie", "źle"],
    bank: ["zapisz", "zapisuję", "zapisać", "wpisz"],
    pass: ["pas", "pasuję"],
    again: ["ponownie"],
    one: ["jeden", "1", "jedynka", "pierwsza", "pierwsze"],
    two: ["dwa", "2", "dwójka", "druga", "drugie"],
    three: ["trzy", "3", "trójka", "trzecia", "trzecie"],
  },
};

const plain = (text) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]/gu, " ")
    .trim()
    .replace(/ +/g, " ");

/** Whether a text is this phrase, said once or several times. */
const isSaid = (text, phrase) => text === phrase || text.split(`${phrase} `).join("") === phrase;

/**
 * What somebody answered; null for anything else that is said at a table: only a whole utterance is an answer.
 * @param {string} language
 * @param {string[]} heard  what the browser may have heard, the likeliest first
 * @returns {AnswerKind | null}
 */
export function answerIn(language, heard) {
  const known = /** @type {[AnswerKind, string[]][]} */ (Object.entries(WORDS[language] ?? WORDS.en));
  for (const text of heard.map(plain)) {
    const found = known.find(([, phrases]) => phrases.some((phrase) => isSaid(text, phrase)));
    if (found) return found[0];
  }
  return null;
}
