// Remembers which plugin files passed their trial load, so that the next start can skip it. A trial loads the whole
// product a second time.
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The state of a folder's files. */
export interface Tried {
  readonly known: boolean;
  /** Records that the files load. If the record cannot be written, the next start tries them again. */
  remember(): void;
}

/**
 * Returns whether `file` records exactly these files, and deletes the record until `remember` is called. Files that end
 * this process while loading are therefore tried again at the next start.
 */
export function takeTried(folder: string, file: string): Tried {
  const state = stateOf(folder);
  return {
    known: takeKnown(file) === state && state !== undefined,
    remember() {
      if (state === undefined) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, state);
      } catch {
        // Read-only folder.
      }
    },
  };
}

function takeKnown(file: string): string | undefined {
  try {
    const known = readFileSync(file, 'utf8');
    rmSync(file);
    return known;
  } catch {
    return undefined;
  }
}

/** Hashes names, sizes and times of all files except hidden ones and packages, plus the Node version. */
function stateOf(folder: string): string | undefined {
  const hash = createHash('sha256').update(`${process.version}\n`);
  try {
    addFolder(hash, folder);
  } catch {
    // A dangling link or an unreadable file.
    return undefined;
  }
  return hash.digest('hex');
}

function addFolder(hash: Hash, folder: string): void {
  for (const name of readdirSync(folder).toSorted()) {
    if (name === 'node_modules' || name.startsWith('.')) continue;
    const path = join(folder, name);
    const stat = statSync(path);
    hash.update(stat.isDirectory() ? `${name}/\n` : `${name} ${stat.size} ${stat.mtimeMs}\n`);
    if (stat.isDirectory()) addFolder(hash, path);
  }
}
