// Jobs that work through batches of records: one that fails stops none of the others, and the run names it.
import { plus } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { createApiKey } from '@keelson/modules/accounts';
import { BackupRecord, reportBackups } from '@keelson/modules/backup';
import { Invoice, Proposal, Subscription, SubscriptionPeriod } from '@keelson/modules/billing';
import { Chat } from '@keelson/modules/chat';
import { WidgetSession } from '@keelson/modules/widget';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { BackupMachine } from '../../modules/backup/entities.ts';
import { Notification, Presence } from '../../modules/desk/entities.ts';
import { ExpiryNotice } from '../../modules/inventory/expiry/entities.ts';
import { failing, refuseWrites } from '../_refused-writes.ts';
import { seedCompany, seedTechnician } from '../accounts-seed.ts';
import { seedInvoice, seedPayer } from '../billing-seed.ts';
import { seedDraft, seedSubscription } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00.000Z';

test('an invoice that cannot be marked as overdue does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedPayer(app);
  const late = async () => {
    const invoice = await seedInvoice(app, { company_number });
    const { invoice_id } = invoice;
    await database.update(
      Invoice,
      { invoice_id },
      { status: 'sent', issue_date: '2026-02-01', due_date: '2026-03-01' },
    );
    return invoice;
  };
  const [bad, { invoice_id }] = [await late(), await late()];
  await refuseWrites(t, app, { table: 'invoice', column: 'invoice_id', value: bad.invoice_id });
  t.is(await failing(t, app, 'billing.overdue'), `invoice ${bad.invoice_number}: Refused`);
  t.like(await database.findOneBy(Invoice, { invoice_id }), { status: 'overdue' });
});

test('a proposal that cannot expire does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedPayer(app);
  const late = async () => {
    const proposal = await seedDraft(app, { company_number });
    const { proposal_id } = proposal;
    await database.update(Proposal, { proposal_id }, { status: 'sent', valid_until: '2026-03-01' });
    return proposal;
  };
  const [bad, { proposal_id }] = [await late(), await late()];
  await refuseWrites(t, app, { table: 'proposal', column: 'proposal_id', value: bad.proposal_id });
  t.is(await failing(t, app, 'billing.expire-proposals'), `proposal ${bad.proposal_number}: Refused`);
  t.like(await database.findOneBy(Proposal, { proposal_id }), { status: 'expired' });
});

test('a subscription that cannot be billed or expire does not stop the others, of its company neither', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const first = await seedPayer(app);
  const second = await seedPayer(app);
  const add = ({ company_number }: { readonly company_number: number }) => seedSubscription(app, company_number);
  const [bad, sibling, other] = [await add(first), await add(first), await add(second)];
  const [stuck, over] = [await add(first), await add(second)];
  for (const { subscription_id } of [stuck, over])
    await database.update(Subscription, { subscription_id }, { end_date: '2026-03-31', next_billing_date: null });
  await refuseWrites(t, app, {
    ...{ table: 'subscription_period', column: 'subscription_id', value: bad.subscription_id },
    write: 'INSERT',
  });
  await refuseWrites(t, app, { table: 'subscription', column: 'subscription_id', value: stuck.subscription_id });
  app.clock.set('2026-04-02T09:00:00.000Z');
  t.is(
    await failing(t, app, 'billing.recurring'),
    `company ${first.company_number}: subscription ${bad.subscription_id}: Refused; ended subscriptions: subscription ${stuck.subscription_id}: Refused`,
  );
  for (const { subscription_id } of [sibling, other])
    t.is(await database.countBy(SubscriptionPeriod, { subscription_id }), 2);
  t.like(await database.findOneBy(Subscription, { subscription_id: over.subscription_id }), { status: 'expired' });
});

test('a contract or license that cannot be warned about does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedCompany(app);
  const send = await asKey(app, ['contracts:write', 'licenses:write']);
  const contract = async (name: string): Promise<number> => {
    const body = { company_number, name, start_date: '2026-01-01', end_date: '2026-03-10' };
    return (await send('POST', '/contracts.php', body)).body.data.contract_id;
  };
  const [bad, good] = [await contract('Bad'), await contract('Good')];
  await send('POST', '/licenses.php', { company_number, name: 'Office', expires_at: '2026-03-10' });
  await refuseWrites(t, app, { table: 'expiry_notice', column: 'record_id', value: bad, write: 'INSERT' });
  const error = await failing(t, app, 'inventory.expiry');
  t.regex(error, new RegExp(`^contracts: contract ${bad}: Refused`));
  t.true(await database.existsBy(ExpiryNotice, { kind: 'contract', record_id: good }));
});

