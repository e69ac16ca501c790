// Which games a person looks for, by words and by the number of dice at hand.

// Letters that Unicode does not take apart.
const ALONE = { ł: "l", ø: "o", æ: "ae", ß: "ss", đ: "d" };

/** A text without accents, capitals and signs, as people type it on a phone. */
export const foldWords = (text) =>
  text
    .toLowerCase()
    .replace(/[łøæßđ]/g, (letter) => ALONE[letter])
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * Whether `text` has a word that begins with each word of `query`, in any order.
 * @param {string} text
 * @param {string} query
 */
export function hasWords(text, query) {
  const words = foldWords(text).split(" ");
  const wanted = foldWords(query).split(" ");
  return wanted.every((part) => words.some((word) => word.startsWith(part)));
}

/** Whether a game with `dice` dice can be played with `owned` of them; 0: any number. */
export const hasDice = (dice, owned) => !owned || dice <= owned;
