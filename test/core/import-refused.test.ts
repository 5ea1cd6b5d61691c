// Rows of an import that are refused after something was written for them: nothing of them is stored.
import {
  admin,
  conflict,
  create,
  definePlugin,
  id,
  input,
  record,
  table,
  text,
  when,
  type Context,
} from '@keelson/core';
import { importRoutes, nounImport } from '@keelson/core/record';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedKey } from '../accounts-seed.ts';
import { multipart } from '../attachments-seed.ts';

const Crate = table('yard_crate', { crate_id: id(), code: text(40), created_at: when(), updated_at: when() });
const Label = table('yard_label', { label_id: id(), code: text(40), tag: text(40).unique() });
const Seal = table('yard_seal', { tag: text(40).primary() });
const Crates = record(Crate, { title: 'Crate', call: ({ code }) => code });
const WriteCrates = admin.permission('yard:write', 'Write crates');

interface Given {
  readonly code: string;
  readonly tag: string;
}

/** Stores a crate, then its label, and its seal with the commit. */
async function pack(ctx: Context, { code, tag }: Given) {
  if (code === 'early') throw conflict('code early is not packed');
  const crate = await create(ctx, Crates, { code });
  if (code === 'late') throw conflict('code late is not packed');
  await ctx.db.insert(Label, { code, tag });
  ctx.tx?.deferInsert(Seal, { tag });
  return crate;
}

const CrateImport = nounImport('yard_crates', Crates, {
  title: 'Crates',
  access: WriteCrates,
  fields: { code: input.text(40), tag: input.text(40) },
  identity: ['code'],
  columns: [
    { name: 'code', label: 'Code', type: 'text', required: true },
    { name: 'tag', label: 'Tag', type: 'text', required: true },
  ],
  create: pack,
  change: async (_ctx, row) => row,
});

const yard = definePlugin({
  id: 'yard',
  title: 'Yard',
  entities: [Crate, Label, Seal],
  permissions: [WriteCrates],
  imports: [CrateImport],
  routes: importRoutes(admin, '/yard.php', CrateImport),
});

test('a row that is refused late has written nothing, and the other rows of its batch are imported', async (t) => {
  const app = await startApp(t, { plugins: [yard] });
  const { database } = app.app;
  const { api_key: token } = await seedKey(app, 'admin', ['yard:write']);
  // Its clash is found with the commit.
  await database.insert(Seal, { tag: 'sealed' });
  const lines = ['code,tag', 'one,a', 'early,b', 'two,a', 'late,c', 'three,sealed', 'four,d', 'one,e', 'five,f'];
  const send = async (options: Record<string, string>) => {
    const sent = multipart([{ name: 'crates.csv', bytes: lines.join('\r\n') }], options);
    return (await app.request('POST', '/admin/api/v1/yard.php?action=import', { token, ...sent })).body.data;
  };
  const clash = 'A record with these values already exists';
  const errors = [
    { row: 2, field: 'code', error: 'code early is not packed' },
    { row: 3, field: '', error: clash },
    { row: 4, field: 'code', error: 'code late is not packed' },
    { row: 5, field: '', error: clash },
    { row: 7, field: 'code', error: 'code one already exists' },
  ];
  t.like(await send({ dry_run: 'true' }), { total: 8, created: 3, failed: 5 });
  t.is(await database.countBy(Crate, {}), 0);
  const done = await send({});
  t.like(done, { total: 8, created: 3, updated: 0, failed: 5, errors });
  const codes = async (of: typeof Crate | typeof Label) =>
    (await database.find(of, { order: { code: 'ASC' } })).map(({ code }) => code);
  t.deepEqual(await codes(Crate), ['five', 'four', 'one']);
  t.deepEqual(await codes(Label), ['five', 'four', 'one']);
  t.is(await database.countBy(ActivityLine, { entity_type: 'yard_crate', action: 'create' }), 3);
  await app.request('POST', `/admin/api/v1/imports.php?action=undo&id=${done.import_id}`, { token });
  await app.app.outbox.drain();
  t.deepEqual(await codes(Crate), []);
});
