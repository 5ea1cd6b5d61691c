// An import stops when its caller disconnects: others wait for the slot.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Asset } from '@keelson/modules/assets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedKey } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const ROWS = 40_000;

test('an import ends when its caller disconnects, keeps stored rows, and frees its slot', async (t) => {
  const app = await startApp(t);
  app.expectError(/The caller disconnected/);
  const { company_number } = await seedCompany(app);
  const { api_key } = await seedKey(app, 'admin', ['assets:read', 'assets:write']);
  const rows = Array.from({ length: ROWS }, (_, n) => `PC-${n},Laptop`).join('\n');
  const path = `/admin/api/v1/assets.php?action=import&company_number=${company_number}`;
  const sent = request(app.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'text/csv' },
  });
  sent.on('error', () => undefined);
  sent.end(`machine_name,asset_type\n${rows}`);
  const stored = () => app.app.database.countBy(Asset, { company_number });
  while ((await stored()) === 0) await sleep(5);
  sent.destroy();
  const send = await asKey(app, ['assets:write']);
  // The slot is free once the import has ended.
  const small = () =>
    send('POST', `/assets.php?action=import&company_number=${company_number}`, { csv: 'machine_name\nX' });
  while ((await small()).status === 429) await sleep(20);
  const kept = await stored();
  t.true(kept > 0 && kept < ROWS, `${kept}`);
});
