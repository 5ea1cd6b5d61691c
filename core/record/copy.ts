// Compiles the function that copies a view's members from a row, as fast as if it were written by hand.
import type { Table } from '../database/table.ts';
import { writerOf } from '../plugin/serialise.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { NameSource } from '../list/names.ts';
import type { Members } from './member.ts';

/** Names by id: one map for each member that is a name. */
export type NameMaps = readonly { get(id: number): string | null | undefined }[];
export type Copy = (row: Readonly<Record<string, unknown>>, names: NameMaps) => unknown;

/** A member that is the name of another record, and the column with the id of that. */
export interface NamedMember {
  readonly key: string;
  readonly names: NameSource;
  readonly column: string;
}

/** The members that are names, in the order of the maps that a copy gets. */
export function nameMembers(members: Members): readonly NamedMember[] {
  return Object.entries(members).flatMap(
    ([
      key,
      {
        names,
        columns: [column = ''],
      },
    ]) => (names ? [{ key, names, column }] : []),
  );
}

/** Compiles the copy; for `answers`, values are serialised. @throws Error for a shape that answers cannot have */
export function compileCopy(table: Table, members: Members, { answers }: { answers: boolean }): Copy {
  const works = Object.values(members).map(({ work }) => work);
  const writers = Object.values(members).map(({ shape }) => (answers ? writerOf(shape) : undefined));
  let named = 0;
  const literal = Object.entries(members).map(([key, { shape, columns, names, work }], i): LiteralMember => {
    const column = `row[${JSON.stringify(columns[0])}]`;
    if (names) {
      const none = shape.safeParse(null).success ? 'null' : "''";
      return [key, `(value = ${column}) === null ? ${none} : names[${named++}].get(value) ?? ${none}`];
    }
    if (work) return [key, writers[i] ? `writers[${i}](works[${i}](row))` : `works[${i}](row)`];
    if (!writers[i]) return [key, column];
    // Inlined, because every row of every list has moments.
    if (table.columns[columns[0] ?? '']?.options.kind === 'timestamp')
      return [key, `(value = ${column}) === null ? null : value.slice(0, 19) + 'Z'`];
    return [key, `writers[${i}](${column})`];
  });
  return compileLiteral<Copy>(literal, 'row, names', { works, writers });
}
