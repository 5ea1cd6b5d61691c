// Builds one tenant's application from its configuration, plugins and database.
import type { OpenDatabase } from '@keelson/database/database.ts';
import { openReplicas, type ReadReplicas } from '@keelson/database/read-replica.ts';
import { createOutbox } from '@keelson/events/delivery/outbox.ts';
import { createScheduler } from '@keelson/events/job/scheduler.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { Problem } from '@keelson/kit/problem.ts';
import type { SteadyClock } from '@keelson/kit/time.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import { createAllocator } from '@keelson/list/allocator.ts';
import { createNames } from '@keelson/list/name-cache.ts';
import { createActivityLog, theSystem } from '@keelson/log/activity.ts';
import { createErrorLog } from '@keelson/log/error-log.ts';
import { createHealth, databaseCheck, diskCheck, type Health } from '@keelson/log/health.ts';
import { loadGuard, type LoadGuard } from '@keelson/log/load-guard.ts';
import { createMetrics, type Metrics } from '@keelson/log/metrics.ts';
import { mailDelivery } from '@keelson/mail/mail-delivery.ts';
import { Mail } from '@keelson/mail/mail.ts';
import { createPost } from '@keelson/mail/post.ts';
import { installTemplates } from '@keelson/mail/stored-template.ts';
import { guessAlarm } from '@keelson/security/guess/guess-alarm.ts';
import { memoryGuessStore, type GuessStore } from '@keelson/security/guess/guess-store.ts';
import { guessLimiter } from '@keelson/security/guess/guess.ts';
import type { Limiter } from '@keelson/security/limit.ts';
import { alone, type Others } from '@keelson/security/others.ts';
import type { Vault } from '@keelson/security/vault.ts';
import type { Storage } from '@keelson/storage';
import type { Logger } from 'pino';
import type { EntitySchema } from 'typeorm';
import type { Config } from '../../config/config.ts';
import { missingFiles } from '../attachments/tidy.ts';
import { createWeb } from '../http/pipeline.ts';
import type { App, FailedRequest } from '../plugin/app.ts';
import { forgetCached } from '../plugin/cache-invalidation.ts';
import { contextOf, type Context } from '../plugin/context.ts';
import { jobsOf, subscribersOf } from '../plugin/inside.ts';
import { createWordings } from '../plugin/load/catalogues.ts';
import { drainPlugins, startPlugins, stopPlugins } from '../plugin/load/lifecycle.ts';
import type { Installation } from '../plugin/load/load.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { Route } from '../plugin/route/route.ts';
import { createTenantLanguage, languageFinder } from '../plugin/setting/language.ts';
import { createSettings, type Reader } from '../plugin/setting/settings.ts';
import { createSwitches } from '../plugin/setting/switch.ts';
import { createTenantZone } from '../plugin/setting/zone.ts';
import { createIndexer } from '../search/indexing/indexer.ts';
import { pageRoutes } from '../web/serve.ts';
import { unbuilt, type OpenSite } from '../web/site.ts';
import { openForNumbers, openUpToDate, type DatabaseOptions } from './database/open-database.ts';
import { tablesOf } from './database/tables.ts';
import { housekeeping } from './housekeeping.ts';
import { openStorage } from './open-storage.ts';
import { egressOf } from './ports.ts';
import { version } from './version.ts';

export interface AppOptions extends DatabaseOptions {
  readonly clock: SteadyClock;
  readonly vault: Vault;
  readonly limiter: Limiter;
  /** The installation's other processes. Default: none. */
  readonly others?: Others;
  /** Store for failed sign-ins. Default: in this process. */
  readonly guesses?: GuessStore;
  /** The tenant's metrics. Default: a new registry. */
  readonly metrics?: Metrics;
  /** The load guard shared by the process's tenants. Default: a new one. */
  readonly guard?: LoadGuard;
  /** Ports of other tenants on this machine, which webhooks must not reach (EV-08). */
  readonly otherPorts?: readonly number[];
  /** Overrides the configured file storage, for tests. */
  readonly storage?: Storage;
  /** The console's and the portal's pages. Default: none are served. */
  readonly site?: OpenSite | undefined;
  /** Makes a change without an activity line an error, for tests. */
  readonly strict?: boolean;
  /** Deadline of event handlers. Tests run on a busy machine and allow more. */
  readonly deliverySeconds?: number;
  /** Opens the database another way: tests supply one with every table in place. */
  readonly open?: (tables: readonly EntitySchema[]) => Promise<OpenDatabase>;
}

/** How long closing waits for requests whose clients have left. */
const LONGEST_HANDLING_S = 3;

