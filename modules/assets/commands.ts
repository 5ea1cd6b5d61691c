import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { invalid } from '@keelson/core';
import { command } from '@keelson/core/plugin';
import { importAssets } from './import/import.ts';

/** Maximum errors printed; all are counted. */
const MOST_SHOWN = 20;

export default [
  command(
    'import-assets',
    'Imports assets from a CSV or JSON file with any number of rows: npm run cli -- import-assets --file assets.csv --company 7',
    [
      { flags: '--file <path>', meaning: 'the file, in UTF-8', required: true },
      { flags: '--company <number>', meaning: 'the company of rows that name none' },
      { flags: '--update-existing', meaning: 'changes assets whose serial number is known, instead of refusing them' },
      { flags: '--dry-run', meaning: 'judges the file and stores nothing' },
    ],
    async ({ open, print }, options) => {
      const { file, company, updateExisting, dryRun } = options;
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
      if (done.errors_total > MOST_SHOWN) print(`${done.errors_total} errors in all`);
      const { total, created, updated, failed } = done;
      const judged = done.dry_run ? ' (nothing was stored)' : '';
      print(`${total} rows: ${created} created, ${updated} updated, ${failed} failed${judged}`);
    },
  ),
];
