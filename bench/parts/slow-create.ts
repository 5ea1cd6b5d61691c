import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { fillDatabase, serveDatabase } from '../filled.ts';
import { startMariadb } from '../mariadb.ts';
import { startScript } from '../node-process.ts';
import { compare, ratio, summary } from '../rounds.ts';
import { buildSlowFsync } from '../slow-fsync.ts';
import { creates } from './create.ts';

/** Creates tickets on a server with a binary log, where a row shared by every transaction would serialise commits. */
export default async function slowCreate({ options, report, loader, folder: parent }: Bench): Promise<void> {
  const folder = join(parent, 'slow');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const preload = buildSlowFsync(folder);
  if (!preload) return report.note('\nSlow disk: left out, there is no gcc to build the delay with');
  const server = await startMariadb(folder, { pool: '512M', binlog: true, preload });
  try {
    const database = await fillDatabase(folder, server, 10_000);
    const [bare, product] = await Promise.all([
      startScript(['bench/event-floor.ts', server.url('keelson_10000')]),
      serveDatabase({ ...database, env: { ...database.env, DATABASE_POOL: '40' } }),
    ]);
    try {
      const contenders = [
        { name: 'ticket + event', ...bare, database: server.pid, requests: creates('/', database) },
        { name: 'product', ...product, database: server.pid, requests: creates('/admin/api/v1/tickets.php', database) },
      ];
      const rounds = await compare(loader, contenders, { ...options, connections: 32 });
      report.table('Create a ticket, binary log, fsync + 2 ms, c=32', summary(rounds, 'ticket + event'));
      report.measured(
        'slowCreate',
        ratio(rounds, 'product', 'ticket + event', ({ rate }) => rate),
      );
    } finally {
      await Promise.all([bare.stop(), product.stop()]);
    }
  } finally {
    await server.stop();
  }
}
