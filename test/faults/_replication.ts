// A MariaDB server and a replica of it on this machine.
import type { ExecutionContext } from 'ava';
import { prepareServers, type DatabaseServer } from './_mariadb.ts';

/** Starts a primary and its replica until the test ends. */
export async function startReplication(
  t: ExecutionContext,
): Promise<{ primary: DatabaseServer; replica: DatabaseServer }> {
  const { start } = await prepareServers(t);
  const primary = await start('primary', ['--server-id=1', '--log-bin=binlog', '--binlog-format=ROW']);
  const replica = await start('replica', ['--server-id=2', '--read-only=1', '--slave-net-timeout=5']);
  const from = `MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root', MASTER_CONNECT_RETRY = 1`;
  await replica.ask(`CHANGE MASTER TO ${from}, MASTER_USE_GTID = slave_pos`);
  await replica.ask('START SLAVE');
  return { primary, replica };
}
