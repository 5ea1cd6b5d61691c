// Attachments of assets, contracts, articles, invoices and proposals on both surfaces: visible with the record, added
// by those who may change it.
import { lock } from '@keelson/core';
import { createContract } from '@keelson/modules/inventory';
import { createArticle } from '@keelson/modules/kb';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Invoices } from '../../modules/billing/invoices/invoices.ts';
import { sendInvoice } from '../../modules/billing/invoices/update.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { portalCaller, staffCaller, type Caller } from '../attachments-seed.ts';
import { seedInvoice, switchBilling } from '../billing-seed.ts';
import { seedDraft, seedProposal } from '../sales-seed.ts';

async function seed(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const as = async (given: object) => portalCaller(app, await seedEmployee(app, given as never));
  const itAdmin = await as({ company_number, it_privileges: true });
  const person = await as({ company_number, asset_edit: 'Read Only' });
  const stranger = await as({ it_privileges: true });
  return { app, company_number, itAdmin, person, stranger };
}

/** Returns a caller's statuses for a record with an attachment: list, download, upload and delete. */
async function statuses(who: Caller, all: string, one: string): Promise<number[]> {
  const listed = await who.send('GET', all);
  const loaded = await who.send('GET', one);
  const added = await who.upload(all, [{ name: 'more.txt' }]);
  return [listed.status, loaded.status, added.status];
}

async function staffOf(app: TestApp, area: string): Promise<readonly [write: Caller, read: Caller, none: Caller]> {
  return [
    await staffCaller(app, [`${area}:read`, `${area}:write`]),
    await staffCaller(app, [`${area}:read`]),
    await staffCaller(app, ['tickets:read']),
  ];
}

/** Uploads, lists, downloads and deletes as staff; returns the id of a second file that stays. */
async function worksForStaff(t: import('ava').ExecutionContext, app: TestApp, area: string, path: string, id: number) {
  const [write, read, none] = await staffOf(app, area);
  const all = `${path}?action=attachments&id=${id}`;
  const one = (attachment_id: number) => `${path}?action=attachment&id=${id}&attachment_id=${attachment_id}`;
  const { status, body } = await write.upload(all, [{ name: 'a.txt' }, { name: 'b.txt', bytes: 'world' }]);
  t.is(status, 201);
  const [first, second] = body.data.attachments;
  t.like(first, { filename: 'a.txt', content_type: 'text/plain', size: 5 });
  t.deepEqual((await read.send('GET', all)).body.data, [first, second]);
  t.is((await read.send('GET', one(second.attachment_id))).text, 'world');
  t.deepEqual(await statuses(read, all, one(first.attachment_id)), [200, 200, 403]);
  t.deepEqual(await statuses(none, all, one(first.attachment_id)), [403, 403, 403]);
  t.is((await read.send('DELETE', one(first.attachment_id))).status, 403);
  t.is((await write.send('DELETE', one(first.attachment_id))).status, 204);
  t.is((await write.send('GET', one(first.attachment_id))).status, 404);
  t.is((await write.send('GET', `${path}?action=attachments&id=999999`)).status, 404);
  return Number(second.attachment_id);
}

test('List all attachments of any asset; Attach files to any asset; Download an attachment of any asset; Delete an attachment of any asset; List attachments of an asset; Attach files to an asset; Download an attachment of an asset; Delete an attachment of an asset', async (t) => {
  const { app, company_number, itAdmin, person, stranger } = await seed(t);
  const { asset_id } = await seedAsset(app, { company_number });
  const kept = await worksForStaff(t, app, 'assets', '/assets.php', asset_id);
  const all = `/assets/${asset_id}/attachments`;
  const one = `${all}/${kept}`;
  t.deepEqual(await statuses(itAdmin, all, one), [200, 200, 201]);
  t.deepEqual(await statuses(stranger, all, one), [404, 404, 404]);
  t.is((await stranger.send('GET', all)).text, (await stranger.send('GET', '/assets/999999/attachments')).text);
  const refused = await statuses(person, all, one);
  t.deepEqual(refused, [200, 200, 403], 'asset_edit is Read Only');
  t.is((await person.send('DELETE', one)).status, 403);
  t.is((await itAdmin.send('DELETE', one)).status, 204);
});

