// A picture of a game's end, drawn on the phone from what its page shows: to be shared, or saved where nothing shares.

const [WIDTH, HEIGHT, EDGE] = [1080, 1350, 72];
const SAVED_MS = 60000; // within which a browser has written a file
const SHAPES = "path, rect, circle, text";
/** @type {Record<string, CanvasTextAlign>} */
const ANCHORS = { middle: "center", end: "right" };
const PARTS = 0.38; // of the height: at most for the chart

/** Whether this browser hands pictures to other apps. Over plain http none does. @param {File} file */
const canShare = (file) => Boolean(navigator.canShare?.({ files: [file] }));

/** Whether a picture would be shared; else it is saved. */
export const shares = () => canShare(new File([""], "a.png", { type: "image/png" }));

/** Hands the picture of the ending within `root` to the phone's share sheet, or saves it. Returns whether it was saved.
 * @param {HTMLElement} root @param {string} title  of the game */
export async function sharePicture(root, title) {
  const words = root.querySelector("h2").textContent ?? "";
  const file = new File([await drawn(root, title)], `${title} – ${words}.png`, { type: "image/png" });
  if (canShare(file)) {
    try {
      await navigator.share({ files: [file], title: words });
      return false;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return false; // the person thought better of it
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
  return true;
}

/** @returns {Promise<Blob>} @param {HTMLElement} root @param {string} title */
function drawn(root, title) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const pen = new Pen(brush, getComputedStyle(document.documentElement));
  drawEnding(pen, root, title);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture")))));
}

/** @param {Pen} pen @param {HTMLElement} root @param {string} title */
function drawEnding(pen, root, title) {
  const inner = WIDTH - 2 * EDGE;
  pen.box(WIDTH, HEIGHT, "--paper");
  pen.box(WIDTH, 270, "--accent");
  pen.svg(root.querySelector(".winners .icon"), WIDTH / 2 - 44, 24, 88, pen.colour("--accent-ink"));
  pen.text(root.querySelector("h2").textContent, WIDTH / 2, 198, inner, { size: 84, at: "center", to: "--accent-ink" });
  pen.text(title, WIDTH / 2, 246, inner, { size: 34, at: "center", to: "--accent-ink", serif: false });
  let top = 290;
  const rows = [...root.querySelectorAll(".ranking li")];
  const room = root.querySelector(".chart, .remembered") ? 432 : HEIGHT - top - EDGE;
  const high = Math.min(72, room / rows.length);
  for (const row of rows) {
    const [size, base] = [high * 0.62, top + high * 0.72];
    const score = row.querySelector(".score").textContent.trim();
    pen.text(row.querySelector(".place").textContent, EDGE, base, 80, { size });
    /** @type {SVGSVGElement | null} */
    const mark = row.querySelector(".player-mark");
    if (mark) pen.svg(mark, EDGE + 84, base - size * 0.72, size * 0.8);
    pen.text(row.querySelector(".name").textContent, EDGE + (mark ? 148 : 96), base, inner - 400, { size });
    pen.text(score, WIDTH - EDGE, base, 240, { size, at: "right" });
    top += high;
  }
  const items = [...root.querySelectorAll(".remembered li")];
  const heights = items.map((item) => (item.querySelector("img") ? 248 : item.querySelector(".die") ? 148 : 112));
  const below = heights.reduce((sum, height) => sum + height, 56);
  /** @type {SVGSVGElement | null} */
  const chart = root.querySelector(".chart");
  if (chart) {
    const { width, height } = chart.viewBox.baseVal;
    const room = Math.min(HEIGHT * PARTS, HEIGHT - below - top - 36);
    const wide = Math.min(inner, (room * width) / height);
    if (room > 120) pen.svg(chart, (WIDTH - wide) / 2, top + 16, wide);
  }
  top = HEIGHT - below;
  for (const [i, item] of items.entries()) {
    const photo = item.querySelector("img");
    const beside = photo?.complete && photo.naturalWidth > 0;
    const left = EDGE + (beside ? 252 : 0);
    if (beside) pen.pen.drawImage(photo, EDGE, top, 228, 228);
    pen.text(item.querySelector("h3").textContent, left, top + 34, inner, { size: 32, to: "--soft", serif: false });
    let x = left;
    for (const die of /** @type {NodeListOf<SVGSVGElement>} */ (item.querySelectorAll(".die"))) {
      pen.svg(die, x, top + 52, 76);
      x += 84;
    }
    const words = item.querySelector("p:last-child").textContent.trim().replace(/\s+/g, " ");
    // Below the dice beside a photo, else to their right.
    const at = beside || x === left ? [left, top + (beside ? 192 : 86)] : [x + 16, top + 106];
    pen.text(words, at[0], at[1], WIDTH - EDGE - at[0], { size: 46 });
    top += heights[i];
  }
  pen.text("Rollcall", WIDTH - EDGE, HEIGHT - 28, 300, { size: 30, at: "right", to: "--soft" });
}

/** Draws on a canvas with the colours and letters of the page. */
class Pen {
  /** @param {CanvasRenderingContext2D} pen @param {CSSStyleDeclaration} style */
  constructor(pen, style) {
    this.pen = pen;
    this.style = style;
  }

  /** @param {string} name */
  colour(name) {
    return this.style.getPropertyValue(name).trim();
  }

  /** @param {number} width @param {number} height @param {string} colour */
  box(width, height, colour) {
    this.pen.fillStyle = this.colour(colour);
    this.pen.fillRect(0, 0, width, height);
  }

  /**
   * A line of text on the base line `y`, in smaller letters where it would be wider than `most`.
   * @param {string} words @param {number} x @param {number} y @param {number} most
   * @param {{size: number, at?: CanvasTextAlign, to?: string, serif?: boolean}} how
   */
  text(words, x, y, most, { size, at = "left", to = "--ink", serif = true }) {
    const { pen } = this;
    /** @param {number} px */
    const letters = (px) => `${serif ? "600 " : ""}${px}px ${this.colour(serif ? "--serif" : "--sans")}`;
    pen.font = letters(size);
    const { width } = pen.measureText(words);
    if (width > most) pen.font = letters((size * most) / width);
    pen.textAlign = at;
    pen.fillStyle = this.colour(to);
    pen.fillText(words, x, y);
  }

  /** A picture of the page, as its style shows it; `colour`: in one colour. @param {SVGSVGElement} svg
   * @param {number} x @param {number} y @param {number} width */
  svg(svg, x, y, width, colour = "") {
    const { pen } = this;
    const view = svg.viewBox.baseVal;
    const scale = width / view.width;
    pen.save();
    pen.translate(x, y);
    pen.scale(scale, scale);
    pen.translate(-view.x, -view.y);
    for (const shape of /** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll(SHAPES))) {
      const style = getComputedStyle(shape);
      const moved = shape.transform.baseVal.consolidate()?.matrix;
      pen.save();
      if (moved) pen.transform(moved.a, moved.b, moved.c, moved.d, moved.e, moved.f);
      pen.fillStyle = colour || style.fill;
      pen.strokeStyle = colour || style.stroke;
      pen.lineWidth = parseFloat(style.strokeWidth);
      pen.lineJoin = pen.lineCap = "round";
      pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map(parseFloat));
      if (shape instanceof SVGTextElement) {
        pen.font = `${style.fontSize} ${style.fontFamily}`;
        pen.textAlign = ANCHORS[style.textAnchor] ?? "left";
        const at = [shape.x.baseVal[0].value, shape.y.baseVal[0].value];
        pen.fillText(shape.textContent ?? "", at[0], at[1]);
      } else {
        const path = pathOf(shape);
        if (colour || style.fill !== "none") pen.fill(path);
        if (style.stroke !== "none") pen.stroke(path);
      }
      pen.restore();
    }
    pen.restore();
  }
}

/** @param {Element} shape */
function pathOf(shape) {
  const value = (/** @type {string} */ name) => Number(shape.getAttribute(name));
  if (shape.nodeName === "path") return new Path2D(shape.getAttribute("d") ?? "");
  const path = new Path2D();
  if (shape.nodeName === "circle") path.arc(value("cx"), value("cy"), value("r"), 0, 7);
  else if (path.roundRect) path.roundRect(value("x"), value("y"), value("width"), value("height"), value("rx"));
  else path.rect(value("x"), value("y"), value("width"), value("height"));
  return path;
}
