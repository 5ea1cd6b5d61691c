// MariaDB servers on this machine, which can be killed and restarted.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from './_node.ts';

const run = promisify(execFile);
const PATIENCE_MS = 60_000;

/** Whether MariaDB can be started here. */
export const hasMariadb = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd'].some(existsSync);

export interface DatabaseServer {
  readonly port: number;
  /** Runs a statement as an administrator. */
  ask(statement: string): Promise<RowDataPacket[]>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface DatabaseServers {
  /** Files for the servers, which run as their own user. */
  readonly folder: string;
  /** Starts another server on the same initial data. */
  start(name: string, options: readonly string[]): Promise<DatabaseServer>;
}

/** Prepares servers that run until the test ends. */
export async function prepareServers(t: ExecutionContext): Promise<DatabaseServers> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-mariadb-'));
  chmodSync(folder, 0o777);
  const children = new Set<ChildProcess>();
  t.teardown(async () => {
    for (const each of children) {
      each.kill('SIGKILL');
      await once(each, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const data = (name: string) => join(folder, name);
  const env = { ...process.env, TMPDIR: folder };
  const auth = '--auth-root-authentication-method=normal';
  const install = ['--no-defaults', `--datadir=${data('initial')}`, '--user=mysql', auth, '--skip-test-db'];
  await run('mariadb-install-db', install, { env });
  return {
    folder,
    async start(name, options) {
      await run('cp', ['-a', data('initial'), data(name)]);
      return startServer(children, data(name), { env, options });
    },
  };
}

interface ServerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly options: readonly string[];
}

async function startServer(
  children: Set<ChildProcess>,
  data: string,
  { env, options }: ServerOptions,
): Promise<DatabaseServer> {
  const port = await freePort();
  const start = () => {
    const child = spawn(
      'mariadbd',
      [
        '--no-defaults',
        '--user=mysql',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${data}/s.sock`,
        `--pid-file=${data}/pid`,
        `--log-error=${data}/err.log`,
        '--innodb-buffer-pool-size=64M',
        '--innodb-flush-log-at-trx-commit=2',
        '--skip-name-resolve',
        ...options,
      ],
      { stdio: 'ignore', env },
    );
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  };
  const ask = async (statement: string) => {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(statement);
      return rows;
    } finally {
      connection.destroy();
    }
  };
  let child = start();
  const answers = async () => {
    for (const since = performance.now(); performance.now() - since < PATIENCE_MS && child.exitCode === null;) {
      // It refuses connections until it is up.
      const up = await ask('SELECT 1').catch(() => undefined);
      if (up) return;
      await sleep(50);
    }
    throw new Error(`The server at port ${port} does not respond`);
  };
  await answers();
  return {
    port,
    ask,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async restart() {
      child = start();
      await answers();
    },
  };
}
