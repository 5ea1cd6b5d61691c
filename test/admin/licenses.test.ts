import { createApiKey } from '@keelson/modules/accounts';
import { Asset, deleteAsset } from '@keelson/modules/assets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { tablesOf } from '../../core/process/database/tables.ts';
import { createLogger } from '../../packages/log/log.ts';
import { seedCompany, seedEmployee, unique } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey, staff } from '../tickets-seed.ts';

const path = '/licenses.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';
const canary = 'CaNaRy-77Q2-PRODUCT-KEY-9ZX4';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const lines: string[] = [];
test.before(async () => {
  const log = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  app = await openApp({ log });
  send = await asKey(app, ['licenses:read', 'licenses:write', 'assets:read', 'settings:read']);
});
test.after.always(() => app.close());

async function add(body: Record<string, unknown> = {}) {
  const company_number = body['company_number'] ?? (await seedCompany(app)).company_number;
  return (await send('POST', path, { name: unique('Office'), ...body, company_number })).body.data;
}

test.serial('Create a license: returns the full record with a masked key', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { asset_id, machine_name } = await seedAsset(app, { company_number });
  const body = {
    name: 'CAD',
    vendor: 'Autodesk',
    license_type: 'subscription',
    seats: 2,
    company_number,
    purchase_date: '2026-01-01',
    expires_at: '2026-03-01',
    cost: 0.1,
    notes: 'Per user',
    customer_notes: 'Ask Ann',
  };
  const answer = await send('POST', path, { ...body, product_key: canary, asset_ids: [asset_id] });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      license_id: answer.body.data.license_id,
      ...body,
      product_key: '****-9ZX4',
      seats_used: 1,
      status: 'expired',
      company_name: customer,
      currency: 'USD',
      created_at: now,
      updated_at: now,
      assets: [{ asset_id, machine_name, asset_type: '', status: 'active' }],
    },
  });
  t.like(await add({ company_number }), {
    product_key: null,
    seats: null,
    seats_used: 0,
    cost: null,
    status: 'active',
  });
  t.is((await add({ company_number, product_key: 'short' })).product_key, '****', 'no end of a short key');
  const refused = async (wrong: unknown) => (await send('POST', path, wrong)).body.error;
  t.is(await refused({}), 'company_number is required; name is required');
  t.is(await refused({ name: 'X', company_number: 999_999 }), 'company_number must be an existing company');
  t.is(
    await refused({ name: 'X', company_number, seats: 0, asset_ids: [asset_id] }),
    'The license has 0 seats but is linked to 1 assets',
  );
});

test.serial('List licenses: by company, status and text, paged', async (t) => {
  const { company_number } = await seedCompany(app);
  await add({ company_number, name: 'Alpha', vendor: 'Vendré' });
  const { assets: _, ...last } = await add({ company_number, name: 'Beta', expires_at: '2026-03-01' });
  const read = (query: string) => send('GET', `${path}?company_number=${company_number}&${query}`);
  t.deepEqual((await read('per_page=1')).body, {
    success: true,
    data: [last],
    pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
  });
  const names = async (query: string) => (await read(query)).body.data.map((each: { name: string }) => each.name);
  t.deepEqual(await names('search=vendre'), ['Alpha']);
  t.deepEqual(await names('status=active'), ['Alpha']);
  t.deepEqual(await names('status=expired'), ['Beta']);
  t.is((await read('status=pending')).status, 400);
});

test.serial('Read a license with its assets', async (t) => {
  const license = await add({ product_key: 'AAAA-BBBB-CCCC' });
  t.deepEqual((await send('GET', at(license.license_id))).body, { success: true, data: license });
  t.is((await send('GET', at(999_999))).status, 404);
});

