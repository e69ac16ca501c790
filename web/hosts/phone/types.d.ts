// What the build puts before the service worker: see site/build.py.

type SiteFile = [name: string, hash: string, travels: number, packed: "" | "gz" | "xz"];
declare const SITE: {
  version: string;
  policy: string;
  light: SiteFile[];
  first: SiteFile[];
  later: SiteFile[];
  apart: string[];
};