test('List all attachments of any contract; Attach files to any contract; Download an attachment of any contract; Delete an attachment of any contract; List attachments of a contract; Download an attachment of a contract', async (t) => {
  const { app, company_number, itAdmin, person, stranger } = await seed(t);
  const { contract_id } = await app.run((ctx) =>
    createContract(ctx, { company_number, name: 'Care', start_date: '2026-01-01' }),
  );
  const kept = await worksForStaff(t, app, 'contracts', '/contracts.php', contract_id);
  const all = `/contracts/${contract_id}/attachments`;
  const one = `${all}/${kept}`;
  t.deepEqual(await statuses(itAdmin, all, one), [200, 200, 405], 'nobody of the company changes a contract');
  t.deepEqual(await statuses(person, all, one), [403, 403, 405]);
  t.deepEqual(await statuses(stranger, all, one), [404, 404, 405]);
});

test('List all attachments of any invoice; Attach files to any invoice; Download an attachment of any invoice; Delete an attachment of any invoice; List attachments of an invoice; Download an attachment of an invoice', async (t) => {
  const { app, company_number, itAdmin, person, stranger } = await seed(t);
  await switchBilling(app, company_number, true);
  const { invoice_id } = await seedInvoice(app, { company_number });
  const kept = await worksForStaff(t, app, 'billing', '/billing/invoices.php', invoice_id);
  const all = `/billing/invoices/${invoice_id}/attachments`;
  const one = `${all}/${kept}`;
  t.deepEqual(await statuses(itAdmin, all, one), [404, 404, 405], 'a draft');
  await app.run(async (ctx) => sendInvoice(ctx, await lock(ctx, Invoices, invoice_id)));
  t.deepEqual(await statuses(itAdmin, all, one), [200, 200, 405], 'nobody of the company changes an invoice');
  t.deepEqual(await statuses(person, all, one), [403, 403, 405]);
  t.deepEqual(await statuses(stranger, all, one), [403, 403, 405], 'a company without billing');
});

test('List all attachments of any article; Attach files to any article; Download an attachment of any article; Delete an attachment of any article; List attachments of an article; Attach files to an article; Download an attachment of an article; Delete an attachment of an article', async (t) => {
  const { app, company_number, itAdmin, person, stranger } = await seed(t);
  const write = (more: object) =>
    app.run((ctx) => createArticle(ctx, { title: 'VPN', content: 'Text', visibility: 'public', ...more }));
  const common = await write({});
  const own = await write({ company_number });
  const hidden = await write({ visibility: 'internal' });
  const places = await Promise.all(
    [common, own, hidden].map(async ({ article_id }) => {
      const all = `/kb/articles/${article_id}/attachments`;
      return { all, one: `${all}/${await worksForStaff(t, app, 'kb', '/kb/articles.php', article_id)}` };
    }),
  );
  const seen = async (who: Caller) => Promise.all(places.map(({ all, one }) => statuses(who, all, one)));
  t.deepEqual(await seen(person), [
    [200, 200, 403],
    [200, 200, 403],
    [404, 404, 403],
  ]);
  t.deepEqual(await seen(itAdmin), [
    [200, 200, 403],
    [200, 200, 201],
    [404, 404, 404],
  ]);
  t.deepEqual(await seen(stranger), [
    [200, 200, 403],
    [404, 404, 404],
    [404, 404, 404],
  ]);
  t.is((await itAdmin.send('DELETE', places[1]?.one ?? '')).status, 204);
});

test('List all attachments of any proposal; Attach files to any proposal; Download an attachment of any proposal; Delete an attachment of any proposal; List attachments of a proposal; Download an attachment of a proposal', async (t) => {
  const { app, company_number, itAdmin, person, stranger } = await seed(t);
  await switchBilling(app, company_number, true);
  const { proposal_id } = await seedProposal(app, { company_number });
  const kept = await worksForStaff(t, app, 'billing', '/billing/proposals.php', proposal_id);
  const all = `/billing/proposals/${proposal_id}/attachments`;
  const one = `${all}/${kept}`;
  t.deepEqual(await statuses(itAdmin, all, one), [200, 200, 405], 'nobody of the company changes a proposal');
  t.deepEqual(await statuses(person, all, one), [403, 403, 405], 'no right to see billing');
  t.deepEqual(await statuses(stranger, all, one), [403, 403, 405], 'their company has no billing');
  const draft = await seedDraft(app, { company_number });
  await worksForStaff(t, app, 'billing', '/billing/proposals.php', draft.proposal_id);
  const absent = await itAdmin.send('GET', '/billing/proposals/999999/attachments');
  const hidden = await itAdmin.send('GET', `/billing/proposals/${draft.proposal_id}/attachments`);
  t.deepEqual([hidden.status, hidden.text], [404, absent.text], 'a draft is not there');
  await switchBilling(app, company_number, false);
  t.deepEqual(await statuses(itAdmin, all, one), [403, 403, 405]);
});
