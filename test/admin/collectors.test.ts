import { Collector } from '@keelson/modules/discovery';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { findCollector } from '../../modules/discovery/collectors/collector-list.ts';
import { noteContact } from '../../modules/discovery/collectors/collectors.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { ErrorLine } from '../../packages/log/error-log.ts';
import { placeIn, seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey } from '../tickets-seed.ts';

const rights = ['assets:write', 'networks:read', 'networks:write', 'settings:write'];
const now = '2026-03-02T09:00:00Z';
const list = '/connect/collectors.php';
const commands = '/connect/collector/commands';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const place = await seedPlace(app);
  return { app, send, place };
}

const statusOf = async (send: Awaited<ReturnType<typeof asKey>>, id: string) =>
  (await send('GET', `${list}?id=${id}`)).body.data.status;
const watch = (app: TestApp) => app.app.scheduler.runNow('discovery.watch');

test('Register a collector; List collectors; Read a collector', async (t) => {
  const { app, send, place } = await start(t);
  const made = await send('POST', list, { ...place, name: ' Rack 2 ', config: { interval: 60 } });
  t.is(made.status, 201);
  const { collector_token, ...data } = made.body.data;
  t.regex(collector_token, /^col_[0-9A-Za-z]{44}$/);
  t.regex(data.collector_id, /^col_[0-9A-Za-z]{12}$/);
  t.is(typeof made.body.message, 'string');
  const { company_name, site_name } = data;
  t.deepEqual(data, {
    collector_id: data.collector_id,
    ...place,
    name: 'Rack 2',
    status: 'registered',
    version: '',
    last_seen_at: null,
    sync_status: 'never',
    last_sync_at: null,
    config: { interval: 60 },
    created_at: now,
    company_name,
    site_name,
  });
  t.true(company_name.length > 0 && site_name.length > 0);
  // A second one on the same site (MO-04).
  t.is((await send('POST', list, place)).status, 201);
  const all = await send('GET', list);
  t.deepEqual(Object.keys(all.body), ['success', 'data']);
  t.is(all.body.data.length, 2);
  const one = await send('GET', `${list}?id=${data.collector_id}`);
  t.deepEqual(one.body, { success: true, data });
  t.is((await send('GET', `${list}?id=col_never`)).status, 404);

  const refused = async (fields: object, error: RegExp) => {
    const answer = await send('POST', list, { ...place, ...fields });
    t.is(answer.status, 400);
    t.regex(answer.body.error, error);
  };
  const elsewhere = await seedPlace(app);
  await refused({ company_number: 999 }, /^company_number must be an existing company$/);
  await refused({ site_number: elsewhere.site_number }, /^site_number must be a site of the company$/);
  await refused({ config: { long: 'x'.repeat(17_000) } }, /^config must be at most 16 KiB$/);
  await refused({ config: [] }, /^config must be/);

  // The token appears only in the response.
  const stored = await app.app.database.find(Collector);
  const lines = [...(await app.app.database.find(ActivityLine)), ...(await app.app.database.find(ErrorLine))];
  const events = await app.app.database.find(StoredEvent);
  for (const where of [all.body, one.body, stored, lines, events])
    t.false(JSON.stringify(where).includes(collector_token.slice(4)));
});

test('Change the configuration of a collector; Revoke a collector', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  const path = `${list}?id=${collector.collector_id}`;
  const changed = await send('PUT', path, { name: 'Cellar', config: { interval: 30 } });
  t.is(changed.status, 200);
  t.like(changed.body.data, { name: 'Cellar', config: { interval: 30 } });
  // A new configuration is sent, a new name is not (MO-05); repeating it changes nothing.
  await send('PUT', path, { name: 'Attic' });
  await send('PUT', path, { config: { interval: 30 } });
  t.like(await collector.poll(), [{ command_type: 'update_config', parameters: { config: { interval: 30 } } }]);
  t.is((await send('PUT', path, {})).body.error, 'No fields to update');

  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('DELETE', path)).status, 204);
  t.is((await collector.send('GET', commands)).status, 401);
  t.is(await statusOf(send, collector.collector_id), 'revoked');
  t.like((await send('PUT', path, { name: 'x' })).body, { success: false, error: 'The collector is revoked' });
  t.is((await send('PUT', `${list}?id=never`, { name: 'x' })).status, 404);
});

test('a token works only for the three collector operations, which accept no other credentials', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  for (const path of [list, '/monitoring/health.php', '/tickets.php', '/nowhere.php'])
    t.is((await collector.send('GET', path)).status, path === '/nowhere.php' ? 404 : 401, path);
  t.is((await send('GET', commands)).status, 401);
  t.is((await app.request('GET', `/admin/api/v1${commands}`)).status, 401);
  const asked = await app.request('GET', `/admin/api/v1${commands}?x=${collector.token}`, { token: collector.token });
  t.is(asked.status, 401);
  const answer = await collector.send('GET', commands);
  t.is(answer.status, 200);
  t.is(answer.headers.get('x-ratelimit-limit'), '120');
});

