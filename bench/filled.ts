// Filled databases, and the product running on them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from './load-job.ts';
import type { Mariadb } from './mariadb.ts';
import { startProduct, type Running } from './node-process.ts';

export interface Filled {
  readonly key: string;
  /** Additional keys: each is limited to 60 searches a minute. */
  readonly searchers: readonly string[];
  readonly tokens: readonly { readonly token: string; readonly company_number: number }[];
  /** Companies with at least 100 closed tickets, so that first pages are full. */
  readonly companies: readonly number[];
}

export interface Database extends Filled {
  readonly tickets: number;
  /** Process id of the database server; undefined for SQLite. */
  readonly pid: number | undefined;
  /** Environment that points the product at the database. */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that point the floor at the database. */
  readonly floor: readonly [kind: 'mysql' | 'sqlite', target: string];
}

/** A token is limited to 120 requests a minute. */
const SESSIONS = 2000;

/** Fills a database with this many tickets unless it is already filled; 0 creates an empty one. */
export async function fillDatabase(folder: string, server: Mariadb | undefined, tickets: number): Promise<Database> {
  const name = `keelson_${tickets}`;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  await server?.create(name);
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    BASE_URL: 'http://127.0.0.1',
    ...(server ? { DATABASE_URL: server.url(name) } : {}),
  };
  const path = join(dataDir, 'filled.json');
  const args = ['bench/prepare.ts', String(tickets), String(tickets > 0 ? SESSIONS : 0), path];
  const quiet = { PATH: process.env['PATH'], ACCESS_TOKEN_SECONDS: '86400', ...env, LOG_LEVEL: 'error' };
  // A kept database may have an older schema than the product.
  if (existsSync(path)) execFileSync(process.execPath, ['cli.js', 'migrate'], { env: quiet });
  execFileSync(process.execPath, args, { env: quiet, stdio: ['ignore', 'inherit', 'inherit'] });
  await server?.written();
  const filled = JSON.parse(readFileSync(path, 'utf8')) as Filled;
  return {
    ...filled,
    tickets,
    pid: server?.pid,
    env,
    floor: server ? ['mysql', server.url(name)] : ['sqlite', join(dataDir, 'keelson.db')],
  };
}

/** Starts the product on a filled database. */
export function serveDatabase({ env }: Database): Promise<Running & { seconds: number }> {
  return startProduct(env);
}

export function adminList(filled: Filled, query: Readonly<Record<string, string | number>>): Request {
  return adminGet(filled, '/tickets.php', query);
}

export function adminGet({ key }: Filled, path: string, query: Readonly<Record<string, string | number>>): Request {
  const asked = `/admin/api/v1${path}?${new URLSearchParams(textual(query)).toString()}`;
  return { method: 'GET', path: asked, headers: { Authorization: `Bearer ${key}` } };
}

export function textual(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
