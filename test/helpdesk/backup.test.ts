// Backups as customers' employees see them, and their restore requests.
import { createDrill, reportBackups } from '@keelson/modules/backup';
import { changeModules, createGroup, findCompany } from '@keelson/modules/directory';
import { lockTicket, Ticket, updateTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey, storedEvents, storedTicket } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const status = '/backup/status';
const requests = '/backup/restore-requests';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const foreign = (await seedCompany(app)).company_number;
  const person = await seedEmployee(app, { company_number });
  const send = await asEmployee(app, person);
  const report = (...rows: object[]) => reportBackups(app.app.system(), rows);
  return { app, company_number, foreign, person, send, report };
}

test('Read your company’s backup status: not configured, healthy, late and failed', async (t) => {
  const { app, company_number, foreign, person, report, ...first } = await start(t);
  let { send } = first;
  const none = {
    status: 'not_configured',
    last_backup_at: null,
    next_backup_at: null,
    storage_used_bytes: 0,
    protected_assets: 0,
    restore_test: 'never_tested',
    last_drill_on: null,
    recent_backups: [],
  };
  const empty = await send('GET', status);
  t.is(empty.status, 200);
  t.deepEqual(empty.body, none);

  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'SRV1' });
  await report(
    {
      company_number,
      machine_name: 'SRV1',
      size_bytes: 5_000_000_000,
      started_at: '2026-03-02T01:00:00Z',
      finished_at: '2026-03-02T02:00:00Z',
      next_backup_at: '2026-03-03T01:00:00Z',
      message: 'for technicians',
    },
    { company_number: foreign, machine_name: 'SRV9', status: 'failed' },
  );
  const [backup] = (await send('GET', status)).body.recent_backups;
  t.deepEqual((await send('GET', status)).body, {
    ...none,
    status: 'healthy',
    last_backup_at: '2026-03-02T02:00:00Z',
    next_backup_at: '2026-03-03T01:00:00Z',
    storage_used_bytes: 5_000_000_000,
    protected_assets: 1,
    recent_backups: [
      {
        backup_id: backup.backup_id,
        asset_id,
        machine_name: 'SRV1',
        backup_type: 'full',
        status: 'completed',
        size_bytes: 5_000_000_000,
        started_at: '2026-03-02T01:00:00Z',
        finished_at: '2026-03-02T02:00:00Z',
      },
    ],
  });

  app.clock.set('2026-03-03T04:00:00.000Z');
  send = await asEmployee(app, person);
  t.is((await send('GET', status)).body.status, 'healthy', 'exactly 26 hours are not late yet');
  app.clock.set('2026-03-03T04:00:01.000Z');
  t.like((await send('GET', status)).body, { status: 'warning', next_backup_at: null });
  await report({ company_number, machine_name: 'srv1 ', status: 'running', started_at: '2026-03-03T03:50:00Z' });
  t.is((await send('GET', status)).body.status, 'warning', 'what runs is not done');
  await report({ company_number, machine_name: 'SRV1', status: 'failed', started_at: '2026-03-03T03:50:00Z' });
  const failed = (await send('GET', status)).body;
  t.like(failed, { status: 'failed', last_backup_at: '2026-03-02T02:00:00Z', protected_assets: 1 });
  t.deepEqual(
    failed.recent_backups.map((each: { status: string }) => each.status),
    ['failed', 'completed'],
    'the run that failed is the one that ran',
  );
  await report({ company_number, machine_name: 'SRV2' });
  t.is((await send('GET', status)).body.status, 'failed', 'another machine’s good backup does not help (BK-05)');
  await report({ company_number, machine_name: 'SRV1', size_bytes: 7 });
  t.like((await send('GET', status)).body, { status: 'healthy', storage_used_bytes: 5_000_000_007 });
});

