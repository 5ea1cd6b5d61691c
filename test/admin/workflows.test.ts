// Workflow operations for administrators, and what they reject.
import { Technician } from '@keelson/modules/directory';
import { createWorkflow, Workflow, WorkflowRun, type NewWorkflow } from '@keelson/modules/workflows';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Delivery } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { startReceiver } from '../_receiver.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedCompany, seedTicket, staff, storedTicket } from '../tickets-seed.ts';

const path = '/workflows.php';
/** Read permissions for the records in the events. */
const reads = ['tickets', 'assets', 'companies', 'networks', 'billing', 'contracts', 'licenses'].map(
  (each) => `${each}:read`,
);
const both = ['settings:read', 'settings:write', 'tickets:write', ...reads];
const whenUrgent = {
  name: 'Urgent tickets',
  trigger: { type: 'event', event: 'ticket.created' },
  conditions: [{ field: 'priority', operator: 'lt', value: 2 }],
  actions: [{ type: 'set_status', status: 'in_progress' }],
};

const seedWorkflow = (app: TestApp, given: Partial<NewWorkflow> = {}) =>
  app.run(async (ctx) => {
    const trigger = { type: 'manual' } as const;
    const actions: NewWorkflow['actions'] = [{ type: 'set_priority', priority: 1 }];
    return (await createWorkflow(ctx, { name: 'By hand', trigger, actions, ...given })).workflow;
  });

test.serial('Create a workflow', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const answer = await send('POST', path, { ...whenUrgent, description: 'Begin at once', run_count: 7 });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      workflow_id: 1,
      name: 'Urgent tickets',
      description: 'Begin at once',
      active: true,
      trigger: { type: 'event', event: 'ticket.created' },
      conditions: [{ field: 'priority', operator: 'lt', value: 2 }],
      actions: [{ type: 'set_status', status: 'in_progress' }],
      run_count: 0,
      last_run_at: null,
      created_at: '2026-03-02T09:00:00Z',
      updated_at: '2026-03-02T09:00:00Z',
    },
  });
  const [line] = await app.app.database.findBy(ActivityLine, { entity_type: 'workflow' });
  t.like(line, { action: 'create', entity_id: '1', description: 'Workflow Urgent tickets created' });
});

test.serial('the fields that conditions can compare are those of the event’s record', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read']);
  const fieldsOf = async (query: string) => (await send('GET', `${path}?action=fields${query}`)).body.data.fields;
  const ofTicket = await fieldsOf('&event=ticket.created');
  const named = (fields: readonly { name: string }[], name: string) => fields.find((each) => each.name === name);
  t.deepEqual(named(ofTicket, 'subject'), { name: 'subject', title: 'Subject', type: 'string', choices: [] });
  t.like(named(ofTicket, 'company_number'), { title: 'Company', type: 'integer' });
  t.like(named(ofTicket, 'ticket_number'), { title: 'Ticket number' });
  t.like(named(ofTicket, 'priority'), { type: 'integer', choices: { 0: { value: 1, title: 'Critical' } } });
  t.like(named(ofTicket, 'status'), { type: 'string', choices: { 1: { value: 'in_progress', title: 'In progress' } } });
  t.like(named(ofTicket, 'created_at'), { title: 'Created', format: 'date-time' });
  t.deepEqual(await fieldsOf(''), ofTicket, 'a workflow started manually is about a ticket');
  t.truthy(named(await fieldsOf('&event=asset.created'), 'serial_number'));
  const unknown = await send('GET', `${path}?action=fields&event=ticket.eaten`);
  t.is(unknown.status, 400);
  t.regex(unknown.body.error, /^event must be one of: ticket\.created/);
});

