// Test harness: a complete application on a fresh database, driven over HTTP.
import { randomBytes } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@keelson/storage';
import { readConfig, type Config } from '../../config/config.ts';
import type { App } from '../../core/plugin/app.ts';
import type { Context } from '../../core/plugin/context.ts';
import { faultsOf, inOrder } from '../../core/plugin/load/check.ts';
import { loadInstallation, sentences, type Installation } from '../../core/plugin/load/load.ts';
import type { Plugin } from '../../core/plugin/plugin.ts';
import { createApp } from '../../core/process/create-app.ts';
import { tablesOfPlugins } from '../../core/process/database/tables.ts';
import { openSite } from '../../core/web/site.ts';
import { memoize } from '../kit/memoize.ts';
import { newId } from '../kit/random.ts';
import type { SteadyClock, Timestamp } from '../kit/time.ts';
import type { Spoken } from '../kit/wording.ts';
import { neverOverloaded } from '../log/load-guard.ts';
import type { Logger } from '../log/log.ts';
import { renderMail, wordsOf } from '../mail/compose.ts';
import { Mail, sealedFor } from '../mail/mail.ts';
import { memoryLimiter, type Limiter } from '../security/limit.ts';
import { openVault } from '../security/vault.ts';
import { answerJudge } from './answers.ts';
import { openTestDatabase } from './database.ts';
import { createTestLog } from './log.ts';
import { send, type TestAnswer, type TestRequest } from './request.ts';
import { outsideTransactions, watchTransactions } from './transactions.ts';

export { openTestDatabase } from './database.ts';
export type { TestAnswer, TestRequest } from './request.ts';

/** A clock that stands still until it is set. */
export interface TestClock extends SteadyClock {
  set(at: Timestamp): void;
}

/** Creates a clock for `startApp`. */
export function testClock(at: Timestamp = '2026-03-02T09:00:00.000Z'): TestClock {
  let now = at;
  return { now: () => now, monotonic: () => Date.parse(now), set: (next) => (now = next) };
}

/** A running application. */
export interface TestApp {
  readonly app: App;
  readonly url: string;
  readonly clock: TestClock;
  /**
   * Sends a request.
   * @throws when the response does not match the route's declaration
   */
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  /** Runs a domain function in a transaction with the system's context. */
  run<R>(work: (ctx: Context<undefined>) => Promise<R>): Promise<R>;
  /** Counts the SQL statements `work` executes. Drains the search indexer first, unless a transaction is open. */
  statements(work: () => Promise<unknown>, options?: { readonly inTransaction?: boolean }): Promise<number>;
  /** Returns the lowest statement count over several runs of a read, once its short-lived caches are warm. */
  fewestStatements(read: () => Promise<unknown>): Promise<number>;
  /** Declares an error the application will log. Any other logged error fails the test on close. */
  expectError(pattern: RegExp): void;
  /** @throws when the application logged an error no test expected */
  close(): Promise<void>;
}

/** A test's request and its response. Published on `exchanges` so that the runner can print it when the test fails. */
export interface TestExchange extends TestRequest {
  readonly method: string;
  readonly path: string;
  readonly answer: TestAnswer;
  /** Returns the lines the application logged for this request. */
  log(): string[];
}

/** Channel for exchanges, published in the asynchronous context of their test. */
export const exchanges = channel('keelson:test-exchange');

/** Overrides of the default application. */
export interface TestOptions {
  readonly config?: Partial<Config>;
  readonly clock?: TestClock;
  /** Plugins in addition to the modules and those in plugins/. */
  readonly plugins?: readonly Plugin[];
  /** The rate limiter. Defaults to a new one. */
  readonly limiter?: Limiter;
  /** File storage. Defaults to a new folder. */
  readonly storage?: Storage;
  /** Build and serve the console and the portal. Tests without a browser are faster when this is off. */
  readonly web?: boolean;
  /** Log destination. Defaults to an in-memory log in which an unexpected error fails the test. */
  readonly log?: Logger;
  /** Milliseconds after which a waiting statement gives up. Defaults to a minute, for busy machines. */
  readonly deadlineMs?: number;
  /** Seconds after which an event handler is stopped. Defaults to five minutes, for busy machines. */
  readonly deliverySeconds?: number;
}

/** Build cache shared between test files. Builds differ only where their plugins do. */
const BUILDS = 'node_modules/.cache/web';

/** Base installation, loaded once per process. */
const installed = memoize(({ plugins }: { readonly plugins: string }) => loadInstallation(plugins));
const usual = { plugins: 'plugins' };

