// `new-plugin <id>`: writes a plugin to start from, with one table, two routes and a passing test.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timestamp } from '../kit/time.ts';

/** Writes the scaffold; answers its files. @throws Error when the id is not usable or the folder exists */
export async function newPlugin(pluginsDir: string, id: string, now: Timestamp): Promise<string[]> {
  if (!/^[a-z][a-z0-9]{0,30}$/.test(id)) throw new Error(`The id ${id} must be lower-case letters and digits`);
  const folder = join(pluginsDir, id);
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  mkdirSync(join(folder, 'test'), { recursive: true });
  const files = { 'plugin.ts': pluginText(id, Date.parse(now)), [`test/${id}.test.ts`]: testText(id) };
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}

function pluginText(id: string, milliseconds: number): string {
  return `import { admin, by, create, created, definePlugin, id, input, list, migration, pageOf, record, showOne, table, text, view, when, z } from '@keelson/core';

const Note = table('${id}_note', { note_id: id(), title: text(255), created_at: when() }, [['created_at']]);
const Notes = record(Note, {
  title: 'Note',
  call: ({ title }) => title,
  sorts: { created_at: by('created_at') },
});
const NoteView = view(Notes);
const ReadNotes = admin.permission('${id}:read', 'View notes');
const WriteNotes = admin.permission('${id}:write', 'Write notes');

export default definePlugin({
  id: '${id}',
  title: '${id[0]?.toUpperCase() ?? ''}${id.slice(1)}',
  version: '0.1.0',
  entities: [Note],
  migrations: [
    // The table as it was at first; a later change of it is a migration of its own.
    migration('${milliseconds}-${id}-notes', async (m) => {
      await m.createTable('${id}_note', { note_id: id(), title: text(255), created_at: when() }, [['created_at']]);
    }),
  ],
  permissions: [ReadNotes, WriteNotes],
  routes: [
    admin.get('/${id}/notes.php', {
      title: 'List notes of ${id}',
      access: ReadNotes,
      query: admin.paging(NoteView.query),
      returns: list(NoteView),
      handle: (ctx, { query }) => pageOf(ctx, NoteView, query),
    }),
    admin.post('/${id}/notes.php', {
      title: 'Write a note of ${id}',
      access: WriteNotes,
      body: z.object({ title: input.text(255) }),
      returns: created(NoteView),
      handle: (ctx, { body }) => showOne(ctx, NoteView, create(ctx, Notes, body)),
    }),
  ],
});
`;
}

function testText(id: string): string {
  return `import test from 'ava';
import { startApp } from '@keelson/core/testing';
import { createApiKey } from '@keelson/modules/accounts';

const path = '/admin/api/v1/${id}/notes.php';

test('a note of ${id} is written and listed', async (t) => {
  const { request, run } = await startApp(t);
  const key = { type: 'admin', name: 'Test', permissions: ['${id}:read', '${id}:write'] } as const;
  const { api_key: token } = await run((ctx) => createApiKey(ctx, key));
  const made = await request('POST', path, { token, body: { title: 'First' } });
  t.is(made.status, 201);
  const listed = await request('GET', path, { token });
  t.deepEqual(listed.body.data, [made.body.data]);
});

test('a stranger gets nothing from ${id}', async (t) => {
  const { request } = await startApp(t);
  t.is((await request('GET', path)).status, 401);
});
`;
}
