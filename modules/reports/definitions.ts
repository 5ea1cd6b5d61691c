// Report definitions (F-41): ownership, visibility and validation against the source.
import {
  change,
  create,
  forbidden,
  findVisible,
  invalid,
  is,
  lock,
  record,
  remove,
  sql,
  view,
  by,
  type Admin,
  type Context,
  type EmployeeActor,
  type Given,
} from '@keelson/core';
import type { ActorOf } from '@keelson/core/record';
import type { ReportSource } from '@keelson/core/record';
import { checkReport, type ReportQuery } from './engine/definition.ts';
import { findSource, requireSource, sourceNames } from './engine/source.ts';
import { Report, type Schedule } from './entities.ts';
import { requireRoom, requireScheduleRoom } from './limits.ts';
import { checkSchedule, nextRun } from './schedules/schedule.ts';

export const Reports = record(Report, {
  title: 'Report',
  call: ({ name }) => name,
  sorts: { created_at: by('created_at') },
  log: { omit: ['next_run_at', 'last_run_at', 'last_problem'] },
});

/** Reports visible to technicians and API keys: all on the administrative surface. */
export const AdminReport = view(Reports, { visible: () => [is('surface', 'admin')] });

/** Reports visible to employees: their own and shared ones; for IT admins, all of their company (Z-19). */
export const OwnReport = view(Reports, {
  visible: ({ actor }: Context<EmployeeActor>) => [
    is('surface', 'helpdesk'),
    is('company_number', actor.company_number),
    ...(actor.it_privileges
      ? []
      : [sql`report.shared = 1 OR (report.owner_type = 'employee' AND report.owner_id = ${actor.employee_number})`]),
  ],
});

export interface NewReport extends Partial<ReportQuery> {
  readonly name: string;
  readonly description?: string | undefined;
  readonly source: string;
  readonly shared?: boolean | undefined;
  readonly schedule?: Schedule | null | undefined;
}

export type ReportUpdate = { readonly [K in keyof NewReport]?: NewReport[K] | undefined };

/** Surface and company of the caller. */
export interface Place {
  readonly surface: 'helpdesk' | 'admin';
  readonly company_number: number | null;
}

export const placeOf = ({ actor }: Context<EmployeeActor | Admin>): Place =>
  'company_number' in actor
    ? { surface: 'helpdesk', company_number: actor.company_number }
    : { surface: 'admin', company_number: null };

/** Returns the named source for the caller. @throws invalid() listing the sources; forbidden() */
export async function sourceFor(ctx: Context<EmployeeActor | Admin>, name: string): Promise<ReportSource> {
  const { surface, company_number } = placeOf(ctx);
  const source = findSource(ctx.app, surface, name);
  if (!source) throw invalid(`source must be one of ${sourceNames(ctx.app, surface).join(', ')}`);
  await requireSource(ctx, source, company_number ?? undefined);
  return source;
}

export async function createReport(ctx: Context<EmployeeActor | Admin>, given: NewReport): Promise<Report> {
  const place = placeOf(ctx);
  const source = await sourceFor(ctx, given.source);
  const query = queryOf(given);
  checkReport(ctx, source, query);
  await requireRoom(ctx, place, ownerOf(ctx));
  const { name, description, shared, schedule = null } = given;
  await checkSchedule(ctx, schedule);
  if (schedule) await requireScheduleRoom(ctx, place, ownerOf(ctx));
  const row = {
    ...place,
    ...ownerOf(ctx),
    ...stored(query),
    name,
    description,
    shared,
    source: source.name,
    schedule,
    next_run_at: schedule && nextRun(ctx, schedule),
    created_by: ctx.author.name,
  };
  return create(ctx, Reports, row);
}

/** Changes a report locked in the same transaction. Fields that are given replace the previous ones. */
export async function updateReport(
  ctx: Context<EmployeeActor | Admin>,
  before: Report,
  given: ReportUpdate,
): Promise<Report> {
  requireOwner(ctx, before);
  const { name, description, shared, schedule } = given;
  const source = await sourceFor(ctx, given.source ?? before.source);
  const query = queryOf({ ...definitionOf(before), ...defined(given) });
  checkReport(ctx, source, query);
  if (schedule !== undefined) await checkSchedule(ctx, schedule, before.schedule);
  if (schedule && !before.schedule) await requireScheduleRoom(ctx, before, before);
  const timed = schedule === undefined ? {} : { schedule, next_run_at: schedule && nextRun(ctx, schedule) };
  return change(ctx, Reports, before, { name, description, shared, source: source.name, ...stored(query), ...timed });
}

/** Locks a report visible to the caller. @throws notFound() */
export async function lockReport<V extends typeof OwnReport | typeof AdminReport>(
  ctx: Context<ActorOf<V>>,
  view: V,
  id: number,
): Promise<Report> {
  await findVisible(ctx, view, id);
  return lock(ctx, Reports, id);
}

export async function deleteReport(ctx: Context<EmployeeActor | Admin>, report: Report): Promise<void> {
  requireOwner(ctx, report);
  await remove(ctx, Reports, report);
}

/** Restricts employees to their own reports, and IT admins to their company's (Z-19). @throws forbidden() */
function requireOwner({ actor }: Context<EmployeeActor | Admin>, { owner_type, owner_id }: Report): void {
  if (!('company_number' in actor) || actor.it_privileges) return;
  if (owner_type !== 'employee' || owner_id !== actor.employee_number)
    throw forbidden('Only its owner or an IT admin can change a shared report');
}

/** Returns the query of a stored report. */
export function definitionOf({ fields, filters, group_by, aggregates, sort }: Report): ReportQuery {
  // The cast is safe: definitions are validated before storing and again before running.
  return { fields, filters, group_by, aggregates, sort } as ReportQuery;
}

/** Applies the defaults of a definition. */
export function queryOf(given: Partial<ReportQuery>): ReportQuery {
  const { fields = [], filters = [], group_by = null, aggregates = [], sort = [] } = given;
  return { fields, filters, group_by, aggregates, sort };
}

type Stored = Pick<Given<typeof Reports>, 'fields' | 'filters' | 'group_by' | 'aggregates' | 'sort'>;

function stored({ fields, filters, group_by, aggregates, sort }: ReportQuery): Stored {
  return {
    fields: [...fields],
    filters: filters.map(({ field, operator, value }) => ({ field, operator, ...(value !== undefined && { value }) })),
    group_by,
    aggregates: aggregates.map(({ function: how, field }) => ({
      function: how,
      ...(field !== undefined && { field }),
    })),
    sort: sort.map(({ field, order }) => ({ field, order })),
  };
}

function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export function ownerOf({ actor }: Context<EmployeeActor | Admin>): Pick<Report, 'owner_type' | 'owner_id'> {
  if ('company_number' in actor) return { owner_type: 'employee', owner_id: actor.employee_number };
  if (actor.kind === 'key') return { owner_type: 'api', owner_id: actor.key_id };
  return { owner_type: 'technician', owner_id: actor.user_id };
}
