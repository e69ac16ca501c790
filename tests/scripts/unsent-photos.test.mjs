// Photos that are not sent yet: how many are kept. A browser test keeps them over a reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import { find, forget, keep, surplus } from "../../web/static/camera/unsent-photos.js";

const HOUR = 3600 * 1000;
const taken = (at) => ({ table: `t${at}`, at });

test("the newest photo of four tables is kept, for a day", () => {
  const now = 100 * HOUR;
  const all = [now, now - 3 * HOUR, now - HOUR, now - 2 * HOUR].map(taken);
  assert.deepEqual(surplus(all, now), []);
  assert.deepEqual(surplus([...all, taken(now - 4 * HOUR)], now), [taken(now - 4 * HOUR)]);
  assert.deepEqual(surplus([taken(now - 25 * HOUR), taken(now)], now), [taken(now - 25 * HOUR)]);
});

test("where a browser keeps nothing, nothing is kept and nothing fails", async () => {
  const photo = { table: "t", file: new Blob(["photo"]), due: null, request: "r", at: 0 };
  assert.equal(await keep(photo), false);
  assert.equal(await find("t"), null);
  await forget("t");
});

test("a photo larger than phones take them is not kept", async () => {
  assert.equal(await keep({ table: "t", file: { size: 3e7 }, due: null, request: "r", at: 0 }), false);
});
