// Checks that the files in a backup match the rows that name them. A file missing from the storage would otherwise go
// unnoticed until someone opens it.
import type { Reader } from './format/manifest.ts';

/** Maximum number of files named in a message. */
const MOST_TOLD = 20;

export interface AttachedFiles {
  readonly reader: Reader;
  /**
   * Returns what is wrong, as a sentence, once the whole backup has been read; undefined if each row has its file.
   * @param deleted files that were deleted while the backup was made
   */
  faults(deleted: readonly string[]): string | undefined;
}

/** Compares the rows of the attachment table with the files of the same backup, by key and SHA-256. */
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
    faults(deleted) {
      for (const each of deleted) wanted.delete(each);
      const faults = [told('missing', [...wanted.keys()]), told('not as recorded in the database', different)];
      const some = faults.filter((each) => each !== '');
      return some.length === 0 ? undefined : some.join('; ');
    },
  };
}

function told(how: string, keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const more = keys.length > MOST_TOLD ? ` and ${keys.length - MOST_TOLD} more` : '';
  const files = keys.length === 1 ? 'An attachment file is' : `${keys.length} attachment files are`;
  return `${files} ${how}: ${keys.slice(0, MOST_TOLD).join(', ')}${more}`;
}