test.serial('events, fields, actions and permissions are named in the technician’s language', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const same = { 'Sec-Fetch-Site': 'same-origin' };
  const change = { cookie, headers: same, body: { language: 'de' } };
  t.is((await app.request('PUT', `${staff}/technicians.php?action=language`, change)).status, 200);
  const { body } = await app.request('GET', `${staff}${path}?action=events`, { cookie });
  const events: { name: string; title: string }[] = body.data.events;
  t.deepEqual(
    events.find(({ name }) => name === 'ticket.rated'),
    { name: 'ticket.rated', title: 'Ticket bewertet' },
  );
  const fields = await app.request('GET', `${staff}${path}?action=fields&event=asset.created`, { cookie });
  const found = fields.body.data.fields.find(({ name }: { name: string }) => name === 'company_number');
  t.is(found.title, 'Firma');
  const actions = await app.request('GET', `${staff}${path}?action=actions`, { cookie });
  const action = actions.body.data.actions.find(({ name }: { name: string }) => name === 'tickets.set-due');
  t.is(action.title, 'Fälligkeit festlegen');
  t.like(action.input.fields, { days: { title: 'Tage ab heute', description: '0 ist heute.' } });
  const breach = await app.request('GET', `${staff}${path}?action=fields&event=ticket.sla_breached`, { cookie });
  t.is(breach.body.data.fields.find(({ name }: { name: string }) => name === 'clock').title, 'Frist');
  const permissions = await app.request('GET', `${staff}/settings/permissions.php`, { cookie });
  const permission = permissions.body.data.find(({ name }: { name: string }) => name === 'tickets:delete');
  t.is(permission.controls, 'Tickets löschen');
});

test.serial('Create a workflow: for every documented event, including those of missing modules', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const actions = [{ type: 'call_webhook', url: 'https://hooks.example.com/', secret: 'a secret' }];
  for (const event of [
    'ticket.created',
    'ticket.updated',
    'ticket.closed',
    'ticket.assigned',
    'asset.created',
    'asset.updated',
    'asset.discovered',
    'outage.started',
    'outage.resolved',
    'collector.sync',
  ]) {
    const answer = await send('POST', path, { name: event, trigger: { type: 'event', event }, actions });
    t.is(answer.status, 201, event);
  }
});

