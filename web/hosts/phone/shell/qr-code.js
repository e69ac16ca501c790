// A QR code on a canvas.

const SIDE = 720; // pixels, at most, unless there are more squares

/** Draws a text as a QR code, as large as it gets. @param {HTMLCanvasElement} canvas @param {string} text */
export async function drawCode(canvas, text) {
  const { encodeQR } = await import(/** @type {any} */ ("./qr/index.js"));
  /** @type {boolean[][]} */
  const rows = encodeQR(text, "raw", { ecc: "low", border: 3 });
  const scale = Math.max(2, Math.floor(SIDE / rows.length));
  canvas.width = canvas.height = rows.length * scale;
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.fillStyle = "#000";
  rows.forEach((row, y) => row.forEach((dark, x) => dark && brush.fillRect(x * scale, y * scale, scale, scale)));
}
