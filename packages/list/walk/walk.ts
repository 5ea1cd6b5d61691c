// Walks all matching rows of a list in batches of bounded cost, whatever their number and conditions. SQLite runs in
// this process, so no statement may read a large table in one go.
import { Interrupted } from '@keelson/database/database-error.ts';
import type { Db } from '@keelson/database/db.ts';
import { inTime } from '@keelson/database/sqlite/sqlite-watch.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { ListQuery } from '../list-query.ts';
import { sourceSql, orderSql } from '../list-statements.ts';
import type { WalkPlan } from './walk-plan.ts';

export interface WalkOptions {
  /** What to select from the matching rows: ``sql`COUNT(*) AS n` ``. */
  readonly select: Sql;
  /** Columns to group each batch by. With it, or with aggregates, the order of rows is undefined. */
  readonly groupBy?: Sql | undefined;
  /** Returns rows in the order of the plan. */
  readonly inOrder?: boolean;
  /** Maximum rows scanned per batch. */
  readonly most?: number;
}

/** Size of the first batch, in rows. */
const FIRST = 200;
const MOST = 4000;
/** Target time per batch. */
const PIECE_MS = 20;
/** Number of rows that may be inserted while a batch is read. */
const SLACK = 100;

/** A row's position in the order, in raw database values. */
type Place = Readonly<Record<string, unknown>>;

/** Yields the selection of each batch in turn. @throws Interrupted (503) if a single row takes too long */
export async function* walk(
  db: Db,
  plan: WalkPlan,
  { select, groupBy, inOrder = false, most = MOST }: WalkOptions,
): AsyncGenerator<Record<string, unknown>[]> {
  const { query, outer } = plan;
  const { table } = query.list;
  const [own, key] = [name(table.name), name(`${table.name}.${table.primary}`)];
  const tail = inOrder ? sql` ORDER BY piece.part, ${orderSql(query)}` : groupBy ? sql` GROUP BY ${groupBy}` : sql``;
  const timed = inTime(db.dialect, key);
  let last: Place | undefined;
  for (let size = Math.min(FIRST, most); ;) {
    const since = performance.now();
    try {
      const [end] = await db.query<Place>(sql`${keys(db, plan, last, { size: 1, offset: size - 1, columns: true })}`);
      const picked = keys(db, plan, last, { size: size + (end ? SLACK : 0), offset: 0, columns: false });
      const until = end ? sql`COALESCE((${beyond(query, end)}), 0) = 0` : sql`1 = 1`;
      yield await db.query(sql`SELECT ${select} FROM (${picked}) AS piece CROSS JOIN ${own} ON ${key} = piece.picked
        WHERE ${outer} AND ${until} AND ${timed}${tail}`);
      if (!end) return;
      last = { ...end };
    } catch (error) {
      if (!(error instanceof Interrupted) || size === 1) throw error;
      // These rows are longer than earlier ones.
      size = Math.ceil(size / 8);
      continue;
    }
    const ms = performance.now() - since;
    if (ms < PIECE_MS / 2) size = Math.min(most, size * 2);
    else if (ms > PIECE_MS * 2) size = Math.max(1, Math.ceil(size / 2));
  }
}

interface Cut {
  readonly size: number;
  readonly offset: number;
  /** Also selects the columns of the order. */
  readonly columns: boolean;
}

/** Selects the keys of the next rows in the index. Each part is one index range, so none reads earlier rows. */
function keys({ dialect }: Db, { query, index, inner }: WalkPlan, last: Place | undefined, cut: Cut): Sql {
  const { table } = query.list;
  const key = name(`${table.name}.${table.primary}`);
  const order = joined(
    query.order.map((each, i) => sql`${name(`${table.name}.${each}`)} AS ${name(`o${i}`)}`),
    ', ',
  );
  const need = cut.offset + cut.size;
  const ranges = last ? rangesAfter(query, last) : [sql`1 = 1`];
  const parts = ranges.map((range, part) => {
    const picked = sql`SELECT ${key} AS picked, ${part} AS part, ${order} FROM ${sourceSql(dialect, query, index)}
      WHERE ${inner} AND ${range} AND ${inTime(dialect, key)} ORDER BY ${orderSql(query)} LIMIT ${need}`;
    return sql`SELECT * FROM (${picked}) AS ${name(`r${part}`)}`;
  });
  const down = query.direction === 'desc' ? sql` DESC` : sql``;
  const sorted = joined([sql`part`, ...query.order.map((_, i) => sql`${name(`o${i}`)}${down}`)], ', ');
  const selected = cut.columns
    ? joined(
        query.order.map((each, i) => sql`${name(`o${i}`)} AS ${name(each)}`),
        ', ',
      )
    : sql`picked, part`;
  return sql`SELECT ${selected} FROM (${joined(parts, ' UNION ALL ')}) AS picks
    ORDER BY ${sorted} LIMIT ${cut.size} OFFSET ${cut.offset}`;
}

/** Builds the ranges after a position: equal up to a column, and beyond it in that column. Nulls sort first. */
function rangesAfter(query: ListQuery, last: Place): Sql[] {
  const { table } = query.list;
  const up = query.direction === 'asc';
  const columns = query.order.map((each) => ({
    named: name(`${table.name}.${each}`),
    value: last[each] ?? null,
    nullable: table.columns[each]?.options.nullable === true,
  }));
  const ranges: Sql[] = [];
  for (let i = columns.length - 1; i >= 0; i--) {
    const column = columns[i];
    if (!column) continue;
    const { named, value, nullable } = column;
    const equal = columns
      .slice(0, i)
      .map((each) => (each.value === null ? sql`${each.named} IS NULL` : sql`${each.named} = ${each.value}`));
    const add = (range: Sql) => ranges.push(joined([...equal, range]));
    if (up) add(value === null ? sql`${named} IS NOT NULL` : sql`${named} > ${value}`);
    else if (value !== null) {
      add(sql`${named} < ${value}`);
      if (nullable) add(sql`${named} IS NULL`);
    }
  }
  return ranges;
}

function beyond(query: ListQuery, place: Place): Sql {
  return joined(rangesAfter(query, place), ' OR ', '1 = 0');
}
