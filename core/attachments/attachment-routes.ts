// The routes to list, upload, download and delete the attachments of a record.
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { input } from '@keelson/kit/input.ts';
import { invalid, notFound, Problem } from '@keelson/kit/problem.ts';
import { is, type Filter } from '@keelson/list/list.ts';
import { type ArrivedFile, cleanName, fileTypeOf } from '@keelson/storage';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { created, list, nothing, stored } from '../plugin/route/returns.ts';
import type { Route, SurfaceApi } from '../plugin/route/route.ts';
import { findVisible, lock, pageOf } from '../record/read.ts';
import { show } from '../record/show.ts';
import { view, type View } from '../record/view.ts';
import type { AttachmentFace, AttachmentOptions, AttachmentSight, PathIds, Paths } from './attachment-options.ts';
import { AttachmentNoun } from './attachment.ts';
import { keepFiles, removeAttachment, type Holder } from './store-attachment.ts';

/** A record that has attachments. */
export interface Declared {
  readonly table: Table;
  readonly noun: string;
  readonly options: AttachmentOptions<any, any>;
}

/**
 * Creates the four routes of a surface, or only the two that read if it has no write access. The last argument holds
 * words for the titles: `all attachments`, `any`.
 */
export function routesOf<Actor>(
  surface: SurfaceApi<Actor>,
  { all, one }: Paths,
  declared: Declared,
  face: AttachmentFace<Actor, any, any>,
  [many, article]: readonly [string, string],
): Route[] {
  const { table, noun, options } = declared;
  const part: string | undefined = options.parts?.table.primary;
  const shown = viewOf(part);
  const of = (id: number) => ({
    where: [is('record_type', table.name), is('record_id', id), ...visibleParts(declared, face)],
  });
  const fields = part === undefined ? {} : { [part]: input.optional(partId()) };
  const whose = `${article} ${noun}`;
  const sight = sightOf(face);
  // The paths are composed at run time, so their parameters are untyped.
  const idIn = (params: unknown): number => (params as PathIds)[face.key ?? 'id'] ?? 0;
  const find = (ctx: Context<Actor>, params: unknown) => sight.find(ctx, idIn(params), params as PathIds);
  const lockOne = (ctx: Context<Actor>, params: unknown) => sight.lock(ctx, idIn(params), params as PathIds);
  const findOne = (ctx: Context<Actor>, params: unknown) =>
    findVisible(ctx as Context, shown, (params as PathIds)['attachment_id'] ?? 0, of(idIn(params)));
  const reading = [
    surface.get(all, {
      title: `List ${many} of ${whose}`,
      access: face.read,
      addition: true,
      query: surface.paging({}, { whole: true }),
      returns: list(shown, 'attachments'),
      load: find,
      handle: (ctx, { params, query }) => pageOf(ctx as Context, shown, query, of(idIn(params))),
    }),
    surface.get(one, {
      title: `Download an attachment of ${whose}`,
      access: face.read,
      addition: true,
      returns: stored(),
      async load(ctx, params) {
        await find(ctx, params).catch(asMissing);
        return findOne(ctx, params);
      },
      handle: (ctx, { item: { filename, content_type, size, sha256, stored_as, created_at } }) => ({
        name: filename,
        type: content_type,
        size,
        sha256,
        modified: created_at,
        open: (range) => ctx.app.storage.open(stored_as, range),
      }),
    }),
  ];
  const { write } = face;
  if (!write) return reading;
  return [
    ...reading,
    surface.post(all, {
      title: `Attach files to ${whose}`,
      access: write,
      addition: !face.documented,
      slow: true,
      upload: 'files',
      body: z.object(fields),
      returns: created(z.object({ attachments: z.array(shown.shape) })),
      load: find,
      handle: async (ctx, { params, body, files }) => {
        if (files.length === 0) throw invalid('file is required');
        await checkAccepted(options.accepts, files);
        const asked = part === undefined ? undefined : (body as Readonly<Record<string, number | undefined>>)[part];
        const holder = async (each: Context): Promise<Holder> => {
          const row = await lockOne(each as Context<Actor>, params);
          return holderOf(each, declared, row, await checkPart(each, declared, face, idIn(params), asked));
        };
        return { attachments: await show(ctx as Context, shown, await keepFiles(ctx as Context, files, holder)) };
      },
    }),
    surface.delete(one, {
      title: `Delete an attachment of ${whose}`,
      access: write,
      addition: true,
      returns: nothing('attachment_id'),
      async load(ctx, params) {
        const row = await lockOne(ctx, params).catch(asMissing);
        return { row, attachment: await findOne(ctx, params) };
      },
      async handle(ctx, { item: { row, attachment } }) {
        const holder = await holderOf(ctx as Context, declared, row, attachment.part_id);
        await removeAttachment(ctx as Context, holder, attachment);
      },
    }),
  ];
}

