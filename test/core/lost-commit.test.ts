// A COMMIT whose response is lost: the outcome is checked before anything is retried.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import { createTables } from '../../packages/database/migration/create-table.ts';
import { id, int, key, table } from '../../packages/database/schema/table.ts';
import { sql, type Sql } from '../../packages/database/statement/sql.ts';
import { CommitMark } from '../../packages/database/transaction/commit-mark.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';

const server = process.env['TEST_DATABASE_URL'];
const serverTest = server ? test : test.skip;

const Account = table('account', { account_id: id(), code: key(20), amount: int() });

/** What happens to the statement that the proxy waits for. */
type Fault = 'answer lost' | 'statement lost' | 'statement late';

/** Forwards to the server. `cut` breaks the next connection that sends a statement containing `text`, once. */
async function startProxy(t: ExecutionContext, target: URL) {
  const sockets = new Set<Socket>();
  const late: (() => Promise<void>)[] = [];
  let wanted: { text: string; fault: Fault } | undefined;
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port || 3306), target.hostname);
    let cut: Fault | undefined;
    for (const each of [client, upstream]) {
      sockets.add(each);
      each.on('error', () => each.destroy());
      each.on('close', () => sockets.delete(each));
    }
    client.on('data', (data) => {
      if (wanted && data.includes(wanted.text)) {
        cut = wanted.fault;
        wanted = undefined;
        if (cut === 'statement late') late.push(() => answered(upstream, data));
        if (cut !== 'answer lost') {
          client.resetAndDestroy();
          return;
        }
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      // The server has responded, so it has committed.
      if (cut) client.resetAndDestroy();
      else client.write(data);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => cut !== 'statement late' && upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.close();
    for (const each of sockets) each.destroy();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    cut: (text: string, fault: Fault) => void (wanted = { text, fault }),
    /** Forwards the statement that was held back, and waits until the server has processed it. */
    deliver: async () => void (await Promise.all(late.splice(0).map((send) => send()))),
  };
}

async function answered(upstream: Socket, data: Buffer): Promise<void> {
  upstream.write(data);
  await once(upstream, 'data');
  upstream.destroy();
}

async function start(t: ExecutionContext) {
  const name = `keelson_test_${newId()}`;
  const admin = await connectTo(server ?? '');
  await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const target = new URL(name, server);
  const proxy = await startProxy(t, target);
  const url = Object.assign(new URL(target), { port: String(proxy.port) }).href;
  const log = { warn: () => {} };
  const options = { url, file: '', tables: [Account, CommitMark], log, pool: 2, deadlineMs: 60_000 };
  const database = await openDatabase(options);
  t.teardown(async () => {
    await database.close();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  });
  const runner = database.source.createQueryRunner();
  await createTables(runner);
  await runner.release();
  await database.insert(Account, { code: 'a', amount: 0 });
  const counts = { tries: 0, called: 0 };
  const add = () =>
    database.transaction(async (tx) => {
      counts.tries++;
      await tx.run(sql`UPDATE account SET amount = amount + 1 WHERE code = ${'a'}`);
      tx.append(Account, { code: 'row', amount: counts.tries });
      tx.afterCommit(() => void counts.called++);
      return counts.tries;
    });
  const stored = async () => ({
    amount: (await database.findOneBy(Account, { code: 'a' }))?.amount,
    rows: (await database.findBy(Account, { code: 'row' })).map((each) => each.amount),
  });
  return { database, proxy, counts, add, stored };
}

serverTest('a commit whose answer is lost is answered as committed, and not repeated', async (t) => {
  const { proxy, counts, add, stored } = await start(t);
  proxy.cut('COMMIT', 'answer lost');
  t.is(await add(), 1);
  t.deepEqual(counts, { tries: 1, called: 1 });
  t.deepEqual(await stored(), { amount: 1, rows: [1] });
});

serverTest('a commit that never reached the server is tried again', async (t) => {
  const { proxy, counts, add, stored } = await start(t);
  proxy.cut('COMMIT', 'statement lost');
  t.is(await add(), 2);
  t.deepEqual(counts, { tries: 2, called: 1 });
  t.deepEqual(await stored(), { amount: 1, rows: [2] });
});

serverTest('a commit that reaches the server after it was looked up changes nothing', async (t) => {
  const { database, proxy, counts, add, stored } = await start(t);
  // Nothing is locked until the commit, as if the whole transaction had been sent late.
  const append = () =>
    database.transaction(async (tx) => {
      counts.tries++;
      tx.append(Account, { code: 'row', amount: counts.tries });
    });
  proxy.cut('COMMIT', 'statement late');
  await append();
  await proxy.deliver();
  await add();
  t.deepEqual(await stored(), { amount: 1, rows: [2, 3] });
});

serverTest('a connection lost before the commit is replaced, and the work tried again', async (t) => {
  const { proxy, counts, add, stored } = await start(t);
  proxy.cut('amount + 1', 'answer lost');
  t.is(await add(), 2);
  t.deepEqual(counts, { tries: 2, called: 1 });
  t.deepEqual(await stored(), { amount: 1, rows: [2] });
});

serverTest('a read whose connection is lost is tried again, a single write is not', async (t) => {
  const { database, proxy, stored } = await start(t);
  proxy.cut('FROM `account`', 'answer lost');
  t.is((await database.findOneBy(Account, { code: 'a' }))?.amount, 0);
  proxy.cut('amount + 5', 'answer lost');
  const write = database.run(sql`UPDATE account SET amount = amount + 5 WHERE code = ${'a'}`);
  t.is((await t.throwsAsync(write, { instanceOf: Problem }))?.kind, 'unavailable');
  t.deepEqual(await stored(), { amount: 5, rows: [] });
});

serverTest('a read whose answer is lost is sent again, however it is written', async (t) => {
  const { database, proxy } = await start(t);
  const read = async (statement: Sql) => (await database.query<{ n: number }>(statement)).map(({ n }) => n);
  for (const [statement, wanted] of [
    [sql`SELECT amount AS n FROM account`, [0]],
    [sql`(SELECT amount AS n FROM account LIMIT 1) UNION ALL (SELECT 7)`, [0, 7]],
    [sql`WITH all_of_them AS (SELECT amount AS n FROM account) SELECT n FROM all_of_them`, [0]],
  ] as const) {
    proxy.cut('account', 'answer lost');
    t.deepEqual(await read(statement), [...wanted], statement.text);
  }
});

serverTest('marks do not pile up', async (t) => {
  const { database, add } = await start(t);
  for (let i = 0; i < 250; i++) await add();
  t.true((await database.count(CommitMark)) <= 110);
});