/** Builds one tenant's application on an up-to-date database. @throws Error in one sentence when it cannot run */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock, log, vault, limiter } = options;
  const tables = tablesOf(pluginsOf(options.installation));
  const { database, installation } = options.open
    ? { database: await options.open(tables), installation: options.installation }
    : await openUpToDate(options, tables);
  const plugins = pluginsOf(installation);
  const numbers = await openForNumbers(database);
  const out = egressOf(config, options.otherPorts);
  const system = (cause: string | null = null): Context<undefined> =>
    contextOf({ app, actor: undefined, author: theSystem, cause });
  const jobs = [...installation.loaded.flatMap(jobsOf), ...housekeeping(plugins)];
  const subscribers = [...installation.loaded.flatMap(subscribersOf), mailDelivery];
  const receivers = plugins.flatMap((plugin) => plugin.receivers ?? []);
  const state = { started: false, ready: false };
  const alarm = guessAlarm(clock, (failures, usual) => reportGuessing(app, failures, usual));
  const settings = createSettings(clock);
  const zone = createTenantZone(config, settings);
  const language = createTenantLanguage(settings);
  const refreshFrom = async (ctx: Reader) => {
    await zone.refresh(ctx);
    await language.refresh(ctx);
  };
  const refresh = () => refreshFrom({ db: database });
  const app: App = {
    config,
    version,
    clock,
    get zone() {
      return zone.current;
    },
    get language() {
      return language.current;
    },
    wording: createWordings(installation.loaded),
    languageOf: languageFinder(plugins, settings),
    refreshZone: refreshFrom,
    log,
    database,
    replicas: replicasOf(config, database, log),
    vault,
    limiter,
    others: options.others ?? alone,
    state,
    plugins,
    loaded: installation.loaded,
    leftOut: installation.leftOut,
    egress: out,
    storage: options.storage ?? openStorage(config, out),
    guard: options.guard ?? loadGuard(),
    guesses: guessLimiter(options.guesses ?? memoryGuessStore(), clock, () => alarm.failed()),
    metrics: options.metrics ?? createMetrics().of(config.tenantSlug),
    health: healthOf({ config, database, log, state }),
    activity: createActivityLog(),
    errorLog: createErrorLog({ database, clock, log }),
    outbox: createOutbox({
      database,
      clock,
      log,
      subscribers: () => subscribers,
      receivers,
      makeContext: system,
      refresh,
      application: () => app,
      keepAll: config.keepEvents === 'all',
      ...(options.deliverySeconds !== undefined && { deadlineSeconds: options.deliverySeconds }),
    }),
    mail: createPost(config, plugins, { log, monotonic: clock.monotonic }),
    scheduler: createScheduler({ database, clock, log, jobs, makeContext: system, refresh }),
    settings,
    switches: createSwitches(plugins, clock),
    afterChanges: new Set(),
    indexed: new Set(plugins.flatMap(({ search = [] }) => search.map(({ table }) => table.name))),
    site: options.site ?? unbuilt,
    indexer: createIndexer(() => app),
    allocator: createAllocator(numbers ?? database),
    names: createNames(),
    handle(request, response) {
      const handling = web(request, response);
      handlings.add(handling);
      void handling.finally(() => handlings.delete(handling));
    },
    ownerOf: (route) => ownerOf(plugins, route),
    reportError: (error, request) => reportError(app, error, request),
    reportUnlogged: (route) => reportUnlogged(app, route, options.strict ?? false),
    system: () => system(),
    async start(only) {
      app.replicas?.start();
      await startPlugins(app);
      if (only !== 'web') {
        if ((await app.mail.state(app.system())) === 'off') log.info('mail: no server configured; mail is queued');
        app.outbox.start();
        app.scheduler.start();
        app.indexer.start();
      }
      state.started = state.ready = true;
    },
    drain() {
      state.ready = false;
      drainPlugins(app);
    },
    close: () => (closed ??= shutDown(app, { handlings, numbers, ownGuard: options.guard === undefined })),
  };
  /** Requests that are being handled. */
  const handlings = new Set<Promise<void>>();
  let closed: Promise<void> | undefined;
  app.others.listen((table) => forgetCached(app, table));
  measure(app);
  const guesses = 'Failed passwords and codes in the current ten minutes.';
  app.metrics.gauge('keelson_failed_guesses', guesses, alarm.current, 'sum');
  try {
    await installTemplates(database, [...app.mail.templates.values()], clock.now());
    await refresh();
  } catch (error) {
    await app.close();
    throw error;
  }
  const { site } = options;
  const web = createWeb(app, site && ((router) => pageRoutes(router, app, site)));
  return app;
}