/** Starts the whole product on a fresh database and closes it when the test ends. */
export async function startApp(
  t: { teardown(work: () => unknown): void },
  options: TestOptions = {},
): Promise<TestApp> {
  const started = await openApp(options);
  t.teardown(() => started.close());
  return started;
}

/** Starts the whole product on a fresh database. The caller closes it. */
export async function openApp(options: TestOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? testClock();
  const filesDir = join(tmpdir(), `keelson-files-${newId()}`);
  const watched = createTestLog();
  const log = options.log ?? watched.logger;
  const installation = withPlugins(await installed(usual), options.plugins ?? []);
  const site = options.web ? openSite({ loaded: installation.loaded, place: BUILDS, log }) : undefined;
  const app = await createApp({
    config: {
      ...readConfig({ DATA_DIR: 'data/test', FILES_DIR: filesDir }),
      passwordCost: 4,
      logLevel: 'silent',
      keepEvents: 'all',
      ...options.config,
    },
    installation,
    clock,
    log,
    site,
    vault: openVault(randomBytes(32)),
    limiter: options.limiter ?? memoryLimiter(),
    strict: true,
    ...(options.storage && { storage: options.storage }),
    deliverySeconds: options.deliverySeconds ?? 300,
    guard: neverOverloaded,
    open: async (tables) => {
      const database = await openTestDatabase(tables, undefined, {
        extra: tablesOfPlugins(options.plugins ?? []),
        ...(options.deadlineMs && { deadlineMs: options.deadlineMs }),
      });
      watchTransactions(database, log);
      return database;
    },
  });
  const server = createServer(app.handle);
  // On a busy machine a keep-alive connection can close just as a test reuses it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  app.state.started = app.state.ready = true;
  site?.begin();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const judge = answerJudge(app);
  return {
    app,
    url,
    clock,
    async request(method, path, request = {}) {
      const answer = await outsideTransactions(() => send(url + path, method, request));
      const type = answer.headers.get('content-type') ?? '';
      const log = () => watched.linesOf(answer.headers.get('x-request-id') ?? '');
      exchanges.publish({ ...request, method, path, answer, log } satisfies TestExchange);
      judge({ method, path, status: answer.status, type, body: answer.body });
      return answer;
    },
    run: (work) => app.system().transaction(work),
    statements: (work, { inTransaction = false } = {}) => countStatements(app, work, inTransaction),
    async fewestStatements(read) {
      let fewest = Infinity;
      for (let run = 0; run < 4; run++) fewest = Math.min(fewest, await countStatements(app, read, false));
      return fewest;
    },
    expectError: watched.expect,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await site?.close();
      await app.close();
      await rm(filesDir, { recursive: true, force: true });
      watched.check();
    },
  };
}

/** A queued mail. */
export interface TestMail {
  readonly template: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Returns queued mails, oldest first, rendered with the default templates. */
export async function readMails({ app }: Pick<TestApp, 'app'>): Promise<TestMail[]> {
  const ctx = app.system();
  const rows = await app.database.find(Mail, { order: { created_at: 'ASC', mail_id: 'ASC' } });
  const mails: TestMail[] = [];
  for (const { mail_id, template: key, recipient_name: name, recipient_address: address, data } of rows) {
    const template = app.mail.templates.get(key);
    if (!template || data === null) continue;
    const values = JSON.parse(app.vault.open(data, sealedFor(mail_id))) as Record<string, Spoken>;
    const wording = app.wording(await app.languageOf(ctx, { address }));
    const words = wordsOf(wording, null, template);
    const { subject, text } = await renderMail(ctx, template, { words, values, to: { name, address }, wording });
    mails.push({ template: key, to: address, subject, text });
  }
  return mails;
}

function withPlugins(installation: Installation, plugins: readonly Plugin[]): Installation {
  if (plugins.length === 0) return installation;
  const more = plugins.map((plugin) => ({ plugin, source: 'plugin' as const }));
  const loaded = [...installation.loaded, ...more];
  const faults = faultsOf(loaded);
  if (faults.length > 0) throw new Error(sentences(faults));
  return { ...installation, loaded: inOrder(loaded) };
}

async function countStatements(app: App, work: () => Promise<unknown>, inTransaction: boolean): Promise<number> {
  // Drain first: a search would otherwise run extra statements to read pending changes.
  if (!inTransaction) await app.indexer.drain();
  let statements = 0;
  app.database.onStatement = () => statements++;
  try {
    await work();
  } finally {
    app.database.onStatement = undefined;
  }
  return statements;
}
