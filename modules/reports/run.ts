// Running of reports, and the fields of a source.
import type { Admin, Context, EmployeeActor } from '@keelson/core';
import {
  periodsOf,
  type ReportSource,
  checkReport,
  fieldsFor,
  runReport as run,
  type ReportQuery,
} from '@keelson/core/report';
import { definitionOf, placeOf, sourceFor } from './definitions.ts';
import { Report } from './entities.ts';

type Caller = Context<EmployeeActor | Admin>;

/** Builds the request of a stored report for this caller. @throws invalid() if its source has changed; forbidden() */
export async function requestOf(ctx: Caller, report: Report, filters?: ReportQuery['filters']) {
  const source = await sourceFor(ctx, report.source);
  const stored = definitionOf(report);
  const query = filters === undefined ? stored : { ...stored, filters };
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

/** Returns the fields of a source visible to the caller (F-43). */
export function showFields(ctx: Context, source: ReportSource) {
  const fields = fieldsFor(ctx, source).map((field) => ({
    name: field.name,
    label: field.label,
    type: field.type,
    filterable: field.operators.length > 0,
    sortable: field.sort !== undefined,
    groupable: field.groupable,
    periods: [...periodsOf(field)],
    operators: [...field.operators],
  }));
  return { source: source.name, fields };
}
