// What the build puts before the service worker: see site/build.py.

type SiteFile = [name: string, hash: string, travels: number, packed: boolean];
declare const SITE: { version: string; policy: string; first: SiteFile[]; later: SiteFile[] };
