// Which games a person looks for, by words and by the number of dice at hand.

// Letters that Unicode does not take apart.
/** @type {Record<string, string>} */
const ALONE = { ł: "l", ø: "o", æ: "ae", ß: "ss", đ: "d" };

/** A text without accents, capitals and signs, as people type it on a phone. */
export const foldWords = (/** @type {string} */ text) =>
  text
    .toLowerCase()
    .replace(/[łøæßđ]/g, (letter) => ALONE[letter])
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether `text` has a word that begins with each word of `query`, in any order.
 * @param {string} text @param {string} query */
export function hasWords(text, query) {
  const words = foldWords(text).split(" ");
  const wanted = foldWords(query).split(" ");
  return wanted.every((part) => words.some((word) => word.startsWith(part)));
}

const FORGIVEN_FROM = 4; // letters; in shorter words one wrong letter means another word

/** As `hasWords`, but one letter of each longer word may be wrong, missing, or too many.
 * @param {string} text @param {string} query */
export function nearlyHasWords(text, query) {
  const words = foldWords(text).split(" ");
  return foldWords(query)
    .split(" ")
    .every((part) =>
      words.some((word) => word.startsWith(part) || (part.length >= FORGIVEN_FROM && beginsNearly(word, part))),
    );
}

/** Whether `word` begins with `part` once one letter of `part` is replaced, left out or added.
 * @param {string} word @param {string} part */
function beginsNearly(word, part) {
  let at = 0;
  while (at < part.length && word[at] === part[at]) at += 1;
  const rest = word.slice(at);
  return (
    rest.slice(1).startsWith(part.slice(at + 1)) || // another letter
    rest.startsWith(part.slice(at + 1)) || // one too many
    rest.slice(1).startsWith(part.slice(at)) // one missing
  );
}

/** Whether a game with `dice` dice can be played with `owned` of them; 0: any number.
 * @type {(dice: number, owned: number) => boolean} */
export const hasDice = (dice, owned) => !owned || dice <= owned;
