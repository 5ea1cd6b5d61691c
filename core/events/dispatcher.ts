// One per process: claims deliveries in batches and runs them, a lane per subscriber, so that none holds up another.
import type { Logger } from 'pino';
import { attemptDelivery } from './attempt.ts';
import type { WorkContext } from './work-context.ts';
import type { Database } from '../database/db.ts';
import { claimDue, type Claimed } from './claim.ts';
import { findDue, putBack } from './delivery.ts';
import { createLanes, type Lane, type Lanes } from './lanes.ts';
import { createSettler } from './settle.ts';
import type { Target } from './target.ts';
import { plus, type Clock } from '../kit/time.ts';
import { withTimeout } from '../kit/timeout.ts';

export interface DispatcherOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly find: (subscriber: string) => Promise<Target | undefined>;
  readonly isOutside: (subscriber: string) => boolean;
  /** A context outside a transaction; `cause` is that of the event it is for. */
  readonly makeContext: (cause?: string | null) => WorkContext;
  /** How long a handler may take: 30 s, on SQLite 2 s where it holds the only connection. */
  readonly deadlineSeconds?: number;
}

export interface Dispatcher {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Something may be due: for these subscribers, or for any. */
  readonly wake: (subscribers?: readonly string[]) => void;
  readonly drain: () => Promise<void>;
}

const PER_LANE = 4;
/** With the slow ones fewer than the pool has connections: requests need some. */
const INSIDE = { quick: 6, slow: 2 };
/** They hold no connection: 20 a tenant in all (D16). */
const OUTSIDE = { quick: 16, slow: 4 };
/** Who takes longer is no longer counted among the quick ones. */
const SLOW_MS = 2000;
const POLL_MS = 1000;
const STOP_SECONDS = 5;
const LANES_PER_CLAIM = 20;
/** What has waited longer in memory is given back, so that it never starts near the end of its lease. */
const PATIENCE_SECONDS = 15;
const LONGEST_SECONDS = 30;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { database, clock, log } = options;
  // SQLite has one connection: more of a kind would only queue for it, before everybody else.
  const inside = createLanes({ ...INSIDE, perLane: database.dialect === 'sqlite' ? 1 : PER_LANE });
  const outside = createLanes({ ...OUTSIDE, perLane: PER_LANE });
  const both = [inside, outside];
  const lanesOf = (subscriber: string) => (options.isOutside(subscriber) ? outside : inside);
  const room = (subscriber: string) => lanesOf(subscriber).room(subscriber);
  const takeStale = (seconds: number) => both.flatMap((each) => each.takeStale(seconds));
  const settler = createSettler(options);
  const attempts = new Set<Promise<void>>();
  const leaseSeconds = (options.deadlineSeconds ?? LONGEST_SECONDS) + 2 * PATIENCE_SECONDS;
  const due = new Set<string>();
  let looksAround = false;
  let lookAfter = '';
  let started = false;
  let draining = 0;
  let unreachable = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  // Lanes that have something due, and room for it.
  const hungry = (): string[] => [...due].filter((each) => room(each) > 0).slice(0, LANES_PER_CLAIM);

  // One round at a time; who is woken meanwhile is seen by the round that runs.
  const turn = (): Promise<void> => (round ??= goRound());

  async function goRound(): Promise<void> {
    try {
      do {
        await lookAround();
        await giveBack(takeStale(PATIENCE_SECONDS));
        await claim();
        startWaiting();
      } while (looksAround || hungry().length > 0);
      unreachable = false;
    } catch (error) {
      complain(error);
    } finally {
      round = undefined;
    }
  }

  const isMore = (): boolean => lookAfter !== '' || due.size > 0;

  async function lookAround(): Promise<void> {
    if (!looksAround) return;
    looksAround = false;
    const seen = await findDue(database, clock.now(), lookAfter);
    lookAfter = seen.after;
    for (const each of seen.due) due.add(each);
  }

  async function claim(): Promise<void> {
    const wanted = hungry().map((subscriber) => ({ subscriber, limit: room(subscriber) }));
    if (wanted.length === 0) return;
    // Before the claim, so that who is woken during it stays on the list.
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

  async function giveBack(claimed: readonly Claimed[]): Promise<void> {
    await putBack(database, claimed, clock.now());
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
      lanes.slowed(lane);
      startWaiting();
    }, SLOW_MS);
    const { inTime, settlement } = await attemptDelivery(options, claimed);
    clearTimeout(timer);
    const settled = settlement && settler.settle(settlement).catch(complain);
    lanes.leave(lane, inTime && !late);
    if (started || draining > 0) {
      startWaiting();
      if (hungry().length > 0) void turn();
    }
    await settled;
  }

  // What is claimed comes back when its lease ends, so a database that is away costs time and nothing else.
  function complain(error: unknown): void {
    if (!unreachable) log.warn({ err: error }, 'outbox: the database refuses, trying again');
    unreachable = true;
  }

  async function poll(): Promise<void> {
    looksAround = true;
    await turn();
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
      if (!subscribers) looksAround = true;
      void turn();
    },
    async drain() {
      draining++;
      try {
        do {
          looksAround = true;
          await turn();
          if (attempts.size > 0) await Promise.race(attempts);
          // What the last of them caused is due as well, or being claimed just now.
        } while (round || attempts.size > 0 || both.some((each) => each.busy()) || (isMore() && !unreachable));
      } finally {
        draining--;
      }
    },
    async stop() {
      started = false;
      clearTimeout(timer);
      await round;
      await giveBack(takeStale(0)).catch(complain);
      due.clear();
      await withTimeout(STOP_SECONDS, () => Promise.all(attempts), 'Deliveries are still running').catch(() =>
        log.warn({ running: attempts.size }, 'outbox: stopped with deliveries running; they will be repeated'),
      );
    },
  };
}
