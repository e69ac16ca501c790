// Keeps the headings of a sheet in sight below the sticky top of the page, also if the sheet scrolls sideways.

const LARGE_TEXT_PX = 24; // with larger text the screen has no room for sticky parts beside the sheet

const isSticky = (element) => element && getComputedStyle(element).position === "sticky";

/** Hands the heights of the sticky parts to the style, and puts the headings below them. */
export function place(root) {
  /** @type {HTMLElement | null} */
  const head = document.querySelector("header.top");
  const dice = root.querySelector(".table-dice");
  const top = isSticky(head) ? head.offsetHeight : 0;
  root.classList.toggle("roomy", parseFloat(getComputedStyle(document.documentElement).fontSize) < LARGE_TEXT_PX);
  const actions = root.querySelector("nav.actions");
  document.documentElement.style.setProperty("--bottom", `${actions ? actions.offsetHeight : 0}px`);
  root.style.setProperty("--top", `${top}px`);
  root.style.setProperty("--above", `${top + (isSticky(dice) ? dice.offsetHeight : 0)}px`);
  for (const box of root.querySelectorAll(".scroller"))
    box.classList.toggle("fits", box.scrollWidth <= box.clientWidth);
  move(root);
}

/** Moves the headings of boxes that scroll sideways: `position: sticky` works only within such a box. */
function move(root) {
  const above = parseFloat(root.style.getPropertyValue("--above"));
  for (const box of root.querySelectorAll(".scroller:not(.fits)")) {
    const table = box.querySelector("table");
    const { tHead } = table;
    const past = above - table.getBoundingClientRect().top;
    const most = table.offsetHeight - 2 * tHead.offsetHeight;
    tHead.style.transform = past > 0 ? `translateY(${Math.min(past, most)}px)` : "";
  }
}

export function watch(root) {
  addEventListener("scroll", () => move(root), { passive: true });
  // The size of the screen, the text or the content has changed.
  new ResizeObserver(() => requestAnimationFrame(() => place(root))).observe(root);
}
