// Stores files in a local folder: written elsewhere, flushed, and renamed, so that no partial file ever has a key.
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { spaceOf } from './reserve.ts';
import { FileMissing, isKey, newKey, type Arrived, type ByteRange, type KeptFile, type Storage } from './storage.ts';

/** Creates a storage in `folder`, which is created with the first file. `arrivals` must be on the same disk. */
export function diskStorage(folder: string, arrivals: string): Storage {
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error('Invalid storage key');
    return join(folder, key);
  };
  const keepAs = async (key: string, { path }: Arrived): Promise<void> => {
    const target = pathOf(key);
    await mkdir(dirname(target), { recursive: true });
    await flush(path);
    await rename(path, target);
    // The name is durable only once its folder is flushed, and a new folder only once its parent is.
    for (let at = dirname(target); at.startsWith(folder); at = dirname(at)) await flush(at);
  };
  return {
    arrivals,
    space: () => spaceOf(arrivals),
    async keep(file) {
      const key = newKey();
      await keepAs(key, file);
      return key;
    },
    keepAs,
    open: (key, range) => openFile(key, pathOf(key), range),
    exists: (key) => isThere(pathOf(key)),
    remove: (key) => removeFile(pathOf(key)),
    list: (shard) => listShard(folder, shard),
    readNote: (name) => readFile(join(folder, name), 'utf8').catch(undefinedWhenAbsent),
    writeNote: (name, text) => writeNote(folder, arrivals, name, text),
  };
}

/** Flushes a file or folder to disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openFile(key: string, path: string, range?: ByteRange): Promise<Readable> {
  const handle = await open(path).catch(undefinedWhenAbsent);
  if (!handle) throw new FileMissing(key);
  // The stream closes the handle when it ends or is destroyed.
  return handle.createReadStream(range ? { start: range.from, end: range.to } : {});
}

async function isThere(path: string): Promise<boolean> {
  return (await access(path).then(() => true, undefinedWhenAbsent)) ?? false;
}

/** Deletes a file, if it exists. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(undefinedWhenAbsent);
}

async function* listShard(folder: string, shard: string): AsyncIterable<KeptFile> {
  for (const second of (await readdir(join(folder, shard)).catch(undefinedWhenAbsent)) ?? []) {
    for (const name of (await readdir(join(folder, shard, second)).catch(undefinedWhenAbsent)) ?? []) {
      const key = `${shard}/${second}/${name}`;
      const found = isKey(key) ? await stat(join(folder, key)).catch(undefinedWhenAbsent) : undefined;
      if (found) yield { key, storedAt: found.mtimeMs };
    }
  }
}

async function writeNote(folder: string, arrivals: string, name: string, text: string): Promise<void> {
  await mkdir(arrivals, { recursive: true });
  const path = join(arrivals, `${name}.note`);
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path, join(folder, name));
  await flush(folder);
}

export function undefinedWhenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
