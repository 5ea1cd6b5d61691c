import { plus } from '@keelson/core';
import { lockTicket, logTime } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { renewedUntil } from '../../modules/inventory/contracts/term.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const path = '/contracts.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock, config: { timeZone: 'Europe/Berlin' } });
  send = await asKey(app, ['contracts:read', 'contracts:write', 'companies:read', 'companies:write', 'assets:read']);
});
test.after.always(() => app.close());

async function add(body: Record<string, unknown> = {}) {
  const company_number = body['company_number'] ?? (await seedCompany(app)).company_number;
  const answer = await send('POST', path, { name: 'Care', start_date: '2026-01-01', ...body, company_number });
  return answer.body.data;
}

test.serial('Create a contract: returns the full record, with assets and renewal', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { asset_id, machine_name } = await seedAsset(app, { company_number });
  const { vendor_id } = (await send('POST', '/vendors.php', { name: 'HPE' })).body.data;
  const body = {
    contract_number: 'C-1',
    name: 'Server care',
    description: 'Next business day',
    contract_type: 'support',
    company_number,
    vendor_id,
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    auto_renew: true,
    notice_days: 90,
    value: 1299.5,
    billing_cycle: 'Annual',
    included_hours: 2.5,
    notes: 'Signed',
    customer_notes: 'Ask Ann',
  };
  const answer = await send('POST', path, { ...body, asset_ids: [asset_id, asset_id] });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      contract_id: answer.body.data.contract_id,
      ...body,
      status: 'active',
      renewal_date: '2026-10-02',
      billing_cycle: 'annual',
      created_at: now,
      updated_at: now,
      company_name: customer,
      vendor_name: 'HPE',
      currency: 'USD',
      assets: [{ asset_id, machine_name, asset_type: '', status: 'active' }],
      renewal: {
        auto_renew: true,
        renewal_date: '2026-10-02',
        notice_days: 90,
        days_until_renewal: 214,
        notice_by: '2026-10-02',
        term_start: null,
      },
    },
  });
  const bare = await add({ company_number });
  t.like(bare, {
    included_hours: null,
    end_date: null,
    value: null,
    renewal_date: null,
    billing_cycle: 'monthly',
    vendor_id: null,
  });
  t.like(bare.renewal, { days_until_renewal: null, notice_by: null });
  const { data } = (await send('GET', `/companies.php?id=${company_number}`)).body;
  t.is(data.statistics.active_contracts, 2);
});

test.serial('Create a contract: invalid input is reported', async (t) => {
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number: (await seedCompany(app)).company_number });
  const refused = async (body: unknown) => {
    const answer = await send('POST', path, body);
    return answer.status === 400 ? answer.body.error : answer.status;
  };
  const start = { company_number, name: 'X', start_date: '2026-01-01' };
  t.is(await refused({}), 'company_number is required; name is required; start_date is required');
  t.is(await refused({ ...start, company_number: 999_999 }), 'company_number must be an existing company');
  t.is(await refused({ ...start, vendor_id: 999_999 }), 'vendor_id must be an existing vendor');
  t.is(await refused({ ...start, end_date: '2025-12-31' }), 'end_date must not be before start_date');
  t.is(await refused({ ...start, start_date: '2026-02-30' }), 'start_date must be a date (YYYY-MM-DD)');
  t.is(await refused({ ...start, value: 1.005 }), 'value must be an amount with at most 2 decimals');
  t.is(await refused({ ...start, billing_cycle: 'x' }), 'billing_cycle must be one of: monthly, quarterly, annual');
  t.is(await refused({ ...start, included_hours: -1 }), 'included_hours must be at least 0');
  t.is(await refused({ ...start, asset_ids: [asset_id] }), 'asset_ids must be assets of the company');
});

