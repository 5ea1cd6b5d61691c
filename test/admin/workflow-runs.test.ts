// Workflow runs: by event, by schedule, and with failures during a run.
import { definePlugin, event, plus, sql, subscriber, z } from '@keelson/core';
import { dictionaryOf, fromDatabase } from '@keelson/core/kit';
import { createOutage, OutageService } from '@keelson/modules/outages';
import { createMember, createTeam } from '@keelson/modules/teams';
import { lockTicket, Ticket, TicketComment, TicketUpdated, updateTicket } from '@keelson/modules/tickets';
import { createWebhook } from '@keelson/modules/webhooks';
import { createWorkflow, updateWorkflow, Workflow, WorkflowRun, type NewWorkflow } from '@keelson/modules/workflows';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import type { Condition } from '../../modules/workflows/definitions/fields.ts';
import { judgeConditions } from '../../modules/workflows/runs/conditions.ts';
import { factsWithout } from '../../modules/workflows/runs/facts.ts';
import { Delivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { answering, startReceiver, well } from '../_receiver.ts';
import { seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { seedCompany, seedTicket, storedTicket } from '../tickets-seed.ts';

const on = (name: string) => ({ type: 'event', event: name }) as const;
const urgent = { type: 'set_priority', priority: 1 } as const;
const comment = (words: string) => ({ type: 'add_comment', comment: words, is_internal: false }) as const;

async function seedWorkflow(app: TestApp, given: Partial<NewWorkflow> & Pick<NewWorkflow, 'trigger'>) {
  const actions: NewWorkflow['actions'] = [urgent];
  const saved = await app.run((ctx) => createWorkflow(ctx, { name: 'Helper', actions, ...given }));
  return saved.workflow;
}

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const runsOf = ({ app }: TestApp) => app.database.find(WorkflowRun, { order: { run_id: 'ASC' } });
const statesOf = (run: WorkflowRun | undefined) => run?.actions.map((each) => each.status);

async function later(app: TestApp, seconds: number): Promise<void> {
  app.clock.set(plus(app.clock.now(), { seconds }));
  await app.app.outbox.drain();
}

/** Simulates that the delivering process died before it recorded the delivery. */
async function deliverOnceMore({ app }: TestApp): Promise<void> {
  await app.database.run(sql`UPDATE delivery SET state = 'open', attempts = 0,
    available_at = '2026-03-02 09:00:00.000' WHERE subscriber LIKE 'workflow%'`);
  await app.outbox.drain();
}

test('an event starts its workflows, which act under their own name', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, {
    name: 'Greeter',
    trigger: on('ticket.created'),
    conditions: [{ field: 'subject', operator: 'contains', value: 'PRINTER' }],
    actions: [urgent, comment('We look at “{{ ticket.subject }}” of {{ ticket.company_name }} today.')],
  });
  await seedWorkflow(app, { trigger: on('ticket.closed') });
  await seedWorkflow(app, { trigger: on('ticket.created'), active: false });
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'A printer {{ workflow.name }}' });
  const other = await seedTicket(app, { company_number, subject: 'A door' });
  await app.app.outbox.drain();
  const runs = await runsOf(app);
  t.deepEqual(
    runs.map((each) => [each.workflow_id, each.entity_id, each.trigger_type, each.status]).toSorted(byText),
    [
      [1, ticket_id, 'event', 'completed'],
      [1, other.ticket_id, 'event', 'skipped'],
    ].toSorted(byText),
  );
  t.is((await storedTicket(app, ticket_id)).priority, 1);
  t.is((await storedTicket(app, other.ticket_id)).priority, 3);
  const [said] = await app.app.database.findBy(TicketComment, { ticket_id });
  t.like(said, { author_type: 'system', author_name: 'Workflow Greeter' });
  t.regex(said?.comment ?? '', /^We look at “A printer \{\{ workflow\.name \}\}” of Company \d+ today\.$/);
  const lines = await app.app.database.findBy(ActivityLine, { user: 'Workflow Greeter' });
  t.deepEqual(lines.map((each) => each.entity_type).toSorted(byText), ['ticket', 'ticket_comment']);
  t.like(await app.app.database.findOneBy(Workflow, { workflow_id: 1 }), { run_count: 2 });
});

