// The fields of a report source: their names, types, and what reports can do with them (Q-04, F-43).
import { fromStored } from '@keelson/database/schema/stored-value.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { fromMinor } from '@keelson/kit/money.ts';
import { writerOf } from '@keelson/kit/serialise.ts';
import type { NameSource } from '@keelson/list/name-cache.ts';
import { z } from 'zod';
import type { Access } from '../../plugin/route/surface.ts';
import type { Member } from '../member.ts';
import type { View } from '../view.ts';

/** The periods that dates can be grouped by. @example periods.includes('week'); // true */
export const periods = ['day', 'week', 'month', 'quarter'] as const;

/** One of `periods`. */
export type Period = (typeof periods)[number];

/** The types of fields (F-43). */
export const fieldTypes = ['text', 'number', 'money', 'boolean', 'choice', 'date', 'datetime'] as const;
/** One of `fieldTypes`. */
export type FieldType = (typeof fieldTypes)[number];

/** The operators of filters; a field supports those of its type. */
export const operators = ['eq', 'ne', 'contains', 'gt', 'gte', 'lt', 'lte', 'in', 'between', 'empty'] as const;
/** One of `operators`. */
export type Operator = (typeof operators)[number];

const ordered = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: ['eq', 'ne', 'contains', 'in', 'empty'],
  choice: ['eq', 'ne', 'in', 'empty'],
  boolean: ['eq', 'ne', 'empty'],
  number: ['eq', 'ne', ...ordered, 'in', 'empty'],
  money: ['eq', 'ne', ...ordered, 'in', 'empty'],
  date: ['eq', 'ne', ...ordered, 'empty'],
  datetime: ['eq', 'ne', ...ordered, 'empty'],
};

/** Options of a field besides its label. */
export interface FieldOptions {
  readonly label: string;
  /** The type, if neither the column nor the member’s shape determines it. */
  readonly type?: FieldType;
  /** The column to filter, group and aggregate a computed member by. With the type `money` it holds minor units. */
  readonly column?: string;
  /** What the numbers of the field mean, such as `{ 1: 'Critical' }`. Results keep the numbers. */
  readonly labels?: Readonly<Record<number, string>>;
  /** For a period field: the period of the date in `column` that it shows and is grouped by, such as `month`. */
  readonly period?: Period;
  /** Restricts who may see the field among those who see the source. */
  readonly access?: Access<any>;
}

/** A field as the engine uses it. */
export interface ReportField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly member: Member;
  /** The name of the source's table. */
  readonly table: string;
  /** The stored column behind it; undefined for a display-only member. */
  readonly column: string | undefined;
  /** Set if the field is the name of the record in `column`. */
  readonly names: NameSource | undefined;
  /** Set if the field is this period of the date in its column. */
  readonly period: Period | undefined;
  readonly choices: readonly string[] | undefined;
  /** What its numbers mean. */
  readonly labels: Readonly<Record<number, string>> | undefined;
  readonly operators: readonly Operator[];
  /** The list’s sort by this field, if an index provides the order. */
  readonly sort: string | undefined;
  readonly groupable: boolean;
  /** Whether the field supports sums and averages. */
  readonly summable: boolean;
  readonly access: Access<any> | undefined;
  /** Converts the member's value to its response form. */
  readonly write: (value: unknown) => unknown;
  /** Converts a stored value of the column to its response form, unless it is the key of a name. */
  readonly writeStored: (value: unknown) => unknown;
}

/** Creates the field for a member of a view. @throws Error for a member or column that does not exist */
export function fieldOf(view: View, name: string, given: FieldOptions | string, sorts: readonly string[]): ReportField {
  const options = typeof given === 'string' ? { label: given } : given;
  const { table } = view.of;
  const member = Object.hasOwn(view.members, name) ? view.members[name] : undefined;
  if (!member) throw new Error(`The view of ${table.name} has no member ${name} to report`);
  const column = options.column ?? storedColumn(member);
  const stored = column === undefined ? undefined : table.columns[column];
  if (column !== undefined && !stored) throw new Error(`${table.name} has no column ${column} to report`);
  const type = options.type ?? (member.names ? 'text' : typeOf(stored ? stored.shape : member.shape));
  const kind = stored?.options.kind;
  const comparable = stored !== undefined && kind !== 'json' && (member.names?.columns.length ?? 1) === 1;
  const nullable = stored?.options.nullable === true;
  const empties = nullable || (type === 'text' && !member.names);
  return Object.freeze({
    name,
    label: options.label,
    type,
    member,
    table: table.name,
    column,
    names: member.names,
    period: options.period,
    choices: stored && !member.names ? choicesOf(stored.shape) : undefined,
    labels: options.labels,
    operators:
      comparable && options.period === undefined ? operatorsOf[type].filter((each) => each !== 'empty' || empties) : [],
    sort: sorts.includes(name) ? name : undefined,
    groupable: stored !== undefined && !['json', 'text', 'timestamp'].includes(kind ?? ''),
    summable:
      stored !== undefined &&
      !member.names &&
      ['number', 'money'].includes(type) &&
      kind !== 'id' &&
      !stored.options.references &&
      !IDENTIFIER.test(column ?? ''),
    access: options.access,
    write: writerOf(member.shape) ?? ((value) => value),
    writeStored: storedWriter(table, member, column, type),
  });
}

/** `company_number`: a number that names a record. */
const IDENTIFIER = /_(?:number|id)$/;

/** Returns the column of a member that is a plain column or a name. */
function storedColumn({ columns, lookup, work, names }: Member): string | undefined {
  if (names) return columns[0];
  return lookup === undefined && work === undefined && columns.length === 1 ? columns[0] : undefined;
}

function storedWriter(
  table: Table,
  member: Member,
  column: string | undefined,
  type: FieldType,
): (value: unknown) => unknown {
  const { options, shape } = (column === undefined ? undefined : table.columns[column]) ?? {};
  if (!options || !shape || column === undefined) return (value) => value;
  const read = (value: unknown) => fromStored(options.kind, value);
  if (type === 'money') return (value) => (value === null ? null : fromMinor(Number(value)));
  // For a computed member, apply its computation to the value.
  const { work } = member;
  if (work && !member.columns.some((each) => each !== column)) return (value) => work({ [column]: read(value) });
  const write = writerOf(shape);
  return write ? (value) => write(read(value)) : read;
}

function typeOf(shape: z.ZodType): FieldType {
  const bare = shape instanceof z.ZodNullable ? shape.unwrap() : shape;
  if (bare instanceof z.ZodEnum) return 'choice';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  if (bare instanceof z.ZodNumber) return 'number';
  if (bare instanceof z.ZodISODateTime) return 'datetime';
  return bare instanceof z.ZodISODate ? 'date' : 'text';
}

function choicesOf(shape: z.ZodType): readonly string[] | undefined {
  const bare = shape instanceof z.ZodNullable ? shape.unwrap() : shape;
  return bare instanceof z.ZodEnum ? bare.options.map(String) : undefined;
}