test.serial('Create a workflow: invalid definitions are rejected on save', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const company = await seedCompany(app);
  const gone = await seedTechnician(app, 'technician');
  await app.run((ctx) => ctx.db.update(Technician, { user_id: gone.user_id }, { active: false }));
  const set = { type: 'set_status', status: 'closed' };
  const comment = { type: 'add_comment', comment: 'Hello' };
  const mail = { type: 'send_email', to: 'requester', subject: 'News', body: 'Hello' };
  const ticket = { type: 'create_ticket', subject: 'Look' };
  const hourly = { type: 'schedule', every_minutes: 60 };
  const condition = (field: string, operator: string, value?: unknown) => ({
    ...whenUrgent,
    conditions: [{ field, operator, value }],
  });
  const actions = (...some: unknown[]) => ({ ...whenUrgent, actions: some });
  const byClock = (...some: unknown[]) => ({ name: 'Hourly', trigger: hourly, actions: some });
  const expected: [unknown, string | RegExp][] = [
    [{}, 'name is required; trigger is required; actions is required'],
    [{ ...whenUrgent, name: ' ' }, 'name is required'],
    [{ ...whenUrgent, name: 'x'.repeat(256) }, 'name must be at most 255 characters'],
    [{ ...whenUrgent, active: 'yes' }, 'active must be true or false'],
    [{ ...whenUrgent, trigger: { type: 'full_moon' } }, 'trigger.type must be one of: event, schedule, manual'],
    [{ ...whenUrgent, trigger: { type: 'event' } }, 'trigger.event is required'],
    [{ ...whenUrgent, trigger: { type: 'event', event: 'ticket.eaten' } }, /^trigger\.event must be one of: ticket\./],
    [{ ...whenUrgent, trigger: { type: 'event', event: 'lead.created' } }, /^trigger\.event must be one of/],
    [{ ...whenUrgent, trigger: { type: 'schedule' } }, 'trigger.every_minutes is required'],
    [
      { ...whenUrgent, trigger: { type: 'schedule', every_minutes: 0 } },
      'trigger.every_minutes must be between 1 and 525600',
    ],
    [condition('colour', 'eq', 'red'), /^conditions\[0\]\.field must be one of: ticket_id, ticket_number, subject/],
    [condition('priority', 'like', 1), /^conditions\[0\]\.operator must be one of: eq, ne, in, contains/],
    [condition('priority', 'eq', '1'), 'conditions[0].value must be a valid value for priority'],
    [condition('status', 'eq', 'burnt'), 'conditions[0].value must be a valid value for status'],
    [condition('status', 'in', ['open', 'burnt']), 'conditions[0].value must contain valid values for status'],
    [condition('status', 'in', 'open'), 'conditions[0].value must be a list of 1 to 100 values'],
    [
      condition('priority', 'contains', '1'),
      'conditions[0].operator contains requires a text field; priority is not one',
    ],
    [condition('subject', 'gt', 'a'), 'conditions[0].operator gt requires a number or time field; subject is not one'],
    [condition('created_at', 'gt', 'soon'), 'conditions[0].value must be a valid value for created_at'],
    [condition('priority', 'changed', 3), 'conditions[0].value must be true or false'],
    [
      { ...condition('priority', 'changed'), trigger: { type: 'manual' } },
      'conditions[0].operator changed requires an event trigger',
    ],
    [actions(), 'actions must contain at least one action'],
    [
      actions({ type: 'format_disk' }),
      'actions[0].type must be one of: set_status, set_priority, set_team, assign, add_comment, create_ticket, create_child, send_email, call_webhook, plugin_action',
    ],
    [actions({ type: 'set_status', status: 'burnt' }), /^actions\[0\]\.status must be one of: open/],
    [actions(set, { type: 'set_priority', priority: 6 }), 'actions[1].priority must be between 1 and 5'],
    [actions({ type: 'assign' }), 'actions[0].assigned_to is required'],
    [actions({ type: 'assign', assigned_to: 99 }), 'actions[0].assigned_to must be an active technician'],
    [actions({ type: 'assign', assigned_to: gone.user_id }), 'actions[0].assigned_to must be an active technician'],
    [actions({ ...comment, comment: '{{ ticket.subject' }), /^actions\[0\]\.comment is not a valid template: /],
    [
      actions({ ...comment, comment: '{{ ticket.password }}' }),
      'actions[0].comment uses {{ ticket.password }}, which does not exist',
    ],
    [actions({ ...ticket, company_number: 99 }), 'actions[0].company_number must be an existing company'],
    [actions({ ...mail, to: 'everybody' }), /^actions\[0\]\.to must be one of: requester, assignee, company/],
    [actions({ ...mail, to: 'technician' }), 'actions[0].user_id is required'],
    [actions({ ...mail, to: 'technician', user_id: 99 }), 'actions[0].user_id must be an active technician'],
    [actions({ type: 'call_webhook', url: 'http://10.0.0.1/' }), 'actions[0].url must point to a public address'],
    [actions({ type: 'call_webhook', url: 'gopher://x' }), 'actions[0].url must be an absolute http or https URL'],
    [byClock(set), 'actions[0].type set_status requires a ticket, which a schedule does not have'],
    [byClock(mail), 'actions[0].to requester requires a ticket, which a schedule does not have'],
    [byClock(ticket), 'actions[0].company_number is required'],
    [
      { ...byClock({ ...ticket, company_number: company.company_number }), conditions: whenUrgent.conditions },
      'conditions[0] cannot be used: a schedule has no record',
    ],
    [
      { ...actions(comment), trigger: { type: 'event', event: 'collector.sync' }, conditions: [] },
      'actions[0].type add_comment requires a ticket, which collector.sync does not have',
    ],
  ];
  for (const [body, message] of expected) {
    const answer = await send('POST', path, body);
    t.is(answer.status, 400, JSON.stringify(body));
    if (typeof message === 'string') t.is(answer.body.error, message, JSON.stringify(body));
    else t.regex(answer.body.error, message);
  }
  t.is(await app.app.database.count(Workflow), 0);
});

