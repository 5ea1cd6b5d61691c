import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import { createTables } from '../../packages/database/migration/create-table.ts';
import { id, table, text } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';

const server = process.env['TEST_DATABASE_URL'];
const serverTest = server ? test.serial : test.serial.skip;

const Note = table('note', { note_id: id(), body: text(50) });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A proxy that can stop forwarding, like a frozen database: connections stay open without a response, or only the one
 * with a number.
 */
async function startProxy(target: URL, ignored = 0) {
  let frozen = false;
  let count = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    if (++count === ignored) {
      sockets.add(client);
      return;
    }
    const upstream = connect(Number(target.port || 3306), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!frozen) to.write(data);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const destroyAll = () => sockets.forEach((each) => each.destroy());
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    count: () => count,
    freeze: () => void (frozen = true),
    thaw: () => void (frozen = false),
    /** Refuses new connections and cuts existing ones. */
    stop: () => {
      proxy.close();
      destroyAll();
    },
    restart: () => new Promise<void>((resolve) => void proxy.listen(port, '127.0.0.1', resolve)),
  };
}

async function start(t: ExecutionContext) {
  const name = `keelson_test_${newId()}`;
  const admin = await connectTo(server ?? '');
  await admin.query(`CREATE DATABASE ${name}`);
  const proxy = await startProxy(new URL(server ?? ''));
  t.teardown(async () => {
    proxy.stop();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  });
  const url = new URL(name, server);
  url.port = String(proxy.port);
  const warned: string[] = [];
  // CI's server does not flush to disk on commit, which logs another warning.
  const log = { warn: (_: object, message: string) => /POWER FAILURE/.test(message) || warned.push(message) };
  // Longer than the product's own, which a busy machine exceeds without any fault.
  const database = await openDatabase({ url: url.href, file: '', tables: [Note], log, pool: 4, deadlineMs: 6000 });
  t.teardown(async () => {
    proxy.stop();
    if (database.source.isInitialized) await database.close();
  });
  // Not `synchronize`, which reads the catalogue of all databases and takes longer than the deadline on a busy server.
  const runner = database.source.createQueryRunner();
  await createTables(runner);
  await runner.release();
  return { database, proxy, warned };
}

async function settled(work: Promise<unknown>) {
  const [outcome] = await Promise.allSettled([work]);
  return outcome;
}

serverTest('a connection of the start that gets no answer is tried once more', async (t) => {
  const target = new URL(server ?? '');
  for (const ignored of [1, 2]) {
    const proxy = await startProxy(target, ignored);
    t.teardown(proxy.stop);
    const url = new URL(server ?? '');
    url.port = String(proxy.port);
    const log = { warn: () => {} };
    const database = await openDatabase({ url: url.href, file: '', tables: [], log, pool: 4, deadlineMs: 6000 });
    await database.close();
    t.is(proxy.count(), 3);
  }
});

serverTest('a frozen database answers unavailable, at once after the first time, and heals', async (t) => {
  const { database, proxy, warned } = await start(t);
  const requests = () => [
    database.insertReturningId(Note, { body: 'x' }),
    database.transaction(async (tx) => {
      await tx.insert(Note, { body: 'y' });
      tx.append(Note, { body: 'z' });
    }),
    database.query(sql`SELECT 1`),
  ];
  await Promise.all(Array.from({ length: 4 }, requests).flat());
  proxy.freeze();
  const first = await Promise.all(Array.from({ length: 20 }, requests).flat().map(settled));
  for (const outcome of first) t.like(outcome, { status: 'rejected', reason: { kind: 'unavailable' } });
  const later = await Promise.all(requests().map(settled));
  const atOnce = { kind: 'unavailable', cause: { message: 'The database is not responding' } };
  for (const outcome of later) t.like(outcome, { status: 'rejected', reason: atOnce });
  t.false(await database.ping());
  t.deepEqual(warned, ['The database is not responding; rejecting requests until it recovers']);
  await pause(1500);
  proxy.thaw();
  // The breaker probes once a second.
  while (!(await database.query(sql`SELECT 1`).then(Boolean, () => false))) await pause(50);
  // As many requests as connections, so that none waits for another, which might exceed a deadline on a busy machine.
  for (const outcome of await Promise.all(requests().map(settled))) t.is(outcome?.status, 'fulfilled');
  t.is(warned.length, 2);
});

serverTest('a freeze in the middle of a transaction leaves nothing behind', async (t) => {
  const { database, proxy } = await start(t);
  const halfway = await settled(
    database.transaction(async (tx) => {
      await tx.insert(Note, { body: 'half' });
      proxy.freeze();
      await tx.insert(Note, { body: 'other half' });
    }),
  );
  t.like(halfway, { status: 'rejected', reason: { kind: 'unavailable' } });
  proxy.thaw();
  t.is(await database.count(Note), 0);
});

serverTest('a database that is gone answers unavailable at once, and heals when it is back', async (t) => {
  const { database, proxy } = await start(t);
  proxy.stop();
  await pause(20);
  const gone = await Promise.all([
    settled(database.count(Note)),
    settled(database.transaction((tx) => tx.count(Note))),
  ]);
  for (const outcome of gone) t.like(outcome, { status: 'rejected', reason: { kind: 'unavailable' } });
  await proxy.restart();
  // On a busy machine a new connection may exceed the deadline.
  while (
    !(await database.count(Note).then(
      () => true,
      () => false,
    ))
  )
    await pause(50);
  t.is(await database.count(Note), 0);
});

serverTest('a statement that takes too long ends on the server, and the database stays up', async (t) => {
  const { database } = await start(t);
  // Without a limit, the statements would complete after a minute.
  const slow = await Promise.all(Array.from({ length: 4 }, () => settled(database.query(sql`SELECT SLEEP(${60})`))));
  for (const outcome of slow) t.like(outcome, { status: 'rejected', reason: { kind: 'unavailable' } });
  const [running] = await database.query(
    sql`SELECT COUNT(*) AS statements FROM information_schema.processlist WHERE db = DATABASE() AND state = ${'User sleep'}`,
  );
  t.is(Number(running?.['statements']), 0);
  t.is(await database.count(Note), 0);
});

serverTest('closing does not wait for a frozen database', async (t) => {
  const { database, proxy } = await start(t);
  await Promise.all([database.count(Note), database.count(Note)]);
  proxy.freeze();
  const outcome = await settled(database.close());
  t.is(outcome?.status, 'fulfilled');
});

serverTest('closing succeeds when the database goes away meanwhile', async (t) => {
  const { database, proxy } = await start(t);
  proxy.freeze();
  // One of them opens a connection, which gets no answer.
  const counts = [database.count(Note), database.count(Note)].map(settled);
  await pause(100);
  const closing = settled(database.close());
  proxy.stop();
  t.like(await closing, { status: 'fulfilled' });
  for (const each of await Promise.all(counts)) t.is(each?.status, 'rejected');
});