interface Parts {
  readonly handlings: ReadonlySet<Promise<void>>;
  readonly numbers: OpenDatabase | undefined;
  readonly ownGuard: boolean;
}

async function shutDown(app: App, { handlings, numbers, ownGuard }: Parts): Promise<void> {
  app.drain();
  if (ownGuard) app.guard.stop();
  app.metrics.close();
  await app.indexer.stop();
  await app.scheduler.stop();
  await app.outbox.stop();
  await stopPlugins(app);
  await finish(handlings, app.log);
  await app.limiter.close();
  await app.errorLog.flush();
  await app.replicas?.close();
  await numbers?.close();
  await app.database.close();
}

/** Waits for the work of requests whose clients have left. */
async function finish(handlings: ReadonlySet<Promise<void>>, log: Logger): Promise<void> {
  try {
    await withTimeout(LONGEST_HANDLING_S, () => Promise.allSettled(handlings), 'Requests take too long');
  } catch (error) {
    log.warn({ err: error, requests: handlings.size }, 'requests were not waited for at shutdown');
  }
}

function replicasOf(config: Config, database: OpenDatabase, log: Logger): ReadReplicas | undefined {
  const { databaseReadUrl: url, databaseReadMaxLagSeconds: mostSeconds } = config;
  return url === undefined ? undefined : openReplicas({ url, database, mostSeconds, log });
}

/** One list per installation, so that tenants share what is made of it, such as compiled routes. */
const pluginsOf = memoize(({ loaded }: Installation): readonly Plugin[] => loaded.map(({ plugin }) => plugin));

const ownersOf = memoize(
  (plugins: readonly Plugin[]) =>
    new Map(plugins.flatMap((plugin) => (plugin.routes ?? []).map((route) => [route, plugin] as const))),
);

function ownerOf(plugins: readonly Plugin[], route: Route): Plugin {
  const owner = ownersOf(plugins).get(route);
  if (!owner) throw new Error(`Route ${route.name} belongs to no plugin`);
  return owner;
}

function reportError(app: App, error: unknown, { request_id, route, path, method }: FailedRequest): Problem {
  app.log.error({ err: error, request_id, route: route && route.name }, 'request failed');
  app.errorLog.store({
    level: 'error',
    message: error instanceof Error ? error.message : 'Unknown error',
    path,
    method,
    status: 500,
    request_id,
    ...(error instanceof Error && error.stack ? { stack: error.stack } : {}),
  });
  return new Problem('internal', 'Internal server error');
}

function reportGuessing(app: App, failures: number, usual: number): void {
  const message = `Possible password guessing: ${failures} failed sign-ins in ten minutes (usually ${Math.round(usual)})`;
  app.log.error({ failures, usual }, message);
  app.errorLog.store({ level: 'error', message, path: '', method: '', status: 429, request_id: '' });
}

function reportUnlogged(app: App, route: Route, strict: boolean): void {
  const message = `Route ${route.name} changed rows without an activity log entry`;
  if (strict) throw new Error(message);
  app.log.error({ route: route.name }, message);
}

/** Creates the health checks behind /ready. */
function healthOf({ config, database, log, state }: Pick<App, 'config' | 'database' | 'log' | 'state'>): Health {
  return createHealth({
    checks: [databaseCheck(database), diskCheck(config.dataDir)],
    started: () => state.started,
    draining: () => state.started && !state.ready,
    log,
  });
}

/** Declares the application's gauges. */
function measure(app: App): void {
  const { metrics, outbox, database, replicas } = app;
  const missing = missingFiles(app);
  metrics.gauge(
    'keelson_outbox_pending',
    'Pending and running deliveries.',
    async () => (await outbox.waiting()).pending,
  );
  metrics.gauge('keelson_outbox_parked', 'Permanently failed deliveries.', async () => (await outbox.waiting()).parked);
  metrics.gauge(
    'keelson_attachments_missing',
    'Attachments whose file was missing at the last check.',
    () => missing.count,
  );
  if (replicas) {
    const help = 'At most how many seconds a read replica is behind, if known.';
    const lags = () =>
      new Map(replicas.states().flatMap(({ address, seconds }) => (seconds === undefined ? [] : [[address, seconds]])));
    metrics.gaugeOfEach('keelson_replica_lag_seconds', help, { by: 'replica', read: lags });
  }
  metrics.gauge('keelson_mail_held', 'Mails waiting for a server.', () => database.countBy(Mail, { state: 'held' }));
  metrics.gauge('keelson_mail_failed', 'Permanently failed mails.', () => database.countBy(Mail, { state: 'failed' }));
}
