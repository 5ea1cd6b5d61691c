import test from 'ava';
import { createMetrics, mayReadMetrics } from '../../core/log/metrics.ts';

test('requests, gauges and the process are measured, each app for itself', async (t) => {
  const metrics = createMetrics();
  const other = createMetrics();
  metrics.request('helpdesk', 'GET /tickets.php', 200, 0.02);
  metrics.request('helpdesk', 'GET /tickets.php', 404, 0.3);
  metrics.gauge('keelson_database_connections', 'Open connections.', () => 7);
  metrics.gauge('keelson_outbox_waiting', 'Events not delivered.', async () => 3);
  const text = await metrics.text();
  t.regex(text, /^keelson_requests_total\{surface="helpdesk",route="GET \/tickets\.php",status="200"\} 1$/m);
  t.regex(text, /^keelson_request_seconds_bucket\{le="0\.025",surface="helpdesk",route="GET \/tickets\.php"\} 1$/m);
  t.regex(text, /^keelson_request_seconds_count\{surface="helpdesk",route="GET \/tickets\.php"\} 2$/m);
  t.regex(text, /^keelson_database_connections 7$/m);
  t.regex(text, /^keelson_outbox_waiting 3$/m);
  t.regex(text, /^nodejs_eventloop_lag_p99_seconds /m);
  t.regex(text, /^process_resident_memory_bytes /m);
  t.false((await other.text()).includes('tickets.php'));
});

test('a gauge that cannot be read leaves the page readable and is counted', async (t) => {
  const metrics = createMetrics();
  metrics.gauge('keelson_broken', 'Never works.', () => Promise.reject(new Error('no database')));
  await metrics.text();
  const text = await metrics.text();
  t.regex(text, /^keelson_broken Nan$/im);
  t.regex(text, /^keelson_gauge_failures_total\{gauge="keelson_broken"\} [12]$/m);
});

test('without a token only this machine itself reads the metrics', (t) => {
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

test('with a token everybody has to send it', (t) => {
  const token = 'metrics-token-of-this-test';
  const may = (socketAddress: string, headers = {}) => mayReadMetrics({ socketAddress, headers }, token);
  t.true(may('203.0.113.9', { authorization: `Bearer ${token}`, 'x-forwarded-for': '1.2.3.4' }));
  t.false(may('203.0.113.9', { authorization: `Bearer ${token}x` }));
  t.false(may('203.0.113.9', { authorization: token }));
  t.false(may('203.0.113.9'));
  t.false(may('127.0.0.1'));
});