test('Poll the commands of a collector; Report the result of a command', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  t.deepEqual(await collector.poll(), []);
  t.is(await statusOf(send, collector.collector_id), 'active');
  const scan = await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.77/24' });
  const { job_id } = scan.body.data;
  await send('PUT', `${list}?id=${collector.collector_id}`, { config: { a: 1 } });
  const [first, second, ...rest] = await collector.poll();
  t.deepEqual(rest, []);
  t.deepEqual(first, {
    command_id: first.command_id,
    command_type: 'scan',
    parameters: { job_id, scan_type: 'full', subnet: '192.0.2.0/24' },
    status: 'sent',
    created_at: now,
    sent_at: now,
    completed_at: null,
    result: null,
    error: null,
  });
  t.is(second.command_type, 'update_config');
  t.deepEqual(await collector.poll(), []);
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, { status: 'running', started_at: now });

  const path = `${commands}/${first.command_id}/complete`;
  const done = await collector.send('POST', path, { result: { hosts: 3 } });
  t.is(done.status, 200);
  t.like(done.body.data, { status: 'completed', result: { hosts: 3 }, error: null, completed_at: now });
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, { status: 'completed', finished_at: now });
  t.is((await collector.send('POST', path)).status, 409);
  t.is((await collector.send('POST', `${commands}/99999/complete`)).status, 404);
  const other = await seedCollector(app, place);
  t.is((await other.send('POST', `${commands}/${second.command_id}/complete`)).status, 404);
  const wrong = await collector.send('POST', `${commands}/${second.command_id}/complete`, { status: 'sent' });
  t.is(wrong.body.error, 'status must be one of: completed, failed');
  const failed = await collector.send('POST', `${commands}/${second.command_id}/complete`, {
    status: 'failed',
    error: 'No space',
  });
  t.like(failed.body.data, { status: 'failed', error: 'No space' });
});

test('an unacknowledged command is sent three times, then marked as failed', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  await collector.poll();
  const { job_id } = (await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/28' })).body.data;
  for (const [sent, looked] of [
    ['09:00', '09:09'],
    ['09:12', '09:23'],
    ['09:24', '09:33'],
  ]) {
    app.clock.set(`2026-03-02T${sent}:00.000Z`);
    t.is((await collector.poll()).length, 1, sent);
    app.clock.set(`2026-03-02T${looked}:00.000Z`);
    await watch(app);
    if (looked === '09:09') {
      t.deepEqual(await collector.poll(), []);
      app.clock.set('2026-03-02T09:11:00.000Z');
      await watch(app);
    }
  }
  app.clock.set('2026-03-02T09:35:00.000Z');
  await watch(app);
  t.deepEqual(await collector.poll(), []);
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, {
    status: 'failed',
    error: 'The collector never reported the result',
  });
});

test('an unresponsive collector goes offline, and another one at the site takes over its scans', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  const other = await seedCollector(app, place);
  await collector.poll();
  await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/28' });
  app.clock.set('2026-03-02T09:15:00.000Z');
  await watch(app);
  t.is(await statusOf(send, collector.collector_id), 'active');
  app.clock.set('2026-03-02T09:15:01.000Z');
  await watch(app);
  await watch(app);
  t.is(await statusOf(send, collector.collector_id), 'offline');
  t.is((await other.poll()).length, 1);
  t.deepEqual(await collector.poll(), []);
  t.is(await statusOf(send, collector.collector_id), 'active');
});

test('a scan that is reported after its collector went offline counts, unless another collector has taken it', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  await collector.poll();
  const scan = async () =>
    (await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/24' })).body.data.job_id as number;
  const jobs = [await scan(), await scan()];
  const [first, second] = await collector.poll();
  for (const at of ['09:11', '09:16']) {
    app.clock.set(`2026-03-02T${at}:00.000Z`);
    await watch(app);
  }
  t.is(await statusOf(send, collector.collector_id), 'offline');
  const elsewhere = await seedCollector(app, await seedPlace(app));
  const found = (job_id?: number) => ({ job_id, devices: [{ hostname: 'printer-1', ip_address: '192.0.2.9' }] });
  t.is((await elsewhere.send('POST', '/connect/sync/discovery.php', found(jobs[0]))).status, 400);
  t.is((await elsewhere.send('POST', `${commands}/${first.command_id}/complete`)).status, 404);
  t.is((await collector.send('POST', '/connect/sync/discovery.php', found(jobs[0]))).status, 200);
  t.is((await collector.send('POST', `${commands}/${first.command_id}/complete`)).status, 200);
  t.like((await send('GET', `/discovery/queue.php?id=${jobs[0]}`)).body.data, {
    status: 'completed',
    collector_id: collector.collector_id,
    devices_found: 1,
  });
  const other = await seedCollector(app, place);
  t.deepEqual(
    (await other.poll()).map((each) => each.command_id),
    [second.command_id],
  );
  t.is((await collector.send('POST', '/connect/sync/discovery.php', found(jobs[1]))).status, 400);
  t.is((await collector.send('POST', `${commands}/${second.command_id}/complete`)).status, 404);
});

