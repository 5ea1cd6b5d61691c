// The outbox: events are stored with the change that caused them, and delivered at least once after its commit.
import type { Database, Transaction } from '@keelson/database/db.ts';
import { listed, sql } from '@keelson/database/statement/sql.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { newId } from '@keelson/kit/random.ts';
import { plus, toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import type { Event } from '../event.ts';
import type { Subscriber } from '../subscriber.ts';
import type { DeliveryOptions } from './attempt.ts';
import { countParked, countWaiting, isOverdue, Delivery, retryParked, StoredEvent } from './delivery.ts';
import { createDispatcher } from './dispatcher.ts';
import type { Receivers, Target, Emitted } from './target.ts';

export interface Outbox {
  /**
   * Adds the event and a delivery for each of its receivers to the transaction. An event without receivers is stored
   * only if `keepAll` is set (EV-27).
   * @throws when `data` does not fit its shape
   */
  store<Data>(tx: Transaction, event: Event<Data>, data: Data, circumstances: EmitOptions): void;
  start(): void;
  /** Starts no more deliveries, and waits up to 5 s for running ones. */
  stop(): Promise<void>;
  /** Looks for due deliveries immediately: for these subscribers, or for all. */
  nudge(subscribers?: readonly string[]): void;
  /** Delivers until nothing is due; for tests and commands. */
  drain(): Promise<void>;
  /** Counts pending and running deliveries, and those that failed permanently. */
  waiting(): Promise<{ pending: number; parked: number }>;
  /** Returns the number of permanently failed deliveries of each subscriber that has some. */
  parked(): Promise<ReadonlyMap<string, number>>;
  /** Makes all permanently failed deliveries due again; returns how many. */
  retryParked(): Promise<number>;
  /** Whether a delivery has been overdue for five minutes, which suggests that no process delivers. */
  stalled(): Promise<boolean>;
}

/** Stored with an event, but never sent to external receivers. */
export interface EmitOptions {
  readonly now: Timestamp;
  readonly cause?: string | null;
  readonly changed?: readonly string[];
}

export interface OutboxOptions extends Omit<DeliveryOptions, 'find' | 'isOutside'> {
  readonly subscribers: () => readonly Subscriber[];
  readonly receivers?: readonly Receivers[];
  /** Returns the application for receivers; a function, because the application contains the outbox. */
  readonly application: () => unknown;
  /** Also stores events without receivers. */
  readonly keepAll?: boolean;
}

const STALLED = { minutes: -5 } as const;
const KEPT_DAYS = 30;
/** Longer, because somebody may still want them delivered. */
const KEPT_PARKED_DAYS = 90;
const BATCH = 500;

export function createOutbox(options: OutboxOptions): Outbox {
  const { database, subscribers, receivers = [], application, keepAll = false } = options;
  const subscriberOf = (name: string) => subscribers().find((each) => each.name === name);
  const receiversOf = (name: string) => receivers.find(({ prefix }) => name.startsWith(prefix));
  const dispatcher = createDispatcher({
    ...options,
    isOutside: (name) => receiversOf(name) !== undefined || subscriberOf(name)?.outside === true,
    find: async (name): Promise<Target | undefined> => {
      const registered = receiversOf(name);
      return registered ? registered.find(application(), name) : subscriberOf(name);
    },
  });
  /** Adds the event, unless already stored, and a delivery for each target. */
  const deliver = (tx: Transaction, waiting: Waiting, targets: readonly string[]): void => {
    if (targets.length === 0) return;
    const event_id = (waiting.event_id ??= storeEvent(tx, waiting));
    for (const subscriber of targets) tx.append(Delivery, { event_id, subscriber, available_at: waiting.now });
    tx.afterCommit(() => dispatcher.wake(targets));
  };
  const askReceivers = receiverQueue({ receivers, application, deliver });
  const namesOf = memoize((event: Event) =>
    subscribers().flatMap((each) => (each.event.name === event.name ? [each.name] : [])),
  );
  return {
    store(tx, event, data, { now, cause = null, changed = [] }) {
      const waiting: Waiting = { event_id: undefined, event, data, changed, cause, now };
      if (keepAll) waiting.event_id = storeEvent(tx, waiting);
      deliver(tx, waiting, namesOf(event));
      askReceivers(tx, waiting);
    },
    start: dispatcher.start,
    stop: dispatcher.stop,
    nudge: dispatcher.wake,
    drain: dispatcher.drain,
    waiting: () => countWaiting(database),
    parked: () => countParked(database),
    retryParked: () => retryParked(database, options.clock.now()),
    stalled: () => isOverdue(database, plus(options.clock.now(), STALLED)),
  };
}

/**
 * Deletes events that were delivered more than 30 days ago, or last failed more than 90 days ago, in short transactions;
 * returns how many.
 */
export async function pruneOutbox(database: Database, now: Timestamp): Promise<number> {
  const before = plus(now, { days: -KEPT_DAYS });
  let after = '';
  let removed = 0;
  for (;;) {
    const ids = await oldEvents(database, after, before);
    removed += await removeOld(database, ids, now);
    if (ids.length < BATCH) return removed;
    after = ids.at(-1) ?? after;
  }
}

/** Stores an event and returns its id. @throws when its data does not fit its declaration */
function storeEvent(tx: Transaction, { event, data, changed, cause, now }: Waiting): string {
  const event_id = newId();
  tx.append(StoredEvent, {
    event_id,
    name: event.name,
    at: now,
    data: checkedData(event, data),
    cause,
    changed: changed.length === 0 ? null : [...changed],
  });
  return event_id;
}

function checkedData<Data>(event: Event<Data>, data: Data): Data {
  const result = event.shape.safeParse(data);
  if (result.success) return result.data;
  const where = result.error.issues.map((each) => `${each.path.join('.')}: ${each.message}`).join('; ');
  throw new Error(`The data of ${event.name} does not match its declaration: ${where}`);
}

// Ids sort by time: the oldest come first, and the scan ends at the first one that is too recent.
async function oldEvents(database: Database, after: string, before: Timestamp): Promise<string[]> {
  const rows = await database.query<{ event_id: string; old: number }>(
    sql`SELECT event_id, at < ${toDatabase(before)} AS old FROM event WHERE event_id > ${after}
      ORDER BY event_id LIMIT ${BATCH}`,
  );
  const young = rows.findIndex((row) => !Number(row.old));
  return (young < 0 ? rows : rows.slice(0, young)).map((row) => row.event_id);
}

function removeOld(database: Database, ids: readonly string[], now: Timestamp): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM delivery WHERE event_id IN ${listed(ids)} AND (
      state = 'done' AND done_at < ${toDatabase(plus(now, { days: -KEPT_DAYS }))}
      OR state = 'parked' AND available_at < ${toDatabase(plus(now, { days: -KEPT_PARKED_DAYS }))})`);
    return tx.run(sql`DELETE FROM event WHERE event_id IN ${listed(ids)}
      AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.event_id = event.event_id)`);
  });
}

// Determines which receivers get the events of a transaction. It does so at the commit, because registered receivers
// may have to be read first, and once per kind of event: imports emit thousands.

/** An event in a transaction, before its deliveries are added. */
interface Waiting extends Emitted {
  /** Undefined until it is stored. */
  event_id: string | undefined;
  readonly data: unknown;
  readonly changed: readonly string[];
  readonly now: Timestamp;
}

interface ReceiverQueueOptions {
  readonly receivers: readonly Receivers[];
  readonly application: () => unknown;
  readonly deliver: (tx: Transaction, waiting: Waiting, targets: readonly string[]) => void;
}

/** Queues events until the commit, then delivers them to their receivers in order. */
function receiverQueue(options: ReceiverQueueOptions): (tx: Transaction, waiting: Waiting) => void {
  const queues = new WeakMap<Transaction, Waiting[]>();
  return (tx, waiting) => {
    if (options.receivers.length === 0) return;
    const queue = queues.get(tx);
    if (queue) return void queue.push(waiting);
    const first = [waiting];
    queues.set(tx, first);
    tx.beforeCommit(async () => {
      queues.delete(tx);
      await deliverAll(options, tx, first);
    });
  };
}

async function deliverAll(options: ReceiverQueueOptions, tx: Transaction, queue: readonly Waiting[]): Promise<void> {
  const known = new Map<string, readonly string[]>();
  for (const waiting of queue) {
    const kind = `${waiting.event.name} ${waiting.cause}`;
    const targets = known.get(kind) ?? (await targetsOf(options, tx, waiting));
    known.set(kind, targets);
    options.deliver(tx, waiting, targets);
  }
}

async function targetsOf({ receivers, application }: ReceiverQueueOptions, tx: Transaction, emitted: Emitted) {
  const targets: string[] = [];
  for (const each of receivers) targets.push(...(await each.targets(application(), tx, emitted)));
  return targets;
}
