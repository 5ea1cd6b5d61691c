// Workflow actions of the modules: due date, checklist, assignment by rule, escalation; and the SLA clock as fields.
import { plus } from '@keelson/core';
import { Escalation } from '@keelson/modules/teams';
import { readComments, Ticket } from '@keelson/modules/tickets';
import { WorkflowRun } from '@keelson/modules/workflows';
import { startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { seedTechnician } from '../accounts-seed.ts';
import { asKey, seedCompany, seedTicket } from '../tickets-seed.ts';

const rights = 'settings:read settings:write tickets:read tickets:write teams:read teams:write'.split(' ');

async function withWorkflow(t: ExecutionContext, name: string, input: object) {
  const app = await startApp(t, { clock: testClock('2026-03-02T09:00:00.000Z') });
  const send = await asKey(app, rights);
  const actions = [{ type: 'plugin_action', name, input }];
  const workflow = { name: 'Urgent', trigger: { type: 'event', event: 'ticket.created' }, actions };
  const saved = await send('POST', '/workflows.php', workflow);
  t.is(saved.status, 201, saved.body.error);
  const { company_number } = await seedCompany(app);
  const ticket = async (more: object = {}) => {
    const { ticket_id } = await seedTicket(app, { company_number, subject: 'Printer', ...more });
    await app.app.outbox.drain();
    const run = await app.app.database.findOneBy(WorkflowRun, { entity_id: ticket_id });
    return { run, ticket_id, row: await app.app.database.findOneBy(Ticket, { ticket_id }) };
  };
  const team = async (more: object = {}) => {
    const { status, body } = await send('POST', '/teams.php', { name: 'Network', ...more });
    t.is(status, 201, body.error);
    return body.data.team_id as number;
  };
  return { app, send, ticket, team };
}

test('a workflow sets the due date, counted from today', async (t) => {
  const { ticket } = await withWorkflow(t, 'tickets.set-due', { days: 30 });
  const { run, row } = await ticket();
  t.like(run, { status: 'completed' });
  t.is(row?.due_date, '2026-04-01');
});

test('a workflow adds checklist items, and required ones keep the ticket open', async (t) => {
  const items = 'Order a laptop for {{ ticket.subject }}\n\n  Create the account ';
  const { send, ticket } = await withWorkflow(t, 'planned.add-checklist', { items, required: true });
  const { ticket_id } = await ticket({ subject: 'Anna' });
  const { body } = await send('GET', `/tickets.php?id=${ticket_id}`);
  const checklist = body.data.checklist.map(({ title, required }: any) => ({ title, required }));
  t.deepEqual(checklist, [
    { title: 'Order a laptop for Anna', required: true },
    { title: 'Create the account', required: true },
  ]);
  t.is((await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' })).status, 400);
});

test('a workflow assigns by the rule of the ticket’s team', async (t) => {
  const { app, send, ticket, team } = await withWorkflow(t, 'teams.assign', { reassign: true });
  const team_id = await team({ assignment: 'round_robin' });
  const [first, second] = [await seedTechnician(app), await seedTechnician(app)];
  for (const { user_id } of [first, second])
    t.is((await send('POST', '/teams/members.php', { team_id, user_id, skills: [] })).status, 201);
  const { row } = await ticket({ team_id, assigned_to: first.user_id });
  t.is(row?.assigned_to, second.user_id);
  const { run } = await ticket();
  t.like(run, { status: 'failed' });
  t.regex(run?.error ?? '', /^Ticket \d+ has no team$/);
});

test('a workflow starts the escalation of the ticket’s team, whatever the team’s own triggers', async (t) => {
  const { app, send, ticket, team } = await withWorkflow(t, 'teams.escalate', {});
  const team_id = await team();
  const none = await ticket({ team_id });
  t.is(none.run?.error, 'The team has no escalation steps');
  const step = { team_id, after_minutes: 0, notify: 'team' };
  t.is((await send('POST', '/teams/steps.php', step)).status, 201);
  const { ticket_id } = await ticket({ team_id });
  t.like(await app.app.database.findOneBy(Escalation, { ticket_id }), { cause: 'workflow', ended_at: null });
});

test('conditions and texts of workflows know the ticket’s most urgent SLA clock', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-02T09:00:00.000Z') });
  const send = await asKey(app, rights);
  const hours = [{ weekday: 'monday', from: '09:00', to: '17:00' }];
  const calendar = { name: 'Mondays', time_zone: 'UTC', is_default: true, hours };
  t.is((await send('POST', '/levels/calendars.php', calendar)).status, 201);
  const targets = [{ priority: 3, response_minutes: 60, next_response_minutes: null, resolution_minutes: 480 }];
  t.is((await send('POST', '/levels/policies.php', { name: 'Gold', targets })).status, 201);
  const workflow = {
    name: 'Hurry',
    trigger: { type: 'event', event: 'ticket.updated' },
    conditions: [
      { field: 'sla_clock', operator: 'eq', value: 'response' },
      { field: 'sla_minutes_left', operator: 'lt', value: 30 },
      { field: 'sla_paused', operator: 'eq', value: false },
    ],
    actions: [{ type: 'add_comment', comment: '{{ ticket.sla_minutes_left }} minutes left', is_internal: true }],
  };
  const saved = await send('POST', '/workflows.php', workflow);
  t.is(saved.status, 201, saved.body.error);
  const { workflow_id } = saved.body.data;
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const change = async (subject: string) => {
    await send('PUT', `/tickets.php?id=${ticket_id}`, { subject });
    await app.app.outbox.drain();
    const comments = await app.run((ctx) => readComments(ctx, ticket_id));
    return comments.map((each) => each.comment).filter((each) => each.endsWith('left'));
  };
  t.deepEqual(await change('An hour left'), []);
  app.clock.set(plus(app.clock.now(), { minutes: 45 }));
  t.deepEqual(await change('Less than half an hour left'), ['15 minutes left']);
  const dry = await send('POST', `/workflows.php?action=test&id=${workflow_id}`, { ticket_id });
  t.deepEqual(
    dry.body.data.conditions.map((each: { actual: unknown }) => each.actual),
    ['response', 15, false],
  );
  const { fields } = (await send('GET', '/workflows.php?action=fields&event=ticket.updated')).body.data;
  t.like(
    fields.find((each: { name: string }) => each.name === 'sla_minutes_left'),
    { title: 'SLA minutes left', type: 'integer' },
  );
  const wrong = { ...workflow, conditions: [{ field: 'sla_minutes_left', operator: 'contains', value: 'x' }] };
  t.regex((await send('POST', '/workflows.php', wrong)).body.error, /requires a text field/);
  const elsewhere = { ...workflow, trigger: { type: 'event', event: 'asset.created' } };
  t.regex((await send('POST', '/workflows.php', elsewhere)).body.error, /conditions\[0\]\.field must be one of/);
});