test.serial('Create a workflow: a webhook secret is shown once, or never', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const hook = { type: 'call_webhook', url: 'https://hooks.example.com/a?token=CANARY' };
  const trigger = { type: 'manual' };
  const { body } = await send('POST', path, { name: 'Call', trigger, actions: [hook, { ...hook, secret: 'mine' }] });
  const [made, own] = body.data.actions;
  t.like(made, { ...hook, has_secret: true });
  t.regex(made.secret, /^whsec_/);
  t.deepEqual(own, { ...hook, has_secret: true });
  const later = (await send('GET', `${path}?id=1`)).body.data;
  t.deepEqual(later.actions, [
    { ...hook, has_secret: true },
    { ...hook, has_secret: true },
  ]);
  const row = () => app.app.database.findOneBy(Workflow, { workflow_id: 1 });
  const before = await row();
  t.is((await send('PUT', `${path}?id=1`, { actions: [later.actions[0]] })).body.data.actions[0].secret, undefined);
  const kept = (await row())?.actions[0];
  t.deepEqual(kept, before?.actions[0], 'what comes back without its secret keeps it');
  await send('PUT', `${path}?id=1`, { actions: [{ ...hook, secret: 'another CANARY' }] });
  t.notDeepEqual((await row())?.actions[0], kept);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'workflow' });
  t.is(lines.length, 3);
  t.notRegex(JSON.stringify([lines, await row()]).replaceAll(hook.url, ''), /CANARY/);
  t.notRegex(JSON.stringify(lines), /CANARY/);
  await send('DELETE', `${path}?id=1`);
  t.deepEqual((await row())?.actions, []);
});

test.serial('List workflows: newest first, in one statement plus those of the key', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  t.deepEqual((await send('GET', path)).body, { success: true, data: [] });
  for (const name of ['One', 'Two', 'Three']) await seedWorkflow(app, { name });
  const { body } = await send('GET', path);
  t.deepEqual(Object.keys(body), ['success', 'data']);
  t.deepEqual(
    body.data.map((each: { name: string }) => each.name),
    ['Three', 'Two', 'One'],
  );
  t.true((await app.fewestStatements(() => send('GET', path))) <= 3);
});

test.serial('technicians see only the host of a webhook URL', async (t) => {
  const app = await startApp(t);
  const url = 'https://hooks.example.com:8443/services/T0/CANARY?token=CANARY';
  await seedWorkflow(app, { actions: [{ type: 'call_webhook', url, secret: 'a secret' }] });
  const as = async (role: 'technician' | 'administrator') => {
    const cookie = await signInOnPage(app, await seedTechnician(app, role));
    const read = async (at: string) => (await app.request('GET', `${staff}${at}`, { cookie })).body.data;
    return [(await read(path))[0].actions[0], (await read(`${path}?id=1`)).actions[0]];
  };
  const hook = { type: 'call_webhook', has_secret: true };
  const cut = { ...hook, url: 'https://hooks.example.com:8443' };
  t.deepEqual(await as('technician'), [cut, cut]);
  t.deepEqual(await as('administrator'), [
    { ...hook, url },
    { ...hook, url },
  ]);
});

test.serial('Read a workflow', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  await seedWorkflow(app, { trigger: { type: 'event', event: 'ticket.closed' } });
  const { status, body } = await send('GET', `${path}?id=1`);
  t.is(status, 200);
  t.like(body.data, { workflow_id: 1, name: 'By hand', active: true, conditions: [] });
  t.deepEqual(body.data.trigger, { type: 'event', event: 'ticket.closed' });
  t.deepEqual((await send('GET', `${path}?id=9`)).body, { success: false, error: 'Workflow not found' });
});

