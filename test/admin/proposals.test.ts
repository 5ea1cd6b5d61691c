import { Mail } from '@keelson/core/system';
import { Proposal } from '@keelson/modules/billing';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany, seedEmployee, unique } from '../accounts-seed.ts';
import { seedPayer, switchBilling } from '../billing-seed.ts';
import { seedDraft, seedProposal } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/billing/proposals.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
let read: typeof send;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock, config: { timeZone: 'Europe/Berlin' } });
  send = await asKey(app, ['billing:read', 'billing:write']);
  read = await asKey(app, ['billing:read']);
});
test.after.always(() => app.close());

async function add(body: Record<string, unknown> = {}) {
  const company_number = body['company_number'] ?? (await seedPayer(app)).company_number;
  const line_items = [{ description: 'Firewall', unit_price: 100 }];
  return (await send('POST', path, { title: 'Offer', line_items, ...body, company_number })).body.data;
}

test.serial('Create a proposal: creates a draft with its number, lines and total', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const answer = await send('POST', path, {
    company_number,
    title: 'New firewall',
    description: 'With a spare one.\nDelivered in May.',
    valid_until: '2026-03-31',
    line_items: [
      { description: 'Firewall', quantity: 2, unit_price: 1249.99 },
      { description: 'Hours of work', quantity: 1.5, unit_price: 99.99 },
      { description: 'Trade-in', unit_price: -50 },
    ],
    status: 'accepted',
    total: 2599.97,
  });
  t.is(answer.status, 201);
  const { data } = answer.body;
  t.regex(data.proposal_number, /^PRO-\d{6}$/);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      proposal_id: data.proposal_id,
      proposal_number: data.proposal_number,
      company_number,
      title: 'New firewall',
      description: 'With a spare one.\nDelivered in May.',
      status: 'draft',
      currency: 'USD',
      valid_until: '2026-03-31',
      sent_at: null,
      responded_at: null,
      responded_by: '',
      responded_by_employee: null,
      rejection_reason: '',
      ticket_id: null,
      created_at: now,
      updated_at: now,
      company_name: customer,
      total: 2599.97,
      line_items: [
        { description: 'Firewall', quantity: 2, unit_price: 1249.99, amount: 2499.98 },
        { description: 'Hours of work', quantity: 1.5, unit_price: 99.99, amount: 149.99 },
        { description: 'Trade-in', quantity: 1, unit_price: -50, amount: -50 },
      ].map((each, i) => ({ line_item_id: data.line_items[i].line_item_id, ...each })),
    },
  });
  t.like(await add({ currency: 'jpy', line_items: [{ description: 'x', quantity: 0.5, unit_price: 101 }] }), {
    currency: 'JPY',
    total: 51,
  });
});

test.serial('Create a proposal: invalid input is reported and uses no number', async (t) => {
  const { company_number } = await seedCompany(app);
  const line_items = [{ description: 'Firewall', unit_price: 1 }];
  const refused = async (body: unknown) => {
    const answer = await send('POST', path, body);
    return answer.status === 400 ? answer.body.error : answer.status;
  };
  const before = (await add()).proposal_number;
  t.is(await refused({}), 'company_number is required; title is required; line_items is required');
  t.is(
    await refused({ company_number: 999_999, title: 'x', line_items }),
    'company_number must be an existing company',
  );
  const given = { company_number, title: 'x', line_items };
  t.is(await refused({ ...given, line_items: [] }), 'line_items must be 1 to 500 lines');
  t.is(
    await refused({ ...given, line_items: [{ unit_price: 1, quantity: 0 }] }),
    'line_items[0].description is required; line_items[0].quantity must be above 0 and at most 1000000000',
  );
  t.is(
    await refused({ ...given, line_items: [{ description: 'x', unit_price: -1 }] }),
    'line_items must not add up to less than 0',
  );
  t.is(await refused({ ...given, currency: 'XYZ' }), 'currency must be an ISO 4217 currency');
  t.is(await refused({ ...given, valid_until: '2026-02-30' }), 'valid_until must be a date (YYYY-MM-DD)');
  const numberOf = (text: string) => Number(text.slice(4));
  t.is(numberOf((await add()).proposal_number), numberOf(before) + 1);
});