/** Hides whether the attachment or its record is missing. */
function asMissing(error: unknown): never {
  throw error instanceof Problem && error.kind === 'not-found' ? notFound(AttachmentNoun.title) : error;
}

const shownColumns = ['attachment_id', 'filename', 'content_type', 'size', 'author_name', 'created_at'] as const;

// The cast: only the declaration determines the name of the part's member.
function viewOf(part: string | undefined): View<typeof AttachmentNoun> {
  const more = (its: { column(column: 'part_id'): unknown }) =>
    part === undefined ? {} : { [part]: its.column('part_id') };
  return view(AttachmentNoun, { only: shownColumns, more: more as never }) as never;
}

/** Parses an id from a multipart body, whose fields are texts. */
function partId() {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    input.id(),
  );
}

async function holderOf(
  ctx: Context,
  { table, noun, options }: Declared,
  row: Readonly<Record<string, unknown>>,
  part: number | null,
): Promise<Holder> {
  const { parts, helpdesk } = options;
  const hidden = async (shown: object) =>
    parts && part !== null && !(await ctx.db.existsBy(parts.table, { [parts.table.primary]: part, ...shown } as never));
  return {
    table,
    row,
    noun,
    part,
    called: `${noun} ${options.call(row)}`,
    company: options.company(row),
    internal: !helpdesk || (helpdesk.parts !== undefined && (await hidden(helpdesk.parts)) === true),
  };
}

/** Returns how records are found: by the declaration, or through its view. */
function sightOf<Actor>(face: AttachmentFace<Actor, any, any>): AttachmentSight<Actor, any> {
  if (!('view' in face)) return face;
  const find = (ctx: Context<Actor>, id: number) => findVisible(ctx as Context, face.view as View, id);
  return {
    find,
    async lock(ctx, id) {
      await find(ctx, id);
      return lock(ctx, face.view.of, id);
    },
  };
}

// Checks uploaded files against the file types that a record accepts.

/**
 * Checks the type of each file.
 * @throws invalid() for an extension that is not accepted, or content that does not match it
 */
async function checkAccepted(
  accepts: ReadonlyMap<string, readonly string[]> | undefined,
  files: readonly ArrivedFile[],
): Promise<void> {
  if (!accepts) return;
  for (const { name, head } of files) {
    const clean = cleanName(name);
    const types = accepts.get(/\.([^.]+)$/.exec(clean)?.[1]?.toLowerCase() ?? '');
    if (!types) throw invalid(`file must be one of: ${[...accepts.keys()].join(', ')}`);
    if (!types.includes(await fileTypeOf(head))) throw invalid(`file content does not match its extension: ${clean}`);
  }
}

// Parts of a record that attachments belong to: a ticket's comments. Some surfaces do not show all of them.

/** Returns the conditions for attachments of the parts that a surface shows. */
function visibleParts({ options: { parts } }: Declared, face: AttachmentFace<any, any, any>): Filter[] {
  if (!parts || !face.parts) return [];
  const { table }: { table: Table } = parts;
  const column = (each: string): Sql => name(`${table.name}.${each}`);
  const conditions = Object.entries(face.parts).map(([key, value]) => sql`${column(key)} = ${Number(value)}`);
  return [
    sql`attachment.part_id IS NULL OR EXISTS (SELECT 1 FROM ${name(table.name)}
      WHERE ${column(table.primary)} = attachment.part_id AND ${joined(conditions)})`,
  ];
}

/** Checks the part of an upload. @throws invalid() if the record does not have it, or the surface does not show it */
async function checkPart(
  ctx: Context,
  { noun, options: { parts } }: Declared,
  face: AttachmentFace<any, any, any>,
  record: number,
  part: number | undefined,
): Promise<number | null> {
  if (part === undefined || !parts) return null;
  const { table }: { table: Table } = parts;
  const where = { [table.primary]: part, [parts.record]: record, ...face.parts };
  if (!(await ctx.db.existsBy(table, where as never)))
    throw invalid(`${table.primary} must be ${partWords(table.primary)} of the ${noun}`);
  return part;
}

/** Formats a part for messages: `comment_id` → `a comment`. */
const partWords = (key: string): string => `a ${key.replace(/_id$/, '').replaceAll('_', ' ')}`;
