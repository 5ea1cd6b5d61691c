// Several addresses in DATABASE_URL: another node takes over from a failed one, for all connections at once.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import { createTables } from '../../packages/database/migration/create-table.ts';
import { id, int, table } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { CommitMark } from '../../packages/database/transaction/commit-mark.ts';
import { addressesOf } from '../../packages/kit/addresses.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';
import { startTcpProxy } from '../faults/_tcp-proxy.ts';

const server = process.env['TEST_DATABASE_URL'];
const serverTest = server ? test.serial : test.serial.skip;

const Note = table('note', { note_id: id(), n: int() });

test('a URL may name several hosts', (t) => {
  const of = (hosts: string) => addressesOf(`mysql://a:b%2Cc@${hosts}/keelson?ssl=true`);
  const one = (host: string) => `mysql://a:b%2Cc@${host}/keelson?ssl=true`;
  t.deepEqual(of('db:3306'), [one('db:3306')]);
  t.deepEqual(of('db1:3306,db2,[::1]:3307'), [one('db1:3306'), one('db2'), one('[::1]:3307')]);
});

/** Opens a database at two addresses, which are two routes to the same server. */
async function start(t: ExecutionContext, options: { readonly deadlineMs?: number } = {}) {
  const name = `keelson_test_${newId()}`;
  const admin = await connectTo(server ?? '');
  t.teardown(() => admin.end());
  await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  t.teardown(() => admin.query(`DROP DATABASE ${name}`));
  const target = new URL(name, server);
  const first = await startTcpProxy(t, target);
  const second = await startTcpProxy(t, target);
  const moved: unknown[] = [];
  const log = { warn: (o: object) => void ('to' in o && moved.push(o.to)) };
  const url = `mysql://${target.username}:${target.password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${name}`;
  const database = await openDatabase({ url, file: '', tables: [Note, CommitMark], log, pool: 3, ...options });
  t.teardown(() => database.close());
  const other = await database.another(1);
  t.teardown(() => other.close());
  const runner = database.source.createQueryRunner();
  await createTables(runner);
  await runner.release();
  const write = (n: number) => database.transaction(async (tx) => void (await tx.insert(Note, { n })));
  const written = async () => (await database.find(Note, { order: { note_id: 'ASC' } })).map((each) => each.n);
  return { database, other, first, second, moved, write, written };
}

serverTest('when a node is gone, all connections go to the next one, and the work goes on', async (t) => {
  const { database, other, first, second, moved, write, written } = await start(t);
  await write(1);
  t.is(database.node(), `127.0.0.1:${first.port}`);
  const { port } = first;
  first.stop();
  await Promise.all([write(2), write(3), write(4), other.query(sql`SELECT 1`)]);
  t.deepEqual(
    (await written()).toSorted((a, b) => a - b),
    [1, 2, 3, 4],
  );
  t.is(database.node(), `127.0.0.1:${second.port}`);
  t.is(other.node(), database.node());
  t.deepEqual(moved, [`127.0.0.1:${second.port}`]);
  await first.restart();
  second.stop();
  await write(5);
  t.is(database.node(), `127.0.0.1:${port}`);
});

serverTest('a node that hangs is left, and statements that wait for it are tried again elsewhere', async (t) => {
  const { database, first, second, write, written } = await start(t);
  await write(1);
  first.freeze();
  const since = performance.now();
  await Promise.all([write(2), write(3)]);
  t.log(`responded after ${Math.round(performance.now() - since)} ms`);
  t.is(database.node(), `127.0.0.1:${second.port}`);
  t.deepEqual(
    (await written()).toSorted((a, b) => a - b),
    [1, 2, 3],
  );
});

serverTest('a node that is too busy to say that it is ready is asked again', async (t) => {
  const { database, first, second, write, written } = await start(t, { deadlineMs: 10_000 });
  await write(1);
  second.freeze();
  first.stop();
  // Two questions to the other node have gone unanswered by then.
  const busy = sleep(1300).then(() => second.thaw());
  await write(2);
  await busy;
  t.is(database.node(), `127.0.0.1:${second.port}`);
  t.deepEqual(await written(), [1, 2]);
});

serverTest('a process starts while the first node is down', async (t) => {
  const { first, second } = await start(t);
  first.stop();
  const { pathname, username, password } = new URL(server ?? '');
  const url = `mysql://${username}:${password}@127.0.0.1:${first.port},127.0.0.1:${second.port}${pathname}`;
  const database = await openDatabase({ url, file: '', tables: [], log: { warn: () => {} }, pool: 1 });
  t.teardown(() => database.close());
  t.is(database.node(), `127.0.0.1:${second.port}`);
});