test('a collector keeps the commands that it names as running, and its contact', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  await collector.poll();
  const scan = () => send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/24' });
  await scan();
  const [command] = await collector.poll();
  await scan();
  const still = (ids: string) => collector.send('GET', `${commands}?running=${ids}`);
  for (const at of ['09:09', '09:18', '09:27', '09:36']) {
    app.clock.set(`2026-03-02T${at}:00.000Z`);
    t.deepEqual((await still(`${command.command_id},99999`)).body, { success: true, data: [] }, at);
    await watch(app);
  }
  t.is(await statusOf(send, collector.collector_id), 'active');
  t.is((await collector.send('POST', `${commands}/${command.command_id}/complete`)).status, 200);
  t.is((await still(String(command.command_id))).status, 200, 'a reported one is left as it is');
  t.is((await collector.poll()).length, 1);
});

test('List the discovery queue; Start a discovery scan; Read a discovery job; List discovery results', async (t) => {
  const { app, send, place } = await start(t);
  const made = await send('POST', '/discovery/scan.php', { ...place, subnet: ' 2001:DB8::1/112 ', scan_type: 'quick' });
  t.is(made.status, 201);
  const { job_id, company_name, site_name } = made.body.data;
  t.deepEqual(made.body, {
    success: true,
    data: {
      job_id,
      job_type: 'scan',
      ...place,
      collector_id: null,
      scan_type: 'quick',
      subnet: '2001:db8::/112',
      status: 'queued',
      devices_found: 0,
      error: null,
      created_at: now,
      started_at: null,
      finished_at: null,
      company_name,
      site_name,
    },
  });
  const refused = async (fields: object, error: RegExp) => {
    const answer = await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/24', ...fields });
    t.is(answer.status, 400);
    t.regex(answer.body.error, error);
  };
  await refused({ subnet: '10.0.0.0/15' }, /^subnet must be \/16 or smaller$/);
  await refused({ subnet: '2001:db8::/111' }, /^subnet must be \/112 or smaller$/);
  for (const subnet of ['192.0.2.1', '192.0.2.0/33', 'x/24', '10.1/16']) await refused({ subnet }, /CIDR/);
  await refused({ scan_type: 'Full scan' }, /^scan_type must be up to 32 characters/);
  await refused({ site_number: null }, /^site_number is required|site_number/);
  const elsewhere = await placeIn(app, (await seedPlace(app)).company_number);
  await refused({ site_number: elsewhere.site_number }, /^site_number must be a site of the company$/);

  // No collector existed; the first one of the site to poll gets the job (MO-16).
  const foreign = await seedCollector(app, elsewhere);
  t.deepEqual(await foreign.poll(), []);
  const collector = await seedCollector(app, place);
  t.is((await collector.poll()).length, 1);
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, {
    status: 'running',
    collector_id: collector.collector_id,
  });
  await send('POST', '/discovery/scan.php', { ...elsewhere, subnet: '192.0.2.0/24' });
  const total = async (query: string) => (await send('GET', `/discovery/queue.php${query}`)).body.pagination.total;
  t.is(await total(''), 2);
  t.is(await total('?status=running'), 1);
  t.is(await total(`?company_number=${place.company_number}`), 1);
  t.is(await total(`?site_number=${elsewhere.site_number}&status=queued`), 1);
  t.is((await send('GET', '/discovery/queue.php?per_page=1&page=2')).body.data.length, 1);
  t.is((await send('GET', '/discovery/queue.php?status=broken')).status, 400);
  t.is((await send('GET', '/discovery/queue.php?id=999')).status, 404);
  t.deepEqual((await send('GET', '/discovery/results.php')).body.pagination, {
    page: 1,
    per_page: 25,
    total: 0,
    total_pages: 0,
  });
});

test('a site or company with a collector cannot be deleted until the collector is revoked', async (t) => {
  const { app, send, place } = await start(t);
  const { collector_id } = await seedCollector(app, place);
  const company = await asKey(app, ['companies:read', 'companies:write']);
  const site = `/sites.php?id=${place.site_number}`;
  const refused = await company('DELETE', site);
  t.is(refused.status, 409);
  t.is(refused.body.error, 'Site still has collectors; set it inactive instead');
  t.is((await send('DELETE', `${list}?id=${collector_id}`)).status, 204);
  t.is((await company('DELETE', site)).status, 204);
  t.is((await company('DELETE', `/companies.php?id=${place.company_number}`)).status, 204);
});

test('a collector that was revoked while its request was read stays revoked', async (t) => {
  const { app, send, place } = await start(t);
  const { collector_id, poll } = await seedCollector(app, place);
  await poll();
  t.is((await send('DELETE', `${list}?id=${collector_id}`)).status, 204);
  const contact = app.run(async (ctx) => noteContact(ctx, await findCollector(ctx, collector_id, { lock: true })));
  await t.throwsAsync(contact, { message: 'Authentication required' });
  t.is(await statusOf(send, collector_id), 'revoked');
});
