// Whether the files in a backup are those that its rows name: a file that is gone from the storage is missed by nobody else
// until somebody opens it.
import type { Reader } from './manifest.ts';

/** How many are named. */
const MOST_TOLD = 20;

export interface AttachedFiles {
  readonly reader: Reader;
  /** What is wrong, as a sentence, once the whole backup was read; undefined when each row has its file. */
  faults(): string | undefined;
}

/** Compares the rows of the table of attachments with the files of the same backup, by key and SHA-256. */
export function attachedFiles(ofTable: string): AttachedFiles {
  const wanted = new Map<string, string>();
  const different: string[] = [];
  return {
    reader: {
      async rows(table, columns, rows) {
        if (table !== ofTable) return;
        const [key, sum] = ['stored_as', 'sha256'].map((each) => columns.indexOf(each));
        for (const row of rows) wanted.set(String(row[key ?? -1]), String(row[sum ?? -1]));
      },
      async done(key, sha256) {
        const known = wanted.get(key);
        if (known !== undefined && known !== sha256) different.push(key);
        wanted.delete(key);
      },
    },
    faults() {
      const faults = [told('missing', [...wanted.keys()]), told('not what the database says', different)];
      const some = faults.filter((each) => each !== '');
      return some.length === 0 ? undefined : some.join('; ');
    },
  };
}

function told(how: string, keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const more = keys.length > MOST_TOLD ? ` and ${keys.length - MOST_TOLD} more` : '';
  const files = keys.length === 1 ? 'A file of attachments is' : `${keys.length} files of attachments are`;
  return `${files} ${how}: ${keys.slice(0, MOST_TOLD).join(', ')}${more}`;
}
