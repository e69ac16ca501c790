// In every page of a site that lies in a folder: links and forms that scripts made lead into that folder.

const folder = new URL(".", document.currentScript.src).pathname;

const inside = (address) => {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || url.pathname.startsWith(folder)) return address;
  return folder + (url.pathname + url.search + url.hash).slice(1);
};

addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element && target.closest("a[href]");
    if (link) link.href = inside(link.href);
  },
  true,
);
addEventListener(
  "submit",
  ({ target }) => {
    target.action = inside(target.action);
  },
  true,
);
