// The page that the installed app shows without its server. It goes on as soon as the server is back.

const EVERY_MS = 2000;

const goOn = () => (location.pathname === "/offline" ? location.replace("/") : location.reload());

async function checkServer() {
  try {
    const answer = await fetch("/manifest.webmanifest", { cache: "no-store", signal: AbortSignal.timeout(EVERY_MS) });
    if (answer.ok) goOn();
  } catch {
    // not yet
  }
}

setInterval(checkServer, EVERY_MS);
window.addEventListener("online", checkServer);
document.querySelector("[data-again]").addEventListener("click", (event) => {
  event.preventDefault();
  goOn();
});
