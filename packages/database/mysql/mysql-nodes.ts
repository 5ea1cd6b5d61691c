// The nodes of a cluster. All connections of a process go to one of them, so that it reads its own writes. If that node
// fails, the first other one that is ready takes over for all connections at once.
import { connect, type Socket } from 'node:net';
import { addressesOf } from '@keelson/kit/addresses.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import mysql, { type ConnectionOptions, type RowDataPacket } from 'mysql2';
import { readUrl } from './mysql-server.ts';

const PROBE_MS = 500;
/** Interval between checks of the current node. */
const WATCH_MS = 250;
/** Number of failed checks before switching nodes; a single one may be due to a busy machine. */
const MISSES = 2;

export interface Nodes {
  /** Whether there are others to change to. */
  readonly several: boolean;
  /** The URL of the current node. */
  readonly url: () => string;
  /** The address of the current node, without credentials. */
  readonly address: () => string;
  readonly credentials: () => ConnectionOptions;
  /**
   * Opens a socket to the current node for the driver. Its settings receive the address, as it checks the certificate
   * against them. The socket is closed when another node takes over.
   */
  readonly connect: (options: { readonly config: ConnectionOptions }) => Socket;
  /**
   * Checks the node after a failure and switches to another one if it is not ready. Concurrent callers share one check.
   * Returns true if the current node is ready.
   */
  readonly check: () => Promise<boolean>;
  /** Waits for a switch in progress. */
  readonly settled: () => Promise<unknown>;
  readonly close: () => void;
}

export interface NodesOptions {
  readonly url: string;
  readonly log: { warn(o: object, msg: string): void };
}

/**
 * Chooses the first node that is ready, or the first one if none is. With several nodes, the current one is monitored.
 */
export async function openNodes({ url, log }: NodesOptions): Promise<Nodes> {
  const all = addressesOf(url).map((each) => ({ url: each, credentials: readUrl(each) }));
  const [first] = all;
  if (!first) throw new Error('There is no database address');
  const sockets = new Set<Socket>();
  let current = first;
  let misses = 0;
  let checking: Promise<boolean> | undefined;
  const addressOf = ({ credentials: { host, port } }: typeof first) => `${host}:${port}`;

  const change = async (): Promise<boolean> => {
    const others = all.filter((each) => each !== current);
    const ready = await Promise.all(others.map((each) => isReady(each.credentials, 'caught up')));
    const next = others.find((_, at) => ready[at]);
    if (!next) return false;
    log.warn({ from: addressOf(current), to: addressOf(next) }, 'The database node is not ready; using another one');
    current = next;
    misses = 0;
    const left = Object.assign(new Error('Switched to another database node'), { code: 'ECONNRESET' });
    for (const each of sockets) each.destroy(left);
    return true;
  };
  /** How many failed checks the most impatient of those who wait for the current one accepts. */
  let most = Infinity;
  const look = async (): Promise<boolean> => {
    if (await isReady(current.credentials, all.length > 1 ? 'ready' : 'answers')) {
      misses = 0;
      return true;
    }
    return ++misses < most ? false : change();
  };
  const done = () => {
    checking = undefined;
    most = Infinity;
  };
  const check = (accepted: number) => {
    most = Math.min(most, accepted);
    return (checking ??= look().finally(done));
  };
  if (all.length > 1) await check(1);
  const watch = all.length > 1 ? setInterval(() => void check(MISSES), WATCH_MS).unref() : undefined;
  return {
    several: all.length > 1,
    url: () => current.url,
    address: () => addressOf(current),
    credentials: () => current.credentials,
    connect({ config }) {
      const { host = '', port = 3306, ssl } = current.credentials;
      Object.assign(config, { host, port, ssl });
      const socket = connect({ host, port, noDelay: true, keepAlive: true });
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      return socket;
    },
    check: () => check(1),
    settled: () => Promise.resolve(checking),
    close: () => clearInterval(watch),
  };
}

/** Handles errors that the caller of the statement also receives. */
function ignore(): void {}

/**
 * The condition a server must meet: `answers` means it responds; `ready` also that it accepts writes and has joined its
 * Galera cluster, if any; `caught up` also that it has applied everything the cluster has committed so far.
 */
type Wanted = 'answers' | 'ready' | 'caught up';

async function isReady(credentials: ConnectionOptions, wanted: Wanted): Promise<boolean> {
  const connection = mysql.createConnection(credentials);
  // An unhandled 'error' event would crash the process.
  connection.on('error', ignore);
  const ask = (text: string) =>
    new Promise<RowDataPacket[]>((resolve, reject) => {
      connection.query<RowDataPacket[]>(text, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  const look = async () => {
    const [settings] = await ask('SELECT @@GLOBAL.read_only AS read_only');
    if (wanted === 'answers') return true;
    const rows = await ask(`SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_local_state', 'wsrep_cluster_status')`);
    const of = (name: string) => rows.find((each) => each['Variable_name'] === name)?.['Value'] as string | undefined;
    const joined = of('wsrep_local_state') === SYNCED && of('wsrep_cluster_status') === 'Primary';
    const [wsrep] = await ask(`SHOW GLOBAL VARIABLES LIKE 'wsrep_on'`);
    if (Number(settings?.['read_only']) !== 0) return false;
    if (wsrep?.['Value'] !== 'ON') return true;
    if (!joined) return false;
    if (wanted === 'caught up') {
      await ask('SET SESSION wsrep_sync_wait = 1');
      await ask('SELECT 1');
    }
    return true;
  };
  try {
    return await withTimeout(PROBE_MS / 1000, look, 'No response to a probe');
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** `wsrep_local_state` of a synced node. */
const SYNCED = '4';
