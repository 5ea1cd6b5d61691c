// Where the demo stores its data: never in a database or folder that holds anything else.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, type Shell } from '@keelson/core/system';
import { DemoMade } from './settings.ts';

export type Config = Shell['config'];

const MARK = 'made-by-npm-run-demo';

/**
 * Deletes a former demo and answers the configuration of the new one: the folder `demo` in DATA_DIR, or DATABASE_URL if
 * it is empty or holds a former demo.
 * @throws Error in one sentence when something else is stored there
 */
export async function makeRoom(config: Config, { fresh }: { readonly fresh: boolean }): Promise<Config> {
  if (config.databaseUrl) {
    if (!fresh) throw new Error('DATABASE_URL is set: "npm run demo -- --fresh" deletes the former demo there.');
    await emptyDatabase(config.databaseUrl, DemoMade);
    return config;
  }
  const made = placeOf(config);
  const { dataDir } = made;
  if (existsSync(dataDir) && !existsSync(join(dataDir, MARK))) {
    throw new Error(`${dataDir} was not made by a demo: choose another DATA_DIR.`);
  }
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, MARK), 'npm run demo deletes this folder and makes it anew.\n');
  return made;
}

/** The configuration of a demo: all of its own. */
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
