// The members of a response: a column under its own or another name, the name of a referenced record, a computed value,
// or a statistic.
import type { OpenKeys, Row, Table } from '@keelson/database/schema/table.ts';
import { readStatistics } from '@keelson/list/counter/statistics.ts';
import type { NameSource } from '@keelson/list/name-cache.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';

/** Reads data for the ids in a column, for all rows of a response at once. */
export type Lookup<Out = unknown> = (
  ctx: Context,
  ids: readonly number[],
) => Promise<{ get(id: number): Out | null | undefined }>;

export interface Member<Out = unknown> {
  readonly shape: z.ZodType<Out>;
  /** Columns that the member reads. */
  readonly columns: readonly string[];
  /** Resolves the id in the first column. `none` is the value if nothing is found. */
  readonly lookup?: Lookup<Out>;
  readonly none?: Out;
  /** Takes the value from what the lookup found. */
  readonly pick?: (found: any) => unknown;
  /** Set if the member is the name of the record in its first column. */
  readonly names?: NameSource;
  /** Computes the value from the row. */
  readonly work?: (row: any) => unknown;
  /** Name of the statistic. All statistics of a view are read with one statement. */
  readonly statistic?: string;
}
export type Members = Readonly<Record<string, Member<any>>>;

type NameOf<V> = null extends V ? string | null : string;

/** The argument of `more: (its) => ({ … })`. */
export interface MembersOf<T extends Table> {
  /** A column under another name: `assigned_tech: its.column('assigned_to')`. */
  column<K extends OpenKeys<T['columns']> & keyof Row<T>>(column: K): Member<Row<T>[K]>;
  /** The name of another record, from the name cache; null or '' if there is none. */
  name<K extends keyof Row<T> & string>(source: NameSource, column: K): Member<NameOf<Row<T>[K]>>;
  /**
   * A value looked up for all rows of a response at once, by the ids in a column. `none` if nothing is found:
   * `custom_fields: its.lookup(CustomFields, 'contact_id', (ctx, ids) => readFields(ctx, ids), noFields)`.
   */
  lookup<Out, K extends keyof Row<T> & string>(
    shape: z.ZodType<Out>,
    column: K,
    lookup: Lookup<NoInfer<Out>>,
    none: NoInfer<Out>,
  ): Member<Out>;
  /**
   * A part of what a lookup finds. Members with the same column and the same function share one lookup:
   * `subject: its.lookup(z.string().nullable(), 'ticket_id', readTickets, null, (ticket) => ticket.subject)`.
   */
  lookup<Out, Found, K extends keyof Row<T> & string>(
    shape: z.ZodType<Out>,
    column: K,
    lookup: Lookup<Found>,
    none: NoInfer<Out>,
    pick: (found: Found) => NoInfer<Out>,
  ): Member<Out>;
  /**
   * A value computed from a column and the context, such as the current day. `none` if the column is null:
   * `days_left: its.asOf(z.int().nullable(), 'ends_on', (ctx) => (day) => daysBetween(today(ctx), day), null)`.
   */
  asOf<Out, K extends keyof Row<T> & string>(
    shape: z.ZodType<Out>,
    column: K,
    workOf: (ctx: Context) => (value: NonNullable<Row<T>[K]>) => NoInfer<Out>,
    none: NoInfer<Out>,
  ): Member<Out>;
  /**
   * A value computed from columns: `its.from(z.boolean(), ['approval_status'], (row) => row.approval_status ===
   * 'pending')`.
   */
  from<Out, K extends keyof Row<T> & string>(
    shape: z.ZodType<Out>,
    columns: readonly K[],
    work: (row: Pick<Row<T>, K>) => NoInfer<Out>,
  ): Member<Out>;
  /** A row's statistic (`statistic(Company, 'open_tickets')`): exact, one statement for all rows of a response. */
  statistic(name: string): Member<number>;
}

export function membersFor<T extends Table>(table: T): MembersOf<T> {
  return {
    column: (column: string) => columnMember(table, column),
    name: (names: NameSource, column: string) => {
      const nullable = table.columns[column]?.options.nullable;
      const shape = nullable ? z.string().nullable() : z.string();
      const lookup: Lookup<string> = ({ app, db }, ids) => app.names.get(db, names, ids);
      return Object.freeze({ shape, columns: [column], lookup, names, none: nullable ? null : '' });
    },
    lookup: (shape: z.ZodType, column: string, lookup: Lookup, none: unknown, pick?: Member['pick']) =>
      Object.freeze({ shape, columns: [column], lookup, none, ...(pick && { pick }) }),
    asOf: (shape: z.ZodType, column: string, workOf: (ctx: Context) => (value: never) => unknown, none: unknown) => {
      const lookup = async (ctx: Context) => ({ get: workOf(ctx) as (value: unknown) => unknown });
      return Object.freeze({ shape, columns: [column], lookup, none });
    },
    from: (shape: z.ZodType, columns: readonly string[], work: Member['work']) =>
      Object.freeze({ shape, columns, work }),
    statistic: (name: string) => {
      const lookup: Lookup<number> = async (ctx, ids) => {
        const figuresOf = await readStatistics(ctx, table, ids, [name]);
        return { get: (id) => figuresOf(id)[name] };
      };
      return Object.freeze({ shape: z.int(), columns: [table.primary], statistic: name, lookup, none: 0 });
    },
  } as MembersOf<T>;
}

export function columnMember(table: Table, column: string): Member {
  const { shape } = table.columns[column] ?? {};
  if (!shape) throw new Error(`${table.name} has no column ${column} to show`);
  return Object.freeze({ shape, columns: [column] });
}
