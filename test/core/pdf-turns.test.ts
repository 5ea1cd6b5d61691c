// PDF exports over HTTP: the response to a caller with too many at once.
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { inPdfTurn } from '../../core/files/pdf-turn.ts';
import { seedCompany, seedEmployee, seedKey, signIn } from '../accounts-seed.ts';
import { portal, staff } from '../tickets-seed.ts';
import { pagesOf, textOf } from './_pdf-text.ts';

/** Occupies the running slot and all waiting slots of `actor` and `author` until released. */
function occupy({ app }: TestApp, actor: unknown, author: Author): () => Promise<unknown> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const ctx = contextOf({ app, actor, author });
  const all = Array.from({ length: 4 }, () => inPdfTurn(ctx, () => gate));
  return () => {
    open();
    return Promise.all(all);
  };
}

test.serial('too many documents for one key return 429 while another key’s is generated', async (t) => {
  const app = await startApp(t);
  const { api_key: token, row } = await seedKey(app, 'admin', ['tickets:read']);
  const other = await seedKey(app, 'admin', ['tickets:read']);
  const end = occupy(app, undefined, { type: 'api', id: row.key_id, name: 'K' });
  const path = `${staff}/tickets.php?action=export&format=pdf`;
  const refused = await app.request('GET', path, { token });
  t.is(refused.status, 429);
  t.is(refused.headers.get('retry-after'), '10');
  const error = 'Too many documents are being generated: try again in a moment';
  t.deepEqual(refused.body, { success: false, error });
  t.is((await app.request('GET', `${staff}/tickets.php?action=export`, { token })).status, 200, 'a CSV needs no turn');
  const second = app.request('GET', path, { token: other.api_key });
  await end();
  t.is((await second).status, 200);
  t.is((await app.request('GET', path, { token })).status, 200);
});

test.serial('employees of one company share its queue', async (t) => {
  const app = await startApp(t, { config: { tenantName: 'ACME', timeZone: 'America/New_York' } });
  const { company_number } = await seedCompany(app, 'Initech');
  const { token } = await signIn(app, await seedEmployee(app, { company_number }));
  const { token: stranger } = await signIn(app, await seedEmployee(app));
  const end = occupy(app, { company_number }, { type: 'employee', id: 0, name: 'Another' });
  const path = `${portal}/tickets/export?format=pdf&status=in_progress&date_from=2026-03-01`;
  const refused = await app.request('GET', path, { token });
  t.is(refused.status, 429);
  t.is(refused.headers.get('retry-after'), '10');
  t.deepEqual(refused.body, { error: 'Too many documents are being generated: try again in a moment' });
  const second = app.request('GET', path, { token: stranger });
  await end();
  t.is((await second).status, 200);
  const answer = await fetch(app.url + path, { headers: { Authorization: `Bearer ${token}` } });
  const text = textOf(pagesOf(Buffer.from(await answer.arrayBuffer())).flat());
  t.regex(text, /^Tickets\nCompany: Initech  ·  Status: In progress  ·  Created from: 1 Mar 2026, 00:00\n0 rows/);
});
