// Imports a noun row by row, through its own create and change. Contacts and assets, whose files have tens of thousands
// of rows, store whole batches instead.
import { DuplicateKey } from '@keelson/database/db.ts';
import type { Row } from '@keelson/database/schema/table.ts';
import { joined, name as quoted, sql } from '@keelson/database/statement/sql.ts';
import { ImportPreview, importTypes, type ImportColumn } from '@keelson/files';
import { input } from '@keelson/kit/input.ts';
import { normalised } from '@keelson/kit/normal.ts';
import { param } from '@keelson/kit/param.ts';
import { Problem } from '@keelson/kit/problem.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { z } from 'zod';
import { importReading, previewImport, readImport, type ImportInput } from '../../files/import-file.ts';
import { importRows, ImportResult, type ImportedRow, type RowError, type StoredBatch } from '../../files/import-run.ts';
import type { Context } from '../../plugin/context.ts';
import type { Importable } from '../../plugin/declaration/import-declaration.ts';
import { item } from '../../plugin/route/returns.ts';
import type { Route, SurfaceApi } from '../../plugin/route/route.ts';
import { lock } from '../read.ts';
import type { Given, Recorded, Wanted } from '../record.ts';
import { change, create } from '../write.ts';
import { importOutcome, runImport } from './import-history.ts';
import { importable } from './importable.ts';

/** Rows per transaction: each takes several statements, and SQLite has a single writer. */
const BATCH = 25;
const PAGE = 1000;

type RowOf<R extends Recorded> = Row<R['table']>;
type Values<F extends z.ZodRawShape> = z.output<z.ZodObject<F>>;

/** Rows whose names were resolved to ids, and the others. */
export interface Resolved {
  readonly rows: readonly ImportedRow<any>[];
  readonly errors: readonly RowError[];
}

export interface NounImportOptions<A, R extends Recorded, F extends z.ZodRawShape> extends Pick<
  Importable,
  'title' | 'access' | 'portalAccess' | 'kept' | 'restore'
> {
  /** The columns of files. Money, booleans and dates are read as spreadsheets write them. */
  readonly columns: readonly ImportColumn[];
  /** The fields of a row, as in request bodies. */
  readonly fields: F;
  /** Columns that contain names instead of ids, for `resolve`. */
  readonly names?: z.ZodRawShape;
  /** The columns that identify an existing record. Texts are compared case-insensitively. */
  readonly identity: readonly (keyof RowOf<R> & string)[];
  /** Derives fields of a row from others before it is validated. */
  readonly derive?: (row: Record<string, unknown>) => void;
  /** Replaces names with ids. `company_number` applies to rows that name no company. */
  resolve?(ctx: Context, rows: readonly ImportedRow<any>[], company_number: number | undefined): Promise<Resolved>;
  /** Custom create and change functions; default to the record's own. */
  create?(ctx: Context<A>, given: Values<F>): Promise<RowOf<R>>;
  change?(ctx: Context<A>, row: RowOf<R>, wanted: Partial<Values<F>>): Promise<RowOf<R>>;
}

/** Requires a custom `create` and `change` if the fields do not match the record's input. */
type Made<R extends Recorded, F extends z.ZodRawShape> = (Values<F> extends Given<R> ? unknown : { create: unknown }) &
  (Partial<Values<F>> extends Wanted<R> ? unknown : { change: unknown });

/** A noun that is imported row by row. */
export interface NounImport extends Importable {
  readonly of: Recorded;
  readonly options: NounImportOptions<any, any, any>;
}

/**
 * Declares the import of a noun. List it in a plugin's `imports` and its `importRoutes` in `routes`.
 * @example
 * export const NoteImport = nounImport('bell_notes', Notes, {
 *   title: 'Notes',
 *   access: WriteNotes,
 *   fields: { title: input.text(255) },
 *   identity: ['title'],
 *   columns: [{ name: 'title', label: 'Title', type: 'text', required: true, aliases: ['subject'] }],
 * })
 * @throws Error naming the import and the column for a type that does not exist
 */
export function nounImport<A, R extends Recorded, F extends z.ZodRawShape>(
  name: string,
  of: R,
  options: NounImportOptions<A, R, F> & Made<R, F>,
): NounImport {
  checkTypes(name, options.columns);
  return Object.freeze({ ...importable(name, of, options), of, options: options as never });
}

