// The dispatcher of a process: claims deliveries in batches and runs them in one lane per subscriber, so that a slow
// subscriber does not delay others.
import { plus } from '@keelson/kit/time.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import { attemptDelivery, type DeliveryOptions } from './attempt.ts';
import { claimDue } from './claim.ts';
import { findDue, releaseClaims, type Claimed } from './delivery.ts';
import { createLanes, type Lane, type Lanes } from './lanes.ts';
import { createResultWriter } from './result-writer.ts';

export interface Dispatcher {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Looks for due deliveries immediately: for these subscribers, or for all. */
  readonly wake: (subscribers?: readonly string[]) => void;
  readonly drain: () => Promise<void>;
}

const PER_LANE = 4;
/** Fewer in total than the pool's connections, because requests need some. */
const INSIDE = { quick: 6, slow: 2 };
/** External deliveries hold no connection; 20 per tenant in total (SF-16). */
const OUTSIDE = { quick: 16, slow: 4 };
/** A delivery that takes longer marks its lane as slow. */
const SLOW_MS = 2000;
const POLL_MS = 1000;
const STOP_SECONDS = 5;
const LANES_PER_CLAIM = 20;
/** Release claims that have waited longer in memory, so that no delivery starts near the end of its lease. */
const PATIENCE_SECONDS = 15;
const LONGEST_SECONDS = 30;

export function createDispatcher(options: DeliveryOptions): Dispatcher {
  const { database, clock, log } = options;
  // On SQLite more than one would only queue for the single connection, ahead of requests.
  const inside = createLanes({ ...INSIDE, perLane: database.dialect === 'sqlite' ? 1 : PER_LANE });
  const outside = createLanes({ ...OUTSIDE, perLane: PER_LANE });
  const both = [inside, outside];
  const lanesOf = (subscriber: string) => (options.isOutside(subscriber) ? outside : inside);
  const room = (subscriber: string) => lanesOf(subscriber).room(subscriber);
  const takeStale = (seconds: number) => both.flatMap((each) => each.takeStale(seconds));
  const results = createResultWriter(options);
  const attempts = new Set<Promise<void>>();
  const leaseSeconds = (options.deadlineSeconds ?? LONGEST_SECONDS) + 2 * PATIENCE_SECONDS;
  const due = new Set<string>();
  let lookForDue = false;
  let lookAfter = '';
  let started = false;
  let draining = 0;
  let unreachable = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  // Returns subscribers with due deliveries and room in their lane.
  const claimable = (): string[] => [...due].filter((each) => room(each) > 0).slice(0, LANES_PER_CLAIM);

  // Runs one round at a time; calls during a round share it.
  const runRound = (): Promise<void> => (round ??= newRound());

  async function newRound(): Promise<void> {
    try {
      do {
        await readDue();
        await release(takeStale(PATIENCE_SECONDS));
        await claim();
        startWaiting();
      } while (lookForDue || claimable().length > 0);
      unreachable = false;
    } catch (error) {
      onDatabaseError(error);
    } finally {
      round = undefined;
    }
  }

  const isMore = (): boolean => lookAfter !== '' || due.size > 0;

  async function readDue(): Promise<void> {
    if (!lookForDue) return;
    lookForDue = false;
    const found = await findDue(database, clock.now(), lookAfter);
    lookAfter = found.after;
    for (const each of found.due) due.add(each);
  }

  async function claim(): Promise<void> {
    const wanted = claimable().map((subscriber) => ({ subscriber, limit: room(subscriber) }));
    if (wanted.length === 0) return;
    // Delete before the claim, so that a subscriber woken during it stays in the set.
    for (const { subscriber } of wanted) due.delete(subscriber);
    const now = clock.now();
    const claimed = await claimDue(database, wanted, { now, until: plus(now, { seconds: leaseSeconds }) });
    const bySubscriber = Map.groupBy(claimed, (each) => each.subscriber);
    for (const { subscriber, limit } of wanted) {
      const own = bySubscriber.get(subscriber) ?? [];
      lanesOf(subscriber).add(subscriber, own);
      if (own.length === limit) due.add(subscriber);
    }
  }

  async function release(claimed: readonly Claimed[]): Promise<void> {
    await releaseClaims(database, claimed, clock.now());
    for (const each of claimed) due.add(each.subscriber);
  }

  function startWaiting(): void {
    for (const lanes of both) {
      for (let next = lanes.next(); next; next = lanes.next()) begin(lanes, next.lane, next.claimed);
    }
  }

  function begin(lanes: Lanes, lane: Lane, claimed: Claimed): void {
    const attempt = run(lanes, lane, claimed).finally(() => attempts.delete(attempt));
    attempts.add(attempt);
  }

  async function run(lanes: Lanes, lane: Lane, claimed: Claimed): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      lanes.markSlow(lane);
      startWaiting();
    }, SLOW_MS);
    const { inTime, result } = await attemptDelivery(options, claimed);
    clearTimeout(timer);
    const stored = result && results.write(result).catch(onDatabaseError);
    lanes.leave(lane, inTime && !late);
    if (started || draining > 0) {
      startWaiting();
      if (claimable().length > 0) void runRound();
    }
    await stored;
  }

  // Claimed deliveries are due again when their lease ends, so a database outage only delays them.
  function onDatabaseError(error: unknown): void {
    if (!unreachable) log.warn({ err: error }, 'outbox: database error, retrying');
    unreachable = true;
  }

  async function poll(): Promise<void> {
    lookForDue = true;
    await runRound();
    if (started) timer = setTimeout(() => void poll(), POLL_MS).unref();
  }

  return {
    start() {
      if (started) return;
      started = true;
      void poll();
    },
    wake(subscribers) {
      if (!started && draining === 0) return;
      for (const each of subscribers ?? []) due.add(each);
      if (!subscribers) lookForDue = true;
      void runRound();
    },
    async drain() {
      draining++;
      try {
        do {
          lookForDue = true;
          await runRound();
          if (attempts.size > 0) await Promise.race(attempts);
          // The last deliveries may have caused further ones, which are due or being claimed.
        } while (round || attempts.size > 0 || both.some((each) => each.busy()) || (isMore() && !unreachable));
      } finally {
        draining--;
      }
    },
    async stop() {
      started = false;
      clearTimeout(timer);
      await round;
      await release(takeStale(0)).catch(onDatabaseError);
      due.clear();
      await withTimeout(STOP_SECONDS, () => Promise.all(attempts), 'Deliveries are still running').catch(() =>
        log.warn({ running: attempts.size }, 'outbox: stopped with deliveries in progress; they will be retried'),
      );
    },
  };
}
