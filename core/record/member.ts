// The members of an answer: a column under its own or another name, the name of a referenced record, or a computed value.
import { z } from 'zod';
import type { OpenKeys, Row, Table } from '../database/table.ts';
import type { NameSource } from '../list/names.ts';

export interface Member<Out = unknown> {
  readonly shape: z.ZodType<Out>;
  /** The columns that it needs. */
  readonly columns: readonly string[];
  /** It is the name of the record whose id is in its first column. */
  readonly names?: NameSource;
  /** Computes it from the row. */
  readonly work?: (row: any) => unknown;
}
export type Members = Readonly<Record<string, Member<any>>>;

type NameOf<V> = null extends V ? string | null : string;

/** The argument of `more: (its) => ({ … })`. */
export interface MembersOf<T extends Table> {
  /** A column under another name: `assigned_tech: its.column('assigned_to')`. */
  column<K extends OpenKeys<T['columns']> & keyof Row<T>>(column: K): Member<Row<T>[K]>;
  /** The name of another record, from the name cache; null or '' when there is none. */
  name<K extends keyof Row<T> & string>(source: NameSource, column: K): Member<NameOf<Row<T>[K]>>;
  /** Computed from some columns: `its.from(z.boolean(), ['approval_status'], (row) => row.approval_status === 'pending')`. */
  from<Out, K extends keyof Row<T> & string>(
    shape: z.ZodType<Out>,
    columns: readonly K[],
    work: (row: Pick<Row<T>, K>) => NoInfer<Out>,
  ): Member<Out>;
}

export function membersFor<T extends Table>(table: T): MembersOf<T> {
  return {
    column: (column: string) => columnMember(table, column),
    name: (names: NameSource, column: string) => {
      const shape = table.columns[column]?.options.nullable ? z.string().nullable() : z.string();
      return Object.freeze({ shape, columns: [column], names });
    },
    from: (shape: z.ZodType, columns: readonly string[], work: Member['work']) =>
      Object.freeze({ shape, columns, work }),
  } as MembersOf<T>;
}

export function columnMember(table: Table, column: string): Member {
  const { shape } = table.columns[column] ?? {};
  if (!shape) throw new Error(`${table.name} has no column ${column} to show`);
  return Object.freeze({ shape, columns: [column] });
}