test.serial('List contracts: by company, status and text, newest first, paged', async (t) => {
  const { company_number } = await seedCompany(app);
  await add({ company_number, name: 'Ended', end_date: '2026-03-01' });
  await add({ company_number, name: 'Coming', start_date: '2026-03-03' });
  const last = await add({ company_number, name: 'Running', end_date: '2026-03-02', contract_number: 'R/7' });
  const names = async (query: string) => {
    const { body } = await send('GET', `${path}?company_number=${company_number}&${query}`);
    return body.data.map((each: { name: string }) => each.name);
  };
  t.deepEqual(await names(''), ['Running', 'Coming', 'Ended']);
  t.deepEqual(await names('status=ACTIVE'), ['Running'], 'the last day still counts');
  t.deepEqual(await names('status=expired'), ['Ended']);
  t.deepEqual(await names('status=pending'), ['Coming']);
  t.is((await names('status=all')).length, 3);
  t.deepEqual(await names('search=r%207'), ['Running']);
  t.deepEqual(await names('per_page=1&page=2'), ['Coming']);
  const { body } = await send('GET', `${path}?company_number=${company_number}&per_page=1`);
  t.deepEqual(body.pagination, { page: 1, per_page: 1, total: 3, total_pages: 3 });
  const { assets: _, renewal: __, ...item } = last;
  t.deepEqual(body.data, [item]);
  t.is((await send('GET', `${path}?status=gone`)).body.error, 'status must be one of: active, expired, pending, all');
  t.true((await app.fewestStatements(() => send('GET', `${path}?company_number=${company_number}`))) <= 6);
});

test.serial('Read a contract with its assets and renewal', async (t) => {
  const contract = await add({ end_date: '2026-03-31', notice_days: 10 });
  const { data } = (await send('GET', at(contract.contract_id))).body;
  t.deepEqual(data, contract);
  t.like(data.renewal, { renewal_date: null, notice_by: '2026-03-21' });
  t.is((await send('GET', at(999_999))).status, 404);
});

test.serial('Update a contract: dates change its status and renewal, and assets are replaced', async (t) => {
  const { company_number } = await seedCompany(app);
  const assets = [await seedAsset(app, { company_number }), await seedAsset(app, { company_number })];
  const [one, two] = assets.map((each) => each.asset_id);
  const { contract_id } = await add({
    company_number,
    end_date: '2026-06-30',
    auto_renew: true,
    notice_days: 30,
    asset_ids: [one],
  });
  const put = (body: unknown) => send('PUT', at(contract_id), body);
  t.like((await put({ end_date: '2026-07-30' })).body.data, { renewal_date: '2026-06-30', status: 'active' });
  t.like((await put({ renewal_date: '2026-07-01' })).body.data, { renewal_date: '2026-07-01' });
  t.like((await put({ end_date: '2026-02-01', auto_renew: false })).body.data, { status: 'expired' });
  t.like((await put({ start_date: '2026-05-01', end_date: null })).body.data, { status: 'pending' });
  const moved = (await put({ asset_ids: [two] })).body.data;
  t.deepEqual(
    moved.assets.map((each: { asset_id: number }) => each.asset_id),
    [two],
  );
  clock.set('2026-03-02T10:00:00.000Z');
  t.is((await put({ asset_ids: [two], name: 'Care' })).body.data.updated_at, now, 'nothing changed (V-16)');
  clock.set('2026-03-02T09:00:00.000Z');
  t.deepEqual((await put({ asset_ids: [] })).body.data.assets, []);
  t.is((await put({ company_number: 1 })).body.error, 'company_number cannot be changed');
  t.is((await put({ start_date: null })).status, 400);
  t.is((await put({ status: 'active' })).body.error, 'No fields to update');
});

test.serial('Delete a contract', async (t) => {
  const { contract_id, company_number } = await add();
  t.is((await send('DELETE', `/companies.php?id=${company_number}`)).status, 409, 'it holds its company');
  t.is((await send('DELETE', at(contract_id))).status, 204);
  t.is((await send('GET', at(contract_id))).status, 404);
  t.is((await send('DELETE', at(contract_id))).status, 404);
  t.is((await send('DELETE', `/companies.php?id=${company_number}`)).status, 204);
});

