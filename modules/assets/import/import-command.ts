// `import-assets`: imports a file of any length through the path of the API.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { invalid } from '@keelson/core';
import type { CommandInput, Shell } from '@keelson/core/command';
import { importAssets } from './import.ts';

/** Maximum errors printed; all are counted. */
const MOST_SHOWN = 20;

export async function runImport({ open, print }: Shell, input: CommandInput): Promise<void> {
  const { file, company, updateExisting, dryRun } = input;
  if (typeof file !== 'string') throw invalid('--file is required');
  const query = {
    company_number: typeof company === 'string' ? company : undefined,
    update_existing: updateExisting === true ? 'true' : undefined,
    dry_run: dryRun === true ? 'true' : undefined,
  };
  const uploads = [{ filename: basename(file), type: '', bytes: await readFile(file) }];
  const app = await open();
  const done = await importAssets(app.system(), { uploads, fields: {}, query }, { most: Infinity });
  for (const { row, error } of done.errors.slice(0, MOST_SHOWN)) print(`row ${row}: ${error}`);
  if (done.errors_total > MOST_SHOWN) print(`${done.errors_total} errors in total`);
  const { total, created, updated, failed } = done;
  const judged = done.dry_run ? ' (nothing was stored)' : '';
  print(`${total} rows: ${created} created, ${updated} updated, ${failed} failed${judged}`);
}
