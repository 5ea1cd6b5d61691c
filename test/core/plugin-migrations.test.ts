// Plugins with mismatched tables are left out without affecting the others.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { openUpToDate } from '../../core/process/database/open-database.ts';
import { tablesOf } from '../../core/process/database/tables.ts';
import { createLogger } from '../../packages/log/log.ts';
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
    remove: (name: string) => rm(join(folder, name), { recursive: true }),
    async open(migrate: 'empty' | 'always' = 'empty') {
      const installation = await loadInstallation(folder);
      const tables = tablesOf(installation.loaded.map(({ plugin }) => plugin));
      const lines: string[] = [];
      const log = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } });
      const { database, installation: left } = await openUpToDate({ config, installation, log, migrate }, tables);
      await database.close();
      const rest = left.leftOut.filter((each) => !installation.leftOut.includes(each));
      t.deepEqual(
        lines.map((line) => JSON.parse(line)).map(({ plugin, msg }) => [plugin, msg]),
        rest.map(({ plugin, message }) => [plugin, `plugin left out: ${message}`]),
        'each plugin left out is in the log',
      );
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

test('a failed migration leaves out its plugin and its dependents, and says where', async (t) => {
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
  t.is(first.said[1], 'needy: requires torn, which is left out');
  // Half done and retried: it fails as before without affecting anything else.
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

test('an older version of a plugin is left out of tables that a newer one migrated, and its dependents with it', async (t) => {
  const { write, remove, open } = await place(t);
  const version = (of: string, more: string) => `
const columns = { crate_box_id: id() };
const made = migration('1795262400000-crate-boxes', async (m) => m.createTable('crate_box', columns));
${more}
export default definePlugin({ id: 'crate', title: 'Crates', version: '${of}', entities: [table('crate_box', columns)], migrations });
`;
  await write('fine', withTable('fine'));
  await write(
    'new',
    version('2.0.0', `const migrations = [made, migration('1795262400001-crate-lids', async () => {})];`),
  );
  await write('needy', `export default definePlugin({ id: 'needy', title: 'Needy', requires: ['crate'] });`);
  t.deepEqual(await open(), { running: ['fine', 'crate', 'needy'], said: [] });
  await remove('new');
  await write('old', version('1.0.0', 'const migrations = [made];'));
  const older = await open('always');
  t.deepEqual(older.running, ['fine']);
  t.deepEqual(older.said, [
    'crate: its tables were migrated by a newer version (1795262400001-crate-lids), and version 1.0.0 knows migrations up to 1795262400000-crate-boxes: install that version or a newer one, or restore a backup made before the upgrade',
    'needy: requires crate, which is left out',
  ]);
  t.deepEqual(await open(), older);
  await remove('old');
  await write(
    'newer',
    version('2.1.0', `const migrations = [made, migration('1795262400001-crate-lids', async () => {})];`),
  );
  t.deepEqual((await open()).running, ['fine', 'crate', 'needy']);
});

test('a version of a plugin whose upgrade failed half-way rejects an older one', async (t) => {
  const { write, remove, open } = await place(t);
  const plugin = (more: string) => `
const columns = { crate_box_id: id() };
const made = migration('1795262400000-crate-boxes', async (m) => m.createTable('crate_box', columns));
${more}
export default definePlugin({ id: 'crate', title: 'Crates', entities: [table('crate_box', columns)], migrations });
`;
  const older = plugin('const migrations = [made];');
  const lids = `migration('1795262400001-crate-lids', async (m) => m.createTable('crate_lid', { crate_lid_id: id() }))`;
  const torn = `migration('1795262400002-crate-torn', async () => { throw new Error('the box is torn'); })`;
  await write('old', older);
  t.deepEqual((await open()).running, ['crate']);
  await remove('old');
  await write('new', plugin(`const migrations = [made, ${lids}, ${torn}];`));
  t.regex((await open('always')).said[0] ?? '', /torn failed/);
  await remove('new');
  await write('again', older);
  t.regex(
    (await open()).said[0] ?? '',
    /^crate: its tables were migrated by a newer version \(1795262400001-crate-lids\), and this one knows /,
  );
});

test('a reference to an unknown table leaves out its plugin', async (t) => {
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
