// From a row to what leaves, compiled: the copy of a view as a program would write it by hand.
import type { Table } from '../database/table.ts';
import { writerOf } from '../plugin/serialise.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { NameSource } from '../list/names.ts';
import type { Members } from './member.ts';

/** Names by id, one map for each member that is a name. */
export type NameMaps = readonly { get(id: number): string | null | undefined }[];
/** What counters keep of one row. */
export type Figures = Readonly<Record<string, number>>;
export type Copy = (row: Readonly<Record<string, unknown>>, names: NameMaps, figures: Figures) => unknown;

/** A member that is a name, and the column of its id. */
export interface NamedMember {
  readonly key: string;
  readonly names: NameSource;
  readonly column: string;
}

/** In the order of a copy's second argument. */
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

/** @throws Error for a shape that answers cannot have */
export function compileCopy(table: Table, members: Members, { answers }: { answers: boolean }): Copy {
  const works = Object.values(members).map(({ work }) => work);
  const writers = Object.values(members).map(({ shape }) => (answers ? writerOf(shape) : undefined));
  let named = 0;
  const literal = Object.entries(members).map(([key, { shape, columns, names, work, statistic }], i): LiteralMember => {
    const column = `row[${JSON.stringify(columns[0])}]`;
    if (names) {
      const none = shape.safeParse(null).success ? 'null' : "''";
      return [key, `(value = ${column}) === null ? ${none} : names[${named++}].get(value) ?? ${none}`];
    }
    if (statistic) return [key, `figures[${JSON.stringify(statistic)}]`];
    if (work) return [key, writers[i] ? `writers[${i}](works[${i}](row))` : `works[${i}](row)`];
    if (!writers[i]) return [key, column];
    // Moments are in every row of every list: no call for them.
    if (table.columns[columns[0] ?? '']?.options.kind === 'timestamp')
      return [key, `(value = ${column}) === null ? null : value.slice(0, 19) + 'Z'`];
    return [key, `writers[${i}](${column})`];
  });
  return compileLiteral<Copy>(literal, 'row, names, figures', { works, writers });
}
