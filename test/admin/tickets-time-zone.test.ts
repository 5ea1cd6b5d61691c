import { startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedKey } from '../accounts-seed.ts';

const tickets = '/admin/api/v1/tickets.php';

test('days are days of the tenant’s time zone', async (t) => {
  const clock = testClock('2026-03-01T23:30:00.763Z');
  const app = await startApp(t, { clock, config: { timeZone: 'Europe/Berlin' } });
  const { company_number } = await seedCompany(app);
  const { api_key: token } = await seedKey(app, 'admin', ['tickets:read', 'tickets:write']);
  const made = await app.request('POST', tickets, { token, body: { subject: 'Late', company_number } });
  const total = async (query: string) =>
    (await app.request('GET', `${tickets}?${query}`, { token })).body.pagination.total;
  t.is(await total('created_after=2026-03-02'), 1, 'in Berlin it is half past midnight');
  t.is(await total('created_before=2026-03-01'), 0);
  const { created_at } = (await app.request('GET', `${tickets}?id=${made.body.data.ticket_id}`, { token })).body.data;
  t.is(created_at, '2026-03-01T23:30:00Z');
  t.is(await total(`created_after=${created_at}&created_before=${created_at}`), 1, 'both ends are inclusive (P-12)');
  const logged = await app.request('POST', `${tickets}?action=time-entries&id=${made.body.data.ticket_id}`, {
    token,
    body: { duration_minutes: 5, billable: null, work_date: null },
  });
  t.is(logged.status, 201, 'null on an optional field means it is absent (V-10)');
  t.is(logged.body.data.work_date, '2026-03-02');
  const bulk = await app.request('POST', '/admin/api/v1/bulk/tickets.php?action=delete', {
    token,
    body: { action: 'close', ticket_ids: [made.body.data.ticket_id] },
  });
  t.is(bulk.status, 200, 'only the action of the body counts (N-14)');
});
