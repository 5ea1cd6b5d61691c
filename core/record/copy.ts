// Compiles the function that copies a view's members from a row, as fast as handwritten code.
import type { Table } from '../database/table.ts';
import { writerOf } from '../plugin/serialise.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { Lookup, Members } from './member.ts';

/** Lookup results by id, one map per lookup member. */
export type LookupMaps = readonly { get(id: number): unknown }[];
export type Copy = (row: Readonly<Record<string, unknown>>, found: LookupMaps) => unknown;

/** A member resolved by lookup (such as a name), and the column that holds its id. */
export interface LookupMember {
  readonly key: string;
  readonly lookup: Lookup;
  readonly column: string;
  readonly statistic?: string | undefined;
}

/** Returns the lookup members, in the order of the maps passed to a copy. */
export function lookupMembers(members: Members): readonly LookupMember[] {
  return Object.entries(members).flatMap(
    ([
      key,
      {
        lookup,
        statistic,
        columns: [column = ''],
      },
    ]) => (lookup ? [{ key, lookup, statistic, column }] : []),
  );
}

/** Compiles the copy. With `answers`, values are serialised. @throws Error for a shape that responses cannot have */
export function compileCopy(table: Table, members: Members, { answers }: { answers: boolean }): Copy {
  const works = Object.values(members).map(({ work }) => work);
  const writers = Object.values(members).map(({ shape }) => (answers ? writerOf(shape) : undefined));
  const nones = Object.values(members).map(({ none }) => none);
  let lookups = 0;
  const literal = Object.entries(members).map(([key, { columns, lookup, work }], i): LiteralMember => {
    const column = `row[${JSON.stringify(columns[0])}]`;
    if (lookup) {
      const value = `(value = ${column}) === null ? nones[${i}] : found[${lookups++}].get(value) ?? nones[${i}]`;
      return [key, writers[i] ? `writers[${i}](${value})` : value];
    }
    if (work) return [key, writers[i] ? `writers[${i}](works[${i}](row))` : `works[${i}](row)`];
    if (!writers[i]) return [key, column];
    // Inlined for speed, because every row of every list has timestamps.
    if (table.columns[columns[0] ?? '']?.options.kind === 'timestamp')
      return [key, `(value = ${column}) === null ? null : value.slice(0, 19) + 'Z'`];
    return [key, `writers[${i}](${column})`];
  });
  return compileLiteral<Copy>(literal, 'row, found', { works, writers, nones });
}
