// Filled databases, and the product on them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from './load-job.ts';
import type { Mariadb } from './mariadb.ts';
import { startProduct, type Running } from './node-process.ts';

export interface Filled {
  readonly key: string;
  /** Further keys: each may search 60 times a minute. */
  readonly searchers: readonly string[];
  readonly tokens: readonly { readonly token: string; readonly company_number: number }[];
  /** Some that have at least 100 closed tickets: their first pages are full. */
  readonly companies: readonly number[];
}

export interface Database extends Filled {
  readonly tickets: number;
  /** The process of the server; undefined for SQLite. */
  readonly pid: number | undefined;
  /** How the product finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** How the floor finds it. */
  readonly floor: readonly [kind: 'mysql' | 'sqlite', target: string];
}

/** A token may be used 120 times a minute. */
const SESSIONS = 2000;

/** Fills a database with so many tickets, unless it is filled; 0 makes an empty one. */
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
  // One that was kept may be older than the product.
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

/** The product on a filled database. */
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
