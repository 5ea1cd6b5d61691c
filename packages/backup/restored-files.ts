// Restores the files of a backup into a storage: each is written completely before it gets its original key.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '@keelson/storage';

interface Arriving {
  readonly path: string;
  readonly handle: FileHandle;
  size: number;
}

/**
 * Stores a file under its key; undefined bytes end it. Skips existing keys, which have the same content: keys are never
 * reused.
 */
export function filesInto(storage: Storage): (key: string, bytes: Buffer | undefined) => Promise<void> {
  const arriving = new Map<string, Arriving | undefined>();
  const begin = async (key: string): Promise<Arriving | undefined> => {
    if (await storage.exists(key)) return undefined;
    await mkdir(storage.arrivals, { recursive: true, mode: 0o700 });
    const path = join(storage.arrivals, randomUUID());
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
    // Delete the local file: a remote store has copied it.
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