test.serial('List proposals: by company, status and text, newest first, paged', async (t) => {
  const { company_number } = await seedPayer(app);
  const first = await add({ company_number, title: unique('Cabling') });
  const { proposal_id: sent } = await seedProposal(app, { company_number });
  const last = await add({ company_number });
  const ids = async (query: string) => {
    const { body } = await send('GET', `${path}?company_number=${company_number}&${query}`);
    return body.data.map((each: { proposal_id: number }) => each.proposal_id);
  };
  t.deepEqual(await ids(''), [last.proposal_id, sent, first.proposal_id]);
  t.deepEqual(await ids('status=SENT'), [sent]);
  t.deepEqual(await ids('status=all&search=cabling'), [first.proposal_id]);
  t.deepEqual(await ids(`search=${last.proposal_number}`), [last.proposal_id]);
  t.deepEqual(await ids('per_page=1&page=2'), [sent]);
  const { body } = await send('GET', `${path}?company_number=${company_number}&per_page=1`);
  const { line_items: _, ...item } = last;
  t.deepEqual(body, {
    success: true,
    data: [item],
    pagination: { page: 1, per_page: 1, total: 3, total_pages: 3 },
  });
  t.is(
    (await send('GET', `${path}?status=gone`)).body.error,
    'status must be one of: draft, sent, accepted, rejected, expired, all',
  );
  t.true((await app.fewestStatements(() => send('GET', `${path}?company_number=${company_number}`))) <= 6);
});

test.serial('Read a proposal with its lines', async (t) => {
  const proposal = await add();
  t.deepEqual((await read('GET', at(proposal.proposal_id))).body.data, proposal);
  t.is((await send('GET', at(999_999))).status, 404);
});

test.serial('Update a proposal: any field of a draft', async (t) => {
  const { proposal_id, company_number } = await add();
  const other = (await seedCompany(app)).company_number;
  const put = async (body: unknown) => (await send('PUT', at(proposal_id), body)).body;
  t.like((await put({ title: 'Two firewalls', company_number: other })).data, { title: 'Two firewalls', total: 100 });
  const changed = (await put({ line_items: [{ description: 'Both', quantity: 2, unit_price: 90.5 }] })).data;
  t.like(changed, { total: 181, company_number: other });
  t.is(changed.line_items.length, 1);
  t.is((await put({ line_items: [{ description: 'Yen', unit_price: 100.4 }], currency: 'JPY' })).data.total, 100);
  t.is((await put({ currency: 'EUR' })).data.total, 100.4, 'the lines are added up again');
  const [line] = await app.app.database.find(ActivityLine, {
    where: { entity_type: 'proposal', entity_id: String(proposal_id) },
    order: { log_id: 'DESC' },
    take: 1,
  });
  t.deepEqual(line?.changes['total'], [100, 100.4]);
  clock.set('2026-03-02T10:00:00.000Z');
  const same = { title: 'Two firewalls', line_items: [{ description: 'Yen', quantity: 1, unit_price: 100.4 }] };
  t.is((await put(same)).data.updated_at, now, 'nothing changed (V-16)');
  clock.set('2026-03-02T09:00:00.000Z');
  t.is((await put({})).error, 'No fields to update');
  t.is((await put({ company_number: 999_999 })).error, 'company_number must be an existing company');
  t.is((await send('PUT', at(999_999), { title: 'x' })).status, 404);
  t.not(company_number, other);
});