test.serial('Change a workflow: partial updates; no change without differences', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  await seedWorkflow(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const same = { name: 'By hand', active: true, actions: [{ type: 'set_priority', priority: 1 }] };
  t.is((await send('PUT', `${path}?id=1`, same)).body.data.updated_at, '2026-03-02T09:00:00Z');
  const answer = await send('PUT', `${path}?id=1`, {
    trigger: { type: 'event', event: 'ticket.updated' },
    active: false,
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, { name: 'By hand', active: false, updated_at: '2026-03-02T10:00:00Z' });
  t.deepEqual(answer.body.data.trigger, { type: 'event', event: 'ticket.updated' });
  const [line] = await app.app.database.find(ActivityLine, { order: { log_id: 'DESC' }, take: 1 });
  t.like(line, { action: 'update', entity_type: 'workflow', description: 'Workflow By hand updated' });
  t.deepEqual(line?.changes['active'], [true, false]);
  const conditions = [{ field: 'subject', operator: 'changed' }];
  t.is((await send('PUT', `${path}?id=1`, { conditions })).status, 200);
  t.is(
    (await send('PUT', `${path}?id=1`, { trigger: { type: 'manual' } })).body.error,
    'conditions[0].operator changed requires an event trigger',
    'what is kept must fit what is changed',
  );
  t.is((await send('PUT', `${path}?id=1`, { conditions: [] })).status, 200);
  t.is((await send('PUT', `${path}?id=1`, { trigger: { type: 'schedule', every_minutes: 5 } })).status, 400);
  t.deepEqual((await send('PUT', `${path}?id=1`, {})).body, { success: false, error: 'No fields to update' });
  t.is((await send('PUT', `${path}?id=9`, { name: 'No' })).status, 404);
});

test.serial('Delete a workflow: stops running and keeps its history', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, { trigger: { type: 'event', event: 'ticket.created' } });
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  await seedTicket(app, { company_number });
  const answer = await send('DELETE', `${path}?id=1`);
  t.deepEqual([answer.status, answer.text], [204, '']);
  for (const method of ['GET', 'DELETE']) t.is((await send(method, `${path}?id=1`)).status, 404);
  t.deepEqual((await send('GET', path)).body.data, []);
  await app.app.outbox.drain();
  t.is((await storedTicket(app, 2)).priority, 3, 'what waited is not done either');
  t.is((await send('GET', `${path}?action=history`)).body.pagination.total, 1);
  await seedTicket(app, { company_number });
  t.is(await app.app.database.countBy(Delivery, { subscriber: 'workflow:1' }), 2);
});

test.serial('Trigger a workflow: runs immediately and returns the run', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Printer smokes' });
  const comment = { type: 'add_comment', comment: 'About {{ ticket.subject }}', is_internal: true } as const;
  await seedWorkflow(app, { actions: [{ type: 'set_priority', priority: 1 }, comment] });
  const { status, body } = await send('POST', `${path}?action=trigger&id=1`, {
    entity_type: 'ticket',
    entity_id: ticket_id,
  });
  t.is(status, 200);
  const run = {
    run_id: 1,
    workflow_id: 1,
    workflow_name: 'By hand',
    trigger: 'manual',
    entity_type: 'ticket',
    entity_id: ticket_id,
    status: 'completed',
    actions: [
      { type: 'set_priority', status: 'completed' },
      { type: 'add_comment', status: 'completed' },
    ],
    error: null,
    started_at: '2026-03-02T09:00:00Z',
    finished_at: '2026-03-02T09:00:00Z',
  };
  t.deepEqual(body, { success: true, data: run });
  t.is((await storedTicket(app, ticket_id)).priority, 1);
  t.like((await send('GET', `${path}?id=1`)).body.data, { run_count: 1, last_run_at: '2026-03-02T09:00:00Z' });
  t.is(
    (await send('POST', `${path}?action=trigger&id=1`, { ticket_id })).body.data.entity_id,
    ticket_id,
    'short for it',
  );
  t.like((await send('POST', `${path}?action=trigger&id=1`)).body.data, {
    status: 'failed',
    error: 'Ticket not found',
    entity_id: null,
  });
  t.is((await send('POST', `${path}?action=trigger&id=9`, {})).status, 404);
});

