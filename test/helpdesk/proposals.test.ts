import { Proposal } from '@keelson/modules/billing';
import { createGroup } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { seedPayer, switchBilling } from '../billing-seed.ts';
import { seedDraft, seedProposal, seedSubscription } from '../sales-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

const path = '/billing/proposals';
const at = (id: number) => `${path}/${id}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asEmployee>>;
let company_number: number;
let foreign: number;
let buyer: Awaited<ReturnType<typeof seedEmployee>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock, config: { timeZone: 'Europe/Berlin' } });
  company_number = (await seedPayer(app)).company_number;
  foreign = (await seedPayer(app)).company_number;
  buyer = await seedEmployee(app, { company_number, it_privileges: true, last_name: 'Buyer' });
  send = await asEmployee(app, buyer);
});
test.after.always(() => app.close());

const stored = (proposal_id: number) => app.app.database.findOneBy(Proposal, { proposal_id });
const decide = (id: number, body: object) => send('POST', at(id), body);

test.serial('List your company’s proposals: sent ones, and no drafts', async (t) => {
  const sent = await seedProposal(app, { company_number, valid_until: '2026-03-31' });
  const draft = await seedDraft(app, { company_number });
  await seedProposal(app, { company_number: foreign });
  const { status, body } = await send('GET', path);
  t.is(status, 200);
  const { proposal_id, proposal_number } = sent;
  t.deepEqual(body, {
    proposals: [
      {
        proposal_id,
        proposal_number,
        title: 'New firewall',
        description: '',
        status: 'sent',
        currency: 'USD',
        valid_until: '2026-03-31',
        sent_at: now,
        responded_at: null,
        responded_by: '',
        rejection_reason: '',
        created_at: now,
        total: 100,
      },
    ],
    pagination: { page: 1, limit: 1000, total: 1, total_pages: 1 },
  });
  t.deepEqual((await send('GET', `${path}?status=draft`)).body.proposals, []);
  t.is((await send('GET', `${path}?status=all&search=firewall&limit=5`)).body.pagination.limit, 5);
  t.is((await send('GET', `${path}?page=0`)).status, 400);
  t.is((await send('GET', at(draft.proposal_id))).status, 404);
  t.true((await app.fewestStatements(() => send('GET', path))) <= 6);
});

test.serial('Show a proposal with its lines: drafts and other companies’ return 404', async (t) => {
  const { proposal_id } = await seedProposal(app, { company_number });
  const { status, body } = await send('GET', at(proposal_id));
  t.is(status, 200);
  const [item] = (await send('GET', `${path}?limit=1`)).body.proposals;
  t.deepEqual(body, {
    ...item,
    line_items: [
      { line_item_id: body.line_items[0].line_item_id, description: 'Work', quantity: 1, unit_price: 100, amount: 100 },
    ],
  });
  const absent = await send('GET', at(999_999));
  t.is(absent.status, 404);
  const others = await seedProposal(app, { company_number: foreign });
  const draft = await seedDraft(app, { company_number });
  for (const each of [others, draft])
    for (const answer of [
      await send('GET', at(each.proposal_id)),
      await decide(each.proposal_id, { action: 'accept' }),
    ])
      t.deepEqual([answer.status, answer.body], [404, absent.body]);
});

test.serial('Accept or reject a proposal: acceptance is recorded and opens a ticket immediately', async (t) => {
  const { proposal_id, proposal_number } = await seedProposal(app, { company_number });
  const { status, body } = await decide(proposal_id, { action: 'Accept', reason: 'Please before June.' });
  t.is(status, 200);
  const { line_items, ...rest } = body;
  t.is(line_items.length, 1);
  t.like(rest, {
    success: true,
    proposal_id,
    status: 'accepted',
    responded_at: now,
    responded_by: 'Erin Buyer',
    rejection_reason: '',
  });
  const row = await stored(proposal_id);
  const ticket = await app.app.database.findOneBy(Ticket, { ticket_id: row?.ticket_id ?? 0 });
  t.like(ticket, {
    company_number,
    subject: `Proposal ${proposal_number}: New firewall`,
    description: `Erin Buyer has accepted proposal ${proposal_number}, “New firewall”.\n\nPlease before June.`,
    job_type: 'Purchase',
    status: 'open',
    approval_status: 'none',
    requester_employee_number: row?.responded_by_employee,
  });
  const lines = await app.app.database.findBy(ActivityLine, {
    entity_type: 'proposal',
    entity_id: String(proposal_id),
  });
  const told = lines.find((each) => each.changes['status']?.[1] === 'accepted');
  t.deepEqual([told?.user, told?.changes['responded_by']], ['Erin Buyer', ['', 'Erin Buyer']]);
});

test.serial('Accept or reject a proposal: a rejection keeps its reason and opens no ticket', async (t) => {
  const { proposal_id } = await seedProposal(app, { company_number });
  const { body } = await decide(proposal_id, { action: 'reject', reason: ' Too dear ' });
  t.like(body, { status: 'rejected', rejection_reason: 'Too dear', responded_by: 'Erin Buyer' });
  t.is((await stored(proposal_id))?.ticket_id, null);
  const bare = await seedProposal(app, { company_number });
  t.like((await decide(bare.proposal_id, { action: 'reject' })).body, { rejection_reason: '' });
  for (const action of ['accept', 'reject']) {
    const again = await decide(proposal_id, { action });
    t.deepEqual([again.status, again.body], [400, { error: 'Proposal is already rejected' }]);
  }
});

test.serial('Accept or reject a proposal: invalid input is reported', async (t) => {
  const { proposal_id } = await seedProposal(app, { company_number });
  t.is((await decide(proposal_id, {})).body.error, 'action is required');
  t.is((await decide(proposal_id, { action: 'maybe' })).body.error, 'action must be one of: accept, reject');
  t.is((await decide(999_999, {})).status, 404);
  t.is((await stored(proposal_id))?.status, 'sent');
});

test.serial('Accept or reject a proposal: overdue ones are expired, before and after the job runs', async (t) => {
  const { proposal_id } = await seedProposal(app, { company_number, valid_until: '2026-03-02' });
  const kept = await seedProposal(app, { company_number, valid_until: '2026-03-03' });
  // It is already the next day in Berlin.
  clock.set('2026-03-02T23:30:00.000Z');
  send = await asEmployee(app, buyer);
  const late = await decide(proposal_id, { action: 'accept' });
  t.deepEqual([late.status, late.body], [400, { error: 'Proposal is already expired' }]);
  t.is((await stored(proposal_id))?.status, 'sent');
  await app.app.scheduler.runNow('billing.expire-proposals');
  t.is((await send('GET', at(proposal_id))).body.status, 'expired');
  t.is((await send('GET', at(kept.proposal_id))).body.status, 'sent');
  t.is((await decide(proposal_id, { action: 'reject' })).body.error, 'Proposal is already expired');
  t.is((await decide(kept.proposal_id, { action: 'accept' })).status, 200);
  clock.set('2026-03-02T09:00:00.000Z');
  send = await asEmployee(app, buyer);
});

test.serial(
  'Accept or reject a proposal: of 50 concurrent requests one succeeds and one ticket is opened',
  async (t) => {
    for (const action of ['accept', 'reject']) {
      const { proposal_id } = await seedProposal(app, { company_number });
      const before = await app.app.database.countBy(Ticket, { company_number });
      const answers = await Promise.all(Array.from({ length: 50 }, () => decide(proposal_id, { action })));
      const counts = new Map([...Map.groupBy(answers, (each) => each.status)].map(([key, some]) => [key, some.length]));
      t.deepEqual(Object.fromEntries(counts), { 200: 1, 400: 49 }, action);
      const tickets = (await app.app.database.countBy(Ticket, { company_number })) - before;
      t.is(tickets, action === 'accept' ? 1 : 0);
    }
  },
);

test.serial('The ticket of an accepted proposal needs no approval', async (t) => {
  const manager = await seedEmployee(app, { company_number });
  const member = await seedEmployee(app, { company_number, can_view_billing: true });
  await app.run((ctx) =>
    createGroup(ctx, company_number, {
      name: 'Buyers',
      code: 'buyers',
      managers: [manager.employee_number],
      members: [member.employee_number],
      require_approval: true,
    }),
  );
  const { proposal_id } = await seedProposal(app, { company_number });
  const accepted = await (await asEmployee(app, member))('POST', at(proposal_id), { action: 'accept' });
  t.is(accepted.status, 200);
  const ticket_id = (await stored(proposal_id))?.ticket_id ?? 0;
  t.like(await app.app.database.findOneBy(Ticket, { ticket_id }), {
    approval_status: 'none',
    requester_employee_number: member.employee_number,
  });
});

test.serial('List your company’s subscriptions: active ones', async (t) => {
  const mine = await seedSubscription(app, company_number, { quantity: 2 });
  const ended = await seedSubscription(app, company_number);
  await seedSubscription(app, foreign);
  const technician = await asKey(app, ['billing:write']);
  await technician('PUT', `/billing/subscriptions.php?id=${ended.subscription_id}`, { status: 'cancelled' });
  const { status, body } = await send('GET', '/billing/subscriptions');
  t.is(status, 200);
  const { subscription_id, product_id } = mine;
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 1, total_pages: 1 });
  t.is(body.subscriptions.length, 1);
  t.like(body.subscriptions[0], {
    subscription_id,
    product_id,
    name: 'Mail protection',
    company_number,
    quantity: 2,
    unit_price: 2.5,
    amount: 5,
    currency: 'USD',
    billing_cycle: 'monthly',
    status: 'active',
    start_date: '2026-03-02',
    next_billing_date: '2026-04-02',
    end_date: null,
  });
  t.is((await send('GET', '/billing/subscriptions?limit=0')).status, 400);
  t.true((await app.fewestStatements(() => send('GET', '/billing/subscriptions'))) <= 6);
});

test.serial('Without permission, module or sign-in no one sees billing', async (t) => {
  const { proposal_id } = await seedProposal(app, { company_number });
  const routes = [
    ['GET', path],
    ['GET', at(proposal_id)],
    ['POST', at(proposal_id)],
    ['GET', '/billing/subscriptions'],
  ] as const;
  const reader = await asEmployee(app, await seedEmployee(app, { company_number }));
  for (const [method, where] of routes) {
    const refused = await reader(method, where, method === 'POST' ? { action: 'accept' } : undefined);
    t.deepEqual([refused.status, refused.body], [403, { error: 'You do not have access to billing' }], where);
    t.is((await app.request(method, `/helpdesk/api/v1${where}`)).status, 401, where);
  }
  await switchBilling(app, company_number, false);
  for (const [method, where] of routes) {
    const closed = await send(method, where, method === 'POST' ? { action: 'accept' } : undefined);
    t.deepEqual([closed.status, closed.body], [403, { error: 'Billing module is disabled' }], where);
  }
  await switchBilling(app, company_number, true);
  t.is((await send('GET', at(proposal_id))).status, 200);
  t.is((await stored(proposal_id))?.status, 'sent');
});
