// Makes a backup while everybody works: the database as it is at one moment, and after it the files, so that every row
// has its file.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { FileMissing, shards, type Storage } from '../storage/storage.ts';
import { seal } from './container.ts';
import { frame, packed, type Frame } from './frames.ts';
import type { Manifest } from './manifest.ts';
import { nextIds } from './numbers.ts';
import { openSnapshot, type Columns, type Place, type Snapshot } from './snapshot.ts';
import type { StrayTable } from './stray-tables.ts';
import { summing, type TableSum } from './sums.ts';

export interface BackupSource {
  readonly place: Place;
  readonly tables: readonly Columns[];
  /** Those of plugins that are not here. */
  readonly strays?: readonly StrayTable[];
  /** Migrations of theirs that were applied, so that they are not applied again when they come back. */
  readonly applied?: readonly string[];
  readonly migrations: readonly string[];
  readonly storage: Storage;
  readonly version: string;
  readonly tenant: string;
  /** When it is made. */
  readonly at: string;
}

const BATCH_CHARACTERS = 256 * 1024;
const UNFINISHED = '.part';
const STALE_MS = 2 * 3_600_000;

/** Writes a backup into a folder under a name; answers what is in it. An unfinished one never has that name. */
export async function writeBackup(
  source: BackupSource,
  { folder, name, key }: { readonly folder: string; readonly name: string; readonly key: Buffer },
): Promise<{ path: string; bytes: number; manifest: Manifest }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnfinished(folder);
  const path = join(folder, name);
  const part = path + UNFINISHED;
  const snapshot = await openSnapshot(source.place);
  const told: { manifest?: Manifest } = {};
  try {
    const bytes = Readable.from(seal(key, packed(framesOf(source, snapshot, told))), { objectMode: false });
    await pipeline(bytes, createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }));
    await rename(part, path);
    await flushFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await snapshot.close();
  }
  if (!told.manifest) throw new Error('The backup has no manifest');
  return { path, bytes: (await stat(path)).size, manifest: told.manifest };
}

/** Deletes what processes that died have left. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const each of await readdir(folder)) {
    if (!each.endsWith(UNFINISHED)) continue;
    const { mtimeMs } = await stat(join(folder, each));
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, each), { force: true });
  }
}

async function* framesOf(
  { place, tables, strays = [], applied = [], storage, ...about }: BackupSource,
  snapshot: Snapshot,
  told: { manifest?: Manifest },
): AsyncGenerator<Frame> {
  const sums = new Map<string, TableSum>();
  for (const each of [...tables, ...strays]) {
    yield frame('table', each);
    const sum = summing();
    let batch: string[] = [];
    let size = 0;
    for await (const row of snapshot.rows(each)) {
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
    sums.set(each.table, sum.result());
  }
  const files = { count: 0, bytes: 0 };
  for (const shard of shards) for await (const { key } of storage.list(shard)) yield* fileFrames(storage, key, files);
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
  };
  yield frame('manifest', told.manifest);
}

const rowsOf = (batch: readonly string[]): Frame => ({ kind: 'rows', body: Buffer.from(batch.join('\n')) });

async function* fileFrames(storage: Storage, key: string, files: { count: number; bytes: number }) {
  // One that is deleted in the meantime is one that no row of the snapshot needs any more, or will miss for long.
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
