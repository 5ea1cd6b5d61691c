// One tenant's application: the services that requests, jobs and commands use, and all of the tenant's state.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenDatabase } from '@keelson/database/database.ts';
import type { ReadReplicas } from '@keelson/database/read-replica.ts';
import type { Outbox } from '@keelson/events/delivery/outbox.ts';
import type { Scheduler } from '@keelson/events/job/scheduler.ts';
import type { Zone } from '@keelson/kit/moment.ts';
import type { Problem } from '@keelson/kit/problem.ts';
import type { SteadyClock } from '@keelson/kit/time.ts';
import type { Allocator } from '@keelson/list/allocator.ts';
import type { Names } from '@keelson/list/name-cache.ts';
import type { ActivityLog } from '@keelson/log/activity.ts';
import type { ErrorLog } from '@keelson/log/error-log.ts';
import type { Health } from '@keelson/log/health.ts';
import type { LoadGuard } from '@keelson/log/load-guard.ts';
import type { Metrics } from '@keelson/log/metrics.ts';
import type { Post } from '@keelson/mail/mail-context.ts';
import type { Egress } from '@keelson/security/egress.ts';
import type { GuessLimiter } from '@keelson/security/guess/guess.ts';
import type { Limiter } from '@keelson/security/limit.ts';
import type { Others } from '@keelson/security/others.ts';
import type { Vault } from '@keelson/security/vault.ts';
import type { Storage } from '@keelson/storage';
import type { Language } from '@keelson/words';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Context } from './context.ts';
import type { Indexer } from './declaration/search-declaration.ts';
import type { Wordings } from './load/catalogues.ts';
import type { Fault, Loaded } from './load/loaded.ts';
import type { Site } from './page/built-pages.ts';
import type { Plugin } from './plugin.ts';
import type { Route } from './route/route.ts';
import type { Speaker } from './setting/language.ts';
import type { Reader, Settings } from './setting/settings.ts';
import type { Switches } from './setting/switch.ts';

/** The product running for one tenant. Plugins reach it as `ctx.app`. */
export interface App {
  readonly config: Config;
  /** The product version. */
  readonly version: string;
  readonly clock: SteadyClock;
  /** The tenant's time zone, used for local times and "today" (V-05, V-07). */
  readonly zone: Zone;
  /** The provider's language; null until set. */
  readonly language: Language | null;
  /** Returns a person's language: their own, their company's, or the provider's; null if none is set. */
  languageOf(ctx: Reader, person: Speaker): Promise<Language | null>;
  /** Returns the server's texts in a language; null for English. */
  readonly wording: Wordings;
  /** Refreshes `zone` and `language` from the administrators' settings. */
  refreshZone(ctx: Reader): Promise<void>;
  readonly log: Logger;
  readonly database: OpenDatabase;
  /** The read replicas of `database` (DATABASE_READ_URL); undefined without any. Exports read through `readerOf(ctx)`. */
  readonly replicas: ReadReplicas | undefined;
  readonly vault: Vault;
  readonly limiter: Limiter;
  readonly others: Others;
  /** Limits failed sign-ins. */
  readonly guesses: GuessLimiter;
  readonly egress: Egress;
  /** Storage for uploaded files. */
  readonly storage: Storage;
  /** Sheds new requests under overload (RP-10). */
  readonly guard: LoadGuard;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly activity: ActivityLog;
  readonly errorLog: ErrorLog;
  readonly outbox: Outbox;
  readonly mail: Post;
  readonly scheduler: Scheduler;
  readonly settings: Settings;
  readonly switches: Switches;
  /** Names of the tables covered by the search index. Their changes are recorded as not yet indexed. */
  readonly indexed: ReadonlySet<string>;
  /** Called after each commit that announced a change to a record. */
  readonly afterChanges: Set<() => void>;
  /** The pages of the console and the portal. */
  readonly site: Site;
  /** Keeps the search index up to date. */
  readonly indexer: Indexer;
  /** Allocates sequential numbers: `app.allocator.take(ctx.db, 'ticket')`. */
  readonly allocator: Allocator;
  /** Resolves ids to the names that lists show. */
  readonly names: Names;
  readonly loaded: readonly Loaded[];
  readonly plugins: readonly Plugin[];
  /** Third-party plugins left out at start-up, with the reason. */
  readonly leftOut: readonly Fault[];
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** `ready` is false during start-up and drain. */
  readonly state: { started: boolean; ready: boolean };
  ownerOf(route: Route): Plugin;
  /** Logs an unexpected error and returns a 500 that reveals no details to the caller (E-10). */
  reportError(error: unknown, request: FailedRequest): Problem;
  /** Reports a route that changed rows without an activity line: an error in tests, a log line in production. */
  reportUnlogged(route: Route): void;
  /** Returns the system's context, outside a transaction. */
  system(): Context<undefined>;
  /** Starts the plugins. Deliveries and jobs start too unless `only` is `web`. */
  start(only?: 'web' | 'jobs'): Promise<void>;
  /** Stops accepting work: /ready fails, and plugins end what would keep requests open. */
  drain(): void;
  /** Closes everything. Idempotent. */
  close(): Promise<void>;
}

/** The request that failed with an unexpected error. */
export interface FailedRequest {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly route: Route | undefined;
}
