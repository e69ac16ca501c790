// Whether a phone on its stand is near enough to the dice, by how large it sees them.

const DIE_CM = 1.6; // the edge of a usual die
const LENS = 0.75; // the focal length of a phone's camera: of the longer side of its picture
// Of the picture's width, the edge of a die: what is enough, what is best, and above what too few dice have room.
const LEAST = 1 / 20;
const BEST = 1 / 14;
const MOST = 1 / 8;
const STEP_CM = 5; // to which distances are rounded
const TURNED = Math.PI / 4; // the edge of a die, of its box's side: in the mean of all ways in which it may lie turned
const AT_BORDER = 0.01; // of the picture's longer side: a box as near to the border may be cut

/** The edge of the dice in pixels: of the middle one in size. @param {SeenDie[]} dice */
function edgeOf(dice) {
  const edges = dice.map(({ box: [x0, y0, x1, y1] }) => (TURNED * (x1 - x0 + y1 - y0)) / 2).sort((a, b) => a - b);
  return edges[Math.floor(edges.length / 2)];
}

/** @param {Box} box @param {number} width @param {number} height */
const isCut = ([x0, y0, x1, y1], width, height) =>
  Math.min(x0, y0, width - x1, height - y1) < AT_BORDER * Math.max(width, height);

/**
 * How the phone should be moved: "closer" or "further" by so many centimetres, or "aside" for a die that the border
 * may cut; "none": there are no dice to go by; "good".
 * @param {SeenDie[]} dice  with boxes in pixels of a picture of this size @param {number} width @param {number} height
 */
export function placing(dice, width, height) {
  if (!dice.length) return { move: "none", cm: 0 };
  const edge = edgeOf(dice);
  // Of a die half as far away the edge is seen twice as large.
  const distance = (/** @type {number} */ seen) => (LENS * Math.max(width, height) * DIE_CM) / seen;
  const off = Math.abs(distance(edge) - distance(BEST * width));
  const cm = Math.max(STEP_CM, STEP_CM * Math.round(off / STEP_CM));
  if (edge < LEAST * width) return { move: "closer", cm };
  if (edge > MOST * width) return { move: "further", cm };
  return { move: dice.some(({ box }) => isCut(box, width, height)) ? "aside" : "good", cm: 0 };
}
