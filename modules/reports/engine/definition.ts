// The definition of a report (F-41), and the checks that it fits its source (Q-02 to Q-04).
import { forbidden, input, invalid, type Context, z } from '@keelson/core';
import type { ReportSource } from '@keelson/core/record';
import { operators, type Period, type ReportField } from '@keelson/core/system';
import { conditionOf } from './condition.ts';
import { isPeriod, periodsOf } from './period.ts';
import { fieldsFor } from './source.ts';

export const aggregateFunctions = ['count', 'sum', 'average'] as const;

const MOST_FIELDS = 50;
const MOST_FILTERS = 20;
const MOST_VALUES = 100;
const MOST_AGGREGATES = 10;
const MOST_SORTS = 3;

const single = z.union([input.secret(255), z.number(), z.boolean()]);

export const ReportFilter = z.object({
  field: input.text(64),
  operator: input.choice(operators),
  value: z.union([single, z.array(z.union([input.secret(255), z.number()])).max(MOST_VALUES), z.null()]).optional(),
});
export type ReportFilter = z.output<typeof ReportFilter>;

export const ReportSort = z.object({ field: input.text(64), order: input.choice(['asc', 'desc']).default('asc') });
export const ReportAggregate = z.object({
  function: input.choice(aggregateFunctions),
  field: input.optional(input.text(64)),
});
export type ReportAggregate = z.output<typeof ReportAggregate>;

/** The members of a definition that select data, as request bodies have them. */
export const reportQueryFields = {
  fields: z.array(input.text(64)).max(MOST_FIELDS),
  filters: z.array(ReportFilter).max(MOST_FILTERS),
  group_by: input.clearable(input.text(64)),
  aggregates: z.array(ReportAggregate).max(MOST_AGGREGATES),
  sort: z.array(ReportSort).max(MOST_SORTS),
};

/** What a report reads. */
export interface ReportQuery {
  /** The members to show; all when empty. */
  readonly fields: readonly string[];
  readonly filters: readonly ReportFilter[];
  readonly group_by: string | null;
  /** The aggregates of each group; the count when empty. */
  readonly aggregates: readonly ReportAggregate[];
  readonly sort: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
}

/** A result column with a count, sum or average: `sum_duration_minutes`. */
export interface AggregateColumn {
  readonly key: string;
  readonly function: ReportAggregate['function'];
  readonly field: ReportField | undefined;
}

/** What the rows of a report are grouped by. */
export interface Grouping {
  /** As requested, and as the groups return it: `status`, `created_at:month`. */
  readonly key: string;
  readonly field: ReportField;
  readonly period: Period | undefined;
}

/** Returns the grouping of a report. @throws invalid() for an unknown field, and for one that cannot be grouped by */
export function groupingOf(source: ReportSource, group_by: string | null): Grouping | undefined {
  if (group_by === null) return undefined;
  const [name = '', period, ...more] = group_by.split(':');
  const field = source.fields.get(name);
  if (!field) throw invalid(`group_by must be a field of ${source.name}`);
  const known = periodsOf(field);
  if (period === undefined && field.groupable) return { key: name, field, period: field.period };
  if (known.length === 0) throw invalid('group_by must be a groupable field');
  if (period === undefined || !isPeriod(period) || more.length > 0)
    throw invalid(`group_by must be one of ${known.map((each) => `${name}:${each}`).join(', ')}`);
  return { key: group_by, field, period };
}

/** Returns the aggregates of a grouped report. */
export function aggregatesOf(source: ReportSource, { aggregates }: Pick<ReportQuery, 'aggregates'>): AggregateColumn[] {
  const asked: readonly ReportAggregate[] = aggregates.length > 0 ? aggregates : [{ function: 'count' }];
  const columns = asked.map(({ function: how, field }) => ({
    key: how === 'count' ? 'count' : `${how}_${field ?? ''}`,
    function: how,
    field: field === undefined ? undefined : source.fields.get(field),
  }));
  return [...new Map(columns.map((each) => [each.key, each])).values()];
}

/**
 * Returns the field with the currency of the shown amounts, if rows have their own: amounts of several currencies cannot
 * be added.
 */
export function currencyOf(source: ReportSource, shown: readonly (ReportField | undefined)[]): ReportField | undefined {
  return shown.some((each) => each?.type === 'money') ? source.fields.get('currency') : undefined;
}

/** Checks that a query fits its source. @throws invalid() naming the first member that does not */
export function checkReport(ctx: Context, source: ReportSource, query: ReportQuery): void {
  const known = (field: string, where: string): ReportField => {
    const found = source.fields.get(field);
    if (!found) throw invalid(`${where} must be a field of ${source.name}`);
    return found;
  };
  query.fields.forEach((each, i) => known(each, `fields[${i}]`));
  query.filters.forEach((each, i) => {
    conditionOf(ctx, known(each.field, `filters[${i}].field`), each, `filters[${i}]`);
  });
  const grouping = groupingOf(source, query.group_by);
  if (!grouping) {
    if (query.aggregates.length > 0) throw invalid('aggregates require group_by');
    if (query.sort.length > 1) throw invalid('sort must contain at most 1 items without group_by');
    query.sort.forEach(({ field }, i) => {
      if (!known(field, `sort[${i}].field`).sort) throw invalid(`sort[${i}].field must be a sortable field`);
    });
    return;
  }
  query.aggregates.forEach(({ function: how, field }, i) => {
    if (how === 'count') return;
    if (field === undefined) throw invalid(`aggregates[${i}].field is required`);
    if (!known(field, `aggregates[${i}].field`).summable)
      throw invalid(`aggregates[${i}].field must be a numeric field`);
  });
  const keys = new Set([grouping.key, ...aggregatesOf(source, query).map(({ key }) => key)]);
  query.sort.forEach(({ field }, i) => {
    if (!keys.has(field)) throw invalid(`sort[${i}].field must be one of ${[...keys].join(', ')}`);
  });
}

/**
 * Rejects a report that filters, sorts, groups or aggregates by fields that the caller may not see, because its rows
 * would reveal them.
 * @throws forbidden()
 */
export function requireFields(ctx: Context, source: ReportSource, query: ReportQuery): void {
  const open = new Set(fieldsFor(ctx, source).map(({ name }) => name));
  const grouping = groupingOf(source, query.group_by);
  const used = [
    ...query.filters.map(({ field }) => field),
    ...(grouping ? [grouping.field.name] : query.sort.map(({ field }) => field)),
    ...query.aggregates.flatMap(({ field }) => field ?? []),
  ];
  if (used.some((each) => !open.has(each))) throw forbidden('This report uses fields you do not have access to');
}
