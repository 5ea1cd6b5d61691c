// FT-25: exports are read from a replica, which stops replicating, is killed and comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { hasMariadb } from './_mariadb.ts';
import { freePort, isReady, startNode } from './_node.ts';
import { makePlace } from './_place.ts';
import { startReplication } from './_replication.ts';

const serverTest = hasMariadb ? test.serial : test.serial.skip;
const reason = hasMariadb ? '' : ', skipped: needs mariadbd';
/** More than are read in one statement. */
const TICKETS = 210;
const AT_ONCE = 10;
const MOST_SECONDS = 4;
const PATIENCE_MS = 30_000;

serverTest(`exports are read from a replica while it can be, and are always whole (FT-25${reason})`, async (t) => {
  const { primary, replica } = await startReplication(t);
  const place = await makePlace(t, { hosts: `127.0.0.1:${primary.port}` });
  const url = new URL(place.env['DATABASE_URL'] ?? '');
  const name = url.pathname.slice(1);
  url.port = String(replica.port);
  const env = { DATABASE_READ_URL: url.href, DATABASE_READ_MAX_LAG_SECONDS: String(MOST_SECONDS), LOG_LEVEL: 'info' };
  const node = startNode(t, { env: { ...place.env, ...env } }, await freePort());
  let output = '';
  node.child.stdout?.on('data', (text: string) => (output += text));
  await node.ready();

  const send = (path: string, more: RequestInit = {}) =>
    fetch(`${node.url}/admin/api/v1${path}`, {
      ...more,
      headers: { authorization: `Bearer ${place.key}`, 'content-type': 'application/json' },
    });
  const create = async (subject: string) => {
    const body = JSON.stringify({ subject, company_number: place.companies[0], priority: 3 });
    t.is((await send('/tickets.php', { method: 'POST', body })).status, 201);
  };
  const exported = async () => {
    const answer = await send('/tickets.php?action=export');
    t.is(answer.status, 200);
    return (await answer.text()).trim().split('\r\n').slice(1);
  };
  const health = async () => {
    const answer = (await (await send('/monitoring/health.php')).json()) as {
      data: { checks: { replicas: { status: string; detail: string } } };
    };
    return answer.data.checks.replicas;
  };
  const until = async (says: RegExp) => {
    for (const since = performance.now(); performance.now() - since < PATIENCE_MS; await sleep(50)) {
      if (says.test((await health()).detail)) return;
    }
    throw new Error(`The health does not say ${String(says)}: ${(await health()).detail}\n${node.said()}`);
  };
  const lag = async () => {
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    return metrics.split('\n').find((line) => line.includes(`replica="127.0.0.1:${replica.port}"`)) ?? '';
  };
  const at = `The replica at 127.0.0.1:${replica.port}`;
  const recent = new RegExp(`^${at} is less than \\d s behind\\.$`);

  // Only the replica has this subject, so what shows it was read there.
  const markedHere = async () => {
    await replica.ask(`UPDATE ${name}.ticket SET subject = 'Read on the replica' LIMIT 1`);
    return (await exported()).some((line) => line.includes('Read on the replica'));
  };
  for (let i = 0; i < TICKETS; i += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => create(`Ticket ${i + more}`)));
  await until(recent);
  t.is((await health()).status, 'ok');
  t.regex(await lag(), / [1-4]$/);
  t.true(await markedHere());

  await replica.ask('STOP SLAVE SQL_THREAD');
  await create('Newest');
  t.is((await exported()).length, TICKETS, 'the bound allows rows that are a little older');
  await until(new RegExp(`^${at} is not used: it is more than ${MOST_SECONDS} s behind\\.$`));
  t.is((await health()).status, 'degraded');
  t.is((await exported()).length, TICKETS + 1);
  t.false(await markedHere(), 'now the primary is read');
  await replica.ask('START SLAVE SQL_THREAD');
  await until(recent);
  t.true(await markedHere());

  // Killed while exports are under way.
  const whole = Array.from({ length: AT_ONCE }, exported);
  await Promise.race(whole);
  await replica.kill();
  for (const each of whole) t.is((await each).length, TICKETS + 1);
  t.is((await exported()).length, TICKETS + 1);
  await until(new RegExp(`^${at} is not used: `));
  t.is(await lag(), '');
  t.true(await isReady(node.url));
  await create('After the replica');
  t.is((await exported()).length, TICKETS + 2);
  await replica.restart();
  await until(recent);
  t.true(await markedHere());
  t.is((await exported()).length, TICKETS + 2);

  await node.end('SIGTERM');
  const count = (text: string) => output.split('\n').filter((line) => line.includes(text)).length;
  t.is(count('The replica is not used'), 2, 'each loss is logged once');
  t.is(count('can be read from the replica'), 3);

  // The connection's own right to write, as root's, does not count.
  const log = { warn: () => {} };
  const opened = await openDatabase({ url: url.href, file: '', tables: [], log, pool: 1, readOnly: true });
  t.teardown(() => opened.close());
  await t.throwsAsync(opened.run(sql`DELETE FROM ticket`), { message: /READ ONLY transaction/ });
});
