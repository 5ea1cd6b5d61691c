// Stores the results of attempts. All results since the last write share one transaction, so a delivery costs less the
// busier the dispatcher is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@keelson/database/db.ts';
import type { WorkContext } from '../work-context.ts';
import { doneStatement, retryStatement, type AttemptResult } from './delivery.ts';
import type { DeliveryOutcome, Target } from './target.ts';

export interface ResultWriter {
  /** Resolves when the result is stored. @throws when it cannot be; the delivery is then repeated after its lease */
  write(result: AttemptResult): Promise<void>;
}

export interface ResultWriterOptions {
  readonly makeContext: () => WorkContext;
  readonly find: (subscriber: string) => Promise<Target | undefined>;
}

const MOST = 500;
/** The pause between two writes, to collect results. A crash in between repeats only these few deliveries. */
const PAUSE_MS = 20;

export function createResultWriter({ makeContext, find }: ResultWriterOptions): ResultWriter {
  let waiting: AttemptResult[] = [];
  let batch: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let written = Number.NEGATIVE_INFINITY;

  // Writes everything that arrived during the last write and the pause after it.
  async function writeNext(before: Promise<void> | undefined): Promise<void> {
    // The last write's callers received its error; this one only waits for it.
    await before?.catch(() => {});
    const pause = written + PAUSE_MS - performance.now();
    if (pause > 0) await sleep(pause);
    const results = waiting;
    waiting = [];
    batch = undefined;
    running = writeAll(results).finally(() => (written = performance.now()));
    await running;
  }

  async function writeAll(results: readonly AttemptResult[]): Promise<void> {
    for (let i = 0; i < results.length; i += MOST) {
      const chunk = results.slice(i, i + MOST);
      const listeners = await listenersOf(chunk, find);
      await makeContext().transaction((ctx) => store(ctx, chunk, listeners));
    }
  }

  return {
    write(result) {
      waiting.push(result);
      batch ??= writeNext(running);
      return batch;
    },
  };
}

type Listener = NonNullable<Target['settled']>;

/** Returns the `settled` callbacks of the targets that have one, each with its results. */
async function listenersOf(results: readonly AttemptResult[], find: ResultWriterOptions['find']) {
  const listeners: [Listener, readonly AttemptResult[]][] = [];
  for (const [subscriber, own] of Map.groupBy(results, (each) => each.claimed.subscriber)) {
    const target = await find(subscriber);
    if (target?.settled) listeners.push([target.settled, own]);
  }
  return listeners;
}

async function store(
  ctx: WorkContext,
  results: readonly AttemptResult[],
  listeners: readonly (readonly [Listener, readonly AttemptResult[]])[],
): Promise<void> {
  const { tx } = ctx;
  if (!tx) throw new Error('Outcomes must be written in a transaction');
  for (const [settled, own] of listeners) await settled(ctx, own.map(outcomeOf));
  for (const each of statements(tx, results)) tx.last(each);
}

function statements(db: Db, results: readonly AttemptResult[]) {
  const done = results.filter(({ state }) => state === 'done');
  // Most receivers respond alike, so this is usually one statement.
  const alike = Map.groupBy(done, ({ report }) => `${report.status} ${report.answer}`);
  return [
    ...[...alike.values()].map((each) => doneStatement(each)),
    ...results.filter(({ state }) => state !== 'done').map((each) => retryStatement(each)),
  ];
}

function outcomeOf({ claimed, state, at, report, error }: AttemptResult): DeliveryOutcome {
  return { delivery_id: claimed.delivery_id, attempts: claimed.attempts, state, at, report, error };
}
