// Makes a backup while the product runs: first the database as of one instant, then the files, so that every row has
// its file.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileMissing, shards, type Storage } from '@keelson/storage';
import { openSnapshot, type Columns, type Place, type Snapshot } from './database/snapshot.ts';
import type { StrayTable } from './database/stray-tables.ts';
import { nextIds } from './database/used-numbers.ts';
import { seal } from './format/container.ts';
import { frame, packed, type Frame } from './format/frames.ts';
import type { Manifest } from './format/manifest.ts';
import { summing, type TableSum } from './format/sums.ts';

export interface BackupSource {
  readonly place: Place;
  readonly tables: readonly Columns[];
  /** Tables of plugins that are not installed. */
  readonly strays?: readonly StrayTable[];
  /** Their applied migrations, so that they are not applied again when the plugins return. */
  readonly applied?: readonly string[];
  readonly migrations: readonly string[];
  readonly storage: Storage;
  /** The table whose rows name stored files, and which of those files are no longer named by any row. */
  readonly attached?: {
    readonly table: string;
    readonly column: string;
    deleted(keys: readonly string[]): Promise<readonly string[]>;
  };
  readonly version: string;
  readonly tenant: string;
  /** When the backup is made. */
  readonly at: string;
}

const BATCH_CHARACTERS = 256 * 1024;
const UNFINISHED = '.part';
const STALE_MS = 2 * 3_600_000;

/** Writes a backup into a folder under a name; returns its contents. An unfinished one never has that name. */
export async function writeBackup(
  source: BackupSource,
  { folder, name, key }: { readonly folder: string; readonly name: string; readonly key: Buffer },
): Promise<{ path: string; bytes: number; manifest: Manifest }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnfinished(folder);
  const path = join(folder, name);
  const part = path + UNFINISHED;
  const told: { manifest?: Manifest } = {};
  try {
    const bytes = Readable.from(seal(key, packed(framesOf(source, told))), { objectMode: false });
    await pipeline(bytes, createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }));
    await rename(part, path);
    await flushFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  if (!told.manifest) throw new Error('The backup has no manifest');
  return { path, bytes: (await stat(path)).size, manifest: told.manifest };
}

/** Deletes files left by crashed processes. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const each of await readdir(folder)) {
    if (!each.endsWith(UNFINISHED)) continue;
    const { mtimeMs } = await stat(join(folder, each));
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, each), { force: true });
  }
}

async function* framesOf(source: BackupSource, told: { manifest?: Manifest }): AsyncGenerator<Frame> {
  const { place, tables, strays = [], applied = [], storage, attached, ...about } = source;
  const sums = new Map<string, TableSum>();
  const missing = new Set<string>();
  const snapshot = await openSnapshot(place);
  try {
    for (const each of [...tables, ...strays]) yield* tableFrames(snapshot, each, { attached, sums, missing });
  } finally {
    // Before the files, which may take hours: until then the database keeps every row version since its start.
    await snapshot.close();
  }
  const files = { count: 0, bytes: 0 };
  for (const shard of shards) {
    for await (const { key } of storage.list(shard)) {
      const before = files.count;
      yield* fileFrames(storage, key, files);
      if (files.count > before) missing.delete(key);
    }
  }
  // Deleted since the snapshot; any other missing file fails the verification.
  const deleted_files = missing.size > 0 ? await attached?.deleted([...missing]) : undefined;
  const { version, tenant, at, migrations } = about;
  const next_ids = await nextIds(place, tables);
  const stray_tables = strays.map(({ table }) => table);
  const sum = Object.fromEntries(sums);
  told.manifest = {
    version,
    tenant,
    at,
    migrations,
    tables: sum,
    files,
    next_ids,
    stray_tables,
    applied: [...applied],
    deleted_files: [...(deleted_files ?? [])],
  };
  yield frame('manifest', told.manifest);
}

interface Noted extends Pick<BackupSource, 'attached'> {
  readonly sums: Map<string, TableSum>;
  /** The files that rows name. */
  readonly missing: Set<string>;
}

async function* tableFrames(
  snapshot: Snapshot,
  of: Columns,
  { attached, sums, missing }: Noted,
): AsyncGenerator<Frame> {
  yield frame('table', of);
  const sum = summing();
  const keyAt = of.table === attached?.table ? of.columns.indexOf(attached.column) : -1;
  let batch: string[] = [];
  let size = 0;
  for await (const row of snapshot.rows(of)) {
    if (keyAt >= 0) missing.add(String(row[keyAt]));
    const text = JSON.stringify(row);
    sum.add(text);
    batch.push(text);
    size += text.length;
    if (size < BATCH_CHARACTERS) continue;
    yield rowsOf(batch);
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield rowsOf(batch);
  sums.set(of.table, sum.result());
}

const rowsOf = (batch: readonly string[]): Frame => ({ kind: 'rows', body: Buffer.from(batch.join('\n')) });

async function* fileFrames(storage: Storage, key: string, files: { count: number; bytes: number }) {
  // A file deleted in the meantime has no row, or its row was deleted after the snapshot.
  const stream = await storage.open(key).catch((error: unknown) => {
    if (error instanceof FileMissing) return undefined;
    throw error;
  });
  if (!stream) return;
  yield frame('file', { key });
  const hash = createHash('sha256');
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    hash.update(bytes);
    files.bytes += bytes.length;
    yield { kind: 'bytes', body: bytes } as const;
  }
  files.count++;
  yield frame('file', { key, sha256: hash.digest('hex') });
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
