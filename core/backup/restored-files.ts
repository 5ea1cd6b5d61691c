// The files of a backup on their way into a storage: each arrives as a whole before it gets the key that it had.
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../kit/random.ts';
import type { Storage } from '../storage/storage.ts';

interface Arriving {
  readonly path: string;
  readonly handle: FileHandle;
  size: number;
}

/** Keeps a file under its key; undefined bytes end it. One that is there is the same: keys are never used twice. */
export function filesInto(storage: Storage): (key: string, bytes: Buffer | undefined) => Promise<void> {
  const arriving = new Map<string, Arriving | undefined>();
  const begin = async (key: string): Promise<Arriving | undefined> => {
    if (await storage.exists(key)) return undefined;
    await mkdir(storage.arrivals, { recursive: true, mode: 0o700 });
    const path = join(storage.arrivals, newId());
    return { path, handle: await open(path, 'w', 0o600), size: 0 };
  };
  return async (key, bytes) => {
    if (!arriving.has(key)) arriving.set(key, await begin(key));
    const file = arriving.get(key);
    if (bytes !== undefined) {
      if (file) await write(file, bytes);
      return;
    }
    arriving.delete(key);
    if (!file) return;
    await file.handle.close();
    await storage.keepAs(key, file);
    // A store elsewhere has a copy.
    await rm(file.path, { force: true });
  };
}

async function write(file: Arriving, bytes: Buffer): Promise<void> {
  try {
    await file.handle.appendFile(bytes);
    file.size += bytes.length;
  } catch (error) {
    await file.handle.close();
    await rm(file.path, { force: true });
    throw error;
  }
}
