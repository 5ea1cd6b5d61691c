// Numbers in sequence, such as ticket numbers: unique and rising, with gaps where a create was rolled back or a rush ended.
// One update serves every caller that waits, and in a rush those about to come: a row that each transaction updated would
// make commits serial (docs/architecture.md).
import { LostTransaction } from '../database/database-error.ts';
import type { Database, Db } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { int, key, table } from '../database/table.ts';

export const Sequence = table('sequence', { name: key(64).primary(), next: int() });

export interface Allocator {
  /**
   * The next number of a sequence, larger than all it gave before.
   * @param db the caller's transaction: SQLite has one writer and so counts inside of it; MySQL never does
   * @param start the first number of a new sequence
   */
  take(db: Db, name: string, start?: number): Promise<number>;
  /** Sets `n` numbers in a row aside, for bulk loads; answers the first. */
  reserve(name: string, n: number, start?: number): Promise<number>;
}

/** On MariaDB one statement, and so one round trip, moves a sequence on and tells where it is. */
type Numbers = Database & { readonly mariadb: boolean };

/** In a rush so many numbers are taken ahead at most, and for so long: then they are gaps. */
const MOST_AHEAD = 64;
const AHEAD_MS = 50;

/**
 * Serves numbers from the table `sequence`.
 * @param database on MySQL a handle of its own with a connection or two: callers wait while they hold theirs, and would
 *   wait for ever for a connection out of the same pool
 */
export function createAllocator(database: Numbers): Allocator {
  const queues = new Map<string, Queue>();
  return {
    take(db, name, start = 1) {
      if (db.dialect === 'sqlite') {
        return 'append' in db ? advance(db, name, 1, start) : database.transaction((tx) => advance(tx, name, 1, start));
      }
      const queue = queues.get(name) ?? { waiting: [], ahead: [], asked: 0, busy: false };
      queues.set(name, queue);
      queue.asked++;
      const ready = takeAhead(queue);
      const taken = ready === undefined ? waitIn(queue) : Promise.resolve(ready);
      const short = ready === undefined || (queue.asked > 1 && remaining(queue) * 2 <= queue.asked);
      if (short && !queue.busy) void serve(database, queue, name, start);
      return taken;
    },
    reserve: (name, n, start = 1) => advanceAlone(database, name, n, start),
  };
}

interface Waiting {
  resolve(value: number): void;
  reject(problem: unknown): void;
}

interface Stock {
  next: number;
  readonly end: number;
  readonly until: number;
}

interface Queue {
  waiting: Waiting[];
  /** Numbers taken ahead, the lowest first. Nobody waits while there are any. */
  ahead: Stock[];
  /** How often somebody came since the last update began. */
  asked: number;
  busy: boolean;
}

function waitIn(queue: Queue): Promise<number> {
  return new Promise((resolve, reject) => queue.waiting.push({ resolve, reject }));
}

/** What is too old is dropped: a process that keeps its numbers for long would give out low ones after others' high ones. */
function takeAhead(queue: Queue): number | undefined {
  const now = performance.now();
  queue.ahead = queue.ahead.filter((each) => each.next < each.end && now < each.until);
  const [first] = queue.ahead;
  return first && first.next++;
}

function remaining({ ahead }: Queue): number {
  return ahead.reduce((sum, { next, end }) => sum + end - next, 0);
}

/** Takes numbers for everybody who waits, again and again until nobody does; meanwhile the next ones gather. */
async function serve(database: Numbers, queue: Queue, name: string, start: number): Promise<void> {
  queue.busy = true;
  do {
    const served = queue.waiting;
    const rush = queue.asked > 1 ? Math.min(queue.asked, MOST_AHEAD) : 0;
    queue.waiting = [];
    queue.asked = 0;
    try {
      const first = await advanceAlone(database, name, served.length + rush, start);
      const next = first + served.length;
      served.forEach((each, i) => each.resolve(first + i));
      queue.ahead.push({ next, end: next + rush, until: performance.now() + AHEAD_MS });
      while (queue.waiting.length > 0) {
        const ready = takeAhead(queue);
        if (ready === undefined) break;
        queue.waiting.shift()?.resolve(ready);
      }
    } catch (problem) {
      // Who came meanwhile has waited as well: asking once more would take them past every deadline.
      for (const each of [...served, ...queue.waiting.splice(0)]) each.reject(problem);
    }
  } while (queue.waiting.length > 0);
  queue.busy = false;
}

async function advanceAlone(database: Numbers, name: string, n: number, start: number): Promise<number> {
  const inTransaction = () => database.transaction((tx) => advance(tx, name, n, start));
  if (!database.mariadb) return inTransaction();
  try {
    const rows = await database.query<{ next: number }>(sql`INSERT INTO sequence (name, next)
      VALUES (${name}, ${start + n}) ON DUPLICATE KEY UPDATE next = next + ${n} RETURNING next`);
    return Number(rows[0]?.next) - n;
  } catch (error) {
    // Two that make the same sequence may get in each other's way: a transaction is tried again.
    if (error instanceof LostTransaction) return inTransaction();
    throw error;
  }
}

/** Moves a sequence on by `n`; answers the first number of those. The row stays locked until the transaction ends. */
async function advance(db: Db, name: string, n: number, start: number): Promise<number> {
  const added =
    db.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE next = next + ${n}`
      : sql`ON CONFLICT (name) DO UPDATE SET next = sequence.next + ${n}`;
  await db.run(sql`INSERT INTO sequence (name, next) VALUES (${name}, ${start + n}) ${added}`);
  const rows = await db.query<{ next: number }>(sql`SELECT next FROM sequence WHERE name = ${name}`);
  return Number(rows[0]?.next) - n;
}
