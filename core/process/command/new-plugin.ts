// `new-plugin <id>`: scaffolds a plugin with one table, its five routes, two pages and a passing test.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timestamp } from '@keelson/kit/time.ts';

/** Writes the scaffold and returns its files. @throws Error when the id is invalid or the folder exists */
export async function newPlugin(pluginsDir: string, id: string, now: Timestamp): Promise<string[]> {
  if (!/^[a-z][a-z0-9]{0,30}$/.test(id)) throw new Error(`The id ${id} must be lower-case letters and digits`);
  const folder = join(pluginsDir, id);
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  for (const each of ['test', 'console']) mkdirSync(join(folder, each), { recursive: true });
  const files = {
    'plugin.ts': pluginText(id, Date.parse(now)),
    'permissions.ts': permissionsText(id),
    'console/pages.ts': pagesText(id),
    [`test/${id}.test.ts`]: testText(id),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}

function pluginText(id: string, milliseconds: number): string {
  return `import { admin, by, definePlugin, id, input, migration, nounRoutes, record, table, text, view, when } from '@keelson/core';
import consolePages from './console/pages.ts';
import { ReadNotes, WriteNotes } from './permissions.ts';

const Note = table('${id}_note', { note_id: id(), title: text(255), created_at: when() }, [['created_at']]);
const Notes = record(Note, {
  title: 'Note',
  call: ({ title }) => title,
  sorts: { created_at: by('created_at') },
});

export default definePlugin({
  id: '${id}',
  title: '${id[0]?.toUpperCase() ?? ''}${id.slice(1)}',
  version: '0.1.0',
  entities: [Note],
  migrations: [
    // The table as first created; every later change needs its own migration.
    migration('${milliseconds}-${id}-notes', async (m) => {
      await m.createTable('${id}_note', { note_id: id(), title: text(255), created_at: when() }, [['created_at']]);
    }),
  ],
  permissions: [ReadNotes, WriteNotes],
  console: consolePages,
  routes: nounRoutes(admin, '/${id}/notes.php?id={id}', Notes, {
    titles: {
      list: 'List notes of ${id}',
      create: 'Write a note of ${id}',
      read: 'Read a note of ${id}',
      update: 'Change a note of ${id}',
      delete: 'Delete a note of ${id}',
    },
    read: ReadNotes,
    write: WriteNotes,
    view: view(Notes),
    fields: { title: input.text(255) },
  }),
});
`;
}

function permissionsText(id: string): string {
  return `import { admin } from '@keelson/core';

export const ReadNotes = admin.permission('${id}:read', 'View notes');
export const WriteNotes = admin.permission('${id}:write', 'Write notes');
`;
}

function pagesText(id: string): string {
  return `// Pages made from declarations. One of your own is a file beside this one: \`pages: [{ …, file: 'board' }]\` is board.tsx.
import { consolePart } from '@keelson/core';
import { ReadNotes, WriteNotes } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  lists: [
    {
      path: '/${id}',
      title: 'Notes',
      access: ReadNotes,
      nav: { section: 'work', icon: 'file', order: 90 },
      list: 'GET /${id}/notes.php',
      id: 'note_id',
      columns: ['title', 'created_at'],
      open: '/${id}/:id',
      create: { operation: 'POST /${id}/notes.php', title: 'New note', access: WriteNotes },
    },
  ],
  sheets: [
    {
      path: '/${id}/:id',
      title: 'Note',
      access: ReadNotes,
      read: 'GET /${id}/notes.php?id={id}',
      heading: 'title',
      facts: ['created_at'],
      change: { operation: 'PUT /${id}/notes.php?id={id}', access: WriteNotes },
      remove: { operation: 'DELETE /${id}/notes.php?id={id}', access: WriteNotes },
    },
  ],
});
`;
}

function testText(id: string): string {
  return `import test from 'ava';
import { startApp } from '@keelson/testing';
import { createApiKey } from '@keelson/modules/accounts';

const path = '/admin/api/v1/${id}/notes.php';

test('a note of ${id} is written, listed, changed and deleted', async (t) => {
  const { request, run } = await startApp(t);
  const key = { type: 'admin', name: 'Test', permissions: ['${id}:read', '${id}:write'] } as const;
  const { api_key: token } = await run((ctx) => createApiKey(ctx, key));
  const made = await request('POST', path, { token, body: { title: 'First' } });
  t.is(made.status, 201);
  const listed = await request('GET', path, { token });
  t.deepEqual(listed.body.data, [made.body.data]);
  const one = \`\${path}?id=\${made.body.data.note_id}\`;
  t.like((await request('PUT', one, { token, body: { title: 'Second' } })).body.data, { title: 'Second' });
  t.is((await request('DELETE', one, { token })).status, 204);
  t.is((await request('GET', one, { token })).status, 404);
});

test('a stranger gets nothing from ${id}', async (t) => {
  const { request } = await startApp(t);
  t.is((await request('GET', path)).status, 401);
});
`;
}
