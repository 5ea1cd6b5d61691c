// Workflow actions of the modules: due date, checklist, assignment by rule, escalation.
import { startApp, testClock } from '@keelson/core/testing';
import { Escalation } from '@keelson/modules/teams';
import { Ticket } from '@keelson/modules/tickets';
import { WorkflowRun } from '@keelson/modules/workflows';
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
