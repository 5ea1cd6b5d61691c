// Turns a report filter into a query condition.
import { invalid, is, listed, sql, toDatabase, toMinor, type Context, type Sql } from '@keelson/core';
import { containing, name } from '@keelson/core/database';
import { endOf, readDay, readMoment, startOf } from '@keelson/core/kit';
import type { Filter } from '@keelson/core/list';
import type { Operator, Range, ReportField } from '@keelson/core/system';

export interface AskedFilter {
  readonly operator: Operator;
  readonly value?: unknown;
}

type Stored = string | number;

/** The first and last stored value that a given value covers: a day covers many instants. */
interface Span {
  readonly from: Stored;
  readonly to: Stored;
}

/**
 * Returns the condition of a filter.
 * @param where the filter's name in messages: `filters[0]`
 * @throws invalid() for an operator or value that does not fit
 */
export function conditionOf(
  ctx: Context,
  field: ReportField,
  { operator, value }: AskedFilter,
  where: string,
): Filter | Range {
  if (field.operators.length === 0) throw invalid(`${where}.field must be a filterable field`);
  if (!field.operators.includes(operator))
    throw invalid(`${where}.operator must be one of ${field.operators.join(', ')} for ${field.name}`);
  const column = field.column ?? '';
  const table = field.names ? field.names.table.name : field.table;
  const named = name(`${table}.${field.names ? field.names.columns[0] : column}`);
  if (operator === 'empty') {
    if (value !== undefined && typeof value !== 'boolean') throw invalid(`${where}.value must be true or false`);
    return empty(field, value !== false);
  }
  const values = valuesOf(ctx, field, operator, value, where);
  const condition = compare(field, operator, named, values);
  if (!field.names) return condition;
  return byName(field, operator, condition);
}

function empty(field: ReportField, wanted: boolean): Sql {
  const named = name(`${field.table}.${field.column}`);
  const blank = field.type === 'text' && !field.names ? sql`${named} IS NULL OR ${named} = ''` : sql`${named} IS NULL`;
  return wanted ? blank : sql`NOT (${blank})`;
}

function compare(field: ReportField, operator: Operator, named: Sql, values: readonly Span[]): Filter | Range {
  const [first = { from: 0, to: 0 }, second = first] = values;
  const isOne = first.from === first.to;
  const ranged = (piece: Sql): Range | Sql => (field.names ? piece : { ...piece, range: field.column ?? '' });
  switch (operator) {
    case 'eq':
      if (isOne && !field.names) return is(field.column ?? '', first.from);
      return isOne ? sql`${named} = ${first.from}` : ranged(sql`${named} >= ${first.from} AND ${named} <= ${first.to}`);
    case 'ne': {
      const same = isOne ? sql`${named} = ${first.from}` : sql`${named} >= ${first.from} AND ${named} <= ${first.to}`;
      return sql`${named} IS NULL OR NOT (${same})`;
    }
    case 'contains':
      return sql`${named} LIKE ${containing(String(first.from))} ESCAPE '!'`;
    case 'in': {
      const all = values.map(({ from }) => from);
      return field.names ? sql`${named} IN ${listed(all)}` : is(field.column ?? '', all);
    }
    case 'gt':
      return ranged(sql`${named} > ${first.to}`);
    case 'gte':
      return ranged(sql`${named} >= ${first.from}`);
    case 'lt':
      return ranged(sql`${named} < ${first.from}`);
    case 'lte':
      return ranged(sql`${named} <= ${first.to}`);
    case 'between':
      return ranged(sql`${named} >= ${first.from} AND ${named} <= ${second.to}`);
    case 'empty':
      throw new Error('This operator takes no value');
  }
}

/** Matches the rows whose record has such a name. The subquery runs once per piece of the walk. */
function byName({ names, table, column }: ReportField, operator: Operator, condition: Filter | Range): Sql {
  if (!names || !('text' in condition)) throw new Error('Names must be compared in SQL');
  const via = name(`${table}.${column}`);
  const other = name(names.table.name);
  const found = sql`SELECT ${other}.${name(names.table.primary)} FROM ${other} WHERE ${condition}`;
  // `ne` includes rows without such a record.
  return operator === 'ne' ? sql`${via} IS NULL OR ${via} IN (${found})` : sql`${via} IN (${found})`;
}

function valuesOf(ctx: Context, field: ReportField, operator: Operator, value: unknown, where: string): Span[] {
  if (value === undefined || value === null) throw invalid(`${where}.value is required`);
  if (operator === 'in' || operator === 'between') {
    const wanted = operator === 'in' ? 'a list of 1 to 100 values' : 'a list of two values';
    const fits = Array.isArray(value) && (operator === 'in' ? value.length > 0 : value.length === 2);
    if (!fits) throw invalid(`${where}.value must be ${wanted}`);
    return value.map((each: unknown, i) => spanOf(ctx, field, each, `${where}.value[${i}]`));
  }
  return [spanOf(ctx, field, value, `${where}.value`)];
}

/** Decimals of an amount in dinars; rows of one report may have any currency. */
const MOST_DECIMALS = 3;

const one = (value: Stored): Span => ({ from: value, to: value });

function spanOf({ app }: Context, field: ReportField, value: unknown, where: string): Span {
  switch (field.type) {
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(`${where} must be a number`);
      return one(value);
    case 'money': {
      const minor = typeof value === 'number' ? toMinor(value, MOST_DECIMALS) : undefined;
      if (minor === undefined) throw invalid(`${where} must be an amount with at most ${MOST_DECIMALS} decimals`);
      return one(minor);
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw invalid(`${where} must be true or false`);
      return one(Number(value));
    case 'choice': {
      const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
      const found = field.choices?.find((each) => each.toLowerCase() === text);
      if (found === undefined) throw invalid(`${where} must be one of: ${field.choices?.join(', ') ?? ''}`);
      return one(found);
    }
    case 'date': {
      const day = typeof value === 'string' ? readDay(value.trim()) : undefined;
      if (day === undefined) throw invalid(`${where} must be a date (YYYY-MM-DD)`);
      return one(day);
    }
    case 'datetime': {
      const text = typeof value === 'string' ? value.trim() : '';
      const day = readDay(text);
      if (day !== undefined) return { from: toDatabase(startOf(day, app.zone)), to: toDatabase(endOf(day, app.zone)) };
      const moment = readMoment(text, app.zone);
      if (moment === undefined) throw invalid(`${where} must be a date or an ISO 8601 timestamp`);
      return one(toDatabase(moment));
    }
    case 'text':
      if (typeof value !== 'string') throw invalid(`${where} must be text`);
      return one(value);
  }
}