test('an event without workflows costs nothing', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const create = () => seedTicket(app, { company_number });
  // The first fills the caches, which then stay as they are: the clock stands still.
  await create();
  const without = await app.statements(create);
  await seedWorkflow(app, { trigger: on('ticket.closed') });
  await create();
  t.is(await app.statements(create), without);
  t.is(await app.app.database.count(Delivery), 0);
});

test('changes made by a workflow start no workflows, directly or indirectly, and send no webhooks', async (t) => {
  const echo = definePlugin({
    id: 'echo',
    title: 'Echo',
    requires: ['tickets'],
    subscribers: [
      subscriber('echo.answer', TicketUpdated, async (ctx, { data: { ticket_id, priority } }) => {
        if (priority === 4) await updateTicket(ctx, await lockTicket(ctx, ticket_id), { subject: 'Echo' });
      }),
    ],
  });
  const app = await startApp(t, { plugins: [echo] });
  const receiver = await startReceiver(t);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Cave' });
  await app.run((ctx) => createWebhook(ctx, 'admin', { url: receiver.url, events: ['ticket.updated'] }));
  const flip = (priority: number) => ({ type: 'set_priority', priority }) as const;
  await seedWorkflow(app, { trigger: on('ticket.updated'), actions: [flip(1), flip(2)] });
  await seedWorkflow(app, { trigger: on('ticket.updated'), actions: [flip(4), comment('Again'), flip(5)] });
  await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [{ type: 'create_ticket', subject: 'One more' }],
  });
  await app.run(async (ctx) => updateTicket(ctx, await lockTicket(ctx, ticket_id), { job_type: 'Cave' }));
  await app.app.outbox.drain();
  const runs = await runsOf(app);
  t.deepEqual(
    runs.map((each) => [each.workflow_id, each.entity_id, each.status]).toSorted(byText),
    [
      [1, ticket_id, 'completed'],
      [2, ticket_id, 'completed'],
    ],
    'each once, for what a person changed',
  );
  t.is((await storedTicket(app, ticket_id)).subject, 'Echo');
  const events = await app.app.database.findBy(StoredEvent, { name: 'ticket.updated' });
  const causes = Map.groupBy(events, (each) => each.cause);
  t.deepEqual([causes.get(null)?.length, causes.get('workflow:1')?.length], [1, 2]);
  t.is(causes.get('workflow:2')?.length, 3, 'the echo of a workflow’s change is a workflow’s change');
  t.true(receiver.received.length > 0);
  for (const { json } of receiver.received) {
    t.deepEqual(Object.keys(json), ['event', 'timestamp', 'data', 'signature']);
    t.false('cause' in json.data || 'changed' in json.data);
  }
});

test('a failing action ends the run: earlier actions persist, later ones are skipped', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { user_id } = await seedTechnician(app, 'technician');
  await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [urgent, { type: 'assign', assigned_to: user_id }, comment('Never said')],
  });
  await app.run((ctx) => ctx.db.run(sql`UPDATE technician SET active = 0 WHERE user_id = ${user_id}`));
  const { ticket_id } = await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  const [run] = await runsOf(app);
  const error = 'assigned_to must be an active technician';
  t.like(run, { status: 'failed', error, finished_at: app.clock.now() });
  t.deepEqual(run?.actions, [
    { type: 'set_priority', status: 'completed' },
    { type: 'assign', status: 'failed', error },
    { type: 'add_comment', status: 'not_run' },
  ]);
  t.like(await storedTicket(app, ticket_id), { priority: 1, assigned_to: null });
  t.is(await app.app.database.count(TicketComment), 0);
  await deliverOnceMore(app);
  t.is((await runsOf(app)).length, 1, 'that is how it ended');
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
});