test('Request a restore: creates a ticket', async (t) => {
  const { app, company_number, foreign, person, send, report } = await start(t);
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'SRV1' });
  await report({ company_number, machine_name: 'SRV1' }, { company_number: foreign, machine_name: 'SRV9' });
  const { backup_id } = (await send('GET', status)).body.recent_backups[0];
  const made = await send('POST', requests, {
    description: 'The folder Invoices\nis gone',
    backup_id,
    items: ['D:\\Invoices'],
    restore_point: '2026-03-01T18:00:00Z',
    destination: 'D:\\Restored',
    priority: 2,
  });
  t.is(made.status, 201);
  const { request_id, ticket_id } = made.body;
  t.deepEqual(made.body, {
    success: true,
    request_id,
    description: 'The folder Invoices\nis gone',
    backup_id,
    asset_id,
    items: ['D:\\Invoices'],
    restore_point: '2026-03-01T18:00:00Z',
    destination: 'D:\\Restored',
    priority: 2,
    status: 'pending',
    ticket_id,
    created_at: now,
    updated_at: now,
    requested_by: 'Erin Example',
  });
  const ticket = await storedTicket(app, ticket_id);
  t.like(ticket, {
    subject: 'Restore: The folder Invoices',
    job_type: 'Backup Restore',
    source: 'restore',
    priority: 2,
    company_number,
    requester_employee_number: person.employee_number,
  });
  t.true(ticket.description.includes('D:\\Invoices') && ticket.description.includes('1 Mar 2026, 18:00'));
  t.deepEqual(
    (await storedEvents(app)).map(({ name }) => name),
    ['ticket.created'],
  );
  const detail = await send('GET', `/tickets/${ticket_id}`);
  t.is(detail.body.asset.asset_id, asset_id);

  const refused = async (body: object) => {
    const answer = await send('POST', requests, body);
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused({}), [400, 'description is required']);
  t.deepEqual(await refused({ description: ' ' }), [400, 'description is required']);
  t.deepEqual(await refused({ description: 'x', priority: 6 }), [400, 'priority must be between 1 and 5']);
  t.deepEqual(await refused({ description: 'x', items: 'all' }), [400, 'items must be a list']);
  const strange = await reportOf(app, foreign);
  const absent = await refused({ description: 'x', backup_id: 999_999 });
  t.deepEqual(absent, [400, 'backup_id must be a backup of the company']);
  t.deepEqual(await refused({ description: 'x', backup_id: strange }), absent, 'as if it were not there');
  t.deepEqual(await refused({ description: 'x', asset_id }), [400, 'asset_id must be an asset of the company']);
  const mute = await asEmployee(app, await seedEmployee(app, { company_number, can_create_tickets: false }));
  t.is((await mute('POST', requests, { description: 'x' })).status, 403);
  t.is((await app.request('POST', `/helpdesk/api/v1${requests}`)).status, 401);
  t.is((await app.app.database.find(Ticket)).length, 1);
});

async function reportOf({ app }: { app: { database: any } }, company_number: number): Promise<number> {
  const { BackupRecord } = await import('@keelson/modules/backup');
  return (await app.database.findOneBy(BackupRecord, { company_number })).backup_id;
}

