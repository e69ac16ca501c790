import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as device from "../../web/static/shared/device.js";
import { phone, tab } from "../../web/static/shared/storage.js";
import { storage } from "./page.mjs";

beforeEach(() => {
  globalThis.localStorage = storage();
  globalThis.sessionStorage = storage();
});

test("what is kept is read back, by the phone and by its tab apart", () => {
  phone.keep("a", { dice: [1, 5] });
  tab.keepText("a", "text");
  assert.deepEqual({ ...phone.value("a") }, { dice: [1, 5] });
  assert.equal(tab.text("a"), "text");
  assert.equal(phone.value("b"), null);
});

test("what is damaged counts as not kept", () => {
  phone.keepText("a", "{dice");
  assert.equal(phone.value("a"), null);
});

test("where storage is off nothing is kept and nothing fails", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("denied");
    },
  });
  phone.keep("a", 1);
  assert.equal(phone.value("a"), null);
  assert.equal(phone.text("a"), null);
  Object.defineProperty(globalThis, "localStorage", { configurable: true, writable: true, value: storage() });
});

test("settings begin switched off and are saved one by one", () => {
  assert.deepEqual(device.settings(), {
    sound: false,
    haptic: false,
    turn: false,
    voice: false,

    byEar: false,
    byHand: false,
  });
  device.saveSetting("sound", true);
  device.saveSetting("turn", true);
  assert.deepEqual(device.settings(), {
    sound: true,
    haptic: false,
    turn: true,
    voice: false,

    byEar: false,
    byHand: false,
  });
});

test("a phone plays for a player who is at the table only", () => {
  assert.equal(device.playsFor("k", 2), null);
  assert.equal(device.isUnbound("k"), true);
  assert.equal(device.bindPlayer("k", 1), 1);
  assert.equal(device.playsFor("k", 2), 1);
  assert.equal(device.playsFor("k", 1), null);
  assert.equal(device.playsFor("other", 2), null);
  device.bindPlayer("k", null);
  assert.equal(device.playsFor("k", 2), null);
  assert.equal(device.isUnbound("k"), false);
});

test("what must be known at a table is told once", () => {
  assert.equal(device.firstTime("k"), true);
  assert.equal(device.firstTime("k"), false);
  assert.equal(device.firstTime("other"), true);
});
