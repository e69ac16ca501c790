// Keeps in sight what does not scroll, as far as the screen has room for it: the top of the page, the headings of a
// sheet below it, also if the sheet scrolls sideways, and the buttons.

const MOST = 0.4; // of the height, for all that does not scroll
const WIDE = 35; // letters' heights: a turn may have two columns
const TIGHT = 20; // letters' heights: so low a screen shows the dice and one choice, and little else
const LARGE_TEXT_PX = 24; // with larger text the screen has no room for sticky parts beside the sheet

/** @param {Element | null} element */
const isSticky = (element) => element && getComputedStyle(element).position === "sticky";

/** @param {HTMLElement | null} element */
const heightOf = (element) => (element ? element.offsetHeight : 0);

/** Whether the turn stands beside the sheet, and not above it. @param {HTMLElement} root */
function isBeside(root) {
  const [turn, sheet] = [root.querySelector(".turn"), root.querySelector(".pad-sheet")];
  return Boolean(turn && sheet) && turn.offsetLeft + turn.offsetWidth <= sheet.offsetLeft;
}

/**
 * Hands the heights of the sticky parts to the style, and puts the headings below them. Where they would hold too much
 * of the height, they scroll with the rest: the top of the page first, and of the buttons all but the main one last.
 * @param {HTMLElement} root
 */
export function place(root) {
  /** @type {HTMLElement | null} */
  const head = document.querySelector("header.top");
  const dice = root.querySelector(".table-dice");
  const actions = root.querySelector("nav.actions");
  const main = actions && actions.querySelector(".primary");
  const { classList } = document.body;
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
  root.classList.toggle("roomy", text < LARGE_TEXT_PX && isBeside(root));
  root.classList.toggle("two-columns", innerWidth >= WIDE * text);
  root.classList.toggle("tight", innerHeight < TIGHT * text);
  const heights = {
    top: heightOf(head),
    heads: heightOf(root.querySelector("thead")),
    dice: isSticky(dice) || classList.contains("loose-dice") ? heightOf(dice) : 0,
    actions: heightOf(actions) + (classList.contains("loose-actions") ? heightOf(main) : 0),
  };
  let held = Object.values(heights).reduce((sum, height) => sum + height);
  for (const [part, height] of Object.entries(heights)) {
    const loose = held > MOST * innerHeight;
    classList.toggle(`loose-${part}`, loose);
    if (loose) held -= height;
  }
  const top = head && isSticky(head) ? head.offsetHeight : 0;
  const above = top + (isSticky(dice) ? dice.offsetHeight : 0);
  const { style } = document.documentElement;
  style.setProperty("--bottom", `${heightOf(classList.contains("loose-actions") ? main : actions)}px`);
  style.setProperty("--covered", `${above + (classList.contains("loose-heads") ? 0 : heights.heads)}px`);
  root.style.setProperty("--top", `${top}px`);
  root.style.setProperty("--above", `${above}px`);
  giveWay(root);
  for (const box of root.querySelectorAll(".scroller"))
    box.classList.toggle("fits", box.scrollWidth <= box.clientWidth);
  move(root);
}

/** Scrolls to the dice that were just thrown, where the screen has no room above them, else to the top.
 * @param {HTMLElement} root */
export function showThrow(root) {
  const dice = root.matches(".tight") && root.querySelector(".thrown .keepable, .table-dice .keepable");
  if (dice) dice.closest(".thrown, .table-dice")?.scrollIntoView();
  else scrollTo(0, 0);
}

/** Hides what stands on a player's chip that its line cuts off: "1 40" would be read for 1 400. */
function giveWay(/** @type {HTMLElement} */ root) {
  const line = root.querySelector(".strip > :is(.scores, .tabs)");
  if (!line) return;
  const { left, right } = line.getBoundingClientRect();
  for (const chip of line.children) {
    const box = chip.getBoundingClientRect();
    chip.toggleAttribute("data-cut", box.left < left - 1 || box.right > right + 1);
  }
}

/** Moves the headings of boxes that scroll sideways: `position: sticky` works only within such a box.
 * @param {HTMLElement} root */
function move(root) {
  const above = parseFloat(root.style.getPropertyValue("--above"));
  const stuck = !document.body.classList.contains("loose-heads");
  for (const box of root.querySelectorAll(".scroller")) {
    const table = box.querySelector("table");
    const tHead = /** @type {HTMLElement} */ (table.tHead);
    const past = above - table.getBoundingClientRect().top;
    const most = table.offsetHeight - 2 * tHead.offsetHeight;
    tHead.style.transform = stuck && past > 0 && !box.matches(".fits") ? `translateY(${Math.min(past, most)}px)` : "";
  }
}

/** @param {HTMLElement} root */
export function watch(root) {
  addEventListener("scroll", () => move(root), { passive: true });
  // The size of the screen, the text or the content has changed.
  new ResizeObserver(() => requestAnimationFrame(() => place(root))).observe(root);
  addEventListener("resize", () => place(root));
  root.addEventListener("scroll", () => giveWay(root), { capture: true, passive: true });
}