test.serial('a contract for one asset covers no other ticket once that asset is deleted', async (t) => {
  const staff = await asKey(app, ['assets:delete', 'billing:read', 'contracts:read', 'tickets:read']);
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number });
  const { contract_id } = await add({ company_number, included_hours: 10, asset_ids: [asset_id] });
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Printer' });
  await app.run(async (ctx) => logTime(ctx, await lockTicket(ctx, ticket_id), { duration_minutes: 60 }));
  t.is((await staff('DELETE', `/assets.php?id=${asset_id}`)).status, 204);
  await app.app.outbox.drain();
  const contractsOf = async () => (await staff('GET', `/tickets.php?id=${ticket_id}`)).body.data.contracts;
  const covered = async () => (await staff('GET', `/billing/open-time.php?company_number=${company_number}`)).body.data;
  t.deepEqual((await send('GET', at(contract_id))).body.data.assets, []);
  t.deepEqual(await contractsOf(), []);
  t.like(await covered(), [{ covered_minutes: 0 }]);
  await send('PUT', at(contract_id), { asset_ids: [] });
  t.like(await contractsOf(), [{ contract_id }]);
  t.like(await covered(), [{ covered_minutes: 60 }]);
});

test.serial('a day ending in the tenant’s time zone updates due dates once', async (t) => {
  const ending = await add({ end_date: '2026-03-02' });
  const coming = await add({ start_date: '2026-03-03' });
  const stateOf = async ({ contract_id }: { contract_id: number }) =>
    (await send('GET', at(contract_id))).body.data.status;
  await app.app.scheduler.runNow('inventory.statuses');
  t.deepEqual([await stateOf(ending), await stateOf(coming)], ['active', 'pending']);
  clock.set('2026-03-02T23:00:00.000Z');
  await app.app.scheduler.runNow('inventory.statuses');
  t.deepEqual([await stateOf(ending), await stateOf(coming)], ['expired', 'active'], 'midnight in Berlin');
  t.is((await send('GET', `${path}?status=expired&company_number=${ending.company_number}`)).body.pagination.total, 1);
  clock.set('2026-03-02T09:00:00.000Z');
});

test.serial('each notice before an end date is sent once, and again if the date moves', async (t) => {
  const told = async () => {
    const rows = await app.app.database.find(StoredEvent, { order: { event_id: 'ASC' } });
    return rows.filter((each) => each.name.startsWith('inventory.')).map(({ name, data }) => [name, data as any]);
  };
  const { contract_id, company_number } = await add({ name: 'Lease', end_date: '2026-05-01' });
  const marks = async () =>
    (await told())
      .filter(([, { id, kind }]) => id === contract_id && kind === 'contract')
      .map(([name, { mark, days_left }]) => (name === 'inventory.renewed' ? 'renewed' : [mark, days_left]));
  let minute = 0;
  const run = async (day: string) => {
    for (const _ of ['now', 'and again']) {
      clock.set(`${day}T09:${String(++minute).padStart(2, '0')}:00.000Z`);
      await app.app.scheduler.runNow('inventory.expiry');
    }
  };
  await run('2026-03-31');
  t.deepEqual(await marks(), [], '31 days before');
  await run('2026-04-01');
  t.deepEqual(await marks(), [[30, 30]]);
  await run('2026-04-25');
  t.deepEqual(
    await marks(),
    [
      [30, 30],
      [7, 6],
    ],
    'a mark that was slept through is not told late',
  );
  await run('2026-04-30');
  t.deepEqual((await marks()).at(-1), [1, 1]);
  t.deepEqual((await told()).at(-1)?.[1], {
    kind: 'contract',
    id: contract_id,
    name: 'Lease',
    company_number,
    expires_on: '2026-05-01',
    days_left: 1,
    mark: 1,
  });
  await send('PUT', at(contract_id), { end_date: '2026-05-20' });
  await run('2026-04-30');
  t.deepEqual((await marks()).slice(-2), ['renewed', [30, 20]]);
  await send('DELETE', at(contract_id));
  t.is((await marks()).at(-1), 'renewed');
  await run('2026-05-19');
  t.is((await marks()).at(-1), 'renewed', 'what is deleted ends no more');
  clock.set('2026-03-02T09:00:00.000Z');
});

