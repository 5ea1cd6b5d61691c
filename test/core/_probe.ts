// A small plugin with one route for every path through the request pipeline.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import {
  admin,
  anyone,
  conflict,
  created,
  crm,
  definePlugin,
  file,
  flat,
  helpdesk,
  id,
  input,
  item,
  manager,
  notFound,
  nothing,
  param,
  signedIn,
  sql,
  table,
  text,
  z,
  type Context,
} from '@keelson/core';
import { createApiKey } from '@keelson/modules/accounts';
import type { TestApp } from '@keelson/testing';
import { unique } from '../accounts-seed.ts';

export const Note = table('probe_note', { note_id: id(), body: text(200) });

const Read = admin.permission('probe:read', 'Read notes');
const Write = admin.permission('probe:write', 'Write notes');
const ReadCrm = crm.permission('probe:read', 'Read notes');
const WriteCrm = crm.permission('probe:write', 'Write notes');
const NewNote = z.object({ body: input.text(200) });
const Anything = flat(z.object({ given: z.unknown() }));

async function findNote(ctx: Context, note_id: number) {
  const note = await ctx.db.findOneBy(Note, { note_id });
  if (!note) throw notFound('Note');
  return note;
}

async function addNote(ctx: Context, { body }: { body: string }) {
  const note_id = await ctx.db.insertReturningId(Note, { body });
  ctx.record({ action: 'create', entity_type: 'note', entity_id: note_id, description: 'Added a note' });
  if (body === 'fail') throw conflict('This note always fails');
  return { note_id, body };
}

function crash(): never {
  throw new Error(
    "ENOENT: /srv/keelson/secret.key, SELECT password_hash FROM employee WHERE email = 'eve@example.com'",
  );
}

/** Blocks a handler: `gate.wait` resolves with `gate.open()`. */
export interface Gate {
  readonly wait: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
}

