// The manifest at the end of a backup, and the reader of a whole backup.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isKey } from '@keelson/storage';
import { z } from 'zod';
import type { RowValues } from '../database/snapshot.ts';
import { BadBackup, unseal } from './container.ts';
import { unpacked } from './frames.ts';
import { summing } from './sums.ts';

const Manifest = z.object({
  version: z.string(),
  tenant: z.string(),
  at: z.string(),
  migrations: z.array(z.string()).readonly(),
  tables: z.record(z.string(), z.object({ rows: z.int(), sum: z.string() })),
  files: z.object({ count: z.int(), bytes: z.int() }),
  /** The next id of each table: the last rows may have been deleted, and their ids must not be reused. */
  next_ids: z.record(z.string(), z.int()).default({}),
  /** The tables that no installed plugin declared. */
  stray_tables: z.array(z.string()).readonly().default([]),
  /** Migrations applied besides `migrations`, by plugins that were not installed. */
  applied: z.array(z.string()).readonly().default([]),
  /** Files deleted while the backup was made, whose rows are still in it. */
  deleted_files: z.array(z.string()).readonly().default([]),
});
export type Manifest = Readonly<z.infer<typeof Manifest>>;

const TableHead = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  primary: z.array(z.string()).default([]),
  /** For a stray table: its kind of database, and the statements that create it. */
  kind: z.enum(['sqlite', 'mysql']).optional(),
  made: z.array(z.string()).optional(),
});
export type TableHead = Readonly<z.infer<typeof TableHead>>;
const FileHead = z.object({ key: z.string().refine(isKey), sha256: z.string().optional() });
const Row = z.array(z.union([z.string(), z.number(), z.null()]));

/** Callbacks for the contents of a backup. */
export interface Reader {
  /** A table starts; its rows follow. */
  table?(head: TableHead): Promise<void>;
  rows?(table: string, columns: readonly string[], rows: readonly RowValues[]): Promise<void>;
  /** Bytes of a file; undefined at its end. */
  file?(key: string, bytes: Buffer | undefined): Promise<void>;
  /** A complete file was read, with this SHA-256. */
  done?(key: string, sha256: string): Promise<void>;
}

/**
 * Reads a backup from start to end, and checks everything in it: each piece, count and sum.
 * @throws BadBackup if anything differs from what was written
 */
export async function readBackup(path: string, key: Buffer, reader: Reader = {}): Promise<Manifest> {
  const sums = new Map<string, ReturnType<typeof summing>>();
  const files = { count: 0, bytes: 0 };
  let table: TableHead | undefined;
  let file: { readonly key: string; readonly hash: ReturnType<typeof createHash> } | undefined;
  let manifest: Manifest | undefined;
  for await (const { kind, body } of unpacked(unseal(key, createReadStream(path)))) {
    if (manifest) throw new BadBackup('Unexpected data after the manifest of the backup');
    if (kind === 'table') {
      table = parsed(TableHead, body);
      sums.set(table.table, summing());
      await reader.table?.(table);
    } else if (kind === 'rows') {
      const sum = table && sums.get(table.table);
      if (!table || !sum) throw new BadBackup('The backup is damaged');
      const lines = body.toString().split('\n');
      for (const line of lines) sum.add(line);
      await reader.rows?.(
        table.table,
        table.columns,
        lines.map((line) => parsed(Row, line)),
      );
    } else if (kind === 'file') {
      const head = parsed(FileHead, body);
      if (head.sha256 === undefined) file = { key: head.key, hash: createHash('sha256') };
      else {
        if (file?.key !== head.key || file.hash.digest('hex') !== head.sha256)
          throw new BadBackup(`The file ${head.key} differs from the original`);
        files.count++;
        await reader.file?.(head.key, undefined);
        await reader.done?.(head.key, head.sha256);
        file = undefined;
      }
    } else if (kind === 'bytes') {
      if (!file) throw new BadBackup('The backup is damaged');
      file.hash.update(body);
      files.bytes += body.length;
      await reader.file?.(file.key, body);
    } else manifest = parsed(Manifest, body);
  }
  if (!manifest) throw new BadBackup('The backup has no manifest');
  const found = Object.fromEntries([...sums].map(([name, sum]) => [name, sum.result()]));
  const wrong = differences(manifest.tables, found);
  if (wrong.length > 0) throw new BadBackup(`Rows differ from the original: ${wrong.join(', ')}`);
  if (files.count !== manifest.files.count || files.bytes !== manifest.files.bytes)
    throw new BadBackup('Files are missing from the backup');
  return manifest;
}

/** Parses JSON. @throws BadBackup for a value of another shape */
function parsed<T>(schema: z.ZodType<T>, text: Buffer | string): T {
  try {
    return schema.parse(JSON.parse(text.toString()));
  } catch (error) {
    throw new BadBackup('The backup contains an unknown entry', { cause: error });
  }
}

/** Returns the tables that differ. */
export function differences(a: Manifest['tables'], b: Manifest['tables']): string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.filter((each) => a[each]?.rows !== b[each]?.rows || a[each]?.sum !== b[each]?.sum);
}
