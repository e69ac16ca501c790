// The browser's eye in a worker of its own: it has the photos and the networks, and answers `browser_eye.py`.
//
// A question is { id, name, given, bytes }; the answer { id, told }, or { id, refused } with a reason.

import * as ort from "./ort.mjs";
import { classify, compare, detect, lookAlongBorder } from "./networks.js";
import { Photo, Refusal } from "./photo.js";
import { blank, measureLight, part } from "./pixels.js";

const HERE = new URL(".", import.meta.url).href;
const FIRST_VIEW = 1000; // pixels of the longer side: enough to find dice
/** @type {[string, number, number][]} the networks, and a usual size of what each is given */
const NETWORKS = [
  ["detector", 448, 352],
  ["crop-classifier", 80, 80],
  ["border", 336, 40],
];
const AT_ONCE = 28; // pictures of one run: more take more memory

ort.env.wasm.numThreads = 1; // with more, browsers of iPhones run out of memory
ort.env.wasm.wasmPaths = { wasm: `${HERE}ort-wasm-simd-threaded.wasm` };
ort.env.logLevel = "error";

const photos = new Map();
const networks = new Map();
/** @type {{ numbers: unknown, arrays: Record<string, LikenessMap> } | null} */
let likeness = null;
let last = 0;

/** @param {string} name */
async function file(name) {
  let found;
  try {
    found = await fetch(HERE + name);
  } catch {
    throw new Refusal("reader-not-loaded");
  }
  if (!found.ok) throw new Refusal("reader-not-loaded");
  return found;
}

/** A network as `networks.js` calls it. @param {string} name @returns {Promise<Network>} */
async function load(name) {
  const options = { executionProviders: ["wasm"], enableMemPattern: false }; // patterns take memory, and save no time
  const session = await ort.InferenceSession.create(
    new Uint8Array(await (await file(`${name}.onnx`)).arrayBuffer()),
    options,
  );
  return async (pictures) => {
    const outputs = session.outputNames.map(() => []);
    for (let start = 0; start < pictures.length; start += AT_ONCE) {
      const input = tensor(pictures.slice(start, start + AT_ONCE));
      const given = await session.run({ [session.inputNames[0]]: input });
      session.outputNames.forEach((/** @type {string} */ output, /** @type {number} */ number) =>
        outputs[number].push(given[output]),
      );
      input.dispose();
    }
    return outputs.map(joined);
  };
}

/** @param {string} name @returns {Promise<Network>} */
const network = (name) => {
  if (!networks.has(name)) networks.set(name, load(name));
  networks.get(name).catch(() => networks.delete(name));
  return networks.get(name);
};

/** Pictures of one size as (n, 3, height, width), 0..1. @param {Picture[]} pictures */
function tensor(pictures) {
  const { width, height } = pictures[0];
  const size = width * height;
  const numbers = new Float32Array(pictures.length * 3 * size);
  pictures.forEach(({ data }, number) => {
    const first = number * 3 * size;
    for (let at = 0, from = 0; at < size; at += 1, from += 3) {
      numbers[first + at] = data[from] / 255;
      numbers[first + size + at] = data[from + 1] / 255;
      numbers[first + 2 * size + at] = data[from + 2] / 255;
    }
  });
  return new ort.Tensor("float32", numbers, [pictures.length, 3, height, width]);
}

/** @param {NetworkOutput[]} tensors @returns {NetworkOutput} */
function joined(tensors) {
  if (tensors.length === 1) return { data: tensors[0].data, dims: tensors[0].dims };
  const data = new Float32Array(tensors.reduce((sum, each) => sum + each.data.length, 0));
  let at = 0;
  for (const each of tensors) {
    data.set(each.data, at);
    at += each.data.length;
  }
  const count = tensors.reduce((sum, each) => sum + each.dims[0], 0);
  return { data, dims: [count, ...tensors[0].dims.slice(1)] };
}

/** Keeps a photo. Returns its number and its size. @param {Photo} photo */
function kept(photo) {
  photos.set((last += 1), photo);
  return [last, photo.width, photo.height];
}

async function likenessFile() {
  if (likeness) return likeness;
  const { numbers, arrays } = await (await file("likeness.json")).json();
  for (const each of Object.values(arrays)) {
    const bytes = Uint8Array.from(atob(each.data), (letter) => letter.charCodeAt(0));
    each.data = new Float32Array(bytes.buffer);
  }
  likeness = { numbers, arrays };
  return likeness;
}

/** @type {Record<string, (given: any[], bytes: Uint8Array) => any>} */
const ANSWERS = {
  /** Loads and warms what reads photos. Returns the numbers by which vectors are compared. */
  async load() {
    const { numbers } = await likenessFile();
    for (const [name, width, height] of NETWORKS) await (await network(name))([blank(width, height)]);
    return numbers;
  },
  decode: async ([format, orientation, smaller], bytes) =>
    kept(await Photo.decode(bytes, format, orientation, smaller)),
  pictures: ([photo]) => photos.get(photo).pictures(),
  /** Forgets all photos. */
  clear() {
    for (const each of photos.values()) each.close();
    photos.clear();
  },
  cut: async ([photo, frame]) => kept(await photos.get(photo).cut(frame)),
  shrink: async ([photo, side]) => kept(Photo.of(await photos.get(photo).view(side))),
  async detect([photo, side, least, mirrored]) {
    const view = await photos.get(photo).view(FIRST_VIEW);
    const { boxes, scores } = await detect(await network("detector"), view, side, least, mirrored);
    return [boxes, scores];
  },
  classify: async ([photo, crops]) =>
    classify(await network("crop-classifier"), await photos.get(photo).view(Infinity), crops),
  compare: async ([features]) => compare((await likenessFile()).arrays, features),
  async border([photo, dice]) {
    const { width } = photos.get(photo);
    const view = await photos.get(photo).view(FIRST_VIEW);
    const { boxes, logOdds } = await lookAlongBorder(await network("border"), view, width, dice);
    return [boxes, logOdds];
  },
  async light([photo, box]) {
    const { width, height } = photos.get(photo);
    const view = await photos.get(photo).view(FIRST_VIEW);
    if (!box) return Object.values(measureLight(view));
    const [across, down] = [view.width / width, view.height / height];
    const [x0, y0] = [Math.floor(box[0] * across), Math.floor(box[1] * down)];
    const [x1, y1] = [Math.ceil(box[2] * across), Math.ceil(box[3] * down)];
    return Object.values(measureLight(part(view, x0, y0, Math.max(x1, x0 + 1), Math.max(y1, y0 + 1))));
  },
};

let turn = Promise.resolve(); // one question at a time

addEventListener("message", ({ data: { id, name, given, bytes } }) => {
  turn = turn.then(async () => {
    try {
      const told = await ANSWERS[name](JSON.parse(given), bytes);
      postMessage({ id, told: name === "pictures" ? told : JSON.stringify(told ?? null) });
    } catch (/** @type {any} */ error) {
      if (!(error instanceof Refusal)) console.error(error);
      const { reason = "", params = {} } = error;
      postMessage({ id, refused: JSON.stringify([reason, params, String(error.message ?? error)]) });
    }
  });
});
