// Parts of a record that attachments belong to: a ticket's comments. Some surfaces do not show all of them.
import { joined, name, sql, type Sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';
import { invalid } from '../kit/problem.ts';
import type { Filter } from '../list/list.ts';
import type { Context } from '../plugin/context.ts';
import type { Declared } from './attachment-routes.ts';
import type { AttachmentFace } from './attachments.ts';

/** Returns the conditions for attachments of the parts that a surface shows. */
export function visibleParts({ options: { parts } }: Declared, face: AttachmentFace<any, any, any>): Filter[] {
  if (!parts || !face.parts) return [];
  const { table }: { table: Table } = parts;
  const column = (each: string): Sql => name(`${table.name}.${each}`);
  const conditions = Object.entries(face.parts).map(([key, value]) => sql`${column(key)} = ${Number(value)}`);
  return [
    sql`attachment.part_id IS NULL OR EXISTS (SELECT 1 FROM ${name(table.name)}
      WHERE ${column(table.primary)} = attachment.part_id AND ${joined(conditions)})`,
  ];
}

/** Checks the part of an upload. @throws invalid() if the record does not have it, or the surface does not show it */
export async function checkPart(
  ctx: Context,
  { noun, options: { parts } }: Declared,
  face: AttachmentFace<any, any, any>,
  record: number,
  part: number | undefined,
): Promise<number | null> {
  if (part === undefined || !parts) return null;
  const { table }: { table: Table } = parts;
  const where = { [table.primary]: part, [parts.record]: record, ...face.parts };
  if (!(await ctx.db.existsBy(table, where as never)))
    throw invalid(`${table.primary} must be ${partWords(table.primary)} of the ${noun}`);
  return part;
}

/** Formats a part for messages: `comment_id` → `a comment`. */
const partWords = (key: string): string => `a ${key.replace(/_id$/, '').replaceAll('_', ' ')}`;
