// Compiles the function that copies a view's members from a row, as fast as if it were written by hand.
import type { Table } from '../database/table.ts';
import { writerOf } from '../plugin/serialise.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { Lookup, Members } from './member.ts';

/** What was looked up, by id: one map for each member that is. */
export type LookupMaps = readonly { get(id: number): unknown }[];
export type Copy = (row: Readonly<Record<string, unknown>>, found: LookupMaps) => unknown;

/** A member that is looked up (a name, say), and the column of its id. */
export interface LookupMember {
  readonly key: string;
  readonly lookup: Lookup;
  readonly column: string;
  readonly statistic?: string | undefined;
}

/** The members that are looked up, in the order of the maps that a copy gets. */
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

/** Compiles the copy; for `answers`, values are serialised. @throws Error for a shape that answers cannot have */
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
    // Inlined, because every row of every list has moments.
    if (table.columns[columns[0] ?? '']?.options.kind === 'timestamp')
      return [key, `(value = ${column}) === null ? null : value.slice(0, 19) + 'Z'`];
    return [key, `writers[${i}](${column})`];
  });
  return compileLiteral<Copy>(literal, 'row, found', { works, writers, nones });
}
