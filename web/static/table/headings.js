// Headings of a sheet stay in sight below what sticks to the top of the screen, also where it scrolls sideways.

const LARGE_TEXT_PX = 24; // from there on the screen has no room for what sticks beside the sheet

const isSticky = (element) => element && getComputedStyle(element).position === "sticky";

/** Says to the style how high that is which sticks above a sheet, and puts its headings there. */
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

/** What sticks within a box that scrolls sideways sticks to nothing else: there the headings are moved. */
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
  // Another size of the screen, of the text, or of what is shown.
  new ResizeObserver(() => requestAnimationFrame(() => place(root))).observe(root);
}
