// In every page of a site that lies in a folder: links and forms that scripts made lead into that folder.

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const folder = new URL(".", script.src).pathname;

/** @param {string} address */
const inside = (address) => {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || url.pathname.startsWith(folder)) return address;
  return folder + (url.pathname + url.search + url.hash).slice(1);
};

addEventListener(
  "click",
  ({ target }) => {
    /** @type {HTMLAnchorElement | null} */
    const link = target instanceof Element ? target.closest("a[href]") : null;
    if (link) link.href = inside(link.href);
  },
  true,
);
addEventListener(
  "submit",
  ({ target }) => {
    if (target instanceof HTMLFormElement) target.action = inside(target.action);
  },
  true,
);