test.serial('Trigger a workflow: no match is reported as skipped, and a disabled workflow is rejected', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  await seedWorkflow(app, { conditions: [{ field: 'priority', operator: 'gt', value: 4 }] });
  const trigger = (body?: unknown) => send('POST', `${path}?action=trigger&id=1`, body);
  const { status, body } = await trigger({ ticket_id });
  t.is(status, 200);
  t.like(body.data, { status: 'skipped', error: null, finished_at: '2026-03-02T09:00:00Z' });
  t.deepEqual(body.data.actions, [{ type: 'set_priority', status: 'not_run' }]);
  t.is((await trigger({})).body.data.status, 'skipped', 'no record meets no condition');
  const refused: [unknown, string][] = [
    [{ ticket_id: 99 }, 'entity_id must be an existing ticket'],
    [{ entity_type: 'asset', entity_id: 1 }, 'entity_type must be ticket for this workflow'],
    [{ entity_id: 'one' }, 'entity_id must be a whole number'],
  ];
  for (const [given, error] of refused) t.deepEqual((await trigger(given)).body, { success: false, error });
  await send('PUT', `${path}?id=1`, { active: false });
  t.deepEqual((await trigger({ ticket_id })).body, { success: false, error: 'The workflow is disabled' });
  t.is((await storedTicket(app, ticket_id)).priority, 3);
  t.is(await app.app.database.count(WorkflowRun), 2);
});

test.serial('Test a workflow: shows everything and changes nothing', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const receiver = await startReceiver(t);
  const { company_number } = await seedCompany(app);
  const technician = await seedTechnician(app, 'technician');
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number, subject: 'Door {{ workflow.name }}' });
  await seedWorkflow(app, {
    name: 'Escalate',
    active: false,
    trigger: { type: 'event', event: 'ticket.updated' },
    conditions: [
      { field: 'priority', operator: 'changed' },
      { field: 'status', operator: 'in', value: ['open', 'on_hold'] },
    ],
    actions: [
      { type: 'assign', assigned_to: technician.user_id },
      { type: 'send_email', to: 'requester', subject: 'x', body: 'y' },
      { type: 'send_email', to: 'boss@example.com', subject: '{{ ticket.subject }}!', body: 'By {{ workflow.name }}' },
      { type: 'call_webhook', url: receiver.url },
      { type: 'create_ticket', subject: '{{ ticket.job_type | slice: 0, 0 }}' },
      { type: 'set_priority', priority: 1 },
    ],
  });
  const before = await storedTicket(app, ticket_id);
  const deliveries = await app.app.database.count(Delivery);
  const attempt = (body: object) => send('POST', `${path}?action=test&id=1`, body);
  const { status, body } = await attempt({ ticket_id, changed: ['priority'] });
  t.is(status, 200);
  t.like(body.data, { runs: true, entity_type: 'ticket', entity_id: ticket_id });
  t.deepEqual(body.data.conditions, [
    { field: 'priority', operator: 'changed', actual: 3, holds: true },
    { field: 'status', operator: 'in', value: ['open', 'on_hold'], actual: 'open', holds: true },
  ]);
  const [assign, nobody, mail, webhook, create, last] = body.data.actions;
  const details = { ticket_id, ticket_number, assigned_to: technician.user_id };
  t.deepEqual(assign, { type: 'assign', status: 'would_run', details });
  t.like(nobody, { status: 'would_skip', error: 'No recipient found: requester' });
  t.deepEqual(mail.details, { to: ['boss@example.com'], subject: 'Door {{ workflow.name }}!', body: 'By Escalate' });
  t.like(webhook, { status: 'would_run', details: { url: receiver.url } });
  t.is(webhook.details.data.record.ticket_id, ticket_id);
  t.like(create, { status: 'would_fail', error: 'subject is empty' });
  t.deepEqual(last, { type: 'set_priority', status: 'not_run', details: {} });
  const miss = (await attempt({ ticket_id })).body.data;
  t.false(miss.runs);
  t.deepEqual(
    miss.conditions.map((each: { holds: boolean }) => each.holds),
    [false, true],
  );
  t.is((await attempt({ ticket_id: 99 })).status, 400);
  t.is((await send('POST', `${path}?action=test&id=9`, {})).status, 404);
  t.deepEqual(await storedTicket(app, ticket_id), before);
  t.is(await app.app.database.count(WorkflowRun), 0);
  t.is(await app.app.database.count(Delivery), deliveries);
  t.is(receiver.received.length, 0);
});

