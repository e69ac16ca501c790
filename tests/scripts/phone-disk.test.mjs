// The phone's disk: a file is replaced whole or not at all, whenever the browser is killed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { finish, replace } from "../../web/hosts/phone/shell/disk.js";

const bytesOf = (text) => new TextEncoder().encode(text);

/** A disk on which the browser is killed at the operation `last`; what was not flushed then is lost, or not. */
class Disk {
  constructor(last = Infinity) {
    this.left = last;
    this.handles = new Map(["store", "replaced"].map((name) => [name, new Handle(this)]));
  }

  /** What the next start finds. */
  after(losesUnflushed) {
    const next = new Disk();
    for (const [name, handle] of this.handles)
      next.handles.get(name).now = next.handles.get(name).flushed = losesUnflushed ? handle.flushed : handle.now;
    return next;
  }
}

class Handle {
  constructor(disk) {
    this.disk = disk;
    this.now = this.flushed = new Uint8Array(0);
  }

  step() {
    if ((this.disk.left -= 1) < 0) throw new Error("killed");
  }

  getSize() {
    return this.now.length;
  }

  read(into, { at }) {
    const found = this.now.subarray(at, at + into.length);
    into.set(found);
    return found.length;
  }

  write(bytes, { at }) {
    this.step();
    const next = new Uint8Array(Math.max(this.now.length, at + bytes.length));
    next.set(this.now);
    next.set(bytes, at);
    this.now = next;
    return bytes.length;
  }

  truncate(size) {
    this.step();
    const next = new Uint8Array(size);
    next.set(this.now.subarray(0, size));
    this.now = next;
  }

  flush() {
    this.step();
    this.flushed = this.now;
  }
}

test("a file is replaced whole or not at all", () => {
  const [before, after] = ["the games as they were", "all games"];
  for (const [old, fresh] of [
    [before, after],
    [after, before],
  ]) {
    const found = new Set();
    for (let last = 0; last < 20; last += 1)
      for (const losesUnflushed of [true, false]) {
        const disk = new Disk();
        disk.handles.get("store").write(bytesOf(old), { at: 0 });
        disk.handles.get("store").flush();
        disk.left = last;
        try {
          replace(disk.handles, "store", bytesOf(fresh));
        } catch (error) {
          assert.equal(error.message, "killed");
        }
        const next = disk.after(losesUnflushed);
        finish(next.handles);
        const text = new TextDecoder().decode(next.handles.get("store").now).replace(/\0+$/, ""); // room for the new one
        assert.ok([old, fresh].includes(text), `${last}: ${text}`);
        found.add(text);
      }
    assert.deepEqual([...found].sort(), [old, fresh].sort());
  }
});
