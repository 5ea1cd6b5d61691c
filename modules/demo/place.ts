// The demo's storage: never a database or folder that holds other data.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, type Shell } from '@keelson/core/system';
import { DemoMade } from './settings.ts';

export type Config = Shell['config'];

const MARK = 'made-by-npm-run-demo';

/**
 * Deletes the previous demo and returns the configuration of the new one: the folder `demo` in DATA_DIR, or
 * DATABASE_URL if it is empty or holds a previous demo.
 * @throws Error in one sentence when other data is stored there
 */
export async function makeRoom(config: Config, { fresh }: { readonly fresh: boolean }): Promise<Config> {
  if (config.databaseUrl) {
    if (!fresh)
      throw new Error(
        'DATABASE_URL is set: run "npm run demo -- --fresh" to put the demo there, if it is empty or holds a previous demo.',
      );
    await emptyDatabase(config.databaseUrl, DemoMade);
    return config;
  }
  const made = placeOf(config);
  const { dataDir } = made;
  if (existsSync(dataDir) && !existsSync(join(dataDir, MARK))) {
    throw new Error(`${dataDir} was not created by the demo: choose another DATA_DIR.`);
  }
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, MARK), 'npm run demo deletes and recreates this folder.\n');
  return made;
}

/** Returns a demo's configuration, with its own folder and key unless DATABASE_URL is set. */
export function placeOf(config: Config): Config {
  if (config.databaseUrl) return config;
  const dataDir = join(config.dataDir, 'demo');
  return {
    ...config,
    dataDir,
    masterKeyFile: join(dataDir, 'master.key'),
    filesDir: join(dataDir, 'files'),
    backupDir: join(dataDir, 'backups'),
  };
}
