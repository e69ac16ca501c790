import assert from "node:assert/strict";
import { test } from "node:test";
import { diceRow, die, valueKeys } from "../../web/static/shared/dice.js";
import { dieOfKey, html, json, raw } from "../../web/static/shared/dom.js";
import { icon, playerMark } from "../../web/static/shared/icons.js";

test("what is put into HTML is escaped, a piece of HTML is not", () => {
  const name = `<b>"Ada" & 'Bob'</b>`;
  assert.equal(html`<p>${name}</p>`.text, "<p>&lt;b&gt;&quot;Ada&quot; &amp; &#39;Bob&#39;&lt;/b&gt;</p>");
  assert.equal(html`<p>${html`<b>${"&"}</b>`}${raw("<i>")}</p>`.text, "<p><b>&amp;</b><i></p>");
});

test("lists are joined; nothing, true and false leave no trace, 0 stays", () => {
  assert.equal(html`${[1, [2, html`<b></b>`]]}`.text, "12<b></b>");
  assert.equal(html`a${null}${undefined}${false}${true}${""}${0}b`.text, "a0b");
});

test("a value for a data attribute survives", () => {
  const value = { dice: [1, 5], name: `"Ada" <3` };
  const { text } = html`<b data-arg="${json(value)}"></b>`;
  const [, written] = /^<b data-arg="(.*)"><\/b>$/.exec(text);
  assert.ok(!written.includes('"') && !written.includes("<"));
  const read = written.replace(/&quot;/g, '"').replace(/&lt;/g, "<");
  assert.deepEqual(JSON.parse(read), value);
});

test("a die has as many pips as it shows", () => {
  for (let value = 1; value <= 6; value++) assert.equal(String(die(value)).match(/<circle/g).length, value);
  assert.equal(String(die(0)).match(/<circle/g), null);
});

test("dice in a row are said by their values", () => {
  assert.match(String(diceRow([3, 1, 1], "small")), /^<span class="dice small" role="img" aria-label="3 1 1"/);
});

test("six keys, disabled together", () => {
  assert.equal(valueKeys("pad-key").length, 6);
  assert.ok(!valueKeys("pad-key").some((key) => String(key).includes("aria-disabled")));
  assert.ok(valueKeys("pad-key", false).every((key) => String(key).includes('aria-disabled="true"')));
  assert.match(String(valueKeys("pad-key")[4]), /data-act="pad-key"\s+data-arg="5"/);
});

test("players' marks differ, by shape or colour, and come again after twelve", () => {
  const marks = Array.from({ length: 12 }, (_, player) => String(playerMark(player)));
  assert.equal(new Set(marks).size, 12);
  assert.equal(String(playerMark(12)), marks[0]);
  assert.match(String(icon("check")), /<path d="M5 12.5/);
});

test("a key tells a die by its place or its digit: Czech keyboards write letters there", () => {
  assert.equal(dieOfKey({ code: "Digit2", key: "ě" }), 2);
  assert.equal(dieOfKey({ code: "Numpad6", key: "ArrowRight" }), 6);
  assert.equal(dieOfKey({ code: "", key: "3" }), 3);
  assert.equal(dieOfKey({ code: "Digit7", key: "7" }), 0);
  assert.equal(dieOfKey({ code: "KeyA", key: "a" }), 0);
});