test('an event delivered twice runs once', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [
      comment('Once'),
      { type: 'create_ticket', subject: 'Look after {{ ticket.ticket_number }}', job_type: 'Hardware' },
    ],
  });
  const { ticket_number } = await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  await deliverOnceMore(app);
  t.is(await app.app.database.count(TicketComment), 1);
  const made = await app.app.database.findBy(Ticket, { source: 'workflow', company_number });
  t.deepEqual(
    made.map(({ subject, job_type }) => [subject, job_type]).slice(1),
    [[`Look after ${ticket_number}`, 'Hardware']],
    'the first is the system’s own of this test',
  );
  t.like(await app.app.database.findOneBy(Workflow, { workflow_id: 1 }), { run_count: 1 });
});

test('a failing webhook is retried without repeating earlier actions', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  receiver.behave(answering(503));
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, {
    name: 'Caller',
    trigger: on('ticket.created'),
    actions: [comment('Before'), { type: 'call_webhook', url: receiver.url }, comment('After')],
  });
  const { ticket_id } = await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  t.deepEqual(statesOf((await runsOf(app))[0]), ['completed', 'pending', 'pending']);
  receiver.behave(well);
  await later(app, 10);
  t.like((await runsOf(app))[0], { status: 'completed' });
  const said = await app.app.database.find(TicketComment, { where: { ticket_id }, order: { comment_id: 'ASC' } });
  t.deepEqual(
    said.map((each) => each.comment),
    ['Before', 'After'],
  );
  t.is(receiver.received.length, 2);
  t.is(new Set(receiver.received.map((each) => each.headers['webhook-id'])).size, 1, 'a repetition can be told');
  const [first] = receiver.received;
  const json = first?.json;
  t.is(json.event, 'workflow.run');
  t.like(json.data, { run_id: 1, workflow_id: 1, workflow_name: 'Caller', trigger: 'event', event: 'ticket.created' });
  t.like(json.data.record, { ticket_id, created_at: '2026-03-02T09:00:00Z' });
  t.regex(String(first?.headers['x-webhook-signature']), /^sha256=/);
});

test('a permanently failing webhook fails the run', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [{ type: 'call_webhook', url: receiver.url }, urgent],
  });
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  for (const seconds of [10, 60]) await later(app, seconds);
  t.is(receiver.received.length, 3);
  const [run] = await runsOf(app);
  t.like(run, { status: 'failed', error: 'The receiver responded with 500' });
  t.deepEqual(statesOf(run), ['failed', 'not_run']);
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
});

test('a workflow changed during a run is not completed', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  const { company_number } = await seedCompany(app);
  const workflow = await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [{ type: 'call_webhook', url: receiver.url }, urgent],
  });
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  await app.run((ctx) => updateWorkflow(ctx, workflow, { actions: [urgent, comment('Other')] }));
  await later(app, 10);
  t.like((await runsOf(app))[0], { status: 'failed', error: 'The workflow has changed since this run started' });
  t.is(await app.app.database.count(TicketComment), 0);
});

test('the changed operator reads the event and needs only a field name', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  await seedWorkflow(app, {
    trigger: on('ticket.updated'),
    conditions: [{ field: 'status', operator: 'changed' }],
    actions: [comment('Now {{ ticket.status }}')],
  });
  const change = (update: object) =>
    app.run(async (ctx) => updateTicket(ctx, await lockTicket(ctx, ticket_id), update));
  await change({ priority: 2 });
  await change({ status: 'on_hold' });
  await change({ status: 'closed', priority: 1 });
  await app.app.outbox.drain();
  t.deepEqual((await runsOf(app)).map((each) => each.status).toSorted(byText), ['completed', 'completed', 'skipped']);
  const said = await app.app.database.findBy(TicketComment, { ticket_id });
  t.deepEqual(said.map((each) => each.comment).toSorted(byText), ['Now closed', 'Now on_hold']);
});

