// Runs a dedicated MariaDB server in its own folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from './node-process.ts';

export interface Mariadb {
  readonly pid: number;
  url(database: string): string;
  /** Creates the database if it does not exist. */
  create(database: string): Promise<void>;
  /** Waits, for at most two minutes, until the server has flushed loaded rows and purged deleted ones. */
  written(): Promise<void>;
  stop(): Promise<void>;
}

export interface MariadbOptions {
  /** Buffer pool size, e.g. `4G`. */
  readonly pool: string;
  /** Enables the binary log, synced on every commit. */
  readonly binlog?: boolean;
  /** Library to preload (slow-fsync.ts). */
  readonly preload?: string | undefined;
}

/** Starts a server on `folder`, creating the folder if needed. */
export async function startMariadb(folder: string, options: MariadbOptions): Promise<Mariadb> {
  const data = join(folder, 'data');
  if (!existsSync(data)) install(folder, data);
  const port = await freePort();
  const child = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--innodb-buffer-pool-size=${options.pool}`,
      '--innodb-log-file-size=512M',
      '--innodb-flush-log-at-trx-commit=1',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      ...asRoot(),
      ...(options.binlog ? ['--log-bin=binlog', '--sync-binlog=1', '--server-id=1'] : []),
    ],
    {
      env: { ...process.env, ...(options.preload ? { LD_PRELOAD: options.preload } : {}) },
      stdio: ['ignore', 'ignore', openSync(join(folder, 'mariadbd.log'), 'a')],
    },
  );
  const url = (database: string) => `mysql://root@127.0.0.1:${port}/${database}`;
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    await answers(url('mysql'), () => child.exitCode === null, folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    url,
    create: (database) => create(url('mysql'), database),
    written: () => written(url('mysql')),
    stop,
  };
}

function install(folder: string, data: string): void {
  mkdirSync(folder, { recursive: true });
  const given = [`--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot()];
  execFileSync('mariadb-install-db', ['--no-defaults', ...given], { stdio: 'ignore' });
}

/** MariaDB refuses to run as root unless told explicitly. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

async function answers(url: string, alive: () => boolean, folder: string): Promise<void> {
  for (let i = 0; i < 600 && alive(); i++) {
    try {
      const connection = await createConnection({ uri: url });
      await connection.end();
      return;
    } catch (error) {
      // The server is still starting.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
    await wait(100);
  }
  throw new Error(`mariadbd does not start: see ${join(folder, 'mariadbd.log')}`);
}

async function create(url: string, database: string): Promise<void> {
  const connection = await createConnection({ uri: url });
  await connection.query(`CREATE DATABASE IF NOT EXISTS ${database}`);
  await connection.end();
}

async function written(url: string): Promise<void> {
  const connection = await createConnection({ uri: url });
  await connection.query('SET GLOBAL innodb_io_capacity_max = 20000, GLOBAL innodb_io_capacity = 20000');
  await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
  for (let i = 0; i < 240; i++) {
    const [states] = await connection.query<RowDataPacket[]>(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_pages_dirty', 'Innodb_history_list_length')",
    );
    if (states.every((each) => Number(each['Value']) < 500)) break;
    await wait(500);
  }
  await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = 90');
  await connection.query('SET GLOBAL innodb_io_capacity = 200, GLOBAL innodb_io_capacity_max = 2000');
  await connection.end();
}