export function probe(gate: Gate = makeGate()) {
  return definePlugin({
    id: 'probe',
    title: 'Probe',
    perCompany: { default: true },
    entities: [Note],
    permissions: [Read, Write, ReadCrm, WriteCrm],
    routes: [
      admin.get('/probe/notes.php', {
        title: 'Echo notes',
        access: Read,
        query: z.object({ search: param.text(), n: param.int(1, 10) }),
        returns: Anything,
        handle: (_ctx, { query }) => ({ given: query }),
      }),
      admin.get('/probe/notes.php?id={id}', {
        title: 'Read a note',
        access: Read,
        returns: item(Note.shape),
        load: (ctx, params) => findNote(ctx, params.id),
        handle: (_ctx, { item: note }) => note,
      }),
      admin.post('/probe/notes.php', {
        title: 'Add a note',
        access: Write,
        body: NewNote,
        returns: created(Note.shape),
        handle: (ctx, { body }) => addNote(ctx, body),
      }),
      admin.put('/probe/notes.php?id={id}', {
        title: 'Change a note',
        access: Write,
        query: z.object({ n: param.int(1, 10) }),
        body: input.changes({ body: input.text(200) }),
        returns: item(Note.shape),
        load: (ctx, params) => findNote(ctx, params.id),
        async handle(ctx, { item: { note_id }, body }) {
          if (body.body === 'never') throw conflict('A note may not become this');
          await ctx.db.update(Note, { note_id }, body);
          ctx.record({ action: 'update', entity_type: 'note', entity_id: note_id, description: 'Changed a note' });
          return findNote(ctx, note_id);
        },
      }),
      admin.delete('/probe/notes.php?id={id}', {
        title: 'Delete a note',
        access: Write,
        returns: nothing(),
        load: (ctx, params) => findNote(ctx, params.id),
        async handle(ctx, { item: { note_id } }) {
          await ctx.db.delete(Note, { note_id });
          ctx.record({ action: 'delete', entity_type: 'note', entity_id: note_id, description: 'Deleted a note' });
        },
      }),
      admin.post('/probe/notes.php?action=copy&id={id}', {
        title: 'Copy a note',
        access: Write,
        returns: created(Note.shape),
        load: (ctx, params) => findNote(ctx, params.id),
        handle: (ctx, { item: { body } }) => addNote(ctx, { body }),
      }),
      admin.post('/probe/slow.php', {
        title: 'Add a note slowly',
        access: Write,
        body: NewNote,
        returns: created(Note.shape),
        slow: true,
        async handle(ctx, { body }) {
          if (body.body === 'wait') await gate.wait;
          return ctx.transaction((inside) => addNote(inside, body));
        },
      }),
      admin.post('/probe/upload.php', {
        title: 'Upload',
        access: Write,
        body: z.unknown(),
        returns: Anything,
        slow: true,
        upload: true,
        handle: (_ctx, { body, uploads }) => ({
          given: uploads.length > 0 ? uploads.map((each) => [each.filename, each.type, each.bytes.length]) : body,
        }),
      }),
      admin.get('/probe/export.php', {
        title: 'Export notes',
        access: Read,
        returns: file('text/csv'),
        handle: () => ({ name: 'nötes.csv', type: 'text/csv; charset=utf-8', body: 'a,b\n' }),
      }),
      admin.post('/probe/forgetful.php', {
        title: 'Forget the activity log',
        access: Write,
        returns: created(Note.shape),
        handle: async (ctx) => ({ note_id: await ctx.db.insertReturningId(Note, { body: 'x' }), body: 'x' }),
      }),
      admin.get('/probe/crash.php', { title: 'Crash', access: Read, returns: Anything, handle: crash }),
      admin.get('/probe/sql.php', {
        title: 'Crash in SQL',
        access: Read,
        returns: Anything,
        handle: async (ctx) => ({ given: await ctx.db.query(sql`SELECT no_such_column FROM probe_note`) }),
      }),
      admin.get('/probe/shape.php', {
        title: 'Answer too little',
        access: Read,
        returns: item(Note.shape),
        handle: () => JSON.parse('{"note_id":1}'),
      }),
      admin.get('/probe/count.php', { title: 'Count notes', access: anyone, returns: Anything, handle: countNotes }),
      crm.get('/probe/count', { title: 'Count notes (CRM)', access: anyone, returns: Anything, handle: countNotes }),
      crm.get('/probe/notes', {
        title: 'Read (CRM)',
        access: ReadCrm,
        returns: Anything,
        handle: () => ({ given: 1 }),
      }),
      crm.post('/probe/notes', {
        title: 'Add a note (CRM)',
        access: WriteCrm,
        body: NewNote,
        returns: created(Note.shape),
        handle: (ctx, { body }) => addNote(ctx, body),
      }),
      crm.get('/probe/crash', { title: 'Crash (CRM)', access: ReadCrm, returns: Anything, handle: crash }),
      helpdesk.get('/probe/count', {
        title: 'Count notes (helpdesk)',
        access: anyone,
        returns: Anything,
        handle: countNotes,
      }),
      helpdesk.get('/probe/echo/{name:text}', {
        title: 'Echo a name',
        access: signedIn,
        returns: Anything,
        handle: (_ctx, { params }) => ({ given: params.name }),
      }),
      helpdesk.get('/probe/echo/latest', {
        title: 'Echo a literal',
        access: signedIn,
        returns: Anything,
        handle: () => ({ given: 'the literal' }),
      }),
      helpdesk.get('/probe/crash', { title: 'Crash (helpdesk)', access: signedIn, returns: Anything, handle: crash }),
      helpdesk.put('/probe/notes/{id}', {
        title: 'Change a note as a manager',
        access: manager,
        body: NewNote,
        returns: item(Note.shape),
        load: (ctx, params) => findNote(ctx, params.id),
        handle: (_ctx, { item: note }) => note,
      }),
      helpdesk.post('/probe/notes', {
        title: 'Add a note as an employee',
        access: signedIn,
        body: NewNote,
        returns: created(Note.shape),
        handle: (ctx, { body }) => addNote(ctx, body),
      }),
    ],
  });
}

async function countNotes(ctx: Context<unknown>) {
  return { given: await ctx.db.count(Note) };
}

export const admins = '/admin/api/v1';
export const portal = '/helpdesk/api/v1';
export const crmRoot = '/admin/api/v1/crm';

export async function probeKey(
  app: TestApp,
  options: { perMinute?: number; permissions?: readonly string[]; type?: 'admin' | 'crm_secret' } = {},
): Promise<string> {
  const { perMinute = 10_000, permissions = ['probe:read', 'probe:write'], type = 'admin' } = options;
  const given = type === 'admin' ? permissions : ['probe:read'];
  const key = { type, name: unique('Key'), permissions: given, rate_limit_per_minute: perMinute };
  return (await app.run((ctx) => createApiKey(ctx, key))).api_key;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a path unchanged; fetch would normalise it. */
export function raw(app: TestApp, method: string, path: string, headers: Record<string, string | string[]> = {}) {
  const { hostname, port } = new URL(app.url);
  return new Promise<RawAnswer>((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answer = { status: response.statusCode ?? 0, headers: response.headers };
        resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('error', reject);
    request.end();
  });
}
