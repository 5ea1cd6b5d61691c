// Read replicas (DATABASE_READ_URL). Reports and exports read their rows from one while it is at most as far behind as
// allowed, and from the primary otherwise.
import { addressesOf } from '@keelson/kit/addresses.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { Problem } from '@keelson/kit/problem.ts';
import { newId } from '@keelson/kit/random.ts';
import { In } from 'typeorm';
import { StatementFailed } from './database-error.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import type { Db } from './db.ts';
import { sql } from './statement/sql.ts';
import { statementsFor } from './statement/statement.ts';
import { CommitMark } from './transaction/commit-mark.ts';
import { rowMethods, type Execute } from './transaction/database-link.ts';
import { lazyManager } from './transaction/manager.ts';

/** Connections to each replica. */
const POOL = 4;
const LEAST_INTERVAL_MS = 250;
const MOST_INTERVAL_MS = 2000;
/** Marks deleted at a time, at least and at most. */
const BATCH = { least: 20, most: 200 };

export interface ReplicaOptions {
  /** One or several addresses, as in DATABASE_URL. */
  readonly url: string;
  readonly database: OpenDatabase;
  /** How many seconds a replica may be behind. */
  readonly mostSeconds: number;
  readonly log: { info(o: object, msg: string): void; warn(o: object, msg: string): void };
}

export interface ReplicaState {
  /** Host and port. */
  readonly address: string;
  /** Why it is not used; undefined while it is, and in the first seconds. */
  readonly problem: string | undefined;
  /** It is at most this many seconds behind; undefined if unknown. */
  readonly seconds: number | undefined;
}

export interface ReadReplicas {
  /** Begins to measure. Until a replica is known to be recent, everything is read from the primary. */
  readonly start: () => void;
  /**
   * Returns where to read now: a replica, or the primary. If the replica fails, the rest is read from the primary. It
   * never changes the other way, nor to another replica, because rows that were there could be missing again.
   */
  readonly reader: () => Db;
  readonly states: () => ReplicaState[];
  readonly close: () => Promise<void>;
}

/** A row that this process wrote to the primary. A replica that has it has everything committed before `at`. */
interface Mark {
  readonly mark: string;
  /** On this process's monotonic clock, before it was sent. No clocks are compared. */
  readonly at: number;
}

interface Replica {
  readonly address: string;
  readonly url: string;
  database: OpenDatabase | undefined;
  /** It has all migrations of the primary. */
  migrated: boolean;
  /** `at` of the newest mark it has. */
  newest: number | undefined;
  failure: string | undefined;
  /** Whether the log says that it is used. */
  used: boolean | undefined;
  checking: Promise<void> | undefined;
}