test.serial('List workflow runs: newest first, by workflow and status, at constant cost', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  await seedWorkflow(app);
  await seedWorkflow(app, { conditions: [{ field: 'status', operator: 'eq', value: 'closed' }] });
  const { body: empty } = await send('GET', `${path}?action=history`);
  t.deepEqual(empty, {
    success: true,
    data: [],
    pagination: { page: 1, per_page: 25, total: 0, total_pages: 0 },
  });
  for (const id of [1, 2, 1]) await send('POST', `${path}?action=trigger&id=${id}`, { ticket_id });
  const ids = async (query: string) => {
    const { body } = await send('GET', `${path}?action=history${query}`);
    return [body.data.map((each: { run_id: number }) => each.run_id), body.pagination.total];
  };
  t.deepEqual(await ids(''), [[3, 2, 1], 3]);
  t.deepEqual(await ids('&workflow_id=1'), [[3, 1], 2]);
  t.deepEqual(await ids('&id=2'), [[2], 1]);
  t.deepEqual(await ids('&status=skipped'), [[2], 1]);
  t.deepEqual(await ids('&status=all&workflow_id=1'), [[3, 1], 2]);
  t.deepEqual(await ids('&workflow_id=1&status=failed'), [[], 0]);
  t.deepEqual(await ids('&per_page=2&page=2'), [[1], 3]);
  t.deepEqual(await ids('&workflow_id=99'), [[], 0]);
  t.is((await send('GET', `${path}?action=history&status=lost`)).status, 400);
  t.is((await send('GET', `${path}?action=past`)).body.error, 'Unknown action');
  t.true((await app.fewestStatements(() => send('GET', `${path}?action=history&status=completed`))) <= 6);
});

test.serial(
  'workflows require a credential and the permission, and the administrator role to change them',
  async (t) => {
    const app = await startApp(t);
    await seedWorkflow(app);
    const reader = (await seedKey(app, 'admin', ['settings:read'])).api_key;
    const other = (await seedKey(app, 'admin', ['tickets:write', 'tickets:read'])).api_key;
    const technician = await signInOnPage(app, await seedTechnician(app, 'technician'));
    const reads = [path, `${path}?id=1`, `${path}?action=history`];
    const writes = [
      ['POST', path],
      ['PUT', `${path}?id=1`],
      ['POST', `${path}?action=trigger&id=1`],
      ['POST', `${path}?action=test&id=1`],
      ['DELETE', `${path}?id=1`],
    ] as const;
    for (const [method, at] of [...reads.map((each) => ['GET', each] as const), ...writes]) {
      t.is((await app.request(method, staff + at)).status, 401, `${method} ${at}`);
      t.is((await app.request(method, staff + at, { token: other })).status, 403, `${method} ${at}`);
    }
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    for (const [method, at] of writes) {
      t.is((await app.request(method, staff + at, { token: reader })).status, 403, `${method} ${at}`);
      t.is((await app.request(method, staff + at, { cookie: technician, headers })).status, 403, `${method} ${at}`);
    }
    for (const at of reads) t.is((await app.request('GET', staff + at, { token: reader })).status, 200, at);
  },
);

test.serial('Test a workflow: requires the permissions that starting it requires', async (t) => {
  const app = await startApp(t);
  const { ticket_id } = await seedTicket(app, { company_number: (await seedCompany(app)).company_number });
  const { workflow_id } = await seedWorkflow(app, { trigger: { type: 'event', event: 'ticket.created' } });
  const send = await asKey(app, ['settings:read', 'settings:write']);
  const ask = (action: string) => send('POST', `${path}?action=${action}&id=${workflow_id}`, { ticket_id });
  t.is((await ask('trigger')).status, 403);
  t.is((await ask('test')).status, 403);
});

test.serial('Change a workflow: two webhooks with the same URL keep their own secrets', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const hook = { type: 'call_webhook', url: 'https://example.com/hook' };
  const actions = ['first secret of the hook', 'second secret of the hook'].map((secret) => ({ ...hook, secret }));
  const made = await send('POST', path, { name: 'Tell both', trigger: { type: 'manual' }, actions });
  const { workflow_id } = made.body.data;
  const sealed = async () => (await app.app.database.findOneBy(Workflow, { workflow_id }))?.actions;
  const before = await sealed();
  t.is((await send('PUT', `${path}?id=${workflow_id}`, { actions: [hook, hook] })).status, 200);
  t.deepEqual(await sealed(), before);
});