test('List your restore requests: others’ are visible to IT admins only; they follow their tickets', async (t) => {
  const { app, company_number, foreign, person, send } = await start(t);
  const ask = async (who: typeof send, description: string) =>
    (await who('POST', requests, { description })).body as { request_id: number; ticket_id: number };
  const { request_id, ticket_id } = await ask(send, 'Mine');
  const colleague = await asEmployee(app, await seedEmployee(app, { company_number }));
  const theirs = await ask(colleague, 'Theirs');
  const admin = await asEmployee(app, await seedEmployee(app, { company_number, it_privileges: true }));
  const stranger = await asEmployee(app, await seedEmployee(app, { company_number: foreign, it_privileges: true }));
  const ids = async (who: typeof send, query = '') =>
    (await who('GET', `${requests}${query}`)).body.restore_requests.map((each: typeof theirs) => each.request_id);
  const mine = await send('GET', requests);
  t.is(mine.status, 200);
  t.deepEqual(mine.body, {
    restore_requests: [
      {
        request_id,
        description: 'Mine',
        backup_id: null,
        asset_id: null,
        items: [],
        restore_point: null,
        destination: null,
        priority: 3,
        status: 'pending',
        ticket_id,
        created_at: now,
        updated_at: now,
        requested_by: `${person.first_name} ${person.last_name}`,
      },
    ],
    pagination: { page: 1, limit: 20, total: 1, total_pages: 1 },
  });
  const byId = (all: number[]) => all.toSorted((a, b) => a - b);
  t.deepEqual(byId(await ids(admin)), byId([request_id, theirs.request_id]));
  t.deepEqual(await ids(stranger), []);
  t.is((await admin('GET', `${requests}?per_page=1&page=2`)).body.restore_requests.length, 1);
  t.is((await send('GET', `${requests}?page=0`)).status, 400);
  t.is((await send('GET', `${requests}?status=lost`)).status, 400);

  const move = async (id: number, to: 'open' | 'in_progress' | 'on_hold' | 'closed') => {
    await app.run(async (ctx) => updateTicket(ctx, await lockTicket(ctx, id), { status: to }));
    await app.app.outbox.drain();
    const { body } = await admin('GET', requests);
    return body.restore_requests.find((each: typeof theirs) => each.ticket_id === id).status;
  };
  t.is(await move(ticket_id, 'in_progress'), 'in_progress');
  t.is(await move(ticket_id, 'on_hold'), 'in_progress');
  t.is(await move(ticket_id, 'closed'), 'completed');
  t.is(await move(ticket_id, 'open'), 'pending');
  await move(theirs.ticket_id, 'closed');
  t.deepEqual(await ids(admin, '?status=completed'), [theirs.request_id]);
});

test('List your restore requests: rejected when its approval is rejected', async (t) => {
  const { app, company_number, send, person } = await start(t);
  const manager = await seedEmployee(app, { company_number });
  await app.run((ctx) =>
    createGroup(ctx, company_number, {
      name: 'Office',
      code: 'office',
      managers: [manager.employee_number],
      members: [person.employee_number],
      require_approval: true,
      approval_job_types: ['Backup Restore'],
    }),
  );
  const { ticket_id } = (await send('POST', requests, { description: 'Everything' })).body;
  t.is((await storedTicket(app, ticket_id)).approval_status, 'pending');
  const decide = await asEmployee(app, manager);
  t.is((await decide('POST', `/tickets/${ticket_id}/reject`, { reason: 'No' })).status, 200);
  await app.app.outbox.drain();
  t.is((await send('GET', requests)).body.restore_requests[0].status, 'rejected');
});

test('List your company’s restore drills', async (t) => {
  const { app, company_number, foreign, send } = await start(t);
  const drill = { subject: 'One mailbox', result: 'passed', notes: 'for technicians' } as const;
  const { drill_id } = await app.run((ctx) => createDrill(ctx, { ...drill, company_number }));
  await app.run((ctx) => createDrill(ctx, { ...drill, company_number: foreign }));
  const { body } = await send('GET', '/backup/drills');
  t.deepEqual(body, {
    drills: [
      {
        drill_id,
        subject: 'One mailbox',
        asset_id: null,
        tested_on: '2026-03-02',
        result: 'passed',
        tested_by: body.drills[0].tested_by,
      },
    ],
    pagination: { page: 1, limit: 20, total: 1, total_pages: 1 },
  });
  t.is((await send('GET', '/backup/drills?result=failed')).body.pagination.total, 0);
  t.like((await send('GET', status)).body, { restore_test: 'passed', last_drill_on: '2026-03-02' });
});

test('a disabled module returns 403', async (t) => {
  const { app, company_number, send } = await start(t);
  await app.run(async (ctx) => changeModules(ctx, await findCompany(ctx, company_number), { backup: false }));
  for (const path of [status, requests, '/backup/drills']) t.is((await send('GET', path)).status, 403, path);
  t.is((await send('POST', requests, { description: 'x' })).status, 403);
  t.is(
    (await (await asKey(app, ['assets:read']))('GET', '/backup/records.php')).status,
    200,
    'the provider’s side stays',
  );
});
