import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { newNoun } from '../../scripts/new-noun.ts';
import { copyInstallation } from './_installation.ts';

const at = 1_800_000_000_000;

test('a generated noun passes its own test and all checks unchanged, in nine files', async (t) => {
  const { folder, cli, ava } = copyInstallation(t);
  cpSync(resolve('test'), join(folder, 'test'), { recursive: true });
  t.deepEqual(newNoun(folder, 'inventory', 'fire-door', at), [
    'modules/inventory/fire-doors/entities.ts',
    'modules/inventory/fire-doors/fire-doors.ts',
    'modules/inventory/routes/admin/fire-doors.ts',
    `migrations/${at}-fire-doors.ts`,
    'test/admin/fire-doors.test.ts',
    'modules/inventory/plugin.ts',
    'modules/inventory/console/pages.ts',
    'modules/inventory/console/sheets.ts',
    'test/_access-ids.ts',
  ]);
  newNoun(folder, 'kb', 'glossary-entry', at + 1);
  t.regex(await cli('check'), /no problems found/);
  t.regex(await ava('test/admin/fire-doors.test.ts'), /2 tests passed/);
  t.regex(await ava('test/admin/glossary-entries.test.ts'), /2 tests passed/);
});

test('an invalid noun is rejected and nothing is written', (t) => {
  const { folder } = copyInstallation(t);
  const refused = (module: string, name: string, message: RegExp) =>
    t.throws(() => newNoun(folder, module, name, at), { message });
  refused('nowhere', 'door', /Unknown module nowhere/);
  refused('inventory', 'Fire Door', /words in lower case/);
  refused('inventory', 'vendor', /entities\.ts already exists/);
  refused('crm', 'campaign', /not permissions of the administrative interface/);
  refused('billing', 'tax', /add the noun by hand/);
});
