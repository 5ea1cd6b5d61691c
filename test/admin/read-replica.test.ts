// What is read from a replica: the rows of reports and exports, and nothing else.
import type { Db } from '@keelson/core/database';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import type { ReplicaState } from '../../packages/database/read-replica.ts';
import { asKey, seedCompany, seedTicket } from '../tickets-seed.ts';

/** Uses the same database as a replica. Returns what was read through it since the last call. */
function watchReplica(
  { app }: TestApp,
  states: readonly ReplicaState[] = [],
): () => { files: number; texts: string[] } {
  const { database } = app;
  let seen = { files: 0, texts: [] as string[] };
  const query: Db['query'] = (statement) => {
    seen.texts.push(statement.text);
    return database.query(statement);
  };
  const reader = (): Db => {
    seen.files++;
    return { ...database, query };
  };
  Object.assign(app, { replicas: { start() {}, reader, states: () => states, close: () => Promise.resolve() } });
  return () => {
    const last = seen;
    seen = { files: 0, texts: [] };
    return last;
  };
}

test('rows of reports and exports are read from a replica, what they may show and their names are not', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app, 'Acme');
  await seedTicket(app, { company_number, subject: 'One' });
  const send = await asKey(app, ['reports:read', 'reports:write', 'tickets:read']);
  const report = async (more: object) =>
    (await send('POST', '/reports.php', { name: 'Report', source: 'tickets', ...more })).body.data.report_id as number;
  const listed = await report({});
  const grouped = await report({ group_by: 'priority', aggregates: [{ function: 'count' }] });
  const filtered = await report({
    group_by: 'priority',
    filters: [{ field: 'subject', operator: 'contains', value: 'One' }],
  });
  const read = watchReplica(app);
  const once = async (method: string, path: string, body?: object) => {
    read();
    const answer = await send(method, path, body);
    t.is(answer.status, 200, path);
    const { files, texts } = read();
    t.is(files, 1, `${path} chooses once`);
    t.true(texts.length > 0, path);
    t.false(
      texts.some((text) => /\b(company|employee|technician|setting|api_key)\b/.test(text.replaceAll('`', ' '))),
      texts.join('\n'),
    );
    return answer.text;
  };
  for (const id of [listed, grouped, filtered]) {
    t.regex(await once('POST', `/reports.php?action=run&id=${id}`), /"total":1/);
    await once('GET', `/reports.php?action=export&id=${id}`);
  }
  t.regex(await once('GET', `/reports.php?action=export&id=${listed}`), /"One"/);
  t.regex(await once('GET', `/reports.php?action=export&id=${listed}&format=xlsx`), /^PK/);
  await once('POST', '/reports.php?action=preview', { source: 'tickets' });
  t.regex(await once('GET', '/tickets.php?action=export'), /"One".*"Acme"/);
  await once('GET', '/tickets.php?action=export&format=pdf');

  for (const path of ['/tickets.php', '/tickets.php?id=1', '/reports.php']) await send('GET', path);
  t.is(read().files, 0, 'pages show people what they just wrote');
});

test('the health names replicas that are not used', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app);
  const health = async () => (await send('GET', '/monitoring/health.php')).body.data;
  const fine = { address: 'db2:3306', problem: undefined, seconds: 2 };
  watchReplica(app, [fine]);
  t.deepEqual((await health()).checks.replicas, {
    status: 'ok',
    detail: 'The replica at db2:3306 is less than 2 s behind.',
  });
  const late = { address: 'db3:3306', problem: 'it is more than 10 s behind', seconds: 14 };
  watchReplica(app, [{ ...fine, seconds: undefined }, late]);
  const { status, checks } = await health();
  t.is(status, 'degraded');
  t.deepEqual(checks.replicas, {
    status: 'degraded',
    detail:
      'The lag of the replica at db2:3306 is not known yet. The replica at db3:3306 is not used: it is more than 10 s behind.',
  });
});
