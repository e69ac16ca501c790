import assert from "node:assert/strict";
import { test } from "node:test";
import * as text from "../../web/static/shared/text.js";
import { speak } from "./page.mjs";

const POINTS = ["{count} point", "{count} points"];
const FORMS = {
  en: {},
  cs: { [POINTS[0]]: ["{count} bod", "{count} body", "{count} bodů"] },
  de: { [POINTS[0]]: ["{count} Punkt", "{count} Punkte"] },
  pl: { [POINTS[0]]: ["{count} punkt", "{count} punkty", "{count} punktów"] },
};

for (const [language, counts] of Object.entries({
  en: { 0: "0 points", 1: "1 point", 2: "2 points", 1234: "1,234 points" },
  cs: { 0: "0 bodů", 1: "1 bod", 2: "2 body", 4: "4 body", 5: "5 bodů", 22: "22 bodů", 1000: "1\u202f000 bodů" },
  de: { 0: "0 Punkte", 1: "1 Punkt", 2: "2 Punkte", 1234: "1.234 Punkte" },
  pl: {
    0: "0 punktów",
    1: "1 punkt",
    3: "3 punkty",
    5: "5 punktów",
    12: "12 punktów",
    22: "22 punkty",
    25: "25 punktów",
  },
})) {
  test(`plurals in ${language}`, async () => {
    await speak(language, FORMS[language]);
    for (const [count, words] of Object.entries(counts)) assert.equal(text.tn(...POINTS, Number(count)), words);
  });
}

test("a negative count takes the form of its amount", async () => {
  await speak("en");
  assert.equal(text.tn(...POINTS, -1), "\u22121 point");
  assert.equal(text.tn(...POINTS, -2), "\u22122 points");
});

test("a text that the catalogue lacks is said in English", async () => {
  await speak("cs", { Rules: "Pravidla" });
  assert.equal(text.t("Rules"), "Pravidla");
  assert.equal(text.t("Players"), "Players");
  assert.equal(text.tn(...POINTS, 1), "1 point");
  assert.equal(text.tn(...POINTS, 5), "5 points");
});

test("braces without a value stay, and a value may be 0 or hold braces", async () => {
  await speak("en");
  assert.equal(text.t("{name}: {number}", { number: 0 }), "{name}: 0");
  assert.equal(text.t("{name} plays", { name: "{number}" }), "{number} plays");
  assert.equal(text.t("{name} plays", { name: "$& $1" }), "$& $1 plays");
});

test("numbers have a comma in English and a thin space in Polish", async () => {
  await speak("en");
  assert.equal(text.number(0), "0");
  assert.equal(text.number(999), "999");
  assert.equal(text.number(1000), "1,000");
  assert.equal(text.number(-1234567), "\u22121,234,567");
  await speak("pl");
  assert.equal(text.number(12345), "12\u202f345");
});

test("points to be added have a sign, one minus only", async () => {
  await speak("en");
  assert.equal(text.plus(0), "+0");
  assert.equal(text.plus(1500), "+1,500");
  assert.equal(text.plus(-50), "\u221250");
});

test("a possible chance is never 0 %, an uncertain one never 100 %", async () => {
  await speak("en");
  const words = { 0: "0%", 0.0001: "<0.1%", 0.0005: "0.1%", 0.05: "5%", 0.0512: "5.1%", 0.0995: "10%", 0.333: "33%" };
  for (const [chance, said] of Object.entries(words)) assert.equal(text.percent(Number(chance)), said);
  assert.equal(text.percent(0.9005), "90%");
  assert.equal(text.percent(0.987), "98.7%");
  assert.equal(text.percent(0.9999), ">99.9%");
  assert.equal(text.percent(1), "100%");
});

test("decimals are written as in each language", async () => {
  await speak("en");
  assert.equal(text.decimal(3), "3.0");
  await speak("cs");
  assert.equal(text.decimal(2.25), "2,3");
});

test("names are joined in each language", async () => {
  const said = { en: "Ada, Bob, and Cid", cs: "Ada, Bob a Cid", pl: "Ada, Bob i Cid" };
  for (const [language, words] of Object.entries(said)) {
    await speak(language);
    assert.equal(text.joinNames(["Ada", "Bob", "Cid"]).replace("\u00a0", " "), words);
  }
  assert.equal(text.joinNames(["Ada"]), "Ada");
  assert.equal(text.joinNames([]), "");
});

test("a refusal says its reason, dice by blanks and names by commas", async () => {
  await speak("cs", {}, { stale: "mezitím {names} ({dice}, {needed})" });
  const params = { names: ["Ada", "Bob"], dice: [1, 5], needed: 1000 };
  assert.equal(text.refusalSentence({ reason: "stale", params }), "Mezitím Ada, Bob (1 5, 1\u202f000)");
});

test("a reason that is not known is told by the server's words", async () => {
  await speak("en");
  assert.equal(text.refusalSentence({ reason: "new", message: "not now", text: "no" }), "Not now");
  assert.equal(text.refusalSentence({ reason: "new", text: "no" }), "No");
  assert.equal(text.refusalSentence({ reason: "new" }), "New");
});

test("the first letter alone becomes a capital", async () => {
  await speak("cs");
  assert.equal(text.capitalize("šest kostek"), "Šest kostek");
  assert.equal(text.capitalize(""), "");
});

test("only a phone that nobody named is called in the language of this one", async () => {
  await speak("cs", { Computer: "Počítač" });
  assert.equal(text.phoneName("Computer"), "Počítač");
  assert.equal(text.phoneName("Computer 2"), "Počítač 2");
  assert.equal(text.phoneName("Computer of Ada"), "Computer of Ada");
  assert.equal(text.phoneName("My Computer"), "My Computer");
});

test("a counted refusal takes the form of its number", async () => {
  const forms = ["Zbývá {left} kostka", "Zbývají {left} kostky", "Zbývá {left} kostek"];
  await speak("cs", {}, { "too-many-dice-left": { by: "left", forms } });
  const said = (left) => text.refusalSentence({ reason: "too-many-dice-left", params: { left } });
  assert.deepEqual([1, 3, 5].map(said), ["Zbývá 1 kostka", "Zbývají 3 kostky", "Zbývá 5 kostek"]);
});

test("a text has the key that the server gives it", () => {
  assert.equal(text.keyOf("Tower"), "fa82b60"); // as in tests/web/texts/test_languages.py
});
