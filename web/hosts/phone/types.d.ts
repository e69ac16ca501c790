// What the build puts before the service worker: see site/build.py.

type SiteFile = [name: string, hash: string, travels: number, packed: "" | "gz" | "xz"];
/** A node, and an open file, of Python's file system, as Emscripten has them. */
type FsNode = { name: string; mode: number; contents: Uint8Array; usedBytes: number };
type FsStream = { position: number };
/** What it asks of a node, and of an open file: bytes go from `memory` or into it, at this `position` of the file. */
type FsNodeOps = {
  lookup(parent: FsNode, name: string): FsNode;
  unlink(parent: FsNode, name: string): void;
  rename(node: FsNode, parent: FsNode, name: string): void;
  getattr(node: FsNode): object;
  setattr(node: FsNode, attributes: { size?: number; mode?: number }): void;
};
type Transfer = (stream: FsStream, memory: Uint8Array, offset: number, length: number, position: number) => number;
type FsStreamOps = {
  read: Transfer;
  write: Transfer;
  llseek(stream: FsStream, offset: number, whence: number): number;
};

/** A request of this phone or of a guest, as the application's worker gets it. */
type PhoneRequest = {
  id: string;
  method: string;
  path: string;
  headers: string[][];
  body: ArrayBuffer | null;
  host: string;
  secure: boolean;
  phone: string;
};

/** A picture of the browser's eye: three bytes for each pixel, row by row. */
type Picture = { width: number; height: number; data: Uint8Array };
type PixelGrid = { width: number; height: number; data: Uint8Array | Uint8ClampedArray };

type NetworkOutput = { data: Float32Array; dims: readonly number[] };
/** A network, for pictures of one size. */
type Network = (pictures: Picture[]) => Promise<NetworkOutput[]>;
type LikenessMap = { data: Float32Array; shape: number[] };

/** Comes with the build, and has no types there. */
declare module "*/ort.mjs";

declare const SITE: {
  version: string;
  policy: string;
  light: SiteFile[];
  first: SiteFile[];
  later: SiteFile[];
  apart: string[];
};
