// npm run bench: compares the product with the frozen floor. Every figure is a ratio within one run. See goals.ts.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fillDatabase, type Database } from './filled.ts';
import { startLoader, type Loader } from './loader.ts';
import { startMariadb, type Mariadb } from './mariadb.ts';
import { readOptions, ticketsOf, type Options } from './options.ts';
import assets from './parts/assets.ts';
import clocks from './parts/clocks.ts';
import companies from './parts/companies.ts';
import create from './parts/create.ts';
import dashboard from './parts/dashboard.ts';
import dispatch from './parts/dispatch.ts';
import growth from './parts/growth.ts';
import imports from './parts/import.ts';
import list from './parts/list.ts';
import live from './parts/live.ts';
import numbers from './parts/numbers.ts';
import pages from './parts/pages.ts';
import scale from './parts/scale.ts';
import search from './parts/search.ts';
import signIn from './parts/sign-in.ts';
import slow from './parts/slow-create.ts';
import sorts from './parts/sorts.ts';
import start from './parts/start.ts';
import webhooks from './parts/webhooks.ts';
import { createReport, type Report } from './report.ts';

export interface Bench {
  readonly options: Options;
  readonly folder: string;
  readonly server: Mariadb | undefined;
  readonly loader: Loader;
  readonly report: Report;
  /** Returns a filled database; the first call fills it. */
  database(tickets: number): Promise<Database>;
}

export type Part = (bench: Bench) => Promise<void>;

const parts: Readonly<Record<string, Part>> = {
  dispatch,
  start,
  list,
  growth,
  companies,
  dashboard,
  pages,
  sorts,
  create,
  search,
  numbers,
  slow,
  scale,
  import: imports,
  'sign-in': signIn,
  webhooks,
  live,
  clocks,
  assets,
};
/** Parts that also make sense without a database server. */
const onSqlite = [
  'dispatch',
  'start',
  'list',
  'growth',
  'companies',
  'dashboard',
  'pages',
  'sorts',
  'create',
  'import',
  'sign-in',
  'live',
  'clocks',
];

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'keelson-bench-'));
  mkdirSync(folder, { recursive: true });
  const report = createReport((line) => process.stdout.write(`${line}\n`));
  const loader = startLoader();
  // The buffer pool holds the working set of a large database, as in production.
  const pool = largest(options) >= 1_000_000 ? '4G' : '1G';
  const server = options.database === 'sqlite' ? undefined : await startMariadb(folder, { pool });
  const filled = new Map<number, Promise<Database>>();
  const database = (tickets: number) => {
    const made = filled.get(tickets) ?? fillDatabase(folder, server, tickets);
    filled.set(tickets, made);
    return made;
  };
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      if (!server && !onSqlite.includes(name)) continue;
      await part({ options, folder, server, loader, report, database });
    }
    return report.finish(options.json);
  } finally {
    loader.stop();
    await server?.stop();
    if (!options.keep) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the largest ticket count of the run. */
export function largest(options: Options): number {
  return ticketsOf(options).at(-1) ?? 0;
}

/** Exit code for a missed goal; 1 means that the bench itself failed. */
const UNDER = 2;

if (import.meta.main) process.exitCode = (await main()) ? 0 : UNDER;
