// Jobs that work through records: one that fails stops none of the others, and the run names it.
import { createApiKey } from '@keelson/modules/accounts';
import { BackupState, reportBackups } from '@keelson/modules/backup';
import { Collector, CollectorCommand } from '@keelson/modules/discovery';
import { Contract, Domain, License } from '@keelson/modules/inventory';
import { Outage, OutageService } from '@keelson/modules/outages';
import { createRecurring, createTemplate, RecurringOccurrence, RecurringTicket } from '@keelson/modules/planned';
import { Report } from '@keelson/modules/reports';
import { Webhook } from '@keelson/modules/webhooks';
import { createWorkflow, Workflow, WorkflowRun } from '@keelson/modules/workflows';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { Attachment } from '../../core/attachments/attachment.ts';
import { missingFiles } from '../../core/attachments/tidy.ts';
import { ImportRun } from '../../core/record/import/import-history.ts';
import { ApiKey } from '../../modules/accounts/entities.ts';
import { Mailbox, MailboxCanary } from '../../modules/mailbox/entities.ts';
import { sendCanaries } from '../../modules/mailbox/mailboxes/canary.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { newKey } from '../../packages/storage/storage.ts';
import { startMailServer } from '../_mail-server.ts';
import { failing, refuseWrites } from '../_refused-writes.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey } from '../tickets-seed.ts';

const created_at = '2026-03-02T09:00:00.000Z';
const stamps = { created_at, updated_at: created_at };

test('a planned window that cannot be moved does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const service_id = await database.insertReturningId(OutageService, { name: 'Mail', ...stamps });
  const window = { scheduled_start: '2026-03-02T10:00:00.000Z', scheduled_end: '2026-03-02T11:00:00.000Z' };
  const plan = (title: string) =>
    database.insertReturningId(Outage, {
      ...{ service_id, title, status: 'scheduled', ...window, created_by: 'Terry', ...stamps },
    });
  const [bad, good] = [await plan('Bad'), await plan('Good')];
  await refuseWrites(t, app, { table: 'outage', column: 'outage_id', value: bad });
  app.clock.set('2026-03-02T10:00:00.000Z');
  t.is(await failing(t, app, 'outages.windows'), `outage ${bad}: Refused`);
  t.like(await database.findOneBy(Outage, { outage_id: good }), { status: 'active' });
  t.like(await database.findOneBy(Outage, { outage_id: bad }), { status: 'scheduled' });
});

test('a report that cannot be started does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const schedule = { cron: '0 8 * * *', format: 'csv' as const, recipients: [] };
  const add = () =>
    database.insertReturningId(Report, {
      ...{ surface: 'admin', company_number: null, owner_type: 'technician', owner_id: 1, name: 'Daily' },
      ...{ source: 'tickets', fields: [], filters: [], group_by: null, aggregates: [], sort: [], created_by: 'Terry' },
      ...{ schedule, next_run_at: '2026-03-02T08:00:00.000Z', last_run_at: null, last_problem: null, ...stamps },
    });
  const [bad, good] = [await add(), await add()];
  await refuseWrites(t, app, { table: 'report', column: 'report_id', value: bad });
  t.is(await failing(t, app, 'reports.schedule'), `report ${bad}: Refused`);
  t.like(await database.findOneBy(Report, { report_id: good }), { next_run_at: '2026-03-03T08:00:00.000Z' });
});

test('a collector or command that cannot be changed does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const place = await seedPlace(app);
  const [bad, good, back] = [
    await seedCollector(app, place),
    await seedCollector(app, place),
    await seedCollector(app, place),
  ];
  for (const each of [bad, good]) await each.poll();
  await database.update(Collector, { collector_id: back.collector_id }, { status: 'offline' });
  const command = (given: object) =>
    database.insertReturningId(CollectorCommand, {
      ...place,
      ...{ collector_id: good.collector_id, job_id: null, command_type: 'restart', parameters: {}, created_at },
      ...given,
    });
  const sent = { status: 'sent', sent_at: created_at, attempts: 3 };
  const [stuck, late] = [await command(sent), await command(sent)];
  const scan = await command({ collector_id: back.collector_id, command_type: 'scan' });
  await refuseWrites(t, app, { table: 'collector', column: 'collector_id', value: bad.collector_id });
  await refuseWrites(t, app, { table: 'collector_command', column: 'command_id', value: stuck });
  app.clock.set('2026-03-02T09:16:00.000Z');
  const error = await failing(t, app, 'discovery.watch');
  t.is(error, `collector ${bad.collector_id}: Refused; command ${stuck}: Refused`);
  t.like(await database.findOneBy(Collector, { collector_id: good.collector_id }), { status: 'offline' });
  t.like(await database.findOneBy(CollectorCommand, { command_id: late }), { status: 'failed' });
  t.like(await database.findOneBy(CollectorCommand, { command_id: scan }), { collector_id: null });
});