test.serial('Update a license: a masked key is kept, null clears it, and seats are enforced', async (t) => {
  const { company_number } = await seedCompany(app);
  const ids: number[] = [];
  for (const _ of [1, 2, 3]) ids.push((await seedAsset(app, { company_number })).asset_id);
  const { license_id } = await add({ company_number, product_key: canary, seats: 2, asset_ids: ids.slice(0, 1) });
  const put = (body: unknown) => send('PUT', at(license_id), body);
  t.like((await put({ product_key: '****-9ZX4', vendor: 'V' })).body.data, { product_key: '****-9ZX4', vendor: 'V' });
  t.is((await put({ asset_ids: ids.slice(0, 2) })).body.data.seats_used, 2);
  t.is((await put({ asset_ids: ids })).body.error, 'The license has 2 seats but is linked to 3 assets');
  t.is((await put({ seats: 1 })).body.error, 'The license has 1 seats but is linked to 2 assets');
  t.like((await put({ seats: null, asset_ids: ids })).body.data, { seats: null, seats_used: 3 });
  t.is((await put({ expires_at: '2026-03-01' })).body.data.status, 'expired');
  t.is((await put({ expires_at: '2026-03-02' })).body.data.status, 'active', 'the last day still counts');
  t.is((await put({ product_key: null })).body.data.product_key, null);
  t.is((await put({})).body.error, 'No fields to update');
  // Deleting an asset frees its seat.
  await app.run(async (ctx) => {
    const asset = await ctx.db.findOne(Asset, {
      where: { asset_id: ids[0] ?? 0 },
      lock: { mode: 'pessimistic_write' },
    });
    if (asset) await deleteAsset(ctx, asset);
  });
  await app.app.outbox.drain();
  t.like((await send('GET', at(license_id))).body.data, { seats_used: 2 });
});

test.serial('Delete a license: its key is destroyed immediately', async (t) => {
  const { license_id } = await add({ product_key: canary });
  t.is((await send('DELETE', at(license_id))).status, 204);
  t.is((await send('GET', at(license_id))).status, 404);
  const rows = await app.app.database.query({
    text: 'SELECT product_key, key_end FROM license WHERE license_id = ?',
    params: [license_id],
  });
  t.deepEqual({ ...rows[0] }, { product_key: null, key_end: null });
});

test.serial('Reveal the product key of a license: authorised callers only, ten times a minute, logged', async (t) => {
  const { license_id, name } = await add({ product_key: canary });
  const reveal = `${path}?action=reveal&id=${license_id}`;
  t.is((await send('POST', reveal)).status, 403, 'a key must be made for it');
  const rights = { type: 'admin', name: 'Reveals', permissions: ['licenses:write'], allow_reveal: true } as const;
  const { api_key: token } = await app.run((ctx) => createApiKey(ctx, rights));
  const ask = () => app.request('POST', `${staff}${reveal}`, { token });
  const answer = await ask();
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, data: { license_id, product_key: canary } });
  t.is(answer.headers.get('cache-control'), 'no-store');
  const logged = await app.app.database.query<{ description: string }>({
    text: `SELECT description FROM activity_log WHERE entity_type = 'license' AND entity_id = ? ORDER BY log_id DESC`,
    params: [String(license_id)],
  });
  t.is(logged[0]?.description, `Product key of license ${name} revealed`);
  for (let i = 2; i <= 10; i++) t.is((await ask()).status, 200);
  const refused = await ask();
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
});

test.serial(
  'a product key never appears in responses, logs, events, activity or plain text in the database',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const employee = await seedEmployee(app, { company_number, asset_edit: 'Modify' });
    const { asset_id } = await seedAsset(app, { company_number });
    const texts: string[] = [];
    const keep = async (answer: Promise<{ text: string }>) => void texts.push((await answer).text);
    const made = send('POST', path, {
      name: canary.slice(0, 3),
      company_number,
      product_key: canary,
      asset_ids: [asset_id],
    });
    await keep(made);
    const { license_id } = (await made).body.data;
    const portal = await asEmployee(app, employee);
    await keep(send('PUT', at(license_id), { product_key: `${canary}${canary}` }));
    await keep(send('PUT', at(license_id), { product_key: canary, seats: 'many' }));
    await keep(send('GET', at(license_id)));
    await keep(send('GET', `${path}?search=${canary}`));
    await keep(send('GET', `/assets.php?id=${asset_id}`));
    await keep(send('GET', '/admin/activity-log.php?entity_type=license'));
    await keep(portal('GET', '/licenses'));
    await keep(portal('GET', `/assets/${asset_id}`));
    await keep(portal('GET', `/assets/${asset_id}/licenses`));
    await app.app.outbox.drain();
    t.deepEqual(
      texts.filter((each) => each.includes(canary)),
      [],
    );
    t.deepEqual(
      lines.filter((each) => each.includes(canary)),
      [],
    );
    t.deepEqual(await rowsWith(app, canary), [], 'a dump of the database shows none');
  },
);

/** Returns the tables with a text that contains the words. */
async function rowsWith({ app: { database, plugins } }: TestApp, words: string): Promise<string[]> {
  const found: string[] = [];
  for (const { options } of tablesOf(plugins)) {
    const rows = await database.query({ text: `SELECT * FROM ${options.name}`, params: [] });
    if (JSON.stringify(rows).includes(words)) found.push(String(options.name));
  }
  return found;
}
