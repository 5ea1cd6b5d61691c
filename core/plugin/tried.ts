// Which plugin files were tried and found to load, so that a start need not try them again: a trial loads the whole product
// a second time.
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is known of a folder's files. */
export interface Tried {
  readonly known: boolean;
  /** Remembers that they load. Where it cannot be written, the next start tries them again. */
  remember(): void;
}

/**
 * Whether these are the files that were remembered in `file`. They are forgotten until they are remembered again, so that
 * files that end this process while it loads them are tried at the next start.
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
        // A folder that only others write.
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

/** Names, sizes and times of all files but those of packages, with the Node that would load them. */
function stateOf(folder: string): string | undefined {
  const hash = createHash('sha256').update(`${process.version}\n`);
  try {
    addFolder(hash, folder);
  } catch {
    // A link to nowhere, or a file that only others read.
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
