// The context, the first argument of every domain function: the caller, the time and the transaction.
import type { Database, Db, Transaction } from '@keelson/database/db.ts';
import type { Event } from '@keelson/events/event.ts';
import { dayIn, startOf } from '@keelson/kit/moment.ts';
import { newId } from '@keelson/kit/random.ts';
import type { Day, Timestamp } from '@keelson/kit/time.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { Activity, Author, RequestInfo } from '@keelson/log/activity.ts';
import type { Logger } from 'pino';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { App } from './app.ts';
import type { Journal } from './journal.ts';

/**
 * The caller, the time and the database: the first parameter of every function. `Actor` is the surface's caller type.
 */
export interface Context<Actor = unknown> {
  readonly app: App;
  readonly db: Db;
  /** The open transaction, if any; then the same object as `db`. */
  readonly tx: Transaction | undefined;
  /**
   * TypeORM's manager on the connection of `db`. Read-only outside a transaction. Writes through it create no activity
   * line, event or counter update.
   */
  readonly manager: EntityManager;
  readonly actor: Actor;
  readonly author: Author;
  readonly now: Timestamp;
  /**
   * The automation that caused this work, if any: `workflow:12`. Stored with events and passed to subscribers, so that
   * an automation can recognise its own effects (WF-06). Not included in webhooks.
   */
  readonly cause: string | null;
  readonly log: Logger;
  readonly request: RequestInfo;
  /** Records created and changed rows during an import. */
  readonly journal: Journal | undefined;
  /**
   * Stores an event in the transaction. `changed` names the changed fields for subscribers; webhooks omit it.
   * @throws Error outside a transaction, or when `data` does not match the event's shape
   */
  emit<Data>(event: Event<Data>, data: Data, more?: { readonly changed?: readonly string[] }): void;
  /** Adds an activity line in the transaction. @throws Error outside a transaction */
  record(activity: Activity): void;
  /**
   * Returns TypeORM's repository for a table or entity schema: `ctx.repository(Box).findOneBy({ box_id })`.
   * @throws EntityMetadataNotFoundError when no plugin lists it in `entities`
   */
  repository<E extends ObjectLiteral>(of: EntityTarget<E>): Repository<E>;
  /** Runs `work` after the commit, or at once outside a transaction. */
  afterCommit(work: () => void): void;
  /**
   * Runs `work` in a transaction, joining the current one if open. For `slow` routes, jobs and start-up; other routes
   * already run in a transaction. Deadlocks are retried, so `work` may run more than once and must have no effects that
   * a rollback cannot undo.
   */
  transaction<R>(work: (ctx: Context<Actor>) => Promise<R>): Promise<R>;
}

/**
 * Returns where reports and exports read their rows: a read replica, if one is configured and recent enough, or
 * `ctx.db`. Call it once for each file, so that all of its rows come from there. Never for rows that are shown to the
 * person who has just changed them, nor for what is cached or decides what a caller may do.
 */
export function readerOf(ctx: Context): Db {
  return ctx.tx ?? ctx.app.replicas?.reader() ?? ctx.db;
}

/** Returns the current date in the tenant's time zone (V-07). */
export const today = (ctx: Context): Day => dayIn(ctx.app.zone, ctx.now);

/** Returns the start of a day in the tenant's time zone (V-07). */
export const startOfDay = (ctx: Context, day: Day): Timestamp => startOf(day, ctx.app.zone);

export interface ContextOptions<Actor> {
  readonly app: App;
  readonly actor: Actor;
  readonly author: Author;
  readonly request?: RequestInfo;
  readonly now?: Timestamp;
  readonly cause?: string | null;
  /** Counts writes and activity lines, so that the pipeline can detect a change without an activity line. */
  readonly writeCount?: WriteCount;
  readonly journal?: Journal | undefined;
  /** Runs as the last statement of each transaction the context opens. A failure rolls the transaction back. */
  readonly beforeCommit?: (tx: Transaction) => Promise<void>;
}

export interface WriteCount {
  writes: number;
  records: number;
}

/** Creates a context outside a transaction. It can read and open transactions. */
export function contextOf<Actor>(options: ContextOptions<Actor>): Context<Actor> {
  return new Working(options, options.app.database, undefined);
}

