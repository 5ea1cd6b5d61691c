import test from 'ava';
import { createMetrics, mayReadMetrics } from '../../packages/log/metrics.ts';

test('requests, gauges and the process are measured, labelled by tenant', async (t) => {
  const page = createMetrics();
  const [acme, beta] = [page.of('acme'), page.of('beta')];
  acme.request('helpdesk', 'GET /tickets.php', 200, 0.02);
  acme.request('helpdesk', 'GET /tickets.php', 404, 0.3);
  beta.request('helpdesk', 'GET /tickets.php', 200, 0.02);
  acme.gauge('keelson_database_connections', 'Open connections.', () => 7);
  beta.gauge('keelson_database_connections', 'Open connections.', () => 8);
  acme.gauge('keelson_outbox_waiting', 'Events not delivered.', async () => 3);
  const text = await page.text();
  const route = 'surface="helpdesk",route="GET /tickets\\.php"';
  for (const line of [
    `keelson_requests_total\\{tenant="acme",${route},status="200"\\} 1`,
    `keelson_requests_total\\{tenant="beta",${route},status="200"\\} 1`,
    `keelson_request_seconds_bucket\\{le="0\\.025",tenant="acme",${route}\\} 1`,
    `keelson_request_seconds_count\\{tenant="acme",${route}\\} 2`,
    'keelson_database_connections\\{tenant="acme"\\} 7',
    'keelson_database_connections\\{tenant="beta"\\} 8',
    'keelson_outbox_waiting\\{tenant="acme"\\} 3',
    'nodejs_eventloop_lag_p99_seconds [\\d.e-]+',
    'process_resident_memory_bytes \\d+',
  ])
    t.regex(text, new RegExp(`^${line}$`, 'm'));
  page.of('acme').gauge('keelson_tenant_open', 'Whether it is open.', () => 1);
  beta.close();
  acme.close();
  acme.gauge('keelson_database_connections', 'Open connections.', () => 7);
  // Closing late, when another source already serves the tenant, does not remove that source's metrics.
  const late = page.of('acme');
  late.gauge('keelson_outbox_waiting', 'Events not delivered.', () => 4);
  page.of('acme').gauge('keelson_outbox_waiting', 'Events not delivered.', () => 5);
  late.close();
  const after = await page.text();
  t.regex(after, /^keelson_tenant_open\{tenant="acme"\} 1$/m);
  t.regex(after, /^keelson_outbox_waiting\{tenant="acme"\} 5$/m);
  t.regex(after, /^keelson_database_connections\{tenant="acme"\} 7$/m);
  t.notRegex(after, /^keelson_database_connections\{tenant="beta"\}/m);
});

test('a gauge with several items is labelled by their names, and drops those that are gone', async (t) => {
  const page = createMetrics();
  const [acme, beta] = [page.of('acme'), page.of('beta')];
  const lags = new Map([
    ['support@acme.example', 3],
    ['sales@acme.example', 4],
  ]);
  const help = 'Seconds that mails take.';
  acme.gaugeOfEach('keelson_mailbox_lag_seconds', help, { by: 'mailbox', read: () => lags });
  beta.gaugeOfEach('keelson_mailbox_lag_seconds', help, {
    by: 'mailbox',
    read: () => Promise.reject(new Error('no database')),
  });
  const linesOf = async () => (await page.text()).split('\n').filter((each) => each.startsWith('keelson_mailbox'));
  t.deepEqual(await linesOf(), [
    'keelson_mailbox_lag_seconds{tenant="acme",mailbox="support@acme.example"} 3',
    'keelson_mailbox_lag_seconds{tenant="acme",mailbox="sales@acme.example"} 4',
  ]);
  lags.delete('sales@acme.example');
  t.is((await linesOf()).length, 1);
  acme.close();
  t.deepEqual(await linesOf(), []);
  t.regex(await page.text(), /^keelson_gauge_failures_total\{tenant="beta",gauge="keelson_mailbox_lag_seconds"\} \d$/m);
});

test('a failing gauge does not break the page and is counted', async (t) => {
  const page = createMetrics();
  page.of('acme').gauge('keelson_broken', 'Never works.', () => Promise.reject(new Error('no database')));
  page.of('beta').gauge('keelson_broken', 'Never works.', () => new Promise<number>(() => {}));
  page.of('gamma').gauge('keelson_broken', 'Never works.', () => 5);
  await page.text();
  const text = await page.text();
  t.regex(text, /^keelson_broken\{tenant="acme"\} Nan$/im);
  t.regex(text, /^keelson_broken\{tenant="beta"\} Nan$/im);
  t.regex(text, /^keelson_broken\{tenant="gamma"\} 5$/m);
  t.regex(text, /^keelson_gauge_failures_total\{tenant="acme",gauge="keelson_broken"\} [12]$/m);
});

test('without a token only this machine can read the metrics', (t) => {
  const may = (socketAddress: string | undefined, headers = {}) =>
    mayReadMetrics({ socketAddress, headers }, undefined);
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) t.true(may(address), address);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', undefined])
    t.false(may(address), String(address));
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
    t.false(may('127.0.0.1', { [name]: '127.0.0.1' }), name);
  }
  t.false(may('10.0.0.1', { authorization: 'Bearer ' }));
  t.false(may('10.0.0.1', { authorization: 'Bearer undefined' }));
});

test('if a token is set, everyone must send it', (t) => {
  const token = 'metrics-token-of-this-test';
  const may = (socketAddress: string, headers = {}) => mayReadMetrics({ socketAddress, headers }, token);
  t.true(may('203.0.113.9', { authorization: `Bearer ${token}`, 'x-forwarded-for': '1.2.3.4' }));
  t.false(may('203.0.113.9', { authorization: `Bearer ${token}x` }));
  t.false(may('203.0.113.9', { authorization: token }));
  t.false(may('203.0.113.9'));
  t.false(may('127.0.0.1'));
});
