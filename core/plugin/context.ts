// What every domain function gets first: who asks, when, and the transaction it works in.
import type { Logger } from 'pino';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { App } from './app.ts';
import type { Database, Db, Transaction } from '../database/db.ts';
import type { Event } from '../events/event.ts';
import type { Activity, Author, RequestInfo } from '../log/activity.ts';
import { newId } from '../kit/random.ts';
import { dayIn, startOf } from '../kit/moment.ts';
import type { Day, Timestamp } from '../kit/time.ts';
import { withTimeout } from '../kit/timeout.ts';

/** Who asks, when, and the database: the first parameter of every function. `Actor` is who calls on the surface. */
export interface Context<Actor = unknown> {
  readonly app: App;
  readonly db: Db;
  /** The transaction this context works in; `db` is the same object then. */
  readonly tx: Transaction | undefined;
  /**
   * TypeORM's manager on the connection of `db`: in a transaction it belongs to it, outside of one it only reads. What
   * it writes tells nobody: no log line, no event, no count.
   */
  readonly manager: EntityManager;
  readonly actor: Actor;
  readonly author: Author;
  readonly now: Timestamp;
  /**
   * What does it where nobody asked for it: `workflow:12`. It is stored with the events, and goes on to what their
   * subscribers do, so that an automatism recognises what it set off itself (WF-06); webhooks do not tell it.
   */
  readonly cause: string | null;
  readonly log: Logger;
  readonly request: RequestInfo;
  /**
   * Stores an event with the transaction; throws outside of one, or when `data` is not what the event declares.
   * `changed` names the fields that changed, for subscribers; webhooks do not tell it.
   */
  emit<Data>(event: Event<Data>, data: Data, more?: { readonly changed?: readonly string[] }): void;
  /** Writes the activity log with the transaction; throws outside of one. */
  record(activity: Activity): void;
  /**
   * TypeORM's repository of a table, or of an entity schema that a plugin brings: `ctx.repository(Box).findOneBy({ box_id })`.
   * @throws EntityMetadataNotFoundError when no plugin declares it among its `entities`
   */
  repository<E extends ObjectLiteral>(of: EntityTarget<E>): Repository<E>;
  /** Runs after the commit; outside a transaction at once. */
  afterCommit(work: () => void): void;
  /**
   * For routes declared `slow`, jobs and start-up: runs `work` in a transaction of its own. Inside one it joins it.
   * `work` may run more than once (deadlocks are retried): nothing in it may leave the database.
   */
  transaction<R>(work: (ctx: Context<Actor>) => Promise<R>): Promise<R>;
}

/** The current day in the tenant's time zone (V-07). */
export const today = (ctx: Context): Day => dayIn(ctx.app.zone, ctx.now);

/** The first moment of a day in the tenant's time zone (V-07). */
export const startOfDay = (ctx: Context, day: Day): Timestamp => startOf(day, ctx.app.zone);

export interface ContextOptions<Actor> {
  readonly app: App;
  readonly actor: Actor;
  readonly author: Author;
  readonly request?: RequestInfo;
  readonly now?: Timestamp;
  readonly cause?: string | null;
  /** Counts writes and activity-log rows, so that the pipeline notices a change nobody recorded. */
  readonly writeCount?: WriteCount;
}

export interface WriteCount {
  writes: number;
  records: number;
}

/** A context outside a transaction, for reading, or for opening short transactions of its own. */
export function contextOf<Actor>(options: ContextOptions<Actor>): Context<Actor> {
  return new Working(options, options.app.database, undefined);
}

/**
 * A class because of its getters: each object literal with getters has a hidden class of its own, which V8 makes anew for
 * every request, and looks every field up in without a cache; the marking of what was left of them took a tenth of a
 * process.
 */
class Working<Actor> implements Context<Actor> {
  readonly app: App;
  readonly db: Db;
  readonly tx: Transaction | undefined;
  readonly actor: Actor;
  readonly author: Author;
  readonly now: Timestamp;
  readonly cause: string | null;
  private readonly options: ContextOptions<Actor>;
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
    this.options = options;
    this.asked = options.request;
    this.knownManager = undefined;
  }

  // An id and a child logger cost microseconds, and most tell and log nothing.
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
    return this.app.database.transaction((opened) => inTime(this.options, opened, work));
  }

  private inTransaction(): Transaction {
    if (this.tx) return this.tx;
    throw new Error('This needs a transaction: is the route declared slow, and ctx.transaction() missing?');
  }
}

/** Whoever never comes back must not keep the connection: SQLite has no other, and a pool few. */
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
  if (options.writeCount) options.writeCount.writes += opened.writes();
  return result;
}
