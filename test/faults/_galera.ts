// A Galera cluster of three MariaDB nodes on this machine, whose nodes can be killed and restarted.
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
const PROVIDER = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find(existsSync);
const PATIENCE_MS = 90_000;

/** Whether MariaDB can run as a cluster here. */
export const hasGalera = PROVIDER !== undefined;

export interface GaleraNode {
  readonly port: number;
  kill(): Promise<void>;
  /** Restarts it, and returns once it has caught up with the others. */
  restart(): Promise<void>;
}

export interface Galera {
  readonly nodes: readonly GaleraNode[];
  /** `host:port,host:port,host:port`. */
  readonly hosts: string;
}

/** Starts three nodes until the test ends. */
export async function startGalera(t: ExecutionContext): Promise<Galera> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-galera-'));
  chmodSync(folder, 0o777);
  // The server runs as its own user, who may not write elsewhere.
  const env = { ...process.env, TMPDIR: folder };
  const group: number[] = [];
  for (let i = 0; i < 3; i++) group.push(await freePort());
  const members = group.map((each) => `127.0.0.1:${each}`).join(',');
  const nodes: GaleraNode[] = [];
  const children = new Set<ChildProcess>();
  t.teardown(async () => {
    for (const each of children) {
      each.kill('SIGKILL');
      await once(each, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [at, own] of group.entries()) {
    const data = join(folder, `node${at + 1}`);
    const port = await freePort();
    const ist = await freePort();
    const sst = await freePort();
    await run(
      'mariadb-install-db',
      [
        '--no-defaults',
        `--datadir=${data}`,
        '--user=mysql',
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
      ],
      { env },
    );
    const provider = [
      `base_port=${own}`,
      `gmcast.listen_addr=tcp://127.0.0.1:${own}`,
      `ist.recv_addr=127.0.0.1:${ist}`,
      'gcache.size=64M',
      // How long a dead node holds up the commits of the others.
      'evs.suspect_timeout=PT2S',
      'evs.inactive_timeout=PT5S',
      'evs.install_timeout=PT5S',
      'evs.keepalive_period=PT0.5S',
      'evs.inactive_check_period=PT0.5S',
    ];
    const start = (members: string) => {
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
          '--innodb-autoinc-lock-mode=2',
          '--binlog-format=ROW',
          '--skip-name-resolve',
          '--wsrep-on=ON',
          `--wsrep-provider=${PROVIDER}`,
          '--wsrep-cluster-name=keelson',
          `--wsrep-cluster-address=gcomm://${members}`,
          `--wsrep-node-name=node${at + 1}`,
          `--wsrep-node-address=127.0.0.1:${own}`,
          '--wsrep-sst-method=rsync',
          `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
          `--wsrep-provider-options=${provider.join(';')}`,
        ],
        { stdio: 'ignore', env },
      );
      children.add(child);
      child.on('exit', () => children.delete(child));
      return child;
    };
    let child = start(at === 0 ? '' : members);
    await synced(port);
    nodes.push({
      port,
      async kill() {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
      async restart() {
        child = start(members);
        await synced(port);
      },
    });
  }
  return { nodes, hosts: nodes.map((each) => `127.0.0.1:${each.port}`).join(',') };
}

async function synced(port: number): Promise<void> {
  const since = performance.now();
  while (performance.now() - since < PATIENCE_MS) {
    if ((await stateOf(port)) === 'Synced') return;
    await sleep(100);
  }
  throw new Error(`The node at port ${port} did not join the cluster`);
}

async function stateOf(port: number): Promise<unknown> {
  try {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(`SHOW STATUS LIKE 'wsrep_local_state_comment'`);
      return rows[0]?.['Value'];
    } finally {
      connection.destroy();
    }
  } catch {
    return undefined;
  }
}