test('conditions: every operator', async (t) => {
  const app = await startApp(t);
  const workflow = await seedWorkflow(app, { trigger: { type: 'manual' } });
  const record = { n: 3, word: 'Printer', nothing: null, blank: '', at: '2026-03-02T09:00:00.000Z' };
  const facts = { ...factsWithout(workflow, 'manual'), record: dictionaryOf(record), changed: ['n'] };
  const holds = (field: string, operator: Condition['operator'], value?: unknown) =>
    judgeConditions([{ field, operator, value }], facts)[0]?.holds;
  t.deepEqual([holds('n', 'eq', 3), holds('n', 'eq', 4), holds('nothing', 'eq', null)], [true, false, true]);
  t.deepEqual([holds('n', 'ne', 4), holds('n', 'ne', 3)], [true, false]);
  t.deepEqual([holds('at', 'eq', '2026-03-02T10:00:00+01:00'), holds('word', 'eq', 'printer')], [true, false]);
  t.deepEqual([holds('n', 'in', [1, 3]), holds('n', 'in', [1])], [true, false]);
  t.deepEqual([holds('word', 'contains', 'INT'), holds('nothing', 'contains', 'null')], [true, false]);
  t.deepEqual(
    [holds('n', 'gt', 2), holds('n', 'gt', 3), holds('n', 'lt', 4), holds('n', 'lt', 3)],
    [true, false, true, false],
  );
  t.deepEqual([holds('at', 'gt', '2026-03-02T08:59:59Z'), holds('at', 'lt', '2026-03-02T08:59:59Z')], [true, false]);
  t.deepEqual([holds('nothing', 'gt', 0), holds('nothing', 'lt', 9)], [false, false]);
  t.deepEqual([holds('nothing', 'empty'), holds('blank', 'empty'), holds('n', 'empty')], [true, true, false]);
  t.deepEqual([holds('n', 'empty', false), holds('blank', 'empty', false)], [true, false]);
  t.deepEqual([holds('n', 'changed'), holds('word', 'changed'), holds('word', 'changed', false)], [true, false, true]);
  t.false(judgeConditions([{ field: 'n', operator: 'empty' }], factsWithout(workflow, 'manual'))[0]?.holds);
});

test('mails go to stored addresses, and never to people who have left', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const requester = await seedEmployee(app, { company_number });
  const manager = await seedEmployee(app, { company_number, ismgr: true });
  await seedEmployee(app, { ismgr: true });
  const { user_id, email } = await seedTechnician(app, 'technician');
  const mail = (to: 'requester' | 'assignee' | 'company' | 'technician' | 'lee@example.org') =>
    ({
      type: 'send_email',
      to,
      subject: `${to}: {{ ticket.subject }}`,
      body: 'Hello\n\n{{ ticket.description }}',
    }) as const;
  await seedWorkflow(app, {
    trigger: { type: 'manual' },
    actions: [
      mail('requester'),
      mail('assignee'),
      mail('company'),
      { ...mail('technician'), user_id },
      mail('lee@example.org'),
    ],
  });
  const seed = (more: object) => seedTicket(app, { company_number, subject: 'A\nB: evil@example.net', ...more });
  const known = await seed({
    employee_number: requester.employee_number,
    assigned_to: user_id,
    description: '{{ base_url }}',
  });
  const { triggerWorkflow } = await import('../../modules/workflows/runs/by-hand.ts');
  const trigger = async (ticket_id: number) => {
    const [workflow] = await app.app.database.find(Workflow);
    if (!workflow) throw new Error('No workflow');
    return triggerWorkflow(app.app.system(), workflow, { ticket_id });
  };
  const sent = async () => (await readMails(app)).filter((each) => each.template === 'workflow_message');
  t.deepEqual(
    statesOf(await trigger(known.ticket_id)),
    Array.from({ length: 5 }, () => 'completed'),
  );
  t.deepEqual(
    (await sent()).map((each) => [each.to, each.subject]).toSorted(byText),
    [
      [requester.email, 'requester: A B: evil@example.net'],
      [email, 'assignee: A B: evil@example.net'],
      [manager.email, 'company: A B: evil@example.net'],
      [email, 'technician: A B: evil@example.net'],
      ['lee@example.org', 'lee@example.org: A B: evil@example.net'],
    ].toSorted(byText),
  );
  t.true((await sent()).every((each) => each.text === 'Hello\n\n{{ base_url }}'));
  await app.run((ctx) => ctx.db.run(sql`UPDATE employee SET status = 'Inactive'`));
  await app.run((ctx) => ctx.db.run(sql`UPDATE technician SET active = 0`));
  const run = await trigger(known.ticket_id);
  t.like(run, { status: 'completed' });
  t.deepEqual(statesOf(run), ['skipped', 'skipped', 'skipped', 'skipped', 'completed']);
  t.is(run.actions[0]?.error, 'No recipient found: requester');
  t.is((await sent()).length, 6);
});

