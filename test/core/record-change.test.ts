// The change feed: each write of a record is announced on commit; a child's write is a change of its parent.
import { change, create, plus, remove } from '@keelson/core';
import { createApiKey } from '@keelson/modules/accounts';
import { commentOnTicket, deleteTicket, logTime, updateTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { pruneChanges, RecordChange } from '../../core/plugin/change-feed.ts';
import { Activities } from '../../modules/crm/activities/activities.ts';
import { createLead } from '../../modules/crm/leads/leads.ts';
import { Sites } from '../../modules/directory/sites/sites.ts';
import { seedCompany, seedTechnician } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';

/** Returns the announcements since the last call. */
function listen({ app: { database } }: TestApp) {
  let seen = 0;
  return async () => {
    const rows = await database.find(RecordChange, { order: { change_id: 'ASC' } });
    const fresh = rows.filter((each) => each.change_id > seen);
    seen = rows.at(-1)?.change_id ?? seen;
    return fresh.map(({ type, record_id, kind, company_number, internal }) => {
      const about = `${kind} ${type} ${record_id} of ${company_number}`;
      return `${about}${internal ? ', internal' : ''}`;
    });
  };
}

test('a write is announced on commit: created, changed, removed', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const announced = listen(app);
  t.true((await announced()).includes(`created company ${company_number} of ${company_number}`));

  const site = await app.run((ctx) => create(ctx, Sites, { company_number, site_name: 'Harbour' }));
  const of = `site ${site.site_number} of ${company_number}`;
  t.deepEqual(await announced(), [`created ${of}`]);
  await app.run((ctx) => change(ctx, Sites, site, { site_name: 'Harbour' }));
  t.deepEqual(await announced(), [], 'nothing changed');
  const renamed = await app.run((ctx) => change(ctx, Sites, site, { site_name: 'Port' }));
  t.deepEqual(await announced(), [`changed ${of}`]);
  await t.throwsAsync(
    app.run(async (ctx) => {
      await change(ctx, Sites, renamed, { site_name: 'Elsewhere' });
      throw new Error('rolled back');
    }),
    { message: 'rolled back' },
  );
  t.deepEqual(await announced(), []);
  await app.run((ctx) => remove(ctx, Sites, renamed));
  t.deepEqual(await announced(), [`removed ${of}`]);
});

test('a child’s change is announced for its parent; customers are not notified of hidden changes', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const announced = listen(app);
  const ticket = await seedTicket(app, { company_number });
  const of = `ticket ${ticket.ticket_id} of ${company_number}`;
  t.deepEqual((await announced()).slice(-1), [`created ${of}`]);
  await app.run((ctx) => commentOnTicket(ctx, ticket, { comment: 'Hello', is_internal: false }));
  await app.run((ctx) => commentOnTicket(ctx, ticket, { comment: 'Psst', is_internal: true }));
  await app.run((ctx) => logTime(ctx, ticket, { duration_minutes: 5 }));
  t.deepEqual(await announced(), [`changed ${of}`, `changed ${of}, internal`, `changed ${of}, internal`]);
  const assigned = await app.run((ctx) => updateTicket(ctx, ticket, { assigned_to: technician.user_id }));
  await app.run((ctx) => deleteTicket(ctx, assigned));
  t.deepEqual(await announced(), [`changed ${of}`, `removed ${of}`]);

  const lead = await app.run((ctx) => createLead(ctx, { email: 'lea@example.com' }));
  const about = { entity_type: 'lead', entity_id: lead.lead_id } as const;
  await app.run((ctx) => create(ctx, Activities, { ...about, type: 'call', subject: 'Ring', created_by: 'Me' }));
  t.deepEqual(await announced(), [
    `created lead ${lead.lead_id} of null`,
    `created crm_activity 1 of null`,
    `changed lead ${lead.lead_id} of null`,
  ]);
});

test('changes include their author and are kept for 15 minutes or until indexed', async (t) => {
  const app = await startApp(t);
  const { database, clock } = app.app;
  const key = { type: 'admin', name: 'Test', permissions: ['companies:write'] } as const;
  const { api_key: token, row } = await app.run((ctx) => createApiKey(ctx, key));
  const { body } = await app.request('POST', '/admin/api/v1/companies.php', { token, body: { customer: 'Smith' } });
  const { company_number } = body.data;
  const [told] = await database.findBy(RecordChange, { type: 'company', record_id: company_number });
  t.like(told, { kind: 'created', author_type: 'api', author_id: row.key_id, internal: false, indexed: false });

  t.is(await pruneChanges(database, plus(clock.now(), { minutes: 14 })), 0);
  t.is(await pruneChanges(database, plus(clock.now(), { minutes: 16 })), 1);
  t.deepEqual(
    (await database.find(RecordChange)).map(({ type }) => type),
    ['company'],
  );
});
