// Compiles the function that builds a complete new row. Assigning columns one by one would cost ten times as much.
import type { Table } from '../database/table.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { Timestamp } from '../kit/time.ts';

export type NewRow = (given: Readonly<Record<string, unknown>>, now: Timestamp) => Record<string, unknown>;

/** Compiles a builder that takes only the table's columns. Absent ones get their default, null, or the current time. */
export function compileNew({ columns }: Table): NewRow {
  const defaults = Object.values(columns).map(({ options }) => options.default ?? null);
  const literal = Object.entries(columns).map(([key, { options }], i): LiteralMember => {
    const given = `given[${JSON.stringify(key)}]`;
    if (key === 'created_at' || key === 'updated_at') return [key, 'now'];
    if (key === 'deleted_at') return [key, 'null'];
    // Undefined lets the database generate the id.
    if (options.kind === 'id') return [key, given];
    return [key, `(value = ${given}) === undefined ? defaults[${i}] : value`];
  });
  return compileLiteral<NewRow>(literal, 'given, now', { defaults });
}
