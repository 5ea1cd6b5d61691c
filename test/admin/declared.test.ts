// Module declarations for search, reports, live changes and attachments take effect.
import { createContract } from '@keelson/modules/inventory';
import { createArticle } from '@keelson/modules/kb';
import { raiseAlert } from '@keelson/modules/monitoring';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import { aKey, anEmployee, listen, streamsOf } from '../core/_live.ts';
import { asKey } from '../tickets-seed.ts';

test('alerts, devices and collectors are found by callers who may read them', async (t) => {
  const app = await startApp(t);
  const place = await seedPlace(app);
  const collector = await seedCollector(app, place);
  await collector.send('POST', '/connect/sync/discovery.php', {
    devices: [{ hostname: 'kestrel', ip_address: '192.0.2.7' }],
  });
  await app.run((ctx) =>
    raiseAlert(ctx, 'kestrel', { alert_type: 'disk_full', severity: 'warning', message: 'Kestrel is full' }),
  );
  const send = await asKey(app, ['assets:read', 'networks:read']);
  const poor = await asKey(app, ['tickets:read']);
  const found = async (query: string) => (await send('GET', `/search.php?${query}`)).body.data;
  for (const indexed of [false, true]) {
    if (indexed) await app.app.indexer.drain();
    t.like(await found('q=kestrel&types=alerts,devices'), {
      alerts: [{ alert_type: 'disk_full', message: 'Kestrel is full', severity: 'warning', status: 'open', score: 1 }],
      devices: [{ hostname: 'kestrel', ip_address: '192.0.2.7' }],
      total: 2,
    });
    const { collectors } = await found(`q=${collector.collector_id}&types=collectors`);
    t.is(collectors[0].collector_id, collector.collector_id);
    t.is((await send('GET', '/discovery/results.php?search=kest')).body.pagination.total, 1);
    t.is((await send('GET', '/discovery/results.php?search=falcon')).body.pagination.total, 0);
    t.is((await send('GET', '/monitoring/alerts.php?search=full')).body.pagination.total, 1);
  }
  t.is((await poor('GET', '/search.php?q=kestrel&types=alerts,devices')).status, 403);
});

test('alerts, devices, scans and articles can be reported on', async (t) => {
  const app = await startApp(t);
  const place = await seedPlace(app);
  const collector = await seedCollector(app, place);
  await collector.send('POST', '/connect/sync/discovery.php', { devices: [{ hostname: 'kestrel' }] });
  await app.run((ctx) => raiseAlert(ctx, 'kestrel', { alert_type: 'disk_full', severity: 'warning', message: 'Full' }));
  await app.run((ctx) => createArticle(ctx, { title: 'Kestrels', content: 'Fly', visibility: 'internal' }));
  const send = await asKey(app, [
    'reports:read',
    'reports:write',
    'assets:read',
    'networks:read',
    'networks:write',
    'kb:read',
  ]);
  await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/24' });
  for (const [source, fields, row] of [
    [
      'alerts',
      ['alert_type', 'severity', 'message'],
      { alert_type: 'disk_full', severity: 'warning', message: 'Full' },
    ],
    ['devices', ['hostname', 'state'], { hostname: 'kestrel', state: 'new' }],
    ['discovery_jobs', ['subnet', 'status'], { subnet: '192.0.2.0/24', status: 'queued' }],
    ['articles', ['title', 'visibility'], { title: 'Kestrels', visibility: 'internal' }],
  ] as const) {
    const made = await send('POST', '/reports.php', { name: source, source, fields });
    t.is(made.status, 201, made.text);
    const { body } = await send('POST', `/reports.php?action=run&id=${made.body.data.report_id}`);
    t.deepEqual(body.data.rows, [row], source);
  }
});

test('open pages receive changes of assets, contracts, alerts and articles, limited to what they may see', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const { company_number } = await seedCompany(app);
  const { company_number: elsewhere } = await seedCompany(app);
  const own = await listen(app, await anEmployee(app, company_number, { it_privileges: true }));
  const stranger = await listen(app, await anEmployee(app, elsewhere, { it_privileges: true }));
  const staff = await listen(app, aKey(['assets:read', 'contracts:read', 'kb:read']));
  const poor = await listen(app, aKey(['companies:read']));
  const told = async () => {
    await live.look();
    return [own, stranger, staff, poor].map((each) =>
      each.heard().map((line) => line.split(' ').slice(0, 2).join(' ')),
    );
  };
  await told();
  await seedAsset(app, { company_number });
  t.deepEqual(await told(), [['created asset'], [], ['created asset'], []]);
  await app.run((ctx) => createContract(ctx, { company_number, name: 'Care', start_date: '2026-01-01' }));
  t.deepEqual(await told(), [['created contract'], [], ['created contract'], []]);
  const alert = { alert_type: 'disk_full', severity: 'warning', message: 'Full', company_number } as const;
  await app.run((ctx) => raiseAlert(ctx, 'full', alert));
  t.deepEqual(await told(), [[], [], ['created alert'], []]);
  const article = { title: 'Kestrels', content: 'Fly' };
  await app.run((ctx) => createArticle(ctx, { ...article, visibility: 'public' }));
  t.deepEqual(await told(), [['created kb_article'], ['created kb_article'], ['created kb_article'], []]);
  await app.run((ctx) => createArticle(ctx, { ...article, visibility: 'public', company_number }));
  t.deepEqual(await told(), [['created kb_article'], [], ['created kb_article'], []]);
  await app.run((ctx) => createArticle(ctx, { ...article, visibility: 'internal' }));
  t.deepEqual(await told(), [[], [], ['created kb_article'], []]);
});
