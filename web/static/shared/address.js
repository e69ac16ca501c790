// Addresses of this server. Behind a proxy that shows the pages below a path, `data-root` of the page is that path.

const root = globalThis.document?.documentElement?.dataset?.root ?? "";

/** The address of a path of this server: at("/help"). @param {string} path */
export const at = (path) => root + path;

/** The address for the requests of a table, of which `base` is the page. @param {string} base */
export const apiOf = (base) => at(`/api/v1${base.slice(root.length)}`);
