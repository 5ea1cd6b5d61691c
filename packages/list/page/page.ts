// Reads pages and totals of lists the cheapest exact way, so that a page costs the same at any table size
// (docs/architecture.md).
import type { Db } from '@keelson/database/db.ts';
import { joined, name, sql } from '@keelson/database/statement/sql.ts';
import { countedTo } from '../common.ts';
import type { Plan } from '../index-range.ts';
import { parseRequest, totalSql, type ListQuery } from '../list-query.ts';
import { readRows, readTotal } from '../list-statements.ts';
import { is, type Filter, type List, type ListRequest } from '../list.ts';
import { planGroups } from './list-groups.ts';
import { planFar, planNear } from './list-plan.ts';
import { resolveScans } from './list-scan.ts';
import { keptBy, readKept, type Kept } from './page-by-keys.ts';

export interface PageRequest extends ListRequest {
  /** Page number, starting at 1. */
  readonly page: number;
  readonly size: number;
  /** The total, if the caller already has it. */
  readonly total?: number | undefined;
}

/** A page of rows. */
export interface Page<R> {
  readonly rows: readonly R[];
  /** Number of matching rows. */
  readonly total: number;
  /** There are more rows than `total`, where counting stopped (Q-12). */
  readonly capped?: true;
}

/**
 * Reads a page and the total, in one to four statements. A page past the end is empty.
 * @throws invalid() naming the valid sorts if `sort` is not one of them (P-18)
 */
export async function readPage<R>(db: Db, list: List<R>, request: PageRequest): Promise<Page<R>> {
  const kept = keptBy(request.where);
  if (kept) return readKeptPage(db, list, request, kept);
  const offset = (request.page - 1) * request.size;
  const resolved = { ...request, ...(await resolveScans(db, list, request.where)) };
  const query = parseRequest(list, resolved);
  const { rows, along } = await readRows(db, query, await planOf(db, query, resolved, offset));
  const total = resolved.total ?? along ?? totalFrom(rows.length, offset, request.size);
  if (total !== undefined) return { rows: rows as R[], total };
  const most = countedTo(request.page, request.size);
  const counted = await readTotal(db, query, most);
  return query.common && counted > most
    ? { rows: rows as R[], total: most, capped: true }
    : { rows: rows as R[], total: counted };
}

async function readKeptPage<R>(
  db: Db,
  list: List<R>,
  request: PageRequest,
  { keep, text, params }: Kept,
): Promise<Page<R>> {
  const most = countedTo(request.page, request.size);
  const keys = await readKept(db, list, request, { keep, most });
  const ids = keys.slice((request.page - 1) * request.size, request.page * request.size);
  const total = Math.min(keys.length, most);
  // Recheck the other conditions: rows may have changed since.
  const others = request.where.filter((each) => !('keep' in each));
  const these = [...others, { text, params }, is(list.table.primary, ids)];
  const rows = ids.length === 0 ? [] : (await readPage(db, list, { ...request, where: these, page: 1, total })).rows;
  return keys.length > most ? { rows, total, capped: true } : { rows, total };
}

async function planOf(db: Db, query: ListQuery, request: PageRequest, offset: number): Promise<Plan> {
  return (
    (await planGroups(db, query, offset, request.size)) ??
    planNear(query, offset, request.size) ??
    (await planFar(db, query, offset, request))
  );
}

/** Returns the exact number of matching rows. */
export async function countList(db: Db, list: List, where: readonly Filter[]): Promise<number> {
  const { total } = await resolveScans(db, list, where);
  if (total !== undefined) return total;
  const [sort = ''] = Object.keys(list.sorts);
  return readTotal(db, parseRequest(list, { where, sort, direction: 'asc' }));
}

/** Counts the matching rows for several conditions in one statement. Null for those without a counter. */
export async function countKept(
  db: Db,
  list: List,
  wheres: readonly (readonly Filter[])[],
): Promise<(number | null)[]> {
  const [sort = ''] = Object.keys(list.sorts);
  const totals = wheres.map((where) => totalSql(parseRequest(list, { where, sort, direction: 'asc' })));
  const selected = totals.flatMap((each, i) => (each ? [sql`${each} AS ${name(`n${i}`)}`] : []));
  const [row] = selected.length > 0 ? await db.query(sql`SELECT ${joined(selected, ', ')}`) : [];
  return totals.map((each, i) => (each ? Number(row?.[`n${i}`] ?? 0) : null));
}

/** Derives the total from a partial page, which is the last one unless it is past the end. */
function totalFrom(rows: number, offset: number, size: number): number | undefined {
  return rows < size && (rows > 0 || offset === 0) ? offset + rows : undefined;
}
