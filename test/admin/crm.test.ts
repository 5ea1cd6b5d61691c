// CRM shortcuts on the administrative surface.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { add, asCrm } from '../crm-seed.ts';
import { asKey, staff } from '../tickets-seed.ts';

test.serial('List CRM leads', async (t) => {
  const app = await startApp(t);
  const crm = await asCrm(app);
  await add(crm, '/leads', { first_name: 'Ann', email: 'ann@example.com', source: 'website' });
  await add(crm, '/leads', { first_name: 'Bo', phone: '1' });
  const send = await asKey(app, ['contacts:read']);
  const answer = await send('GET', '/crm/leads.php?sort=first_name&order=asc&per_page=1');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        lead_id: 1,
        first_name: 'Ann',
        last_name: '',
        email: 'ann@example.com',
        phone: '',
        company_name: '',
        status: 'new',
        source: 'website',
        score: 0,
        assigned_to: null,
        created_at: '2026-03-02T09:00:00Z',
        updated_at: '2026-03-02T09:00:00Z',
      },
    ],
    pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
  });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('GET', `${staff}/crm/leads.php?search=bo`, { cookie })).body.pagination.total, 1);
  t.is((await send('GET', '/crm/leads.php?status=open')).status, 400);
  t.is((await app.request('GET', `${staff}/crm/leads.php`)).status, 401);
  t.is((await (await asKey(app, ['reports:read']))('GET', '/crm/leads.php')).status, 403);
});

test.serial('Read the sales pipeline', async (t) => {
  const app = await startApp(t);
  const crm = await asCrm(app);
  const send = await asKey(app, ['reports:read']);
  for (const value of [0.1, 0.2, 99.99]) await add(crm, '/opportunities', { name: 'x', value });
  const { opportunity_id } = await add(crm, '/opportunities', { name: 'x', stage: 'proposal', value: 500 });
  await add(crm, '/opportunities', { name: 'x', stage: 'closed_won', value: 7000 });
  const stage = (name: string, count: number, value: number) => ({ stage: name, count, value, currency: 'USD' });
  const expected = {
    success: true,
    data: {
      stages: [
        stage('prospecting', 3, 100.29),
        stage('qualification', 0, 0),
        stage('discovery', 0, 0),
        stage('proposal', 1, 500),
        stage('negotiation', 0, 0),
        stage('closed_won', 0, 0),
        stage('closed_lost', 0, 0),
      ],
      total_count: 4,
      total_value: 600.29,
      currency: 'USD',
    },
  };
  const read = async () => (await send('GET', '/crm/pipeline.php')).body;
  t.deepEqual(await read(), expected);
  await crm('PUT', `/opportunities/${opportunity_id}`, { value: 600, stage: 'negotiation' });
  t.deepEqual((await read()).data.stages[4], stage('negotiation', 1, 600));
  await crm('DELETE', `/opportunities/${opportunity_id}`);
  t.like((await read()).data, { total_count: 3, total_value: 100.29 });
  t.is((await (await asKey(app, ['contacts:read']))('GET', '/crm/pipeline.php')).status, 403);
  t.is((await app.request('GET', `${staff}/crm/pipeline.php`)).status, 401);
});

test.serial('Read CRM metrics', async (t) => {
  const app = await startApp(t, { config: { timeZone: 'Europe/Berlin' } });
  const crm = await asCrm(app);
  const send = await asKey(app, ['reports:read']);
  const read = async () => (await send('GET', '/crm/dashboard.php')).body;
  t.deepEqual(await read(), {
    success: true,
    data: {
      new_leads: 0,
      open_leads: 0,
      conversion_rate: 0,
      open_opportunities: 0,
      pipeline_value: 0,
      won_this_month: 0,
      won_value_this_month: 0,
      activities_due: 0,
      currency: 'USD',
    },
  });
  for (let i = 0; i < 6; i++) await add(crm, '/leads', { phone: `${i}`, company_name: `C${i}` });
  await crm('PUT', '/leads/1', { status: 'contacted' });
  await crm('PUT', '/leads/2', { status: 'unqualified' });
  await crm('POST', '/leads/3/convert');
  await crm('DELETE', '/leads/4');
  await add(crm, '/opportunities', { name: 'x', value: 10.5 });
  // It is already March in Berlin.
  app.clock.set('2026-02-28T23:30:00.000Z');
  await add(crm, '/opportunities', { name: 'x', value: 70, stage: 'closed_won' });
  app.clock.set('2026-02-28T22:30:00.000Z');
  await add(crm, '/opportunities', { name: 'x', value: 500, stage: 'closed_won' });
  app.clock.set('2026-03-02T09:00:00.000Z');
  const task = { type: 'task', subject: 'x', entity_type: 'lead', entity_id: 1 };
  for (const due_date of ['2026-03-01T00:00:00Z', '2026-03-02T22:59:59Z', '2026-03-02T23:00:00Z', null])
    await add(crm, '/activities', { ...task, due_date });
  await crm('PUT', '/activities/1', { completed: true });
  const figures = {
    new_leads: 2,
    open_leads: 3,
    conversion_rate: 0.2,
    open_opportunities: 1,
    pipeline_value: 10.5,
    won_this_month: 1,
    won_value_this_month: 70,
    activities_due: 1,
    currency: 'USD',
  };
  t.deepEqual((await read()).data, figures);
  t.true((await app.fewestStatements(() => read())) <= 8);
  t.is((await (await asKey(app, ['contacts:read']))('GET', '/crm/dashboard.php')).status, 403);
  t.is((await app.request('GET', `${staff}/crm/dashboard.php`)).status, 401);
});