/** Prepares the replicas, without connecting. */
export function openReplicas({ url, database, mostSeconds, log }: ReplicaOptions): ReadReplicas {
  const most = mostSeconds * 1000;
  const replicas = addressesOf(url).map(replicaAt);
  const marks: Mark[] = [];
  const old: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let since = performance.now();
  /** Whether the last mark was written. */
  let measuring = true;

  const behind = ({ newest }: Replica) => (newest === undefined ? Infinity : performance.now() - newest);
  const problemOf = (replica: Replica): string | undefined => {
    if (replica.failure !== undefined) return replica.failure;
    if (behind(replica) <= most) return undefined;
    const starting = performance.now() - since <= most;
    return starting ? undefined : `it is more than ${mostSeconds} s behind`;
  };
  const isUsable = (replica: Replica) => replica.failure === undefined && behind(replica) <= most;
  const report = (replica: Replica) => {
    const problem = problemOf(replica);
    const usable = isUsable(replica);
    // In the first seconds its lag is unknown.
    if (usable === replica.used || (!usable && problem === undefined)) return;
    replica.used = usable;
    const { address } = replica;
    if (usable) log.info({ replica: address }, 'Reports and exports can be read from the replica');
    else
      log.warn(
        { replica: address, reason: problem },
        'The replica is not used; reports and exports are read elsewhere',
      );
  };

  const writeMark = async () => {
    const mark = { mark: newId(), at: performance.now() };
    while (marks[0] && marks[0].at < mark.at - most) old.push(marks.shift()?.mark ?? '');
    marks.push(mark);
    try {
      await database.insert(CommitMark, { mark: mark.mark, committed: true });
      measuring = true;
      if (old.length < BATCH.least) return;
      // If this fails, an hourly job deletes them.
      await database.delete(CommitMark, { mark: In(old.splice(0, BATCH.most)) });
    } catch (error) {
      // Without new marks the replicas soon count as being behind.
      if (measuring) log.warn({ reason: reasonOf(error) }, 'The lag of read replicas cannot be measured');
      measuring = false;
    }
  };
  const check = async (replica: Replica) => {
    try {
      const opened = (replica.database ??= await open(replica.url));
      if (!replica.migrated && !(await isMigrated(opened, database))) throw new Error('its tables are older');
      replica.migrated = true;
      // Also the newest one it has, so that something is always asked.
      const newer = marks.filter(({ at }) => at >= (replica.newest ?? -Infinity));
      const found =
        newer.length > 0 ? await opened.findBy(CommitMark, { mark: In(newer.map(({ mark }) => mark)) }) : [];
      const there = new Set(found.map(({ mark }) => mark));
      replica.newest = newer.findLast(({ mark }) => there.has(mark))?.at ?? replica.newest;
      replica.failure = undefined;
    } catch (error) {
      fail(replica, error);
    }
    report(replica);
  };
  const round = () => {
    writing ??= writeMark().finally(() => (writing = undefined));
    for (const each of replicas) each.checking ??= check(each).finally(() => (each.checking = undefined));
  };
  const readFrom = (replica: Replica, opened: OpenDatabase): Db => {
    let from = opened;
    const execute: Execute = async (statement, how) => {
      if (how.writes) throw new Error('Reports and exports only read');
      if (from === database) return database.execute(statement, how);
      try {
        return await opened.execute(statement, how);
      } catch (error) {
        from = database;
        // One that the primary executes may lack rights or a table on the replica.
        if (error instanceof StatementFailed)
          log.warn({ replica: replica.address, err: error }, 'A replica failed to read');
        else {
          fail(replica, error);
          report(replica);
        }
        return database.execute(statement, how);
      }
    };
    return rowMethods('mysql', statementsFor('mysql'), execute, lazyManager(database.source, execute, false));
  };

  return {
    start() {
      since = performance.now();
      round();
      timer = setInterval(round, Math.min(MOST_INTERVAL_MS, Math.max(LEAST_INTERVAL_MS, most / 10))).unref();
    },
    reader() {
      for (const each of replicas) if (each.database && isUsable(each)) return readFrom(each, each.database);
      return database;
    },
    states: () =>
      replicas.map((each) => ({
        address: each.address,
        problem: problemOf(each),
        seconds: each.newest === undefined ? undefined : Math.ceil(behind(each) / 1000),
      })),
    async close() {
      clearInterval(timer);
      await Promise.all([writing, ...replicas.map(({ checking }) => checking)]);
      await Promise.all(replicas.map(async (each) => each.database?.close()));
    },
  };
}

function replicaAt(url: string): Replica {
  const { hostname, port } = new URL(url);
  return {
    address: `${hostname}:${port || 3306}`,
    url,
    database: undefined,
    migrated: false,
    newest: undefined,
    failure: undefined,
    used: undefined,
    checking: undefined,
  };
}

function fail(replica: Replica, error: unknown): void {
  replica.failure = reasonOf(error);
  // It may come back with older contents.
  replica.migrated = false;
  replica.newest = undefined;
}

const reasonOf = (error: unknown): string => messageOf(error instanceof Problem ? (error.cause ?? error) : error);

// What a connection to the primary warns about does not concern a replica, and its failures are reported here.
const quiet = { warn: () => {} };

function open(url: string): Promise<OpenDatabase> {
  return openDatabase({ url, file: '', tables: [], log: quiet, pool: POOL, readOnly: true });
}

async function isMigrated(replica: OpenDatabase, primary: OpenDatabase): Promise<boolean> {
  const names = async (database: OpenDatabase) =>
    new Set((await database.query<{ name: string }>(sql`SELECT name FROM migration`)).map(({ name }) => name));
  const wanted = await names(primary);
  return wanted.isSubsetOf(await names(replica));
}
