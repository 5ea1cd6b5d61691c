// Running reports, and the fields of a source.
import type { Admin, Context, EmployeeActor } from '@keelson/core';
import type { ReportSource } from '@keelson/core/record';
import { definitionOf, placeOf, queryOf, sourceFor } from './definitions.ts';
import { checkReport, type ReportQuery } from './engine/definition.ts';
import { periodsOf } from './engine/period.ts';
import { runReport as run } from './engine/run.ts';
import { findSource, sourceNames, fieldsFor } from './engine/source.ts';
import { Report } from './entities.ts';

type Caller = Context<EmployeeActor | Admin>;

/** Number of rows in a preview. */
const PREVIEWED = 60;

/**
 * Builds the request of a stored report for this caller.
 * @throws invalid() if it no longer fits its source; forbidden()
 */
export function requestOf(ctx: Caller, report: Report, filters?: ReportQuery['filters']) {
  const stored = definitionOf(report);
  return requestFor(ctx, report.source, filters === undefined ? stored : { ...stored, filters });
}

async function requestFor(ctx: Caller, name: string, query: ReportQuery) {
  const source = await sourceFor(ctx, name);
  checkReport(ctx, source, query);
  return { source, query, company: placeOf(ctx).company_number ?? undefined };
}

/** Runs a report (F-42) and records the time. */
export async function runReport(ctx: Caller, report: Report, filters?: ReportQuery['filters']) {
  const { report_id, name, source } = report;
  const result = await run(ctx, await requestOf(ctx, report, filters));
  await ctx.db.update(Report, { report_id }, { last_run_at: ctx.now });
  return {
    report_id,
    name,
    source,
    ...result,
    rows: [...result.rows],
    columns: [...result.columns],
    generated_at: ctx.now,
  };
}

/**
 * Runs an unsaved definition and returns its first rows.
 * @throws invalid() if it does not fit its source; forbidden()
 */
export async function previewReport(ctx: Caller, { source, ...given }: Partial<ReportQuery> & { source: string }) {
  const request = await requestFor(ctx, source, queryOf(given));
  const { rows, columns, ...rest } = await run(ctx, { ...request, most: PREVIEWED });
  return { ...rest, columns: [...columns], rows: [...rows] };
}

/** Returns the sources the caller can report on, sorted by title. */
export function listSources(ctx: Caller) {
  const { surface } = placeOf(ctx);
  return sourceNames(ctx.app, surface)
    .flatMap((each) => findSource(ctx.app, surface, each) ?? [])
    .filter(({ access }) => access.allows(ctx.actor))
    .map(({ name, title }) => ({ name, title }))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1));
}

/** Returns the fields of a source visible to the caller (F-43). */
export const showFields = (ctx: Context, source: ReportSource) => ({
  source: source.name,
  fields: fieldsFor(ctx, source).map(showField),
});

function showField(field: ReturnType<typeof fieldsFor>[number]) {
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    filterable: field.operators.length > 0,
    sortable: field.sort !== undefined,
    groupable: field.groupable,
    periods: [...periodsOf(field)],
    operators: [...field.operators],
    summable: field.summable,
    choices: field.choices ? [...field.choices] : null,
    labels: field.labels ? { ...field.labels } : null,
  };
}
