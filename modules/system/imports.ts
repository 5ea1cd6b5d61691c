// The history of imports, for the people who ran them and for administrators.
import {
  administrators,
  by,
  findVisible,
  forbidden,
  is,
  lock,
  noun,
  pageOf,
  param,
  restrict,
  showOne,
  sql,
  view,
  z,
  type Admin,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import type { AskedOf } from '@keelson/core/record';
import { adminSurface, importableOf, ImportRow, ImportRun, undoImport } from '@keelson/core/system';
import { ReadSettings } from './permissions.ts';

const imports = noun(ImportRun, {
  title: 'Import',
  filters: (its) => ({
    status: its.is('status'),
    noun: its.is('noun'),
    mine: its.by(param.flag(), ({ author: { type, id } }, mine) =>
      mine ? sql`import_run.author_type = ${type} AND import_run.author_id = ${id}` : undefined,
    ),
  }),
  sorts: { created_at: by('created_at') },
});

/** `noun` is what was imported, `title` its name. */
const ImportView = view(imports, {
  except: ['author_type', 'author_id'],
  more: (its) => ({
    title: its.asOf(z.string(), 'noun', (ctx) => (named) => importableOf(ctx, named)?.title ?? named, ''),
  }),
});

/** An import as staff see it: administrators see all, others their own. */
export const ImportItem = restrict(ImportView, ({ actor }: Context<Admin>) => {
  if (administrators(ReadSettings).allows(actor)) return [];
  const { type, id } = adminSurface.author(actor);
  return [is('author_type', type), is('author_id', id)];
});

const keptRows = noun(ImportRow, {
  title: 'Record',
  filters: (its) => ({ import_id: its.is('import_id'), state: its.is('state') }),
  sorts: { row_id: by('row_id') },
  order: 'asc',
});

/** A record that was kept when an import was undone. */
export const KeptRecord = view(keptRows, { only: ['row_id', 'record_id', 'label', 'reason'] });

export const listKept = (
  ctx: Context,
  { import_id }: ImportRun,
  query: Pick<AskedOf<typeof KeptRecord>, 'page' | 'size'>,
) => pageOf(ctx, KeptRecord, { ...query, import_id, state: 'kept' });

/** An import as customers see it: IT admins see those of their company, others their own. */
export const PortalImport = restrict(ImportView, ({ actor }: Context<EmployeeActor>) => [
  is('company_number', actor.company_number),
  ...(actor.it_privileges ? [] : [is('author_type', 'employee'), is('author_id', actor.employee_number)]),
]);

/**
 * Undoes an import, or cancels a running one.
 * @throws forbidden() if the caller may not import such records
 */
export async function undo(ctx: Context<Admin>, run: ImportRun) {
  const of = importableOf(ctx, run.noun);
  // Without its plugin no one may; undoImport gives the reason.
  if (of && !of.access.allows(ctx.actor)) throw forbidden();
  await undoImport(ctx, run);
  return showOne(ctx, ImportItem, lock(ctx, imports, run.import_id));
}

export async function undoOwn(ctx: Context<EmployeeActor>, run: ImportRun) {
  const of = importableOf(ctx, run.noun);
  if (of && !of.portalAccess?.allows(ctx.actor)) throw forbidden();
  await undoImport(ctx, run);
  return showOne(ctx, PortalImport, lock(ctx, imports, run.import_id));
}

/** Returns an import that the caller may see. @throws notFound() */
export const findImport = (ctx: Context<Admin>, id: number) => findVisible(ctx, ImportItem, id);
export const findOwnImport = (ctx: Context<EmployeeActor>, id: number) => findVisible(ctx, PortalImport, id);

/** Returns an import that the caller may see, locked. @throws notFound() */
export async function lockImport(ctx: Context<Admin>, id: number): Promise<ImportRun> {
  await findVisible(ctx, ImportItem, id);
  return lock(ctx, imports, id);
}

export async function lockOwnImport(ctx: Context<EmployeeActor>, id: number): Promise<ImportRun> {
  await findVisible(ctx, PortalImport, id);
  return lock(ctx, imports, id);
}
