// Writing down how attempts ended: whatever has ended since the last write goes in one transaction, so that the busier
// the dispatcher is, the less a delivery costs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkContext } from './work-context.ts';
import type { Db } from '../database/db.ts';
import type { Claimed } from './claim.ts';
import { failed, finished } from './delivery.ts';
import type { DeliveryOutcome, Report, Target } from './target.ts';
import type { Timestamp } from '../kit/time.ts';

export interface Settlement {
  readonly claimed: Claimed;
  readonly state: DeliveryOutcome['state'];
  readonly at: Timestamp;
  /** When it is tried again. */
  readonly next: Timestamp | undefined;
  readonly error: string | null;
  readonly report: Report;
}

export interface Settler {
  /** Resolves when it is written down. @throws when it cannot be: then the delivery comes back after its lease */
  settle(settlement: Settlement): Promise<void>;
}

export interface SettlerOptions {
  readonly makeContext: () => WorkContext;
  readonly find: (subscriber: string) => Promise<Target | undefined>;
}

const MOST = 500;
/** Between two writes, so that a busy dispatcher's go together; what a kill in between repeats is little. */
const PAUSE_MS = 20;

export function createSettler({ makeContext, find }: SettlerOptions): Settler {
  let waiting: Settlement[] = [];
  let batch: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let written = Number.NEGATIVE_INFINITY;

  // Everything that came while the last batch was being written, and in the pause after it.
  async function writeNext(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {});
    const pause = written + PAUSE_MS - performance.now();
    if (pause > 0) await sleep(pause);
    const settlements = waiting;
    waiting = [];
    batch = undefined;
    running = write(settlements).finally(() => (written = performance.now()));
    await running;
  }

  async function write(settlements: readonly Settlement[]): Promise<void> {
    for (let i = 0; i < settlements.length; i += MOST) {
      const some = settlements.slice(i, i + MOST);
      const targets = await targetsOf(some, find);
      await makeContext().transaction((ctx) => writeDown(ctx, some, targets));
    }
  }

  return {
    settle(settlement) {
      waiting.push(settlement);
      batch ??= writeNext(running);
      return batch;
    },
  };
}

type Told = NonNullable<Target['settled']>;

/** The targets that want to know, each with its settlements. */
async function targetsOf(settlements: readonly Settlement[], find: SettlerOptions['find']) {
  const told: [Told, readonly Settlement[]][] = [];
  for (const [subscriber, some] of Map.groupBy(settlements, (each) => each.claimed.subscriber)) {
    const target = await find(subscriber);
    if (target?.settled) told.push([target.settled, some]);
  }
  return told;
}

async function writeDown(
  ctx: WorkContext,
  settlements: readonly Settlement[],
  told: readonly (readonly [Told, readonly Settlement[]])[],
): Promise<void> {
  const { tx } = ctx;
  if (!tx) throw new Error('Outcomes are written in a transaction');
  for (const [settled, some] of told) await settled(ctx, some.map(outcomeOf));
  for (const each of statements(tx, settlements)) tx.last(each);
}

function statements(db: Db, settlements: readonly Settlement[]) {
  const done = settlements.filter(({ state }) => state === 'done');
  // Receivers mostly answer the same, so this is one statement as a rule.
  const alike = Map.groupBy(done, ({ report }) => `${report.status} ${report.answer}`);
  return [
    ...[...alike.values()].map((each) => finished(each)),
    ...settlements.filter(({ state }) => state !== 'done').map((each) => failed(each)),
  ];
}

function outcomeOf({ claimed, state, at, report, error }: Settlement): DeliveryOutcome {
  return { delivery_id: claimed.delivery_id, attempts: claimed.attempts, state, at, report, error };
}