/** Plain-JavaScript plugins have no type checker. */
function checkTypes(noun: string, columns: readonly ImportColumn[]): void {
  const unknown = columns.find(({ type }) => !importTypes.includes(type));
  if (!unknown) return;
  const types = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(importTypes);
  throw new Error(
    `import ${noun}: the column ${unknown.name} has the unknown type ${unknown.type}: it must be ${types}`,
  );
}

const options = z.object({
  update_existing: param.flag(),
  dry_run: param.flag(),
  company_number: param.id(),
  ...importReading,
});

/**
 * Builds the routes that import a noun and preview a file: `?action=import` and `?action=import-preview`.
 * @example
 * routes: [...importRoutes(admin, '/bell/notes.php', NoteImport)]
 */
export function importRoutes<A>(surface: SurfaceApi<A>, path: string, of: NounImport): Route[] {
  const { title, access, columns } = of.options;
  const route = { addition: true, access, upload: 'import', unlogged: true, slow: true } as const;
  return [
    surface.post(`${path}?action=import`, {
      ...route,
      title: `Import ${title.toLowerCase()}`,
      query: options,
      returns: item(ImportResult.extend(importOutcome)),
      handle: (ctx, { uploads, body: fields, query }) => importNoun(ctx, of, { uploads, fields, query }),
    }),
    surface.post(`${path}?action=import-preview`, {
      ...route,
      title: `Look at a file of ${title.toLowerCase()}`,
      returns: item(ImportPreview),
      handle: (_ctx, { uploads }) => previewImport(columns, uploads),
    }),
  ];
}

async function importNoun(ctx: Context<any>, of: NounImport, sent: ImportInput) {
  const { columns, derive, fields, names = {} } = of.options;
  const file = await readImport({ columns, lists: [of.name], options, ...(derive && { derive }) }, sent);
  const shape = z.object({
    ...fields,
    ...(fields['company_number'] && { company_number: input.optional(input.id()) }),
    ...names,
  });
  const known = knownRecords(of);
  return runImport(ctx, of, { file, uploads: sent.uploads }, (inside, watch) =>
    importRows(inside, file, shape, (rows) => storeRows(inside, of, rows, { known, ...file.options }), {
      watch,
      most: BATCH,
    }),
  );
}

interface Storing extends z.output<typeof options> {
  readonly known: KnownRecords;
}

/** Rolls back the transaction of a dry run. */
class RolledBack extends Error {
  readonly stored: Stored;
  constructor(stored: Stored) {
    super('A dry run stores nothing');
    this.stored = stored;
  }
}

interface Stored extends StoredBatch {
  readonly ids: ReadonlyMap<string, number>;
}

async function storeRows(
  ctx: Context<unknown>,
  of: NounImport,
  given: readonly ImportedRow<any>[],
  storing: Storing,
): Promise<StoredBatch> {
  const { resolve } = of.options;
  const { rows, errors } = resolve ? await resolve(ctx, given, storing.company_number) : { rows: given, errors: [] };
  const stored = await storeBatch(ctx, of, rows, storing);
  return { ...stored, errors: [...errors, ...stored.errors] };
}

/** Stores the rows in one transaction, or each in its own if one is refused late: it must not leave what it wrote. */
async function storeBatch(
  ctx: Context<unknown>,
  of: NounImport,
  rows: readonly ImportedRow<any>[],
  storing: Storing,
): Promise<StoredBatch> {
  const [first, ...others] = rows;
  if (!first) return { created: 0, updated: 0, errors: [] };
  try {
    const { ids, ...stored } = await store(ctx, of, rows, storing);
    storing.known.add(ids);
    return stored;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') throw error;
    const fault = faultOf(of, error);
    if (others.length === 0) return { created: 0, updated: 0, errors: [{ row: first.row, ...fault }] };
  }
  let [created, updated] = [0, 0];
  const errors: RowError[] = [];
  for (const each of rows) {
    const stored = await storeBatch(ctx, of, [each], storing);
    created += stored.created;
    updated += stored.updated;
    errors.push(...stored.errors);
  }
  return { created, updated, errors };
}