test('on a schedule: each due time once, on any number of processes', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { workflow_id } = await seedWorkflow(app, {
    trigger: { type: 'schedule', every_minutes: 15 },
    actions: [{ type: 'create_ticket', subject: 'Check the backups of {{ today }}', company_number }],
  });
  const { scheduler, outbox, database } = app.app;
  const tick = async () => {
    // Two processes with slightly different clocks.
    const now = app.clock.now();
    await Promise.all([now, plus(now, { seconds: 1 })].map((at) => scheduler.runDue('workflows.schedule', at)));
    await outbox.drain();
    return database.countBy(WorkflowRun, { workflow_id });
  };
  t.is(await tick(), 0, 'the first time is an interval away');
  app.clock.set('2026-03-02T09:15:00.000Z');
  t.is(await tick(), 1);
  app.clock.set('2026-03-02T09:16:00.000Z');
  t.is(await tick(), 1);
  app.clock.set('2026-03-02T11:07:00.000Z');
  t.is(await tick(), 2, 'what was missed is not made up for');
  const [row] = await database.query<{ next: string }>(sql`SELECT next_run_at AS next FROM workflow`);
  t.is(fromDatabase(row?.next ?? ''), '2026-03-02T11:15:00.000Z', 'it keeps its step');
  const [ticket] = await database.find(Ticket);
  t.like(ticket, { company_number, source: 'workflow', subject: 'Check the backups of 2026-03-02' });
  t.like((await runsOf(app))[0], { trigger_type: 'schedule', entity_type: '', entity_id: null, status: 'completed' });
  await deliverOnceMore(app);
  t.is(await database.count(Ticket), 2);
  const [workflow] = await database.find(Workflow);
  if (!workflow) throw new Error('No workflow');
  const { workflow: off } = await app.run((ctx) => updateWorkflow(ctx, workflow, { active: false }));
  t.is(off.next_run_at, null);
  app.clock.set('2026-03-02T12:00:00.000Z');
  t.is(await tick(), 2, 'switched off means off');
  const { workflow: again } = await app.run((ctx) => updateWorkflow(ctx, off, { active: true }));
  t.is(again.next_run_at, '2026-03-02T12:15:00.000Z');
});

test('an interrupted run is ended, and old runs are deleted', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  const workflow = await seedWorkflow(app, {
    trigger: on('ticket.created'),
    actions: [urgent, { type: 'call_webhook', url: receiver.url }],
  });
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  await app.run((ctx) => updateWorkflow(ctx, workflow, { active: false }));
  app.clock.set(plus(app.clock.now(), { minutes: 50 }));
  await app.app.outbox.drain();
  await app.app.scheduler.runNow('workflows.end-abandoned');
  t.like((await runsOf(app))[0], { status: 'running' });
  app.clock.set(plus(app.clock.now(), { minutes: 20 }));
  await app.app.scheduler.runNow('workflows.end-abandoned');
  const [run] = await runsOf(app);
  t.like(run, { status: 'failed', error: 'Interrupted' });
  t.deepEqual(statesOf(run), ['completed', 'failed']);
  app.clock.set(plus(app.clock.now(), { days: 89 }));
  await app.app.scheduler.runNow('workflows.prune');
  t.is((await runsOf(app)).length, 1);
  app.clock.set(plus(app.clock.now(), { days: 2 }));
  await app.app.scheduler.runNow('workflows.prune');
  t.is((await runsOf(app)).length, 0);
});

