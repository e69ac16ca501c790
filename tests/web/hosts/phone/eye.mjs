// Answers what `test_browser_eye.py` asks of the eye's scripts: node eye.mjs, with [[name, given...], ...] as JSON.
//
// A picture is { width, height, data }, its data in base64.

import fs from "node:fs";
import * as networks from "../../../../web/hosts/phone/shell/eye/networks.js";
import * as pixels from "../../../../web/hosts/phone/shell/eye/pixels.js";

const isPicture = (each) => each?.width !== undefined && each.data !== undefined;
const taken = (each) => (isPicture(each) ? { ...each, data: Uint8Array.from(Buffer.from(each.data, "base64")) } : each);
const tensor = ({ dims, data }) => ({ dims, data: Float32Array.from(data) });
const given = (each) => {
  if (isPicture(each)) return { ...each, data: Buffer.from(each.data).toString("base64") };
  if (Array.isArray(each)) return each.map(given);
  if (typeof each !== "object") return each;
  return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, given(inner)]));
};

/** A network that answers with these outputs, and notes what it was given. */
const answering = (outputs, noted) => async (pictures) => {
  noted.push(...pictures);
  return outputs.map(tensor);
};

const ANSWERS = {
  ...pixels,
  ...networks,
  decode: (output, ...more) => networks.decode(tensor(output), ...more),
  compare: (maps, features) => networks.compare(maps, features),
  async detect(output, ...more) {
    const noted = [];
    return [await networks.detect(answering([output], noted), ...more), noted];
  },
  async classify(outputs, ...more) {
    const noted = [];
    return [await networks.classify(answering(outputs, noted), ...more), noted];
  },
  async lookAlongBorder(output, ...more) {
    const noted = [];
    return [await networks.lookAlongBorder(answering([output], noted), ...more), noted];
  },
};

const answers = [];
for (const [name, ...asked] of JSON.parse(fs.readFileSync(0, "utf8")))
  answers.push(given(await ANSWERS[name](...asked.map(taken))));
process.stdout.write(JSON.stringify(answers));
