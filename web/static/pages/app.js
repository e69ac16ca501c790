// On every page: the installed app's service worker where none answers yet, choices that need no button, and buttons
// that print; and the days.

import { keepDays } from "./days.js";

keepDays();

// Below a path of another program the app is that program's.
const isApart = !document.documentElement.dataset.root;
if (isApart && "serviceWorker" in navigator && window.isSecureContext && !navigator.serviceWorker.controller) {
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}

/** @type {NodeListOf<HTMLSelectElement | HTMLInputElement>} */
const choices = document.querySelectorAll("[data-submit]");
for (const choice of choices) {
  choice.addEventListener("change", () => choice.form?.submit());
}
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("[data-print]");
for (const button of buttons) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
