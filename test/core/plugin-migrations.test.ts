// Plugins with mismatched tables are left out without affecting the others.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../core/log/log.ts';
import { loadInstallation } from '../../core/plugin/load.ts';
import { openUpToDate } from '../../core/process/open-database.ts';
import { tablesOf } from '../../core/process/tables.ts';
import { makeDatabase } from '../_tenants.ts';

async function place(t: ExecutionContext) {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-plugin-migrations-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const server = process.env['TEST_DATABASE_URL'];
  const databaseUrl = server === undefined ? undefined : await makeDatabase(t, server);
  const config = { ...readConfig({ DATA_DIR: folder, FILES_DIR: folder }), ...(databaseUrl && { databaseUrl }) };
  return {
    async write(name: string, body: string) {
      await mkdir(join(folder, name));
      const imports = `import { definePlugin, id, migration, ref, table } from '@keelson/core';\n`;
      await writeFile(join(folder, name, 'plugin.ts'), imports + body);
    },
    async open(migrate: 'empty' | 'always' = 'empty') {
      const installation = await loadInstallation(folder);
      const tables = tablesOf(installation.loaded.map(({ plugin }) => plugin));
      const log = createLogger({ level: 'silent' });
      const { database, installation: left } = await openUpToDate({ config, installation, log, migrate }, tables);
      await database.close();
      return {
        running: left.loaded.filter(({ source }) => source === 'plugin').map(({ plugin }) => plugin.id),
        said: left.leftOut.map(({ plugin, message }) => `${plugin}: ${message}`),
      };
    },
  };
}

const withTable = (id: string, more = '') => `
const columns = { ${id}_box_id: id() };
const made = migration('1795262400000-${id}-boxes', async (m) => {
  await m.createTable('${id}_box', columns);
  ${more}
});
export default definePlugin({ id: '${id}', title: 'Boxes', entities: [table('${id}_box', columns)], migrations: [made] });
`;

test('a failed migration skips its plugin and its dependents, and says where', async (t) => {
  const { write, open } = await place(t);
  await write('fine', withTable('fine'));
  await write('torn', withTable('torn', `throw new Error('the box is torn');`));
  await write('needy', `export default definePlugin({ id: 'needy', title: 'Needy', requires: ['torn'] });`);
  const first = await open();
  t.deepEqual(first.running, ['fine']);
  t.is(first.said.length, 2);
  t.regex(
    first.said[0] ?? '',
    /^torn: its migration 1795262400000-torn-boxes failed \(the box is torn \(at plugin\.ts:6\)\): fix it, then run "npm run migrate"$/,
  );
  t.is(first.said[1], 'needy: requires torn, which does not exist');
  // Half done and retried: it fails as before, and nothing else does.
  t.deepEqual(await open('always'), first);
});

test('a plugin added to an existing database waits for npm run migrate', async (t) => {
  const { write, open } = await place(t);
  t.deepEqual(await open(), { running: [], said: [] });
  await write('late', withTable('late'));
  const waiting = await open();
  t.deepEqual(waiting.running, []);
  t.is(
    waiting.said[0],
    'late: its tables are behind by one migration (1795262400000-late-boxes): run "npm run migrate"',
  );
  t.deepEqual(await open('always'), { running: ['late'], said: [] });
  t.deepEqual(await open(), { running: ['late'], said: [] });
});

test('a reference to an unknown table skips its plugin', async (t) => {
  const { write, open } = await place(t);
  const columns = `{ lost_id: id(), shelf_id: ref('shelf.shelf_id') }`;
  await write(
    'lost',
    `export default definePlugin({ id: 'lost', title: 'Lost', entities: [table('lost', ${columns})] });`,
  );
  await write('fine', withTable('fine'));
  const { running, said } = await open();
  t.deepEqual(running, ['fine']);
  t.true(
    said.includes(
      'lost: table lost: shelf_id references the table shelf, which belongs to no module or required plugin',
    ),
    said.join('\n'),
  );
});
