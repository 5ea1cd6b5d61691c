// Runs several tenants in one process, started as `npm start` does, each on its own database.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as begin } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAnswer, TestApp, TestRequest } from '@keelson/testing';
import type { ExecutionContext } from 'ava';
import { readTenancy } from '../config/tenants.ts';
import type { App } from '../core/plugin/app.ts';
import type { Running } from '../core/plugin/declaration/command.ts';
import { start } from '../core/process/main.ts';
import { newId } from '../packages/kit/random.ts';
import { neverOverloaded } from '../packages/log/load-guard.ts';
import { connectTo } from '../packages/testing/server-connection.ts';
import { makeFolder } from './_folder.ts';
import { until } from './_until.ts';

/** The database server; undefined tests the embedded SQLite. */
export const server = process.env['TEST_DATABASE_URL'];

/** Creates an empty plugins folder: checking the repository's plugins takes each process a second. */
export function noPlugins(folder: string): string {
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins, { recursive: true });
  return plugins;
}

/** Lets the installation in `dataDir` use pages that other tests have built: that takes seconds of CPU. */
export function sharePages(dataDir: string): void {
  const built = resolve('node_modules/.cache/web');
  mkdirSync(built, { recursive: true });
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(built, join(dataDir, 'web'));
}

type Entry = Readonly<Record<string, unknown>>;

export interface TenantsPlace {
  readonly folder: string;
  /** Environment of a process that serves the tenants. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the process here and waits until `slugs` (all by default) are open; it ends with the test. */
  start(slugs?: readonly string[]): Promise<TenantsRunning>;
}

export interface TenantsRunning {
  readonly running: Running;
  readonly port: number;
  /** Sends a request to the process with any Host header, again while the process is busy. */
  ask(host: string, method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** Returns an open tenant in the form that test seeds take. */
  tenant(slug: string): TestApp;
}

/**
 * Creates an installation with the tenants `given`, by slug: served at `<slug>.test`, on databases that are removed
 * with the test. Values set in an entry stay unchanged.
 */
export async function makeTenants(
  t: ExecutionContext,
  given: Readonly<Record<string, Entry>>,
  more: Readonly<Record<string, string>> = {},
): Promise<TenantsPlace> {
  const folder = makeFolder(t);
  const entries: Entry[] = [];
  for (const [slug, entry] of Object.entries(given)) {
    const own = server && !('DATABASE_URL' in entry) ? { DATABASE_URL: await makeDatabase(t, server) } : {};
    entries.push({ TENANT_SLUG: slug, BASE_URL: `http://${slug}.test`, ...own, ...entry });
  }
  sharePages(join(folder, 'data'));
  const file = join(folder, 'tenants.json');
  writeFileSync(file, JSON.stringify(entries));
  const env = {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    PLUGINS_DIR: noPlugins(folder),
    TENANTS_FILE: file,
    LOG_LEVEL: 'silent',
    KEEP_EVENTS: 'all',
    PASSWORD_COST: '10',
    DATABASE_POOL: '4',
    ...more,
  };
  return {
    folder,
    env,
    async start(slugs = Object.keys(given)) {
      const running = await start(readTenancy(env), { guard: neverOverloaded });
      t.teardown(running.close);
      const open = () => running.apps().map((each) => each.config.tenantSlug);
      await until(async () => slugs.every((slug) => open().includes(slug)));
      return speakTo(running);
    },
  };
}

/** Creates an empty database on the server, dropped with the test. */
export async function makeDatabase(t: ExecutionContext, at: string): Promise<string> {
  // Safe to interpolate: the id is hexadecimal.
  const name = `keelson_tenants_${newId()}`;
  await askServer(at, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  t.teardown(() => askServer(at, `DROP DATABASE ${name}`));
  return new URL(name, at).href;
}

async function askServer(url: string, statement: string): Promise<void> {
  const connection = await connectTo(url);
  await connection.query(statement);
  await connection.end();
}

function speakTo(running: Running): TenantsRunning {
  const { port } = running;
  const ask: TenantsRunning['ask'] = async (host, method, path, request = {}) => {
    const answer = await send(port, host, { method, path, ...request });
    if (answer.status !== 503 || !answer.text.includes('Server is busy')) return answer;
    await sleep(50);
    return await ask(host, method, path, request);
  };
  return {
    running,
    port,
    ask,
    tenant(slug) {
      const app = running.apps().find((each) => each.config.tenantSlug === slug);
      if (!app) throw new Error(`The tenant ${slug} is not open`);
      return testApp(app, (method, path, request) => ask(`${slug}.test`, method, path, request));
    },
  };
}

function testApp(app: App, request: TestApp['request']): TestApp {
  const none = () => Promise.reject(new Error('Not supported with several tenants'));
  return {
    app,
    url: app.config.baseUrl,
    clock: { ...app.clock, set: none },
    request,
    run: (work) => app.system().transaction(work),
    statements: none,
    fewestStatements: none,
    // The child process has its own log.
    expectError: () => {},
    close: none,
  };
}

interface Asked extends TestRequest {
  readonly method: string;
  readonly path: string;
}

/** Not fetch: it always sends the address as the Host header. */
function send(port: number, host: string, { method, path, body, ...given }: Asked): Promise<TestAnswer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...given.headers,
    Host: host,
  };
  if (given.token !== undefined) headers['Authorization'] = `Bearer ${given.token}`;
  if (given.key !== undefined) headers['X-API-Key'] = given.key;
  if (given.cookie !== undefined) headers['Cookie'] = given.cookie;
  return new Promise((resolve, reject) => {
    const request = begin({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(answerOf(response.statusCode ?? 0, response.rawHeaders, Buffer.concat(chunks))));
    });
    request.on('error', reject);
    request.end(text);
  });
}

function answerOf(status: number, raw: readonly string[], bytes: Buffer): TestAnswer {
  const headers = new Headers();
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  const text = bytes.toString();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}
