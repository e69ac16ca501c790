// Which additions to the first WebAssembly the instructions of modules use: node wasm-features.mjs FILE...
//
// Walks all code by the binary format of the specification, version 3, and its instructions' immediates. A file may be
// cut into its functions only so, since an instruction's byte is also a number's.

import fs from "node:fs";

const CODE = 10; // the section's id
const BULK = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17]; // after 0xfc; below are conversions

/** @param {Uint8Array} bytes @param {Set<string>} used */
function walk(bytes, used) {
  let at = 8;
  const byte = () => bytes[at++];
  const number = () => {
    for (let sum = 0, factor = 1; ; factor *= 128) {
      const each = byte();
      sum += (each & 127) * factor;
      if (each < 128) return sum;
    }
  };
  const skip = (count) => {
    for (let i = 0; i < count; i += 1) number();
  };
  const place = () => {
    if (number() & 0x40) number(); // of several memories
    number();
  };
  const list = (item) => {
    for (let left = number(); left > 0; left -= 1) item();
  };

  const after = {
    0xfc(code) {
      used.add(BULK.includes(code) ? "bulk memory" : "saturating conversions");
      skip([8, 10, 12, 14].includes(code) ? 2 : Number(code > 8));
    },
    0xfd(code) {
      used.add(code >= 0x100 ? "relaxed simd" : "simd");
      if (code <= 11 || code === 92 || code === 93) place();
      else if (code === 12 || code === 13) at += 16;
      else if (code >= 21 && code <= 34) at += 1;
      else if (code >= 84 && code <= 91) place(), (at += 1);
    },
    0xfe(code) {
      used.add("threads");
      if (code === 3) at += 1;
      else place();
    },
  };

  function instruction() {
    const code = byte();
    if (code in after) after[code](number());
    else if (code >= 0x02 && code <= 0x04) number();
    else if ([0x06, 0x07, 0x09, 0x18, 0x19].includes(code)) {
      used.add("exceptions, the first form");
      if (code !== 0x19) number();
    } else if (code === 0x08) number();
    else if (code === 0x0a) used.add("exceptions");
    else if (code === 0x1f) {
      used.add("exceptions");
      number();
      list(() => skip(byte() < 2 ? 2 : 1));
    } else if (code === 0x0c || code === 0x0d || code === 0x10) number();
    else if (code === 0x0e) skip(number() + 1);
    else if (code === 0x11) skip(2);
    else if (code === 0x12 || code === 0x13) {
      used.add("tail calls");
      skip(code - 0x11);
    } else if (code === 0x1c) list(byte);
    else if (code >= 0x20 && code <= 0x26) {
      if (code >= 0x25) used.add("reference types");
      number();
    } else if (code >= 0x28 && code <= 0x3e) place();
    else if (code === 0x3f || code === 0x40) number();
    else if (code === 0x41 || code === 0x42) number();
    else if (code === 0x43) at += 4;
    else if (code === 0x44) at += 8;
    else if (code >= 0xc0 && code <= 0xc4) used.add("sign extension");
    else if (code >= 0xd0 && code <= 0xd2) {
      used.add("reference types");
      if (code !== 0xd1) number();
    } else if (code > 0xc4 || [0x14, 0x15, 0x16, 0x17, 0x1d, 0x1e, 0x27].includes(code))
      throw new Error(`unknown instruction ${code} at ${at}`);
  }

  while (at < bytes.length) {
    const [section, size] = [byte(), number()];
    const end = at + size;
    if (section === CODE)
      list(() => {
        const size = number();
        const last = at + size;
        list(() => (number(), byte())); // its variables
        while (at < last) instruction();
        if (at !== last) throw new Error(`a function ends at ${at}, not ${last}`);
      });
    at = end;
  }
}

const used = new Set();
for (const name of process.argv.slice(2)) walk(fs.readFileSync(name), used);
process.stdout.write(JSON.stringify([...used].sort()));