test('a deleted webhook that cannot be swept does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const add = () =>
    database.insertReturningId(Webhook, {
      ...{ registry: 'admin', url: 'https://example.com', events: [], created_at, deleted_at: created_at },
    });
  const [bad, good] = [await add(), await add()];
  await refuseWrites(t, app, { table: 'webhook', column: 'webhook_id', value: bad });
  t.is(await failing(t, app, 'webhooks.sweep'), `webhook ${bad}: Refused`);
  t.like(await database.findOneBy(Webhook, { webhook_id: good }), { swept_at: created_at });
});

test('a recurring ticket that cannot be replanned does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedCompany(app);
  const { template_id } = await app.run((ctx) => createTemplate(ctx, { name: 'Check', subject: 'Check' }));
  const add = (name: string) =>
    app.run((ctx) =>
      createRecurring(ctx, {
        ...{ name, template_id, company_numbers: [company_number], starts_on: '2026-03-03', time: '09:00' },
        rrule: 'FREQ=DAILY',
      }),
    );
  const [bad, good] = [await add('Bad'), await add('Good')];
  const wrong = { next_at: '2026-05-01T09:00:00.000Z' };
  for (const { recurring_id } of [bad, good]) await database.update(RecurringTicket, { recurring_id }, wrong);
  await refuseWrites(t, app, { table: 'recurring_ticket', column: 'recurring_id', value: bad.recurring_id });
  t.is(await failing(t, app, 'planned.plan'), 'recurring ticket Bad: Refused');
  const { recurring_id } = good;
  t.like(await database.findOneBy(RecurringTicket, { recurring_id }), { next_at: good.next_at });
});

test('a company whose ticket cannot be created does not stop the others of its recurring ticket', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const bad = (await seedCompany(app)).company_number;
  const good = (await seedCompany(app)).company_number;
  const { template_id } = await app.run((ctx) => createTemplate(ctx, { name: 'Check', subject: 'Check' }));
  await app.run((ctx) =>
    createRecurring(ctx, {
      ...{ name: 'Daily', template_id, company_numbers: [bad, good], starts_on: '2026-03-03', time: '09:00' },
      rrule: 'FREQ=DAILY',
    }),
  );
  const daysOf = async (company_number: number) => {
    const rows = await database.find(RecurringOccurrence, { where: { company_number }, order: { day: 'ASC' } });
    return rows.map(({ day, missed }) => [day, missed]);
  };
  const refused = {
    table: 'recurring_ticket_occurrence',
    column: 'company_number',
    value: bad,
    write: 'INSERT',
  } as const;
  const allow = await refuseWrites(t, app, refused);
  app.clock.set('2026-03-03T09:00:00.000Z');
  t.is(await failing(t, app, 'planned.create'), `recurring ticket Daily: company ${bad}: Refused`);
  t.deepEqual([await daysOf(bad), await daysOf(good)], [[], [['2026-03-03', 0]]]);

  // The next day's tickets are due before it works again: only the company that got none has missed a date.
  await allow();
  app.clock.set('2026-03-04T09:00:00.000Z');
  t.is((await app.app.scheduler.runNow('planned.create'))?.outcome, 'done');
  t.deepEqual(await daysOf(bad), [['2026-03-04', 1]]);
  t.deepEqual(await daysOf(good), [
    ['2026-03-03', 0],
    ['2026-03-04', 0],
  ]);
});

