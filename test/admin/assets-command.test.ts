// Imports assets from the command line: files of any length, through the API's import path.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Asset } from '@keelson/modules/assets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import commands from '../../modules/assets/commands.ts';
import { makeFolder } from '../_folder.ts';
import { seedCompany } from '../accounts-seed.ts';

test('the command line imports files with more rows than a request may have', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const folder = makeFolder(t);
  const file = join(folder, 'assets.csv');
  const lines: string[] = [];
  const shell: any = { open: async () => app.app, print: (line: string) => lines.push(line) };
  const [command] = commands;
  const run = async (csv: string, options: object) => {
    writeFileSync(file, csv);
    lines.length = 0;
    await command?.run(shell, { file, company: String(company_number), ...options });
    return [...lines];
  };
  const rows = (n: number) => Array.from({ length: n }, (_, i) => `PC-${i},SN-${i}`).join('\n');
  t.deepEqual(await run(`machine_name,serial_number\n${rows(50_001)}`, { dryRun: true }), [
    '50001 rows: 50001 created, 0 updated, 0 failed (nothing was stored)',
  ]);
  t.is(await app.app.database.count(Asset), 0);
  t.deepEqual(await run(`machine_name,serial_number\n${rows(3)}\n,SN-9\n`, {}), [
    'row 4: machine_name is required',
    '4 rows: 3 created, 0 updated, 1 failed',
  ]);
  t.like(await app.app.database.findOneBy(Asset, { serial_number: 'SN-2' }), { machine_name: 'PC-2', company_number });
  t.deepEqual(await run('machine_name,serial_number\nPC-X,SN-2', { updateExisting: true }), [
    '1 rows: 0 created, 1 updated, 0 failed',
  ]);
  await t.throwsAsync(run('machine_name\n', {}), { message: 'The file has no rows' });
});

test('if a long file lists an asset twice, the last row wins', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const folder = makeFolder(t);
  const file = join(folder, 'assets.csv');
  const rows = Array.from({ length: 5000 }, (_, i) => `PC-${i},${i % 1500 === 7 ? 'SAME' : `SN-${i}`}`);
  writeFileSync(file, `machine_name,serial_number\n${rows.join('\n')}\n`);
  const lines: string[] = [];
  const shell: any = { open: async () => app.app, print: (line: string) => lines.push(line) };
  await commands[0]?.run(shell, { file, company: String(company_number), updateExisting: true });
  t.deepEqual(lines, ['5000 rows: 4997 created, 3 updated, 0 failed']);
  t.like(await app.app.database.findOneBy(Asset, { serial_number: 'SAME' }), { machine_name: 'PC-4507' });
});
