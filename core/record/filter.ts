// Filters of a noun's lists: each declares a query parameter and the condition that it represents.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { param } from '@keelson/kit/param.ts';
import { toDatabase } from '@keelson/kit/time.ts';
import { is, type Filter } from '@keelson/list/list.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';

type Meaning = Filter | undefined;

export interface ListFilter<P extends z.ZodType = z.ZodType> {
  readonly param: P;
  /** Returns the condition for a value; undefined if it filters nothing. */
  readonly where: (ctx: Context, value: any) => Meaning | Promise<Meaning>;
}
export type FilterMap = Readonly<Record<string, ListFilter>>;

/** The filter values of a request. */
export type AskedBy<F extends FilterMap> = { readonly [K in keyof F]?: z.output<F[K]['param']> | undefined };

type Columns<T extends Table> = keyof T['columns'] & keyof Row<T> & string;
type ColumnParam<T extends Table, K extends Columns<T>> = z.ZodType<NonNullable<Row<T>[K]> | undefined>;

/** The argument of `filters: (its) => ({ … })`. */
export interface FiltersOf<T extends Table> {
  /** Column equals parameter. The parameter's schema follows from the column: an id, a choice, a text … */
  is<K extends Columns<T>>(column: K): ListFilter<ColumnParam<T, K>>;
  /** Column equals parameter, with a custom schema for the parameter. */
  is<P extends z.ZodType>(column: Columns<T>, asked: P): ListFilter<P>;
  /** Column is at or after a timestamp, or the start of a day. */
  since(column: Columns<T>): ListFilter<z.ZodType<string | undefined>>;
  /** Column is at or before a timestamp, or the end of a day. */
  until(column: Columns<T>): ListFilter<z.ZodType<string | undefined>>;
  /** Any other condition: `its.by(param.text(), (ctx, text) => matching(text, searched))`. */
  by<P extends z.ZodType>(
    asked: P,
    where: (ctx: Context, value: NonNullable<z.output<P>>) => Meaning | Promise<Meaning>,
  ): ListFilter<P>;
}

export function filtersFor<T extends Table>(table: T): FiltersOf<T> {
  const bound = (column: string, end: 'from' | 'to') => {
    const compared = `${table.name}.${column}`;
    const piece = end === 'from' ? `${compared} >= ?` : `${compared} <= ?`;
    return filter(param.dayOrTime(end), (_ctx, at: string) => ({ text: piece, params: [toDatabase(at)] }));
  };
  return {
    is: (column: string, asked: z.ZodType = paramOf(table, column)) =>
      filter(asked, (_ctx, value: string | number | boolean) =>
        is(column, typeof value === 'boolean' ? Number(value) : value),
      ),
    since: (column) => bound(column, 'from'),
    until: (column) => bound(column, 'to'),
    by: filter,
  } as FiltersOf<T>;
}

function filter<P extends z.ZodType>(asked: P, where: ListFilter['where']): ListFilter<P> {
  return Object.freeze({ param: asked, where });
}

/** Returns the query parameter schema for a column's values. */
function paramOf(table: Table, column: string): z.ZodType {
  const { options, shape } = table.columns[column] ?? {};
  if (!options || !shape) throw new Error(`${table.name} has no column ${column} to filter by`);
  const bare = shape instanceof z.ZodNullable ? shape.unwrap() : shape;
  if (bare instanceof z.ZodEnum) return param.choice(bare.options.map(String) as [string, ...string[]], { all: true });
  if (options.kind === 'id' || options.references) return param.id();
  if (options.kind === 'int' || options.kind === 'big') return param.int();
  if (options.kind === 'flag') return param.flag();
  if (options.kind === 'day') return param.day();
  if (options.kind === 'varchar' || options.kind === 'key') return param.text(options.length);
  throw new Error(`${table.name}.${column} takes its own parameter: its.is('${column}', param…)`);
}