test('outages and plugin events start workflows like tickets do', async (t) => {
  const Rung = event('bell.rung', z.object({ bell_id: z.int(), by: z.string() }), { webhook: 'admin' });
  const bell = definePlugin({ id: 'bell', title: 'Bell', events: [Rung] });
  const app = await startApp(t, { plugins: [bell] });
  const { company_number } = await seedCompany(app);
  await seedWorkflow(app, {
    trigger: on('outage.started'),
    conditions: [{ field: 'severity', operator: 'in', value: ['major', 'critical'] }],
    actions: [{ type: 'create_ticket', subject: 'Outage: {{ outage.title }}' }],
  });
  await seedWorkflow(app, {
    trigger: on('bell.rung'),
    conditions: [{ field: 'by', operator: 'eq', value: 'Quasimodo' }],
    actions: [{ type: 'create_ticket', subject: 'Bell {{ bell.bell_id }}', company_number }],
  });
  const service_id = await app.app.database.insertReturningId(OutageService, {
    name: 'Lights',
    created_at: app.clock.now(),
    updated_at: app.clock.now(),
  });
  await app.run((ctx) => createOutage(ctx, { service_id, company_number, title: 'Dark', severity: 'major' }));
  await app.run(async (ctx) => ctx.emit(Rung, { bell_id: 7, by: 'Quasimodo' }));
  await app.app.outbox.drain();
  const made = await app.app.database.findBy(Ticket, { company_number });
  t.deepEqual(made.map((each) => each.subject).toSorted(byText), ['Bell 7', 'Outage: Dark']);
  const about = (await runsOf(app)).map(({ entity_type, entity_id }) => [entity_type, entity_id]);
  t.deepEqual(about.toSorted(byText), [
    ['bell', 7],
    ['outage', 1],
  ]);
});

test('a workflow assigns tickets to a team, whose rule assigns a member', async (t) => {
  const app = await startApp(t);
  const { user_id } = await seedTechnician(app);
  const team_id = await app.run(async (ctx) => {
    const team = await createTeam(ctx, { name: 'Network', assignment: 'round_robin' });
    await createMember(ctx, { team_id: team.team_id, user_id, skills: [] });
    return team.team_id;
  });
  const missing = { trigger: on('ticket.created'), actions: [{ type: 'set_team', team_id: 987_654 } as const] };
  await t.throwsAsync(seedWorkflow(app, missing), { message: 'actions[0].team_id must be an existing team' });
  await seedWorkflow(app, { trigger: on('ticket.created'), actions: [{ type: 'set_team', team_id }] });
  const { ticket_id } = await seedTicket(app, { company_number: (await seedCompany(app)).company_number });
  await app.app.outbox.drain();
  t.like(await storedTicket(app, ticket_id), { team_id, assigned_to: user_id });
});

test('a workflow creates child tickets for the ticket’s company, but none for a child', async (t) => {
  const app = await startApp(t);
  const child = { type: 'create_child', subject: 'Part of {{ ticket.subject }}', priority: 2 } as const;
  await seedWorkflow(app, { trigger: on('ticket.created'), actions: [child] });
  const { company_number } = await seedCompany(app);
  const { ticket_id: parent_id } = await seedTicket(app, { company_number, subject: 'a move' });
  await app.app.outbox.drain();
  const made = await app.app.database.findOneBy(Ticket, { parent_id });
  t.like(made, { company_number, subject: 'Part of a move', priority: 2, source: 'workflow' });
  await seedTicket(app, { company_number, parent_id });
  await app.app.outbox.drain();
  const runs = await runsOf(app);
  t.deepEqual(
    runs.map((each) => [each.status, each.error]),
    [
      ['completed', null],
      ['failed', 'Ticket 1003 is a child ticket itself'],
    ],
  );
});