/** Returns the same context with a caller-supplied statement at the end of each transaction. */
export function endingWith<Actor>(
  ctx: Context<Actor>,
  beforeCommit: (tx: Transaction) => Promise<void>,
): Context<Actor> {
  if (!(ctx instanceof Working) || ctx.tx) throw new Error('Expected a context outside a transaction');
  return contextOf({ ...(ctx as Working<Actor>).options, beforeCommit });
}

/** Returns the same context with a journal of what its transactions create and change. */
export function journalled<Actor>(ctx: Context<Actor>, journal: Journal): Context<Actor> {
  if (!(ctx instanceof Working) || ctx.tx) throw new Error('The context is not one outside a transaction');
  return contextOf({ ...(ctx as Working<Actor>).options, journal });
}

/** Returns the same context, in the same transaction, with another author. */
export function authoredBy<Actor>(ctx: Context<Actor>, author: Author): Context<Actor> {
  if (!(ctx instanceof Working)) throw new Error('Expected a context of the application');
  const { options, now, request, tx } = ctx as Working<Actor>;
  return new Working({ ...options, author, now, request }, tx ?? options.app.database, tx);
}

/**
 * A class because of its getters. V8 creates a new hidden class for every object literal with getters. Inline caches
 * then miss, and collecting those classes took 10% of the process's time.
 */
class Working<Actor> implements Context<Actor> {
  readonly app: App;
  readonly db: Db;
  readonly tx: Transaction | undefined;
  readonly actor: Actor;
  readonly author: Author;
  readonly now: Timestamp;
  readonly cause: string | null;
  readonly journal: Journal | undefined;
  readonly options: ContextOptions<Actor>;
  private asked: RequestInfo | undefined;
  private knownManager: EntityManager | undefined;

  constructor(options: ContextOptions<Actor>, db: Database | Transaction, tx: Transaction | undefined) {
    this.app = options.app;
    this.db = db;
    this.tx = tx;
    this.actor = options.actor;
    this.author = options.author;
    this.now = options.now ?? options.app.clock.now();
    this.cause = options.cause ?? null;
    this.journal = options.journal;
    this.options = options;
    this.asked = options.request;
    this.knownManager = undefined;
  }

  // Lazy: an id and a child logger cost microseconds, and most requests need neither.
  get request(): RequestInfo {
    return (this.asked ??= { id: newId(), ip: '' });
  }

  get manager(): EntityManager {
    return (this.knownManager ??= this.db.manager());
  }

  get log(): Logger {
    return this.app.log.child({ request_id: this.request.id });
  }

  emit<Data>(event: Event<Data>, data: Data, more?: { readonly changed?: readonly string[] }): void {
    this.app.outbox.store(this.inTransaction(), event, data, { now: this.now, cause: this.cause, ...more });
  }

  record(activity: Activity): void {
    const { author, now, request } = this;
    this.app.activity.store(this.inTransaction(), activity, { author, now, request });
    if (this.options.writeCount) this.options.writeCount.records++;
  }

  repository<E extends ObjectLiteral>(of: EntityTarget<E>): Repository<E> {
    return this.manager.getRepository(of);
  }

  afterCommit(work: () => void): void {
    if (this.tx) this.tx.afterCommit(work);
    else work();
  }

  transaction<R>(work: (ctx: Context<Actor>) => Promise<R>): Promise<R> {
    if (this.tx) return work(this);
    return this.app.database.transaction((opened) => inTime(this.options, opened, work), { notIdle: true });
  }

  private inTransaction(): Transaction {
    if (this.tx) return this.tx;
    throw new Error('This needs a transaction: is the route declared slow, and ctx.transaction() missing?');
  }
}

/** Transaction deadline, so that a hung transaction releases its connection. SQLite has only one connection. */
const DEADLINE_SECONDS = { sqlite: 10, mysql: 30 };

function inTime<Actor, R>(
  options: ContextOptions<Actor>,
  opened: Transaction,
  work: (ctx: Context<Actor>) => Promise<R>,
): Promise<R> {
  const late = 'The transaction missed its deadline';
  return withTimeout(DEADLINE_SECONDS[opened.dialect], () => counted(options, opened, work), late);
}

async function counted<Actor, R>(
  options: ContextOptions<Actor>,
  opened: Transaction,
  work: (ctx: Context<Actor>) => Promise<R>,
): Promise<R> {
  const result = await work(new Working(options, opened, opened));
  await options.journal?.store(opened);
  await options.beforeCommit?.(opened);
  if (options.writeCount) options.writeCount.writes += opened.writes();
  return result;
}
