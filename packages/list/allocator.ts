// Allocates sequence numbers, such as ticket numbers: unique and increasing, with gaps after rollbacks and load peaks.
// One update serves all waiting callers, and under load it also allocates numbers ahead. If every transaction updated
// the sequence row, commits would block each other (docs/architecture.md).
import { LostTransaction } from '@keelson/database/database-error.ts';
import type { Database, Db } from '@keelson/database/db.ts';
import { int, key, table } from '@keelson/database/schema/table.ts';
import { sql } from '@keelson/database/statement/sql.ts';

export const Sequence = table('sequence', { name: key(64).primary(), next: int() });

export interface Allocator {
  /**
   * Returns the next number of a sequence, larger than all earlier ones.
   * @param db the caller's transaction; SQLite, with its single writer, allocates inside it, MySQL outside
   * @param start the first number of a new sequence
   */
  take(db: Db, name: string, start?: number): Promise<number>;
  /**
   * Reserves `n` consecutive numbers for a bulk load. Returns the first.
   * @param db the caller's transaction, if any: SQLite allocates inside it
   */
  reserve(name: string, n: number, start?: number, db?: Db): Promise<number>;
}

/** MariaDB can advance and read a sequence in one statement, using RETURNING. */
type SequenceDatabase = Database & { readonly mariadb: boolean };

/** Maximum numbers allocated ahead under load, and how long they stay valid. Unused ones become gaps. */
const MOST_AHEAD = 64;
const AHEAD_MS = 50;

/**
 * Creates an allocator on the table `sequence`.
 * @param database on MySQL, one with a separate small pool: callers hold a connection while they wait for a number, and
 * would deadlock if that required another one from the same pool
 */
export function createAllocator(database: SequenceDatabase): Allocator {
  const queues = new Map<string, Queue>();
  return {
    take(db, name, start = 1) {
      if (db.dialect === 'sqlite') {
        return 'append' in db ? advance(db, name, 1, start) : database.transaction((tx) => advance(tx, name, 1, start));
      }
      const queue = queues.get(name) ?? { waiting: [], ahead: [], requests: 0, busy: false };
      queues.set(name, queue);
      queue.requests++;
      const ready = takeAhead(queue);
      const taken = ready === undefined ? waitIn(queue) : Promise.resolve(ready);
      const short = ready === undefined || (queue.requests > 1 && remaining(queue) * 2 <= queue.requests);
      if (short && !queue.busy) void serve(database, queue, name, start);
      return taken;
    },
    reserve: (name, n, start = 1, db) =>
      db?.dialect === 'sqlite' && 'append' in db ? advance(db, name, n, start) : advanceAlone(database, name, n, start),
  };
}

interface Waiting {
  resolve(value: number): void;
  reject(problem: unknown): void;
}

interface NumberRange {
  next: number;
  readonly end: number;
  readonly until: number;
}

interface Queue {
  waiting: Waiting[];
  /** Numbers allocated ahead, lowest first. Callers wait only if there are none. */
  ahead: NumberRange[];
  /** Requests since the last update began. */
  requests: number;
  busy: boolean;
}

function waitIn(queue: Queue): Promise<number> {
  return new Promise((resolve, reject) => queue.waiting.push({ resolve, reject }));
}

/**
 * Discards expired numbers: otherwise this process would issue low numbers after other processes issued higher ones.
 */
function takeAhead(queue: Queue): number | undefined {
  const now = performance.now();
  queue.ahead = queue.ahead.filter((each) => each.next < each.end && now < each.until);
  const [first] = queue.ahead;
  return first && first.next++;
}

function remaining({ ahead }: Queue): number {
  return ahead.reduce((sum, { next, end }) => sum + end - next, 0);
}

/** Allocates numbers for all waiting callers at once. Repeats until none are waiting. */
async function serve(database: SequenceDatabase, queue: Queue, name: string, start: number): Promise<void> {
  queue.busy = true;
  do {
    const served = queue.waiting;
    const extra = queue.requests > 1 ? Math.min(queue.requests, MOST_AHEAD) : 0;
    queue.waiting = [];
    queue.requests = 0;
    try {
      const first = await advanceAlone(database, name, served.length + extra, start);
      const next = first + served.length;
      served.forEach((each, i) => each.resolve(first + i));
      queue.ahead.push({ next, end: next + extra, until: performance.now() + AHEAD_MS });
      while (queue.waiting.length > 0) {
        const ready = takeAhead(queue);
        if (ready === undefined) break;
        queue.waiting.shift()?.resolve(ready);
      }
    } catch (problem) {
      // Callers that arrived in the meantime fail too: another attempt would exceed their deadline.
      for (const each of [...served, ...queue.waiting.splice(0)]) each.reject(problem);
    }
  } while (queue.waiting.length > 0);
  queue.busy = false;
}

async function advanceAlone(database: SequenceDatabase, name: string, n: number, start: number): Promise<number> {
  const inTransaction = () => database.transaction((tx) => advance(tx, name, n, start));
  if (!database.mariadb) return inTransaction();
  try {
    const rows = await database.query<{ next: number }>(sql`INSERT INTO sequence (name, next)
      VALUES (${name}, ${start + n}) ON DUPLICATE KEY UPDATE next = next + ${n} RETURNING next`);
    return Number(rows[0]?.next) - n;
  } catch (error) {
    // Two processes that create the same sequence may deadlock. A transaction is retried.
    if (error instanceof LostTransaction) return inTransaction();
    throw error;
  }
}

/** Advances a sequence by `n` and returns the first number. The row stays locked until the transaction ends. */
async function advance(db: Db, name: string, n: number, start: number): Promise<number> {
  const added =
    db.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE next = next + ${n}`
      : sql`ON CONFLICT (name) DO UPDATE SET next = sequence.next + ${n}`;
  await db.run(sql`INSERT INTO sequence (name, next) VALUES (${name}, ${start + n}) ${added}`);
  const rows = await db.query<{ next: number }>(sql`SELECT next FROM sequence WHERE name = ${name}`);
  return Number(rows[0]?.next) - n;
}
