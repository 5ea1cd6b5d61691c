// Read replicas: what is read from them, and when not. A second database on the same server is the replica; the test
// copies to it what replication would.
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import type { Db } from '../../packages/database/db.ts';
import { createTables } from '../../packages/database/migration/create-table.ts';
import { openReplicas } from '../../packages/database/read-replica.ts';
import { id, int, table } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { CommitMark } from '../../packages/database/transaction/commit-mark.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';
import { startTcpProxy } from '../faults/_tcp-proxy.ts';

const server = process.env['TEST_DATABASE_URL'];
const serverTest = server ? test.serial : test.serial.skip;

const Note = table('note', { note_id: id(), n: int() });
const PRIMARY = 1;
const REPLICA = 2;
/** A suspension of the process makes a replica older, so it is longer than one. */
const MOST_SECONDS = 8;

/** Starts a primary with one row and a replica with another, behind as many addresses as asked for. */
async function start(t: ExecutionContext, { addresses = 1, migrated = true } = {}) {
  const admin = await connectTo(server ?? '');
  t.teardown(() => admin.end());
  const make = async (n: number) => {
    const name = `keelson_test_${newId()}`;
    await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    t.teardown(() => admin.query(`DROP DATABASE ${name}`));
    const url = new URL(name, server).href;
    const database = await openDatabase({
      url,
      file: '',
      tables: [Note, CommitMark],
      log: { warn: () => {} },
      pool: 2,
    });
    t.teardown(() => database.close());
    const runner = database.source.createQueryRunner();
    await createTables(runner);
    await runner.query('CREATE TABLE migration (name VARCHAR(200) PRIMARY KEY)');
    await runner.release();
    await database.insert(Note, { n });
    return { name, url, database };
  };
  const primary = await make(PRIMARY);
  const copy = await make(REPLICA);
  await primary.database.run(sql`INSERT INTO migration (name) VALUES ('first')`);
  const migrate = () => copy.database.run(sql`INSERT INTO migration (name) VALUES ('first')`);
  if (migrated) await migrate();

  // Replicates continuously, like the thread of a replica, until stopped.
  let replicating = true;
  const replicate = async () => {
    for (; !over; await sleep(20)) {
      if (replicating)
        await admin.query(`INSERT IGNORE INTO ${copy.name}.commit_mark SELECT * FROM ${primary.name}.commit_mark`);
    }
  };
  let over = false;
  const thread = replicate();

  const target = new URL(copy.url);
  const proxies = await Promise.all(Array.from({ length: addresses }, () => startTcpProxy(t, target)));
  const url = new URL(target);
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`);
  const told = new EventEmitter();
  const said: string[] = [];
  const say = (level: string) => (o: object, text: string) => {
    said.push(`${level} ${'replica' in o ? String(o.replica) : ''} ${text}`);
    told.emit('said');
  };
  const replicas = openReplicas({
    url: url.href.replace(url.host, hosts.join(',')),
    database: primary.database,
    mostSeconds: MOST_SECONDS,
    log: { info: say('info'), warn: say('warn') },
  });
  t.teardown(async () => {
    over = true;
    await thread;
    await replicas.close();
  });
  /** Waits for the next line of the log, and returns it. */
  const line = async () => {
    if (said.length === 0) await once(told, 'said');
    return said.shift();
  };
  const stopReplicating = () => (replicating = false);
  const goOn = () => (replicating = true);
  return { replicas, primary, copy, proxies, hosts, line, said, migrate, stopReplicating, goOn };
}

const notes = async (db: Db) => (await db.find(Note)).map(({ n }) => n);
const used = (host: string | undefined) => `info ${host} Reports and exports can be read from the replica`;
const unused = (host: string | undefined) =>
  `warn ${host} The replica is not used; reports and exports are read elsewhere`;

serverTest('a replica is read while it is recent enough, and not before or after', async (t) => {
  const { replicas, hosts, line, said, stopReplicating, goOn } = await start(t);
  stopReplicating();
  replicas.start();
  t.deepEqual(await notes(replicas.reader()), [PRIMARY], 'nothing is known of it yet');
  goOn();
  t.is(await line(), used(hosts[0]));
  t.deepEqual(await notes(replicas.reader()), [REPLICA]);
  t.like(replicas.states()[0], { address: hosts[0], problem: undefined });
  const reading = replicas.reader();
  stopReplicating();
  t.is(await line(), unused(hosts[0]));
  t.deepEqual(replicas.states()[0]?.problem, `it is more than ${MOST_SECONDS} s behind`);
  t.deepEqual(await notes(replicas.reader()), [PRIMARY]);
  t.deepEqual(await notes(reading), [REPLICA], 'a report that has begun goes on where it was');
  goOn();
  t.is(await line(), used(hosts[0]));
  t.deepEqual(await notes(replicas.reader()), [REPLICA]);
  t.deepEqual(said, [], 'each change is logged once');
});

serverTest('when a replica is lost, what was reading from it goes on at the primary and stays there', async (t) => {
  const { replicas, proxies, hosts, line } = await start(t, { addresses: 2 });
  replicas.start();
  const both = [await line(), await line()];
  t.true(hosts.every((host) => both.includes(used(host))));
  const reading = replicas.reader();
  t.deepEqual(await notes(reading), [REPLICA]);
  proxies[0]?.stop();
  t.deepEqual(await notes(reading), [PRIMARY]);
  t.is(await line(), unused(hosts[0]));
  t.deepEqual(await notes(replicas.reader()), [REPLICA], 'new ones read from the other');
  t.deepEqual(
    replicas.states().map(({ problem }) => problem === undefined),
    [false, true],
  );
  proxies[1]?.stop();
  t.deepEqual(await notes(replicas.reader()), [PRIMARY]);
  t.is(await line(), unused(hosts[1]));
  await proxies[0]?.restart();
  t.regex((await line()) ?? '', /Reports and exports can be read from the replica/);
  t.deepEqual(await notes(replicas.reader()), [REPLICA]);
  t.deepEqual(await notes(reading), [PRIMARY]);
});

serverTest('a process starts without its replica, and a replica that hangs holds nothing up', async (t) => {
  const { replicas, proxies, hosts, line } = await start(t);
  proxies[0]?.stop();
  replicas.start();
  t.is(await line(), unused(hosts[0]));
  t.regex(replicas.states()[0]?.problem ?? '', /ECONNREFUSED/);
  await proxies[0]?.restart();
  t.is(await line(), used(hosts[0]));
  const reading = replicas.reader();
  proxies[0]?.freeze();
  const since = performance.now();
  t.deepEqual(await notes(reading), [PRIMARY]);
  t.log(`responded after ${Math.round(performance.now() - since)} ms`);
  t.is(await line(), unused(hosts[0]));
});

serverTest('a replica with older tables is not read', async (t) => {
  const { replicas, hosts, line, migrate } = await start(t, { migrated: false });
  replicas.start();
  t.is(await line(), unused(hosts[0]));
  t.is(replicas.states()[0]?.problem, 'its tables are older');
  t.deepEqual(await notes(replicas.reader()), [PRIMARY]);
  await migrate();
  t.is(await line(), used(hosts[0]));
});

serverTest('a statement that only the primary can execute is executed there', async (t) => {
  const { replicas, primary, hosts, line } = await start(t);
  replicas.start();
  t.is(await line(), used(hosts[0]));
  await primary.database.run(sql`CREATE TABLE more (n INT)`);
  const reading = replicas.reader();
  t.deepEqual(await reading.query(sql`SELECT n FROM more`), []);
  t.is(await line(), `warn ${hosts[0]} A replica failed to read`);
  await t.throwsAsync(reading.query(sql`SELECT n FROM nowhere`), { message: /nowhere/ });
});

serverTest('nothing can be written through a replica', async (t) => {
  const { replicas, copy, hosts, line } = await start(t);
  replicas.start();
  t.is(await line(), used(hosts[0]));
  const reading = replicas.reader();
  const refused = { message: 'Reports and exports only read' };
  await t.throwsAsync(reading.insert(Note, { n: 3 }), refused);
  await t.throwsAsync(reading.run(sql`DELETE FROM note`), refused);
  await t.throwsAsync(reading.query(sql`DELETE FROM note`), refused);
  await t.throwsAsync(reading.manager().query('DELETE FROM note'), { message: /read-only/ });

  // The server refuses it too.
  const { url } = copy;
  const opened = await openDatabase({ url, file: '', tables: [], log: { warn: () => {} }, pool: 1, readOnly: true });
  t.teardown(() => opened.close());
  const byServer = { message: /READ ONLY transaction/ };
  await t.throwsAsync(opened.run(sql`DELETE FROM note`), byServer);
  await t.throwsAsync(opened.run(sql`DROP TABLE note`), byServer);
  await t.throwsAsync(
    opened.transaction((tx) => tx.run(sql`DELETE FROM note`)),
    byServer,
  );
  t.deepEqual(await notes(copy.database), [REPLICA]);
});
