// Databases filled with assets.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './filled.ts';
import type { Mariadb } from './mariadb.ts';

export interface FilledAssets {
  readonly key: string;
  /** Additional keys: each is limited to 60 searches a minute. */
  readonly searchers: readonly string[];
  /** Token of a collector at the first place. */
  readonly token: string;
  readonly places: readonly { readonly company_number: number; readonly site_number: number }[];
  /** An asset with 1,000 ports. */
  readonly switch_id: number;
}

export interface AssetDatabase extends FilledAssets, Pick<Database, 'env' | 'pid' | 'floor'> {
  readonly assets: number;
}

/** Fills a separate database with this many assets, unless it is filled, and builds its search index. */
export async function fillAssets(folder: string, server: Mariadb, assets: number): Promise<AssetDatabase> {
  const name = `keelson_assets_${assets}`;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  await server.create(name);
  const url = server.url(name);
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'info', BASE_URL: 'http://127.0.0.1', DATABASE_URL: url };
  const path = join(dataDir, 'filled.json');
  const quiet = { PATH: process.env['PATH'], ...env, LOG_LEVEL: 'error' };
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { env: quiet, encoding: 'utf8', stdio: [...stdio] });
  // A kept database may have an older schema than the product.
  run('cli.js', 'migrate');
  process.stdout.write(run('bench/prepare-assets.ts', String(assets), path));
  await server.written();
  return {
    ...(JSON.parse(readFileSync(path, 'utf8')) as FilledAssets),
    assets,
    env,
    pid: server.pid,
    floor: ['mysql', url],
  };
}
