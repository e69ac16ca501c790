// Files of Python that lie on the phone's disk: what is written to them is flushed when Python says `fsync`.
//
// Python's file system is memory. The files named here are in the origin private file system instead, by synchronous
// access handles, which only one worker can have at a time. SQLite's store and its write-ahead log are two of them.

const ENOSPC = 51; // by the numbers of Emscripten
const EIO = 29;
const TRIES = 50; // a tab that ended gives its handles back a moment later
const PAUSE_MS = 100;

/** Opens these files for this worker alone, in a folder of the phone's disk. Raises where the browser has no disk. */
export async function openFiles(folder, names) {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const handles = new Map();
  for (const name of names) handles.set(name, await open(await place.getFileHandle(name, { create: true })));
  return handles;
}

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

/** Puts opened files into a folder of Python's file system. They are always there: removed, they are empty. */
export function mountFiles(FS, folder, handles) {
  FS.mkdirTree(folder);
  const directory = FS.lookupPath(folder).node;
  const { unlink, rename } = directory.node_ops;
  directory.node_ops = {
    ...directory.node_ops,
    unlink(parent, name) {
      if (!handles.has(name)) return unlink(parent, name);
      handles.get(name).truncate(0);
      handles.get(name).flush();
      return undefined;
    },
    rename(node, parent, name) {
      if (handles.has(name) || handles.has(node.name)) throw new FS.ErrnoError(EIO);
      return rename(node, parent, name);
    },
  };
  for (const [name, handle] of handles) {
    FS.writeFile(`${folder}/${name}`, "");
    const node = FS.lookupPath(`${folder}/${name}`).node;
    node.node_ops = {
      ...node.node_ops,
      getattr: (each) => ({ ...memoryAttributes(node, each), size: handle.getSize() }),
      setattr(each, attributes) {
        if (attributes.size !== undefined) handle.truncate(attributes.size);
        if (attributes.mode !== undefined) each.mode = attributes.mode;
      },
    };
    node.stream_ops = {
      ...node.stream_ops,
      read: (_, memory, offset, length, position) =>
        handle.read(memory.subarray(offset, offset + length), { at: position }),
      write(_, memory, offset, length, position) {
        const written = attempt(FS, () => handle.write(memory.subarray(offset, offset + length), { at: position }));
        if (written < length) throw new FS.ErrnoError(ENOSPC);
        return written;
      },
      llseek(stream, offset, whence) {
        const from = [0, stream.position, handle.getSize()][whence];
        return from + offset;
      },
      fsync: () => attempt(FS, () => (handle.flush(), 0)),
      mmap() {
        throw new FS.ErrnoError(EIO);
      },
    };
  }
}

/** Does something on the disk; Python is told what failed by its errno. */
function attempt(FS, act) {
  try {
    return act();
  } catch (/** @type {any} */ error) {
    throw new FS.ErrnoError(error.name === "QuotaExceededError" ? ENOSPC : EIO);
  }
}

/** What `stat` tells of a file in memory. */
function memoryAttributes(own, each) {
  const attributes = {
    dev: 1,
    ino: own.id,
    mode: each.mode,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size: 0,
    blksize: 4096,
    blocks: 0,
  };
  for (const time of ["atime", "mtime", "ctime"]) attributes[time] = new Date(own[time] ?? Date.now());
  return attributes;
}
