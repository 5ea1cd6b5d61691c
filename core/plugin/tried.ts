// Which plugin files were tried and found to load, so that a start need not try them again: a trial loads the whole product
// a second time.
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether these folders' files are those that were remembered. They are forgotten until they are remembered again, so that
 * files that end this process while it loads them are tried at the next start.
 */
export function takeTried(folder: string, file: string): boolean {
  try {
    const tried = readFileSync(file, 'utf8') === stateOf(folder);
    rmSync(file);
    return tried;
  } catch {
    return false;
  }
}

/** Remembers that the files of a folder load. Where it cannot be written, the next start tries them again. */
export function rememberTried(folder: string, file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, stateOf(folder));
  } catch {
    // A folder that only others write.
  }
}

/** Names, sizes and times of all files but those of packages, with the Node that would load them. */
function stateOf(folder: string): string {
  const hash = createHash('sha256').update(`${process.version}\n`);
  addFolder(hash, folder);
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
