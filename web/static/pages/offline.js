// The page that the installed app shows without its server: it looks whether the server is back, and goes on then.

const EVERY_MS = 2000;

const there = () => (location.pathname === "/offline" ? location.replace("/") : location.reload());

async function look() {
  try {
    const answer = await fetch("/manifest.webmanifest", { cache: "no-store", signal: AbortSignal.timeout(EVERY_MS) });
    if (answer.ok) there();
  } catch {
    // not yet
  }
}

setInterval(look, EVERY_MS);
window.addEventListener("online", look);
document.querySelector("[data-again]").addEventListener("click", (event) => {
  event.preventDefault();
  there();
});
