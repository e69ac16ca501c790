// The page of the first start: says by itself when a phone has come.

import { element } from "../shared/dom.js";
import { fromJson } from "../shared/json.js";

const EVERY_MS = 2000;
const sign = element("phones", HTMLElement);

async function lookForPhones() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/welcome/phones", { cache: "no-store", signal: AbortSignal.timeout(EVERY_MS) });
    if (!answer.ok) return;
    const { phones, text } = fromJson(await answer.text());
    const said = sign.querySelector("span:last-child");
    if (said.textContent !== text) said.textContent = text; // a screen reader says what has changed
    sign.classList.toggle("came", phones > 0);
  } catch {
    // it looks again
  }
}

setInterval(lookForPhones, EVERY_MS);
document.addEventListener("visibilitychange", lookForPhones);
document.body.dataset.ready = "yes";
