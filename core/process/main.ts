// Starts a process (configuration, database, application, server) and stops it without dropping a request.
import cluster from 'node:cluster';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@keelson/kit/time.ts';
import { loadGuard } from '@keelson/log/load-guard.ts';
import { createLogger } from '@keelson/log/log.ts';
import { createMetrics } from '@keelson/log/metrics.ts';
import { openCounters } from '@keelson/security/limiter.ts';
import { loadMasterKey, openVault } from '@keelson/security/vault.ts';
import { serve } from '@keelson/server/server.ts';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Tenancy, TenantConfig } from '../../config/tenants.ts';
import type { App } from '../plugin/app.ts';
import type { Running, StartOptions } from '../plugin/declaration/command.ts';
import { placesOf } from '../plugin/inside.ts';
import { greetings } from '../plugin/load/lifecycle.ts';
import { loadInstallation, type Installation } from '../plugin/load/load.ts';
import { filesIn, pluginsFolder } from '../plugin/load/plugin-files.ts';
import { noteStrayError } from '../plugin/troubles.ts';
import { buildsOf, openSite } from '../web/site.ts';
import { createApp, type AppOptions } from './create-app.ts';
import { requireOwnKey } from './database/own-key.ts';
import { catchPluginErrors, type PluginErrors } from './plugin-errors.ts';
import { portsOf } from './ports.ts';
import { releaseMemory } from './release-memory.ts';
import { onSignals } from './signals.ts';
import { openTenants } from './tenants.ts';
import { lowerThreadPriority } from './thread-priority.ts';

/** The nice value of a jobs-only process: requests and the database take precedence. */
const GIVES_WAY = 15;

/** Uncaught errors of plugins; absent if the process has its own handlers, as in tests. */
interface Watched {
  readonly errors?: PluginErrors | undefined;
}

/** Builds the application of a configuration without a server, for commands. */
export async function openInstallation(
  config: Config,
  { errors, ...options }: StartOptions & Watched = {},
): Promise<App> {
  const log = createLogger({ level: config.logLevel });
  return openTenant(config, { log, installation: await loadPlugins(config, log, errors), ...options });
}

type Common = Pick<AppOptions, 'installation' | 'log' | 'metrics' | 'guard' | 'otherPorts' | 'migrate' | 'site'> &
  Pick<StartOptions, 'acceptKey'>;

async function openTenant(config: Config, { acceptKey = false, ...common }: Common): Promise<App> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const made = !existsSync(config.masterKeyFile);
  const vault = openVault(loadMasterKey(config.masterKeyFile, { create: true }));
  const log = common.log.child({ tenant: config.tenantSlug });
  const counters = await openCounters(config, log);
  const app = await createApp({ ...common, config, clock: systemClock, log, vault, ...counters }).catch(
    async (error: unknown) => {
      await counters.limiter.close();
      throw error;
    },
  );
  await requireOwnKey({ app, made, accept: acceptKey }).catch(async (error: unknown) => {
    await app.close();
    // The next start must not mistake it for a key provided by the operator.
    if (made) rmSync(config.masterKeyFile, { force: true });
    throw error;
  });
  return app;
}

async function loadPlugins(
  { pluginsDir, dataDir }: Config,
  log: Logger,
  errors: PluginErrors | undefined,
): Promise<Installation> {
  errors?.watch(placesOf(filesIn(pluginsFolder(pluginsDir), 'plugin')), log);
  const remember = join(dataDir, 'tried-plugins');
  const installation = await loadInstallation(pluginsDir, { trial: { remember } });
  for (const { plugin, message } of installation.leftOut) log.error({ plugin }, `plugin left out: ${message}`);
  return installation;
}

