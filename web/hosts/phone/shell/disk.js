// Files of Python that lie on the phone's disk: what is written to them is flushed when Python says `fsync`.
//
// Python's file system is memory. The files named here are in the origin private file system instead, by synchronous
// access handles, which only one worker can have at a time. SQLite's store and its write-ahead log are two of them.

const ENOSPC = 51; // by the numbers of Emscripten
const EIO = 29;
const TRIES = 50; // a tab that ended gives its handles back a moment later
const PAUSE_MS = 100;
// What a file is replaced by, whole or not at all: its bytes behind HEAD, and once they are on the disk, a line of JSON
// before them, { name, size }.
const REPLACED = "replaced";
const HEAD = 512;

/** @typedef {Map<string, any>} Handles synchronous access handles, by the names of their files */

/** Opens these files for this worker alone, in a folder of the phone's disk. Raises where the browser has no disk.
 * @param {string} folder @param {string[]} names */
export async function openFiles(folder, names) {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const handles = new Map();
  for (const name of [...names, REPLACED])
    handles.set(name, await open(await place.getFileHandle(name, { create: true })));
  finish(handles);
  return handles;
}

/** Replaces a file by these bytes. What was cut on its way, the next start finishes. Raises QuotaExceededError.
 * @param {Handles} handles @param {string} name @param {Uint8Array} bytes */
export function replace(handles, name, bytes) {
  const [log, file] = [handles.get(REPLACED), handles.get(name)];
  log.truncate(0);
  if (file.getSize() < bytes.length) file.truncate(bytes.length); // has room from here on
  writeAll(log, bytes, HEAD);
  log.flush();
  writeAll(log, new TextEncoder().encode(JSON.stringify({ name, size: bytes.length }).padEnd(HEAD)), 0);
  log.flush();
  finish(handles);
}

/** Finishes what was cut, once it is whole on the disk. @param {Handles} handles */
export function finish(handles) {
  const log = handles.get(REPLACED);
  const head = new Uint8Array(HEAD);
  log.read(head, { at: 0 });
  const whole = new TextDecoder().decode(head).match(/^\{"name":"([^"]+)","size":(\d+)\} *$/); // else it was cut
  if (whole) {
    const bytes = new Uint8Array(Number(whole[2]));
    log.read(bytes, { at: HEAD });
    const handle = handles.get(whole[1]);
    writeAll(handle, bytes, 0);
    handle.truncate(bytes.length);
    handle.flush();
  }
  if (log.getSize()) log.truncate(0);
}

/** Raises QuotaExceededError where there is no room.
 * @param {any} handle @param {Uint8Array} bytes @param {number} at */
function writeAll(handle, bytes, at) {
  if (handle.write(bytes, { at }) < bytes.length) throw new DOMException("no room", "QuotaExceededError");
}

/** @param {any} file */
async function open(file) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await file.createSyncAccessHandle();
    } catch (/** @type {any} */ error) {
      if (error.name !== "NoModificationAllowedError" || tried === TRIES) throw error;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}

/**
 * Puts opened files into a folder of Python's file system. They are always there: removed, they are empty. A file in
 * memory may take the name of one.
 * @param {any} FS @param {string} folder @param {Handles} handles
 */
export function mountFiles(FS, folder, handles) {
  FS.mkdirTree(folder);
  const directory = FS.lookupPath(folder).node;
  const nodes = new Map();
  const { unlink, rename, lookup } = directory.node_ops;
  directory.node_ops = /** @type {FsNodeOps} */ ({
    ...directory.node_ops,
    lookup(parent, name) {
      const node = nodes.get(name) ?? lookup(parent, name);
      FS.hashAddNode(node); // which a removed one has left
      return node;
    },
    unlink(parent, name) {
      if (!handles.has(name)) return unlink(parent, name);
      handles.get(name).truncate(0);
      handles.get(name).flush();
      return undefined;
    },
    rename(node, parent, name) {
      if (handles.has(node.name)) throw new FS.ErrnoError(EIO);
      if (!handles.has(name)) return rename(node, parent, name);
      attempt(FS, () => replace(handles, name, node.contents.subarray(0, node.usedBytes)));
      rename(node, parent, name);
      node.contents = new Uint8Array(0);
      node.usedBytes = 0;
      nodes.set(name, onDisk(FS, node, handles.get(name)));
      return undefined;
    },
  });
  for (const [name, handle] of handles) {
    FS.writeFile(`${folder}/${name}`, "");
    nodes.set(name, onDisk(FS, FS.lookupPath(`${folder}/${name}`).node, handle));
  }
}

/** Has a file of Python's file system lie behind a handle. Returns it.
 * @param {any} FS @param {any} node @param {any} handle */
function onDisk(FS, node, handle) {
  const { getattr } = node.node_ops;
  node.node_ops = /** @type {FsNodeOps} */ ({
    ...node.node_ops,
    getattr: (each) => ({ ...getattr(each), size: handle.getSize() }),
    setattr(each, attributes) {
      if (attributes.size !== undefined) handle.truncate(attributes.size);
      if (attributes.mode !== undefined) each.mode = attributes.mode;
    },
  });
  node.stream_ops = /** @type {FsStreamOps} */ ({
    ...node.stream_ops,
    read: (_, memory, offset, length, at) => handle.read(memory.subarray(offset, offset + length), { at }),
    write(_, memory, offset, length, at) {
      const written = attempt(FS, () => handle.write(memory.subarray(offset, offset + length), { at }));
      if (written < length) throw new FS.ErrnoError(ENOSPC);
      return written;
    },
    llseek: (stream, offset, whence) => [0, stream.position, handle.getSize()][whence] + offset,
    fsync: () => attempt(FS, () => (handle.flush(), 0)),
    mmap() {
      throw new FS.ErrnoError(EIO);
    },
  });
  return node;
}

/** Does something on the disk; Python is told what failed by its errno. @param {any} FS @param {() => any} act */
function attempt(FS, act) {
  try {
    return act();
  } catch (/** @type {any} */ error) {
    throw new FS.ErrnoError(error.name === "QuotaExceededError" ? ENOSPC : EIO);
  }
}