test.serial('Create a contract; Read a contract: an auto-renewing contract continues term after term', async (t) => {
  clock.set('2026-11-25T09:00:00.000Z');
  const dates = { start_date: '2025-11-01', end_date: '2026-10-31', auto_renew: true, notice_days: 90 };
  const { contract_id, status, end_date, renewal } = await add(dates);
  t.like({ status, end_date }, { status: 'active', end_date: '2027-10-31' });
  t.like(renewal, { renewal_date: '2027-08-02', notice_by: '2027-08-02', term_start: '2026-11-01' });

  clock.set('2027-09-01T09:00:00.000Z');
  t.is((await send('GET', at(contract_id))).body.data.renewal.days_until_renewal, 0, 'never negative');
  clock.set('2027-11-01T09:00:00.000Z');
  await app.app.scheduler.runNow('inventory.statuses');
  t.like((await send('GET', at(contract_id))).body.data, {
    status: 'active',
    start_date: '2025-11-01',
    end_date: '2028-10-31',
  });
  const events = await app.app.database.findBy(StoredEvent, { name: 'contract.renewed' });
  const own = events
    .map(({ data }) => data as Record<string, unknown>)
    .filter((each) => each['contract_id'] === contract_id);
  t.deepEqual(
    own.map((each) => each['end_date']),
    ['2028-10-31'],
  );

  await send('PUT', at(contract_id), { auto_renew: false });
  clock.set('2028-11-01T09:00:00.000Z');
  await app.app.scheduler.runNow('inventory.statuses');
  t.is((await send('GET', at(contract_id))).body.data.status, 'expired');
  await send('PUT', at(contract_id), { auto_renew: true });
  t.like((await send('GET', at(contract_id))).body.data, { status: 'active', end_date: '2029-10-31' });
  clock.set('2026-03-02T09:00:00.000Z');
});

test.serial('an auto-renewing contract from a month’s end keeps its ends, until another end is agreed', async (t) => {
  clock.set('2026-04-15T09:00:00.000Z');
  const { contract_id } = await add({ start_date: '2026-03-31', end_date: '2026-04-30', auto_renew: true });
  const endOf = async () => (await send('GET', at(contract_id))).body.data.end_date as string;
  const ends: string[] = [];
  for (let month = 5; month <= 10; month++) {
    clock.set(`2026-${String(month).padStart(2, '0')}-01T09:00:00.000Z`);
    await app.app.scheduler.runNow('inventory.statuses');
    ends.push(await endOf());
  }
  t.deepEqual(ends, ['2026-05-30', '2026-06-30', '2026-07-30', '2026-08-30', '2026-09-30', '2026-10-30']);
  await send('PUT', at(contract_id), { start_date: '2026-08-31', end_date: '2026-11-29' });
  clock.set('2026-11-30T09:00:00.000Z');
  await app.app.scheduler.runNow('inventory.statuses');
  t.is(await endOf(), '2027-02-27', 'quarters that begin on 30 November and 28 February');
  clock.set('2026-03-02T09:00:00.000Z');
});

