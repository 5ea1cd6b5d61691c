// Caches the names that lists show for ids (company, site, technician), which saves joins. A change is visible in this
// process right after its commit, and in others within two seconds.
import type { Db, Transaction } from '@keelson/database/db.ts';
import { int, key, table, type Row, type Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql } from '@keelson/database/statement/sql.ts';
import { lru } from '@keelson/kit/lru.ts';
import type { LRUCache } from 'lru-cache';

/**
 * One row per kind of name. Every name change increments the version, which invalidates the caches of other processes.
 */
export const NameVersion = table('name_version', { name: key(64).primary(), version: int() });

export interface NameSource {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly label: (row: Record<string, unknown>) => string;
}

export interface Names {
  /** Returns the names of existing ids. Reads all uncached ones in one statement. */
  get(db: Db, source: NameSource, ids: Iterable<number | null>): Promise<Map<number, string>>;
  /** Call in the transaction that changes or deletes named rows. New rows need no call. */
  changed(tx: Transaction, source: NameSource, ...ids: readonly number[]): Promise<void>;
}

/** Declares the display name of a table's rows: `defineNames(Company, ['name'], (company) => company.name)`. */
export function defineNames<T extends Table, C extends keyof Row<T> & string>(
  of: T,
  columns: readonly C[],
  label: (row: { [K in C]: Row<T>[K] }) => string,
): NameSource {
  return Object.freeze({ table: of, columns, label: label as NameSource['label'] });
}

/**
 * Creates the name cache of a process.
 * @param limits `kept`: maximum cached names of each kind; `seconds`: poll interval for changes by other processes
 */
export function createNames(limits = { kept: 50_000, seconds: 1 }): Names {
  const caches = new Map<NameSource, Cache>();
  const cacheOf = (source: NameSource): Cache => {
    const cache = caches.get(source) ?? { names: lru(limits.kept), version: -1, cleared: 0 };
    caches.set(source, cache);
    return cache;
  };
  const poll = createPoll(limits.seconds);
  const transactions = new WeakMap<Db, Map<NameSource, Own>>();
  const ownOf = (tx: Db, source: NameSource): Own => {
    const sources = transactions.get(tx) ?? new Map<NameSource, Own>();
    transactions.set(tx, sources);
    const own = sources.get(source) ?? { names: new Map(), changed: new Set() };
    sources.set(source, own);
    return own;
  };
  return {
    async get(db, source, ids) {
      const cache = cacheOf(source);
      // A transaction may use cached names, but its reads are not cached: they may be uncommitted.
      if ('append' in db) {
        const own = ownOf(db, source);
        const shared: Known = { get: (id) => (own.changed.has(id) ? undefined : cache.names.get(id)) };
        const { known, missing } = pick(ids, own.names, poll.isFresh() ? shared : undefined);
        if (missing.length === 0) return known;
        const read = await readNames(db, source, missing);
        adding(own.names, read);
        return adding(known, read);
      }
      if (!poll.isFresh()) await poll.run(() => readVersions(db, caches));
      const { known, missing } = pick(ids, cache.names);
      return missing.length === 0 ? known : adding(known, await fill(db, source, cache, missing));
    },
    async changed(tx, source, ...ids) {
      if (ids.length === 0) return;
      await raiseVersion(tx, source.table.name);
      const own = ownOf(tx, source);
      for (const id of ids) {
        own.changed.add(id);
        own.names.delete(id);
      }
      const forgetAll = () => ids.forEach((id) => forget(cacheOf(source), id));
      forgetAll();
      tx.afterCommit(forgetAll);
    },
  };
}

/** What a transaction knows. It has its own snapshot, so this is not shared. */
interface Own {
  /** The names that it has read. */
  readonly names: Map<number, string>;
  /** The ids whose names it has changed. Others still read and cache the old ones. */
  readonly changed: Set<number>;
}

interface Cache {
  readonly names: LRUCache<number, string>;
  version: number;
  /** Incremented on every invalidation, to detect reads that began before it. */
  cleared: number;
}

function forget(cache: Cache, id: number): void {
  cache.cleared++;
  cache.names.delete(id);
}

interface Picked {
  readonly known: Map<number, string>;
  readonly missing: readonly number[];
}

type Known = Pick<ReadonlyMap<number, string>, 'get'>;

function pick(ids: Iterable<number | null>, from: Known, orFrom?: Known): Picked {
  const known = new Map<number, string>();
  const missing = new Set<number>();
  for (const id of ids) {
    if (id === null || known.has(id)) continue;
    const label = from.get(id) ?? orFrom?.get(id);
    if (label === undefined) missing.add(id);
    else known.set(id, label);
  }
  return { known, missing: [...missing] };
}

function adding(known: Map<number, string>, read: ReadonlyMap<number, string>): Map<number, string> {
  for (const [id, label] of read) known.set(id, label);
  return known;
}

/** Reads names, and caches them unless an invalidation happened during the read. */
async function fill(db: Db, source: NameSource, cache: Cache, ids: readonly number[]): Promise<Map<number, string>> {
  const { cleared } = cache;
  const read = await readNames(db, source, ids);
  if (cache.cleared === cleared) for (const [id, each] of read) cache.names.set(id, each);
  return read;
}

async function readNames(db: Db, source: NameSource, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const { table: of, columns, label } = source;
  const selected = joined([of.primary, ...columns].map(name), ', ');
  const rows = await db.query(
    sql`SELECT ${selected} FROM ${name(of.name)} WHERE ${name(of.primary)} IN ${listed(ids)}`,
  );
  return new Map(rows.map((row) => [Number(row[of.primary]), label(row)]));
}

/** Clears the kinds of names whose version another process has incremented. */
async function readVersions(db: Db, caches: ReadonlyMap<NameSource, Cache>): Promise<void> {
  const rows = await db.query<{ name: string; version: number }>(sql`SELECT name, version FROM name_version`);
  const versions = new Map(rows.map((row) => [row.name, Number(row.version)]));
  for (const [source, cache] of caches) {
    const version = versions.get(source.table.name) ?? 0;
    if (version === cache.version) continue;
    cache.names.clear();
    cache.cleared++;
    cache.version = version;
  }
}

interface Poll {
  /** Runs `work` unless it ran within the interval. Concurrent calls share one run. */
  run(work: () => Promise<void>): Promise<void>;
  isFresh(): boolean;
}

function createPoll(seconds: number): Poll {
  let last = -Infinity;
  let running: Promise<void> | undefined;
  const isFresh = (): boolean => performance.now() - last < seconds * 1000;
  const runNow = async (work: () => Promise<void>): Promise<void> => {
    // The data is as old as the start of the read.
    const started = performance.now();
    await work();
    last = started;
  };
  return {
    isFresh,
    async run(work) {
      if (isFresh()) return;
      running ??= runNow(work).finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}

async function raiseVersion(tx: Transaction, of: string): Promise<void> {
  const raised =
    tx.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE version = version + 1`
      : sql`ON CONFLICT (name) DO UPDATE SET version = name_version.version + 1`;
  await tx.run(sql`INSERT INTO name_version (name, version) VALUES (${of}, 1) ${raised}`);
}
