// Keeps the index up to date: reads changed records from the change feed, in any commit order, and stores their current
// words. One process at a time does this.
import { setTimeout as sleep } from 'node:timers/promises';
import { DuplicateKey, type Db } from '@keelson/database/db.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { newId } from '@keelson/kit/random.ts';
import { plus, type Timestamp } from '@keelson/kit/time.ts';
import { In, LessThanOrEqual } from 'typeorm';
import type { App } from '../../plugin/app.ts';
import { RecordChange } from '../../plugin/change-feed.ts';
import type { Indexer } from '../../plugin/declaration/search-declaration.ts';
import { SearchLease } from '../entities.ts';
import { searchables } from '../search-sources.ts';
import { pauses } from './pauses.ts';
import { indexNext, isComplete, restartIndex } from './reindex.ts';
import { indexRecords } from './write-words.ts';

/** Polling interval. Searches compare unindexed changes themselves. */
const POLL_MS = 500;
/** Changes per transaction: SQLite's only writer must not be blocked for long. */
const BATCH = { sqlite: 100, mysql: 2000 };
/** Longer than a transaction may take. */
const LEASE = { seconds: 40 };
/** Interval between checks for tables that need indexing. */
const LOOK_AGAIN_MS = 30_000;
/** Maximum share of the time spent on indexing whole tables, which is not urgent. */
const REBUILDING = 1 / 4;
const NAME = 'index';

/** Creates the indexer of a process. */
export function createIndexer(app: () => App): Indexer {
  const holder = newId();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;
  let turning: Promise<void> | undefined;
  let stopped = false;
  let unreachable = false;
  let lookAgain = 0;
  const pause = pauses(() => app().database);

  const look = (): Promise<number> => (running ??= indexAll().finally(() => (running = undefined)));

  async function indexAll(): Promise<number> {
    let all = 0;
    for (;;) {
      const n = await indexBatch(app(), holder);
      all += n;
      if (n === 0 || stopped) return all;
    }
  }

  /** Indexes what has changed, pausing between batches, then the tables that are not fully indexed yet. */
  async function round(): Promise<void> {
    if (!(await pause.giveWay())) return;
    while ((await lookOnce()) > 0) if (!(await pause.wait())) return;
    if (performance.now() < lookAgain) return;
    for (;;) {
      pause.begin();
      if ((await rebuildNext(app(), holder)) === undefined) break;
      if (!(await pause.wait(REBUILDING))) return;
      await lookOnce();
    }
    lookAgain = performance.now() + LOOK_AGAIN_MS;
  }

  async function lookOnce(): Promise<number> {
    // A call of `drain` may be running.
    await running;
    pause.begin();
    running = indexBatch(app(), holder);
    try {
      return await running;
    } finally {
      running = undefined;
    }
  }

  async function turn(): Promise<void> {
    try {
      await round();
      unreachable = false;
    } catch (err) {
      // The database may be down for minutes: log it once.
      if (!unreachable) app().log.warn({ err }, 'search: could not write the index');
      unreachable = true;
    }
    next();
  }

  function next(): void {
    const begin = () => {
      turning = turn();
    };
    if (!stopped) timer = setTimeout(begin, POLL_MS).unref();
  }

  return {
    start: next,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      pause.stop();
      // On failure the changes stay open for the next indexer to retry.
      await running?.catch(() => 0);
      await turning;
    },
    drain: look,
    async rebuild(progress) {
      await restartIndex(app());
      for (;;) {
        await look();
        const n = await rebuildNext(app(), holder);
        if (n === undefined) return;
        // Another process has the lease and does the work.
        if (n === 0) await sleep(POLL_MS);
        progress(n);
      }
    },
  };
}

/** Indexes the next records of unfinished tables; undefined at the end, 0 while another process holds the lease. */
async function rebuildNext(app: App, holder: string): Promise<number | undefined> {
  if (await isComplete(app)) return undefined;
  if (!(await holdLease(app.database, holder, app.clock.now()))) return 0;
  return indexNext(app);
}

/** Indexes the oldest open changes; returns how many, or 0 while another process holds the lease. */
async function indexBatch(app: App, holder: string): Promise<number> {
  const { database } = app;
  const open = await openChanges(database, 1);
  if (open.length === 0) return 0;
  const ctx = app.system();
  if (!(await holdLease(database, holder, ctx.now))) return 0;
  return ctx.transaction(async (inside) => {
    const changes = await openChanges(inside.db, BATCH[database.dialect]);
    const byType = Map.groupBy(changes, ({ type }) => type);
    for (const each of searchables(app)) {
      const ids = new Set(byType.get(each.table.name)?.map(({ record_id }) => Number(record_id)));
      if (ids.size > 0) await indexRecords(inside, each, [...ids]);
    }
    await inside.db.update(
      RecordChange,
      { change_id: In(changes.map((each) => Number(each.change_id))) },
      { indexed: true },
    );
    return changes.length;
  });
}

interface OpenChange {
  readonly change_id: number;
  readonly type: string;
  readonly record_id: number;
}

function openChanges(db: Db, limit: number): Promise<OpenChange[]> {
  return db.query(sql`SELECT change_id, type, record_id FROM record_change WHERE indexed = 0
    ORDER BY created_at, change_id LIMIT ${limit}`);
}

/** Takes or renews the lease; false while another process holds it. */
async function holdLease(db: Db, holder: string, now: Timestamp): Promise<boolean> {
  const until = plus(now, LEASE);
  const { affected: kept } = await db.update(
    SearchLease,
    [
      { name: NAME, holder },
      { name: NAME, until: LessThanOrEqual(now) },
    ],
    {
      holder,
      until,
    },
  );
  if (kept > 0) return true;
  try {
    await db.insert(SearchLease, { name: NAME, holder, until });
    return true;
  } catch (error) {
    if (error instanceof DuplicateKey) return false;
    throw error;
  }
}