test('an idle chat that cannot end does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const times = { started_at: now, last_active_at: now };
  const add = (given: object) =>
    database.insertReturningId(Chat, { source: 'website', person_name: 'Visitor', ...times, ...given });
  const [bad, good, unanswered] = [await add({}), await add({}), await add({ status: 'waiting_agent' })];
  await refuseWrites(t, app, { table: 'chat', column: 'chat_id', value: bad });
  app.clock.set('2026-03-12T09:00:00.000Z');
  t.is(await failing(t, app, 'chat.end-idle'), `chat ${bad}: Refused`);
  for (const chat_id of [good, unanswered]) t.like(await database.findOneBy(Chat, { chat_id }), { status: 'ended' });
});

test('an ended chat that cannot be deleted does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const times = { started_at: now, last_active_at: now, ended_at: now };
  const add = () =>
    database.insertReturningId(Chat, { source: 'website', person_name: 'Visitor', status: 'ended', ...times });
  const [bad, good] = [await add(), await add()];
  await refuseWrites(t, app, { table: 'chat', column: 'chat_id', value: bad, write: 'DELETE' });
  app.clock.set('2029-03-02T09:00:00.000Z');
  t.is(await failing(t, app, 'chat.prune'), `chat ${bad}: Refused`);
  t.false(await database.existsBy(Chat, { chat_id: good }));
});

test('an idle website session whose chat cannot end stays idle and does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const times = { started_at: now, last_active_at: now };
  const wanted = { type: 'crm_public_live', name: 'Website', permissions: [] } as const;
  const { key_id } = (await app.run((ctx) => createApiKey(ctx, wanted))).row;
  const chat = () =>
    database.insertReturningId(Chat, { source: 'website', person_name: 'Visitor', status: 'with_agent', ...times });
  const add = (session_hash: string, chat_id: number | null) =>
    database.insertReturningId(WidgetSession, {
      ...{ session_hash, key_id, visitor_id: session_hash, chat_id, ...times },
    });
  const [badChat, chat_id] = [await chat(), await chat()];
  const [bad, good, alone] = [await add('a', badChat), await add('b', chat_id), await add('c', null)];
  await refuseWrites(t, app, { table: 'chat', column: 'chat_id', value: badChat });
  app.clock.set('2026-03-02T10:00:00.000Z');
  t.is(await failing(t, app, 'widget.end-idle'), `session ${bad}: Refused`);
  t.like(await database.findOneBy(WidgetSession, { widget_session_id: bad }), { status: 'active', ended_at: null });
  for (const widget_session_id of [good, alone])
    t.like(await database.findOneBy(WidgetSession, { widget_session_id }), { status: 'ended' });
  t.like(await database.findOneBy(Chat, { chat_id }), { status: 'ended' });
});

test('presence that cannot be removed does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { user_id } = await seedTechnician(app, 'technician');
  const add = (record_id: number) =>
    database.insertReturningId(Presence, { user_id, type: 'ticket', record_id, doing: 'viewing', seen_at: now });
  const [bad, good] = [await add(1), await add(2)];
  await refuseWrites(t, app, { table: 'presence', column: 'presence_id', value: bad, write: 'DELETE' });
  app.clock.set('2026-03-02T09:01:00.000Z');
  t.is(await failing(t, app, 'desk.forget-presence'), `presence ${bad}: Refused`);
  t.false(await database.existsBy(Presence, { presence_id: good }));
});

test('a backup record that cannot be deleted does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { company_number } = await seedCompany(app);
  const report = (machine_name: string) =>
    reportBackups(app.app.system(), [{ company_number, machine_name, status: 'completed', size_bytes: 10 }]);
  await report('BAD');
  await report('GOOD');
  const bad = await database.findOneBy(BackupRecord, { machine_name: 'BAD' });
  await refuseWrites(t, app, {
    ...{ table: 'backup_record', column: 'machine_name', value: 'BAD' },
    write: 'DELETE',
  });
  app.clock.set('2027-06-02T09:00:00.000Z');
  t.is(await failing(t, app, 'backup.prune'), `backup ${bad?.backup_id}: Refused`);
  t.like(await database.findOneBy(BackupMachine, { machine_name: 'BAD' }), { stored_bytes: 10 });
  t.like(await database.findOneBy(BackupMachine, { machine_name: 'GOOD' }), { stored_bytes: 0 });
});

test('an old row that cannot be deleted does not stop the others', async (t) => {
  const app = await startApp(t);
  const { database } = app.app;
  const { user_id } = await seedTechnician(app, 'technician');
  const add = () =>
    database.insertReturningId(Notification, {
      ...{ user_id, kind: 'assigned', type: 'ticket', record_id: 1, title: 'Ticket 1', by_name: 'Terry' },
      created_at: now,
    });
  const [bad, good] = [await add(), await add()];
  await refuseWrites(t, app, {
    ...{ table: 'notification', column: 'notification_id', value: bad },
    write: 'DELETE',
  });
  const before = plus(now, { days: 1 });
  await t.throwsAsync(removeBefore(database, Notification, 'created_at', before), {
    message: `notification ${bad}: Refused`,
  });
  t.false(await database.existsBy(Notification, { notification_id: good }));
});
