// A MariaDB server of the bench's own, in a folder of its own.
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
  /** Makes the database unless it is there. */
  create(database: string): Promise<void>;
  /** Waits, two minutes at most, until it has written what was loaded and put away what was deleted. */
  written(): Promise<void>;
  stop(): Promise<void>;
}

export interface MariadbOptions {
  /** `4G` */
  readonly pool: string;
  /** Writes a binary log, and syncs it with every commit. */
  readonly binlog?: boolean;
  /** A library to load first: slow-fsync.ts. */
  readonly preload?: string | undefined;
}

/** Starts a server on `folder`, which is made when it is not there. */
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

/** As root the server must be told that this is meant. */
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
      // It is still starting.
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
