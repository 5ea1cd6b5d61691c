// One tenant's application: everything that a request, job or command works with. All state of the tenant is in it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { OpenDatabase } from '../database/database.ts';
import type { Outbox } from '../events/outbox.ts';
import type { Scheduler } from '../events/scheduler.ts';
import type { Zone } from '../kit/moment.ts';
import type { Problem } from '../kit/problem.ts';
import type { Clock } from '../kit/time.ts';
import type { Allocator } from '../list/allocator.ts';
import type { Names } from '../list/names.ts';
import type { ActivityLog } from '../log/activity.ts';
import type { ErrorLog } from '../log/error-log.ts';
import type { Health } from '../log/health.ts';
import type { LoadGuard } from '../log/load-guard.ts';
import type { Metrics } from '../log/metrics.ts';
import type { Post } from '../mail/post.ts';
import type { Egress } from '../security/egress.ts';
import type { GuessLimiter } from '../security/guess.ts';
import type { Others } from '../security/others.ts';
import type { Limiter } from '../security/limit.ts';
import type { Vault } from '../security/vault.ts';
import type { Storage } from '../storage/storage.ts';
import type { Fault, Loaded } from './check.ts';
import type { Context } from './context.ts';
import type { Live } from './live-record.ts';
import type { Site } from './site.ts';
import type { Plugin } from './plugin.ts';
import type { Route } from './route.ts';
import type { Indexer } from './search-declaration.ts';
import type { Settings } from './settings.ts';
import type { Switches } from './switch.ts';

/** The product as it runs for one tenant. Plugins meet it as `ctx.app`. */
export interface App {
  readonly config: Config;
  /** The version of the product. */
  readonly version: string;
  readonly clock: Clock;
  /** The tenant's time zone: what a local time or "today" means (V-05, V-07). */
  readonly zone: Zone;
  readonly log: Logger;
  readonly database: OpenDatabase;
  readonly vault: Vault;
  readonly limiter: Limiter;
  readonly others: Others;
  /** Failed sign-ins. */
  readonly guesses: GuessLimiter;
  readonly egress: Egress;
  /** Where uploaded files are kept. */
  readonly storage: Storage;
  /** Whether new requests should be refused because of overload (RP-10). */
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
  /** Names of the tables that the search index follows: their changes are announced as not indexed yet. */
  readonly indexed: ReadonlySet<string>;
  /** The streams of changes that are open in this process. */
  readonly live: Live;
  /** The console's and the portal's pages. */
  readonly site: Site;
  /** Keeps the search index up to date. */
  readonly indexer: Indexer;
  /** Numbers in sequence: `app.allocator.take(ctx.db, 'ticket')`. */
  readonly allocator: Allocator;
  /** Names that lists show for ids. */
  readonly names: Names;
  readonly loaded: readonly Loaded[];
  readonly plugins: readonly Plugin[];
  /** Third-party plugins that were left out at start-up, and why. */
  readonly leftOut: readonly Fault[];
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** `ready` is false while starting and draining. */
  readonly state: { started: boolean; ready: boolean };
  ownerOf(route: Route): Plugin;
  /** Logs an unexpected error, and makes a 500 that tells the caller nothing about it (E-10). */
  reportError(error: unknown, request: FailedRequest): Problem;
  /** Reports that a route changed rows without an activity line: an error in tests, a log line in production. */
  reportUnlogged(route: Route): void;
  /** The system's context, outside a transaction. */
  system(): Context<undefined>;
  /** Starts the plugins, and also deliveries and jobs unless the process only answers requests. */
  start(only?: 'web' | 'jobs'): Promise<void>;
  /** Nothing new is accepted: /ready fails, streams end. */
  drain(): void;
  /** Closes everything; calling it again does nothing. */
  close(): Promise<void>;
}

/** The request in which an unexpected error was thrown. */
export interface FailedRequest {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly route: Route | undefined;
}
