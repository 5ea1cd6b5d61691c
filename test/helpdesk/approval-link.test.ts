// The link with which a manager decides on a request without signing in.
import { Employee } from '@keelson/modules/directory';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { approvalLink } from '../../modules/tickets/approvals/approval-link.ts';
import { asEmployee, asKey, seedEmployee, seedTeam, storedTicket } from '../tickets-seed.ts';

/** A request that needs approval, and the link in the mail to its manager. */
async function requested(t: ExecutionContext) {
  const app = await startApp(t);
  const team = await seedTeam(app);
  const member = await asEmployee(app, team.member);
  const { body } = await member('POST', '/tickets', { subject: 'New <laptop>', description: 'For\nthe trip' });
  await app.app.outbox.drain();
  const mails = (await readMails(app)).filter(({ template }) => template === 'approval_requested');
  const mail = mails.find(({ to }) => to === team.manager.email);
  const [, link = '', token = ''] = /(\/approval\?token=(\S+))/.exec(mail?.text ?? '') ?? [];
  return { app, ...team, ticket_id: body.ticket_id as number, mails, link, token };
}

const post = (app: TestApp, path: string, form: Readonly<Record<string, string>>) =>
  app.request('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

test('Show the page for deciding on a request; Approve a ticket with the link from its mail', async (t) => {
  const { app, ticket_id, mails, link, token } = await requested(t);
  t.is(new Set(mails.map(({ text }) => text)).size, mails.length, 'each manager has their own link');
  const shown = await app.request('GET', link);
  t.is(shown.status, 200);
  t.regex(shown.text, /Approval needed[^]*New &lt;laptop&gt;[^]*For\nthe trip/);
  t.is((await storedTicket(app, ticket_id)).approval_status, 'pending', 'following the link decides nothing');
  const approved = await post(app, '/approval', { token });
  t.is(approved.status, 200);
  t.regex(approved.text, /Request approved/);
  t.notRegex(approved.text, /<form/);
  t.is((await storedTicket(app, ticket_id)).approval_status, 'approved');
  const again = await post(app, '/approval/reject', { token, reason: 'Too late' });
  t.is(again.status, 409);
  t.regex(again.text, /Request approved[^]*Ticket is not pending approval/);
  t.is((await storedTicket(app, ticket_id)).approval_status, 'approved');
});

test('Reject a ticket with the link from its mail', async (t) => {
  const { app, member, ticket_id, token } = await requested(t);
  const empty = await post(app, '/approval/reject', { token, reason: ' ' });
  t.is(empty.status, 409);
  t.regex(empty.text, /reason is required/);
  const rejected = await post(app, '/approval/reject', { token, reason: 'No budget' });
  t.regex(rejected.text, /Request rejected/);
  t.like(await storedTicket(app, ticket_id), { approval_status: 'rejected', status: 'closed' });
  const seen = await (await asEmployee(app, member))('GET', `/tickets/${ticket_id}`);
  t.is(seen.body.comments.at(-1)?.comment, 'No budget');
});

test('a link is only valid for its ticket and person, and while they may decide', async (t) => {
  const { app, company_number, manager, member, colleague, ticket_id, token } = await requested(t);
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'tickets:delete']);
  const refusals = async (of: string) => [
    (await app.request('GET', `/approval?token=${of}`)).status,
    (await post(app, '/approval', { token: of })).status,
  ];
  const linkFor = ({ employee_number }: { readonly employee_number: number }) =>
    new URL(approvalLink(app.app, { ticket_id, employee_number })).searchParams.get('token') ?? '';
  t.deepEqual(await refusals(token.replace(/^\d+/, String(ticket_id + 1))), [404, 404], 'changed');
  t.deepEqual(await refusals(linkFor(member)), [404, 404], 'the requester');
  t.deepEqual(await refusals(linkFor(colleague)), [404, 404], 'a colleague');
  const other = await seedEmployee(app, { company_number, ismgr: true });
  t.deepEqual(await refusals(linkFor(other)), [404, 404], 'a manager of others');
  const { employee_number } = manager;
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { ismgr: false }));
  t.deepEqual(await refusals(token), [404, 404], 'no longer a manager');
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { ismgr: true, status: 'Inactive' }));
  t.deepEqual(await refusals(token), [404, 404], 'inactive');
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { status: 'Active' }));
  t.is((await app.request('GET', `/approval?token=${token}`)).status, 200);
  await send('DELETE', `/tickets.php?id=${ticket_id}`);
  t.deepEqual(await refusals(token), [404, 404], 'deleted');
});