test.serial('Send a proposal to the customer: once, and not after it expired', async (t) => {
  const { proposal_id } = await add({ valid_until: '2026-03-01' });
  const submit = () => send('POST', `${path}?action=send&id=${proposal_id}`);
  t.is((await submit()).body.error, 'valid_until must not be in the past');
  await send('PUT', at(proposal_id), { valid_until: '2026-03-02' });
  const { status, body } = await submit();
  t.is(status, 200);
  t.like(body.data, { status: 'sent', sent_at: now, valid_until: '2026-03-02' });
  t.deepEqual([(await submit()).status, (await submit()).body.error], [400, 'Proposal is sent']);
  const events = await app.app.database.findBy(StoredEvent, { name: 'proposal.sent' });
  const told = events.map(({ data }): any => data).filter((data) => data.proposal_id === proposal_id);
  t.is(told.length, 1);
  t.like(told[0], { status: 'sent', company_number: body.data.company_number, total: 100, currency: 'USD' });
  t.is((await send('POST', `${path}?action=send&id=999999`)).status, 404);
});

test.serial('Update a proposal: only the validity of a sent one, and nothing of a closed one', async (t) => {
  const { company_number } = await seedPayer(app);
  const { proposal_id } = await seedProposal(app, { company_number, valid_until: '2026-03-05' });
  const put = async (body: unknown) => (await send('PUT', at(proposal_id), body)).body;
  t.is((await put({ valid_until: '2026-04-05' })).data.valid_until, '2026-04-05');
  t.is(
    (await put({ valid_until: null, title: 'New firewall' })).data.valid_until,
    null,
    'what is the same is no change',
  );
  t.is((await put({ valid_until: '2026-03-01' })).error, 'valid_until must not be in the past');
  const fixed = 'Proposal is sent: only valid_until can change';
  t.is((await put({ title: 'Another' })).error, fixed);
  t.is((await put({ line_items: [{ description: 'Work', unit_price: 100.01 }] })).error, fixed);
  t.like((await put({ line_items: [{ description: 'Work', unit_price: 100 }] })).data, { total: 100 });
});

test.serial('Delete a proposal: including a sent one, but not a decided one', async (t) => {
  const { company_number } = await seedPayer(app);
  const { proposal_id } = await seedProposal(app, { company_number });
  t.is((await send('DELETE', at(proposal_id))).status, 204);
  t.is((await send('GET', at(proposal_id))).status, 404);
  t.is((await send('DELETE', at(proposal_id))).status, 404);
  t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, 0);
  const draft = await seedDraft(app, { company_number });
  await app.app.database.update(Proposal, { proposal_id: draft.proposal_id }, { status: 'rejected' });
  const refused = await send('DELETE', at(draft.proposal_id));
  t.deepEqual([refused.status, refused.body.error], [400, 'Proposal is rejected']);
});

test.serial('People who can view billing are notified of a proposal, unless the module is disabled', async (t) => {
  const { company_number, customer } = await seedPayer(app);
  const boss = await seedEmployee(app, { company_number, ismgr: true });
  await seedEmployee(app, { company_number });
  const mails = async () => {
    await app.app.outbox.drain();
    const found = await readMails(app);
    await app.app.database.delete(Mail, { state: In(['waiting', 'held']) });
    return found.filter((each) => each.template === 'proposal_sent');
  };
  await mails();
  const { proposal_number } = await seedProposal(app, { company_number, valid_until: '2026-03-31' });
  const [mail, ...others] = await mails();
  t.is(others.length, 0);
  t.is(mail?.to, boss.email);
  t.true(mail?.subject.startsWith(`Proposal ${proposal_number} from `));
  for (const part of ['New firewall', customer, '100.00', '31 Mar 2026']) t.true(mail?.text.includes(part), part);
  await switchBilling(app, company_number, false);
  await seedProposal(app, { company_number });
  t.deepEqual(await mails(), []);
});

test.serial('A read-only key cannot write', async (t) => {
  const { proposal_id } = await add();
  for (const [method, where] of [
    ['POST', path],
    ['PUT', at(proposal_id)],
    ['DELETE', at(proposal_id)],
    ['POST', `${path}?action=send&id=${proposal_id}`],
  ] as const)
    t.is((await read(method, where, {})).status, 403, `${method} ${where}`);
  t.is((await app.request('GET', `/admin/api/v1${path}`)).status, 401);
  const other = await asKey(app, ['tickets:read']);
  t.is((await other('GET', path)).status, 403);
});
