// Proposals and subscriptions beyond their own routes: in reports and on open pages.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee } from '../accounts-seed.ts';
import { seedPayer, switchBilling } from '../billing-seed.ts';
import { anAdministrator, anEmployee, listen, streamsOf } from '../core/_live.ts';
import { seedDraft, seedProposal, seedSubscription } from '../sales-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

test.serial('Reports of proposals and subscriptions match their lists', async (t) => {
  const { company_number } = await seedPayer(app);
  const draft = await seedDraft(app, { company_number });
  const sent = await seedProposal(app, { company_number });
  const bought = await seedSubscription(app, company_number, { quantity: 2 });
  await seedSubscription(app, (await seedPayer(app)).company_number);
  const staff = await asKey(app, ['reports:read', 'reports:write', 'billing:read']);
  const filters = [{ field: 'company_number', operator: 'eq', value: company_number }];
  const rowsOf = async (source: string, fields: string[]) => {
    const { body } = await staff('POST', '/reports.php', { name: source, source, fields, filters });
    return (await staff('POST', `/reports.php?action=run&id=${body.data.report_id}`)).body.data.rows;
  };
  const proposals: any[] = await rowsOf('proposals', ['proposal_number', 'status', 'total']);
  const numbers = proposals.map((each) => String(each.proposal_number));
  t.is(numbers.length, 2);
  for (const each of [draft, sent]) t.true(numbers.includes(each.proposal_number));
  t.deepEqual(await rowsOf('subscriptions', ['subscription_id', 'amount']), [
    { subscription_id: bought.subscription_id, amount: 5 },
  ]);
  const { body } = await staff('POST', '/reports.php', {
    name: 'Products',
    source: 'products',
    fields: ['name', 'price'],
  });
  const products = await staff('POST', `/reports.php?action=run&id=${body.data.report_id}`);
  t.like(products.body.data.rows[0], { name: 'Mail protection', price: 2.5 });
  const blind = await asKey(app, ['reports:read', 'reports:write', 'tickets:read']);
  t.is((await blind('POST', '/reports.php', { name: 'x', source: 'proposals' })).status, 403);

  const boss = await asEmployee(app, await seedEmployee(app, { company_number, ismgr: true }));
  const make = await boss('POST', '/reports', { name: 'Offers', source: 'proposals', fields: ['proposal_number'] });
  const run = () => boss('POST', `/reports/${make.body.report_id}/run`);
  t.deepEqual((await run()).body.rows, [{ proposal_number: sent.proposal_number }], 'no drafts');
  const reader = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.is((await reader('POST', '/reports', { name: 'x', source: 'subscriptions' })).status, 403);
  await switchBilling(app, company_number, false);
  t.is((await run()).status, 403);
});

test.serial('Open pages receive only what the user may see', async (t) => {
  const { company_number } = await seedPayer(app);
  const live = streamsOf(app);
  const staff = await listen(app, anAdministrator);
  const boss = await listen(app, await anEmployee(app, company_number, { ismgr: true }));
  const reader = await listen(app, await anEmployee(app, company_number));
  await live.look();
  for (const each of [staff, boss, reader]) each.heard();
  const { proposal_id } = await seedDraft(app, { company_number });
  await live.look();
  t.true(staff.heard().some((each) => each.includes(`proposal ${proposal_id}`)));
  t.deepEqual(boss.heard(), [], 'a draft');
  const sent = await seedProposal(app, { company_number });
  await live.look();
  t.true(boss.heard().some((each) => each.includes(`proposal ${sent.proposal_id}`)));
  t.deepEqual(reader.heard(), []);
});
