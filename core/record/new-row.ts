// A whole new row from what was given, compiled: filled in one after the other its columns would cost ten times as much.
import type { Table } from '../database/table.ts';
import { compileLiteral, type LiteralMember } from '../kit/literal.ts';
import type { Timestamp } from '../kit/time.ts';

export type NewRow = (given: Readonly<Record<string, unknown>>, now: Timestamp) => Record<string, unknown>;

/** Columns of the table only: whatever else was given is somebody else's. What is absent is the default, null, or now. */
export function compileNew({ columns }: Table): NewRow {
  const defaults = Object.values(columns).map(({ options }) => options.default ?? null);
  const literal = Object.entries(columns).map(([key, { options }], i): LiteralMember => {
    const given = `given[${JSON.stringify(key)}]`;
    if (key === 'created_at' || key === 'updated_at') return [key, 'now'];
    if (key === 'deleted_at') return [key, 'null'];
    // The database fills it in when it is undefined.
    if (options.kind === 'id') return [key, given];
    return [key, `(value = ${given}) === undefined ? defaults[${i}] : value`];
  });
  return compileLiteral<NewRow>(literal, 'given, now', { defaults });
}