test.serial('Update a contract: notice given too late does not end it, an agreed end does', async (t) => {
  clock.set('2026-11-27T09:00:00.000Z');
  const dates = { start_date: '2025-12-01', end_date: '2026-11-30', auto_renew: true, notice_days: 90 };
  const { contract_id, name } = await add(dates);
  const put = (body: object) => send('PUT', at(contract_id), body);
  const late = await put({ ...dates, name, auto_renew: false });
  t.is(late.status, 400);
  t.regex(late.text, /2026-09-01.*renews until 2027-11-30/);
  t.like((await send('GET', at(contract_id))).body.data, { auto_renew: true, end_date: '2026-11-30' });
  t.like((await put({ notes: 'Called them' })).body.data, { auto_renew: true, notes: 'Called them' });
  t.like((await put({ auto_renew: false, notice_days: 0 })).body.data, { auto_renew: false, end_date: '2026-11-30' });
  const agreed = await add(dates);
  const ended = await send('PUT', at(agreed.contract_id), { auto_renew: false, end_date: '2026-12-31' });
  t.like(ended.body.data, { auto_renew: false, end_date: '2026-12-31', notice_days: 90 });
  const early = await add({ ...dates, end_date: '2027-11-30' });
  t.is((await send('PUT', at(early.contract_id), { auto_renew: false })).status, 200, 'notice in time');
  const none = await add({ ...dates, notice_days: 0 });
  t.is((await send('PUT', at(none.contract_id), { auto_renew: false })).status, 200, 'no notice period');
  clock.set('2026-03-02T09:00:00.000Z');
});

test('terms have the length of the first one, regardless of month lengths', (t) => {
  const endsOf = (start_date: string, end_date: string, today: string) => {
    const ends: (string | undefined)[] = [];
    let terms = {
      start_date,
      end_date,
      term_start: null as string | null,
      term_overflows: false,
      renewal_date: null as string | null,
      auto_renew: true,
    };
    while (terms.end_date < today) {
      const next = renewedUntil(terms, plus(`${terms.end_date}T00:00:00.000Z`, { days: 1 }).slice(0, 10));
      if (!next) break;
      terms = { ...terms, ...next };
      ends.push(next.end_date);
    }
    return ends;
  };
  t.deepEqual(
    endsOf('2026-01-31', '2026-02-28', '2026-06-01'),
    ['2026-03-30', '2026-04-30', '2026-05-30', '2026-06-30'],
    'months from the 31st',
  );
  t.deepEqual(
    endsOf('2026-03-31', '2026-04-30', '2027-03-01').slice(2),
    [
      ...['2026-07-30', '2026-08-30', '2026-09-30', '2026-10-30', '2026-11-30'],
      ...['2026-12-30', '2027-01-30', '2027-02-28', '2027-03-30'],
    ],
    'two months of 31 days in a row change nothing',
  );
  t.deepEqual(endsOf('2025-11-30', '2026-02-28', '2026-08-01'), ['2026-05-29', '2026-08-29'], 'quarters');
  t.deepEqual(endsOf('2024-02-29', '2025-02-27', '2028-03-01'), [
    '2026-02-27',
    '2027-02-27',
    '2028-02-28',
    '2029-02-27',
  ]);
  t.deepEqual(endsOf('2024-02-29', '2025-02-28', '2028-03-01'), [
    '2026-02-28',
    '2027-02-28',
    '2028-02-28',
    '2029-02-28',
  ]);
  t.deepEqual(endsOf('2025-03-01', '2026-02-28', '2028-03-01'), ['2027-02-28', '2028-02-29', '2029-02-28']);
  t.deepEqual(endsOf('2026-01-31', '2026-02-27', '2026-06-01'), [
    '2026-03-30',
    '2026-04-29',
    '2026-05-30',
    '2026-06-29',
  ]);
  t.deepEqual(endsOf('2026-01-01', '2026-01-10', '2026-01-25'), ['2026-01-20', '2026-01-30']);
  const once = {
    start_date: '2016-01-01',
    end_date: '2016-12-31',
    term_start: null,
    term_overflows: false,
    renewal_date: '2016-10-02',
    auto_renew: true,
  };
  t.deepEqual(renewedUntil(once, '2026-11-25'), {
    term_start: '2026-01-01',
    term_overflows: false,
    end_date: '2026-12-31',
    renewal_date: '2026-10-02',
  });
  t.is(renewedUntil({ ...once, auto_renew: false }, '2026-11-25'), undefined);
});