/** Starts a serving process. @throws when its only tenant cannot be opened */
export async function start(
  { config, tenants }: Tenancy,
  { errors, ...options }: StartOptions & Watched & Pick<Common, 'guard'> = {},
): Promise<Running> {
  const log = createLogger({ level: config.logLevel });
  const installation = await loadPlugins(config, log, errors);
  const byHost = tenants.some(({ hosts }) => hosts.length > 0);
  const site =
    options.only === 'jobs'
      ? undefined
      : openSite({ loaded: installation.loaded, place: buildsOf(config.dataDir), log });
  const served = await (byHost ? several : single)({ config, tenants }, { log, installation, site, ...options });
  const { handle } = served;
  releaseMemory();
  const server =
    options.only === 'jobs'
      ? undefined
      : await serve(handle, { ...config, log }).catch(async (error: unknown) => {
          // Open connections would keep this process alive and block the next start.
          await served.close();
          await site?.close();
          throw error;
        });
  for (const app of served.apps()) app.guard.forget();
  const begun = served.begin();
  site?.begin();
  // Without a listening socket nothing else keeps the process alive. The timers of jobs and deliveries are unref'ed.
  const stay = server ? undefined : setInterval(() => {}, 60_000);
  const close = async () => {
    await begun;
    clearInterval(stay);
    served.drain();
    await site?.close();
    // Deliveries and connections finish within the rest of the 15 s (RP-05).
    await server?.close(12_000);
    await served.close();
  };
  options.listening?.(close);
  await begun;
  errors?.serve(async (error) => {
    for (const app of served.apps()) await noteStrayError(app, error);
  });
  return { apps: served.apps, log, port: server?.port ?? 0, close };
}

/** What a process serves: one tenant, or several by host. */
interface Served {
  readonly handle: RequestListener;
  readonly apps: () => readonly App[];
  /** Called once the socket listens. */
  begin(): Promise<void>;
  drain(): void;
  close(): Promise<void>;
}

type ServeOptions = Pick<StartOptions, 'only' | 'greet'> & Common;

async function single({ tenants }: Tenancy, { only, greet, ...common }: ServeOptions): Promise<Served> {
  const [tenant] = tenants;
  if (!tenant) throw new Error('There is no tenant to serve');
  const app = await openTenant(tenant.config, common);
  return {
    handle: app.handle,
    apps: () => [app],
    begin: async () => {
      await app.start(only);
      await greet?.(app);
    },
    drain: app.drain,
    close: app.close,
  };
}

async function several({ config, tenants }: Tenancy, { only, greet, ...common }: ServeOptions): Promise<Served> {
  const metrics = createMetrics();
  const { guard = loadGuard() } = common;
  const open = async (tenant: TenantConfig): Promise<App> => {
    const otherPorts = tenants.flatMap((each) => portsOf(each.config));
    const own = { metrics: metrics.of(tenant.config.tenantSlug), guard, otherPorts };
    const app = await openTenant(tenant.config, { ...common, ...own });
    try {
      await app.start(only);
      await greet?.(app);
      return app;
    } catch (error) {
      await app.close();
      throw error;
    }
  };
  const opened = openTenants({ tenants, open, metrics, metricsToken: config.metricsToken, log: common.log });
  await opened.tried;
  return {
    handle: opened.handle,
    apps: opened.open,
    begin: async () => {},
    drain: opened.drain,
    close: () => opened.close().finally(guard.stop),
  };
}

/**
 * Serves until a signal, possibly as one of several processes.
 * @throws Error in one sentence if it cannot start
 */
export async function main(tenancy: Tenancy, options: StartOptions = {}): Promise<void> {
  if (options.only === 'jobs') setPriority(Math.max(getPriority(), GIVES_WAY));
  // Only the first of several processes prints it, because the set-up link is needed once.
  const greets = !cluster.isWorker || cluster.worker?.id === 1;
  const errors = catchPluginErrors();
  const { log, port } = await start(tenancy, { ...options, errors, ...(greets && { greet }), listening: onSignals });
  log.info({ port }, 'Keelson is listening');
  if (cluster.isWorker) process.send?.({ ready: true });
  await lowerThreadPriority().catch((err: unknown) => log.warn({ err }, 'password hashing runs at normal priority'));
}

async function greet(app: App): Promise<void> {
  app.log.info({ database: app.database.dialect, node: app.database.node() }, `Served at ${app.config.baseUrl}`);
  // Printed, not logged, because the set-up link is a secret.
  for (const line of await greetings(app)) process.stdout.write(`${line}\n`);
}
