import assert from "node:assert/strict";
import { test } from "node:test";

import { foldWords, hasDice, hasWords, nearlyHasWords } from "../../web/static/pages/game-search.js";

test("a text is folded as people type it", () => {
  assert.equal(foldWords("Kości, żart – Große Hausnummer"), "kosci zart grosse hausnummer");
  assert.equal(foldWords("  Drápky  "), "drapky");
  assert.equal(foldWords("high-house-number"), "high house number");
});

test("each word of a query begins a word of the text, in any order", () => {
  const text = "Kości with jokers Kości z dżokerem kosci One column; a further general is a joker.";
  for (const query of ["kosci", "KOŚCI", "dzok", "general kos", "", "  ", "joker."])
    assert.ok(hasWords(text, query), query);
  for (const query of ["osci", "kosci pig", "x"]) assert.ok(!hasWords(text, query), query);
});

test("one wrong letter of a word is forgiven", () => {
  const text = "Yahtzee Yatzy Kości z dżokerem";
  for (const query of ["yatzee", "jatzy", "yahtze"]) assert.ok(nearlyHasWords(text, query), query);
  for (const query of ["kosvi", "koscci", "kosi", "yahtzee dzokrem"]) assert.ok(nearlyHasWords(text, query), query);
  for (const query of ["pig", "kxx", "yaxxee", "oka"]) assert.ok(!nearlyHasWords(text, query), query);
});

test("a game needs at most the dice that are there", () => {
  assert.ok(hasDice(5, 5) && hasDice(5, 6) && hasDice(12, 0));
  assert.ok(!hasDice(6, 5));
});