test('a workflow or run that cannot be changed does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedCompany(app);
  const add = async (name: string) => {
    const trigger = { type: 'schedule', every_minutes: 15 } as const;
    const actions = [{ type: 'create_ticket' as const, subject: 'Check', company_number }];
    return (await app.run((ctx) => createWorkflow(ctx, { name, trigger, actions }))).workflow;
  };
  const [bad, good] = [await add('Bad'), await add('Good')];
  await refuseWrites(t, app, { table: 'workflow', column: 'workflow_id', value: bad.workflow_id });
  app.clock.set('2026-03-02T09:15:00.000Z');
  t.is(await failing(t, app, 'workflows.schedule'), `workflow ${bad.workflow_id}: Refused`);
  const { workflow_id } = good;
  t.like(await database.findOneBy(Workflow, { workflow_id }), { next_run_at: '2026-03-02T09:30:00.000Z' });

  const start = (event_id: string) =>
    database.insertReturningId(WorkflowRun, {
      ...{ workflow_id, workflow_name: 'Good', event_id, trigger_type: 'manual', entity_type: '', entity_id: null },
      ...{ status: 'running', actions: [], error: null, revision: 1, started_at: created_at, finished_at: null },
    });
  const [stuck, left] = [await start('1'), await start('2')];
  await refuseWrites(t, app, { table: 'workflow_run', column: 'run_id', value: stuck });
  app.clock.set('2026-03-02T11:00:00.000Z');
  t.is(await failing(t, app, 'workflows.end-abandoned'), `run ${stuck}: Refused`);
  t.like(await database.findOneBy(WorkflowRun, { run_id: left }), { status: 'failed', error: 'Interrupted' });
});

test('an expiring key that cannot be warned about does not stop the others', async (t) => {
  const app = await startApp(t);
  const add = async (name: string) => {
    const given = {
      type: 'admin',
      name,
      permissions: ['tickets:read'],
      expires_at: '2026-03-05T00:00:00.000Z',
    } as const;
    return app.run((ctx) => createApiKey(ctx, given));
  };
  await add('Bad');
  await add('Good');
  await refuseWrites(t, app, { table: 'api_key', column: 'name', value: 'Bad' });
  t.is(await failing(t, app, 'accounts.warn-of-keys'), 'key Bad: Refused');
  t.like(await app.app.database.findOneBy(ApiKey, { name: 'Good' }), { warned_at: created_at });
});

test('a company whose backup status cannot be stored does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const add = async () => {
    const { company_number } = await seedCompany(app);
    await reportBackups(app.app.system(), [{ company_number, machine_name: 'SRV1', status: 'completed' }]);
    return company_number;
  };
  const [bad, good] = [await add(), await add()];
  await database.delete(BackupState, { company_number: bad });
  await database.delete(BackupState, { company_number: good });
  await refuseWrites(t, app, { table: 'backup_state', column: 'company_number', value: bad });
  t.is(await failing(t, app, 'backup.status'), `company ${bad}: Refused`);
  t.like(await database.findOneBy(BackupState, { company_number: good }), { status: 'healthy' });
});

test('a mailbox whose canary cannot be stored does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const add = (address: string) =>
    database.insertReturningId(Mailbox, {
      ...{ name: 'Support', address, host: 'mail.example', username: 'support', password: null, client_secret: null },
      ...{ job_type: null, priority: null, aliases: null, smtp_password: null, canary: true, created_at },
    });
  const [bad, good] = [await add('bad@acme.example'), await add('good@acme.example')];
  await refuseWrites(t, app, { table: 'mailbox_canary', column: 'mailbox_id', value: bad, write: 'INSERT' });
  await t.throwsAsync(sendCanaries(app.app.system()), { message: 'mailbox bad@acme.example: Refused' });
  t.is(await database.countBy(MailboxCanary, { mailbox_id: good }), 1);
});

test('an import that cannot be abandoned, resumed or deleted does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const add = (status: 'running' | 'undoing' | 'done') =>
    database.insertReturningId(ImportRun, {
      ...{ noun: 'contacts', status, author_type: 'system', author_id: null, company_number: null },
      ...{ undone_at: null, finished_at: null, ...stamps },
    });
  const [bad, running, undoing] = [await add('running'), await add('running'), await add('undoing')];
  await refuseWrites(t, app, { table: 'import_run', column: 'import_id', value: bad });
  app.clock.set('2026-03-02T12:00:00.000Z');
  t.is(await failing(t, app, 'core.tidy-imports'), `import ${bad}: Refused`);
  t.like(await database.findOneBy(ImportRun, { import_id: running }), { status: 'undoing', cancelled: true });
  t.like(await database.findOneBy(ImportRun, { import_id: undoing }), { updated_at: '2026-03-02T12:00:00.000Z' });

  const [kept, old] = [await add('done'), await add('done')];
  await refuseWrites(t, app, { table: 'import_run', column: 'import_id', value: kept, write: 'DELETE' });
  app.clock.set('2026-09-02T12:00:00.000Z');
  t.is(await failing(t, app, 'core.prune-imports'), `import ${kept}: Refused`);
  t.false(await database.existsBy(ImportRun, { import_id: old }));
});

