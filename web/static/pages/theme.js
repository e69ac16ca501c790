// What a page does before its scripts have come. It applies this phone's choice of dark or light before anything is
// drawn; without one its own setting holds. And it keeps the last tap, which `onActs` then does.

try {
  const look = localStorage.getItem("rollcall.look");
  if (look === "dark" || look === "light") document.documentElement.dataset.look = look;
} catch {
  // storage is off
}

const SETTLE_MS = 350; // a tap before that was the second one of a double tap on the page before

/** @param {MouseEvent} event */
window.keepTap = (event) => {
  const element = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  window.keptTap = element && event.timeStamp > SETTLE_MS ? { element, is: element.outerHTML } : null;
};
addEventListener("click", window.keepTap);
