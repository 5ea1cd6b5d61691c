// The provider's logo: accepted images, where it appears, and its use on invoices.
import { deflateSync, crc32 } from 'node:zlib';
import { findOr404 } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { Invoices } from '../../modules/billing/invoices/invoices.ts';
import { invoicePdf } from '../../modules/billing/invoices/pdf.ts';
import { readMailBrand } from '../../modules/system/branding/branding.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { staffCaller } from '../attachments-seed.ts';
import { seedPayer } from '../billing-seed.ts';
import { pagesOf, textOf } from '../core/_pdf-text.ts';
import { asKey } from '../tickets-seed.ts';

const logo = '/settings/logo.php';
const address = '/helpdesk/api/v1/branding/logo';
const rights = ['settings:read', 'settings:write', 'billing:read', 'billing:write'] as const;

/** Creates a single-colour PNG with an alpha channel; `data` replaces its pixels. */
function png(width: number, height: number, data = Buffer.alloc(height * (1 + width * 4), 120)): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  for (let y = 0; y < height && data.length > 0; y++) data[y * (1 + width * 4)] = 0;
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(data, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('Upload the logo: shown to clients, in mails and on invoices', async (t) => {
  const app = await startApp(t);
  const caller = await staffCaller(app, rights);
  const bytes = png(40, 20);
  const answer = await caller.upload(logo, [{ name: 'logo.png', bytes, type: 'text/html' }]);
  t.is(answer.status, 201, answer.text);
  const { logo_url } = answer.body.data;
  t.deepEqual(answer.body, { success: true, data: { logo_url } });
  t.regex(logo_url, /^\/helpdesk\/api\/v1\/branding\/logo\?v=\w+$/);
  t.is((await app.request('GET', '/helpdesk/api/v1/bootstrap')).body.branding.logo_url, logo_url);
  const shown = await app.request('GET', logo_url);
  t.is(shown.headers.get('content-type'), 'image/png');
  t.is(shown.headers.get('cache-control'), 'public, max-age=300');
  t.is(shown.headers.get('cross-origin-resource-policy'), 'cross-origin');
  t.is(Number(shown.headers.get('content-length')), bytes.length);
  const { logo_url: inMails } = await readMailBrand(app.app.system());
  t.is(inMails, `${app.app.config.baseUrl}${logo_url}`);
  t.like(await app.app.database.findOneBy(ActivityLine, { entity_id: 'branding.identity' }), {
    description: 'Logo changed',
  });

  const send = await asKey(app, rights);
  const { company_number } = await seedPayer(app);
  const line_items = [{ description: 'Work', unit_price: 100 }];
  const { invoice_id } = (await send('POST', '/billing/invoices.php', { company_number, line_items })).body.data;
  const pdf = async () => {
    const { body } = await invoicePdf(app.app.system(), await findOr404(app.app.system(), Invoices, invoice_id));
    return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  };
  const withLogo = await pdf();
  t.true(withLogo.includes('/Subtype /Image'));
  t.regex(textOf(pagesOf(withLogo)[0] ?? []), /Bill to/);

  t.is((await caller.send('DELETE', logo)).status, 204);
  t.is((await app.request('GET', logo_url)).status, 404);
  t.is((await caller.send('DELETE', logo)).status, 204, 'again');
  t.false((await pdf()).includes('/Subtype /Image'));
});

test('A second logo replaces the first', async (t) => {
  const app = await startApp(t);
  const caller = await staffCaller(app, rights);
  await caller.upload(logo, [{ name: 'a.png', bytes: png(10, 10) }]);
  const wide = png(60, 20);
  t.is((await caller.upload(logo, [{ name: 'b.png', bytes: wide }])).status, 201);
  t.is(Number((await app.request('GET', address)).headers.get('content-length')), wide.length);
});

test('Upload the logo: rejects files that are not images, too large or damaged', async (t) => {
  const app = await startApp(t);
  const caller = await staffCaller(app, rights);
  const picture = { name: 'logo.png', bytes: png(10, 10) };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const cut = png(600, 600).subarray(0, 200);
  const bomb = png(100, 100, Buffer.alloc(100 * 1024 * 1024));
  const [no, size] = ['file must be a PNG or JPEG image', 'file must be an image of at most 2,000 × 2,000 pixels'];
  for (const [files, status, error] of [
    [[], 400, 'file must be a single image'],
    [[picture, picture], 400, 'file must be a single image'],
    [[{ name: 'logo.svg', bytes: svg }], 400, no],
    [[{ name: 'logo.png', bytes: svg }], 400, no],
    [[{ name: 'logo.png', bytes: cut }], 400, size],
    [[{ name: 'logo.png', bytes: png(4000, 10) }], 201, undefined],
    [[{ name: 'logo.png', bytes: png(2001, 2000, Buffer.alloc(0)) }], 400, size],
    [[{ name: 'logo.png', bytes: bomb }], 400, size],
    [[{ name: 'logo.jpg', bytes: Buffer.from('ffd8ffe000104a464946', 'hex') }], 400, 'file must be a valid image'],
    [[{ name: 'logo.jpg', bytes: Buffer.alloc(256 * 1024 + 1) }], 413, 'The image must be at most 256 KiB'],
  ] as const) {
    const answer = await caller.upload(logo, files);
    t.is(answer.status, status, answer.text);
    if (error !== undefined) t.deepEqual(answer.body, { success: false, error });
  }
});

test('Logo and name: access', async (t) => {
  const app = await startApp(t);
  const reader = await staffCaller(app, ['settings:read']);
  t.is((await reader.upload(logo, [{ name: 'a.png', bytes: png(5, 5) }])).status, 403);
  t.is((await reader.send('DELETE', logo)).status, 403);
  const other = await staffCaller(app, ['tickets:read']);
  t.is((await other.send('GET', '/settings/branding.php')).status, 403);
  t.is((await app.request('POST', `/admin/api/v1${logo}`)).status, 401);
  const missing = await app.request('GET', address);
  t.is(missing.status, 404);
});

test('Read the tenant’s logo', async (t) => {
  const app = await startApp(t);
  t.deepEqual((await app.request('GET', address)).body, { error: 'Logo not found' });
});

test('Remove the logo', async (t) => {
  const app = await startApp(t);
  const caller = await staffCaller(app, rights);
  await caller.upload(logo, [{ name: 'a.png', bytes: png(10, 10) }]);
  const answer = await caller.send('DELETE', logo);
  t.is(answer.status, 204);
  t.is((await app.request('GET', '/helpdesk/api/v1/bootstrap')).body.branding.logo_url, '');
});

test('Read the name and the logo', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const { body } = await send('GET', '/settings/branding.php');
  t.like(body, { success: true, data: { company_name: 'Keelson', logo_url: '', favicon_url: '' } });
});

test('Change the name', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const answer = await send('PUT', '/settings/branding.php', { company_name: 'Lakeside IT' });
  t.is(answer.status, 200);
  t.is(answer.body.data.company_name, 'Lakeside IT');
  t.is((await app.request('GET', '/helpdesk/api/v1/bootstrap')).body.branding.company_name, 'Lakeside IT');
  t.deepEqual((await send('PUT', '/settings/branding.php', {})).body.error, 'No fields to update');
  t.is((await send('PUT', '/settings/branding.php', { company_name: 'x'.repeat(101) })).status, 400);
});
