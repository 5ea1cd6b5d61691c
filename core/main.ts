// Starts a process: configuration, database, application, server; and ends it without losing a request.
import { mkdirSync } from 'node:fs';
import { loadConfig, type Config } from '../config/config.ts';
import { createApp, type App } from './app.ts';
import { loadMasterKey, openVault } from './security/vault.ts';
import { greetings } from './lifecycle.ts';
import { openCounters } from './security/limiter.ts';
import { loadInstallation } from './load.ts';
import { createLogger } from './log/log.ts';
import { onSignals, serve } from './http/server.ts';
import { systemClock } from './time.ts';

export interface Running {
  readonly app: App;
  readonly port: number;
  close(): Promise<void>;
}

export interface StartOptions {
  /** `web` answers requests, `jobs` runs jobs and deliveries; both by default. */
  readonly only?: 'web' | 'jobs';
  readonly migrate?: 'empty' | 'always' | 'never';
}

/** Builds the application of a configuration without listening: what commands work with. */
export async function openInstallation(config: Config, options: StartOptions = {}): Promise<App> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const log = createLogger({ level: config.logLevel });
  const installation = await loadInstallation(config.pluginsDir);
  for (const { plugin, message } of installation.leftOut) log.error({ plugin }, `plugin left out: ${message}`);
  return createApp({
    config,
    installation,
    clock: systemClock,
    log,
    vault: openVault(loadMasterKey(config.masterKeyFile, { create: true })),
    ...(await openCounters(config, log)),
    ...(options.migrate ? { migrate: options.migrate } : {}),
  });
}

/** Starts a process that serves until it is told to stop. */
export async function start(config: Config, options: StartOptions = {}): Promise<Running> {
  const app = await openInstallation(config, options);
  const server = options.only === 'jobs' ? undefined : await serve(app.handle, { ...config, log: app.log });
  await app.start(options.only);
  // Without a listening socket nothing keeps the process running: the timers of jobs and deliveries do not.
  const stay = server ? undefined : setInterval(() => {}, 60_000);
  const close = async () => {
    clearInterval(stay);
    app.state.ready = false;
    // Deliveries and connections end within the rest of the 15 s (P5).
    await server?.close(12_000);
    await app.close();
  };
  return { app, port: server?.port ?? 0, close };
}

/** `npm start`: runs until a signal; says in one sentence why it cannot. */
export async function main(options: StartOptions = {}): Promise<void> {
  try {
    const running = await start(loadConfig(), options);
    onSignals(running.close);
    // A promise that a plugin forgot to wait for would otherwise end the process for everybody.
    process.on('unhandledRejection', (err) => running.app.log.error({ err }, 'a promise nobody waited for failed'));
    await greet(running);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function greet({ app, port }: Running): Promise<void> {
  app.log.info({ port, database: app.database.dialect }, `Keelson listens at ${app.config.baseUrl}`);
  // Printed, not logged: the set-up link is a secret, which logs do not keep.
  for (const line of await greetings(app)) process.stdout.write(`${line}\n`);
}