async function store(ctx: Context<unknown>, of: NounImport, rows: readonly ImportedRow<any>[], storing: Storing) {
  try {
    return await ctx.transaction(async (inside) => {
      const stored = await storeEach(inside, of, rows, storing);
      // A dry run is the import itself, rolled back, so it finds the same problems.
      if (storing.dry_run) throw new RolledBack(stored);
      return stored;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.stored;
    throw error;
  }
}

/** @throws the refusal of a row for which something was or may have been written */
async function storeEach(
  ctx: Context<unknown>,
  of: NounImport,
  rows: readonly ImportedRow<any>[],
  storing: Storing,
): Promise<Stored> {
  const ids = new Map<string, number>();
  const errors: RowError[] = [];
  let [created, updated] = [0, 0];
  const writes = () => ctx.tx?.writes() ?? 0;
  for (const { row, values } of rows) {
    const before = writes();
    try {
      const done = await storeRow(ctx, of, values, { ...storing, ids });
      if (done === 'created') created++;
      else updated++;
    } catch (error) {
      // The duplicate may be that of an earlier row, whose insert was sent with a statement of this one. A dry run keeps
      // nothing anyway, and rows apart would not find clashes with each other.
      if (!storing.dry_run && (error instanceof DuplicateKey || writes() > before)) throw error;
      errors.push({ row, ...faultOf(of, error) });
    }
    await yieldToOthers();
  }
  return { created, updated, errors, ids };
}

/** Stands for the record that a dry run would have created. */
const UNSTORED = 0;

async function storeRow(
  ctx: Context<any>,
  of: NounImport,
  values: Record<string, unknown>,
  { known, ids, update_existing = false, company_number, dry_run }: Storing & { readonly ids: Map<string, number> },
): Promise<'created' | 'updated'> {
  const { fields, identity, create: ownCreate, change: ownChange } = of.options;
  const given = fields['company_number']
    ? { ...values, company_number: values['company_number'] ?? company_number }
    : values;
  if (fields['company_number'] && given['company_number'] === undefined) throw refusal('company_number is required');
  const key = keyOf(identity, given);
  const id = ids.get(key) ?? (await known.find(ctx, given, key));
  const last = identity.at(-1) ?? '';
  if (id !== undefined && !update_existing) throw refusal(`${last} ${String(given[last])} already exists`);
  if (id === undefined) {
    const made = await (ownCreate ?? ((inside, row) => create(inside, of.of, row as never)))(ctx, given);
    ids.set(key, dry_run ? UNSTORED : Number((made as Record<string, unknown>)[of.of.table.primary]));
    return 'created';
  }
  if (id === UNSTORED) return 'updated';
  const before = await lock(ctx, of.of, id);
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  await (ownChange ?? ((inside, row, to) => change(inside, of.of, row as never, to as never)))(ctx, before, wanted);
  return 'updated';
}

const refusal = (message: string) => new Problem('invalid', message);

function faultOf(of: NounImport, error: unknown): Omit<RowError, 'row'> {
  if (error instanceof DuplicateKey) return { field: '', error: 'A record with these values already exists' };
  if (!(error instanceof Problem)) throw error;
  const [first = ''] = error.message.split(' ');
  const isField = of.options.columns.some((each) => each.name === first);
  return { field: isField ? first : '', error: error.message };
}

const keyOf = (identity: readonly string[], values: Readonly<Record<string, unknown>>): string =>
  identity.map((each) => normalised(textOf(values[each]))).join('\n');

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

interface KnownRecords {
  find(ctx: Context, values: Readonly<Record<string, unknown>>, key: string): Promise<number | undefined>;
  add(ids: ReadonlyMap<string, number>): void;
}

/** Caches existing records by identity: those of each company when it first occurs, or all. */
function knownRecords(of: NounImport): KnownRecords {
  const { table } = of.of;
  const { identity } = of.options;
  const ids = new Map<string, number>();
  const loaded = new Set<unknown>();
  const read = async (ctx: Context, company: unknown) => {
    const columns = joined([table.primary, ...identity].map(quoted), ', ');
    const within = company === undefined ? sql`1 = 1` : sql`company_number = ${Number(company)}`;
    const alive = 'deleted_at' in table.columns ? sql`AND deleted_at IS NULL` : sql``;
    for (let after = 0; ;) {
      const rows = await ctx.db.query<Record<string, unknown>>(sql`SELECT ${columns} FROM ${quoted(table.name)}
        WHERE ${within} ${alive} AND ${quoted(table.primary)} > ${after}
        ORDER BY ${quoted(table.primary)} LIMIT ${PAGE}`);
      for (const row of rows) ids.set(keyOf(identity, row), Number(row[table.primary]));
      if (rows.length < PAGE) return;
      after = Number(rows.at(-1)?.[table.primary]);
      await yieldToOthers();
    }
  };
  return {
    async find(ctx, values, key) {
      const company = identity.includes('company_number') ? values['company_number'] : undefined;
      if (!loaded.has(company)) await read(ctx, company);
      loaded.add(company);
      return ids.get(key);
    },
    add(more) {
      for (const [key, id] of more) ids.set(key, id);
    },
  };
}