test('attachments of one kind of record that cannot be deleted do not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const add = (record_type: string) =>
    database.insertReturningId(Attachment, {
      ...{ record_type, record_id: 999, part_id: null, filename: 'a.txt', content_type: 'text/plain', size: 1 },
      ...{ sha256: '0'.repeat(64), stored_as: newKey(), author_type: 'system', author_id: null, author_name: 'System' },
      created_at,
    });
  const [first, second] = app.app.plugins.flatMap(({ attachments = [] }) => attachments);
  const [bad, good] = [await add(first?.of.name ?? ''), await add(second?.of.name ?? '')];
  await refuseWrites(t, app, { table: 'attachment', column: 'attachment_id', value: bad, write: 'DELETE' });
  app.expectError(/1 attachments have no file in storage/);
  t.is(await failing(t, app, 'core.tidy-attachments'), `attachments of ${first?.noun}: Refused`);
  t.false(await database.existsBy(Attachment, { attachment_id: good }));
  t.is(missingFiles(app.app).count, 1, 'the storage is checked nevertheless');
});

test('held mails of one sender that cannot be released do not stop the others', async (t) => {
  const server = await startMailServer(t);
  const app = await startApp(t, { config: { smtpUrl: server.url, mailFrom: 'desk@acme.example' } });
  const { database } = app.app;
  const add = (mail_id: string, sender: string | null) =>
    database.insert(Mail, {
      ...{ mail_id, template: 'invitation', recipient_name: '', recipient_address: 'a@x.example', data: null },
      ...{ attachment_id: null, files: null, headers: null, sender, state: 'held', error: null, sent_at: null },
      created_at,
    });
  await add('bad', null);
  await add('good', 'mailbox:9');
  await refuseWrites(t, app, { table: 'mail', column: 'mail_id', value: 'bad' });
  t.is(await failing(t, app, 'core.release-mail'), 'mails of the installation: Refused');
  t.like(await database.findOneBy(Mail, { mail_id: 'good' }), { state: 'waiting' });
});

test('a contract, license or domain that cannot be changed stops none of the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedCompany(app);
  const send = await asKey(app, ['contracts:write', 'licenses:write', 'networks:write']);
  const add = async (path: string, body: object) => (await send('POST', path, { company_number, ...body })).body.data;
  const contract = async (name: string): Promise<number> =>
    (await add('/contracts.php', { name, start_date: '2026-01-01', end_date: '2026-03-02' })).contract_id;
  const license = async (name: string): Promise<number> =>
    (await add('/licenses.php', { name, expires_at: '2026-03-02' })).license_id;
  const domain = async (domain_name: string): Promise<number> =>
    (await add('/domains.php', { domain_name, expires_at: '2026-03-02' })).domain_id;
  const [badContract, contract_id] = [await contract('Bad'), await contract('Good')];
  const [badLicense, license_id] = [await license('Bad'), await license('Good')];
  const domain_id = await domain('acme.example');
  await refuseWrites(t, app, { table: 'contract', column: 'contract_id', value: badContract });
  await refuseWrites(t, app, { table: 'license', column: 'license_id', value: badLicense });
  app.clock.set('2026-03-04T09:00:00.000Z');
  t.is(
    await failing(t, app, 'inventory.statuses'),
    `ending contracts: contract ${badContract}: Refused; licenses: license ${badLicense}: Refused`,
  );
  const expired = { status: 'expired' } as const;
  t.like(await database.findOneBy(Contract, { contract_id }), expired);
  t.like(await database.findOneBy(License, { license_id }), expired);
  t.like(await database.findOneBy(Domain, { domain_id }), expired);
});
