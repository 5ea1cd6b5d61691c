// Counts activity lines by author, entity type and action. The job that seals lines keeps the counts of sealed ones, so
// that writing a line costs nothing extra; the few unsealed lines are counted directly.
import type { Db, Transaction } from '@keelson/database/db.ts';
import { namedIndices } from '@keelson/database/schema/schema.ts';
import { int, table, text, type Row } from '@keelson/database/schema/table.ts';
import { containing, joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { tableSql } from '@keelson/list/index-range.ts';
import { ActivityLine } from './activity.ts';

/** Rows with an empty user are the sums over all users, of whom there may be thousands. */
export const ActivityTally = table('activity_tally', {
  user: text(200).primary(),
  entity_type: text(60).primary(),
  action: text(40).primary(),
  n: int(),
});

type Counted = Pick<Row<typeof ActivityLine>, 'user' | 'entity_type' | 'action'>;

export interface TallyFilter {
  /** Part of the author's name. */
  readonly user?: string | undefined;
  readonly entity_type?: string | undefined;
  readonly action?: string | undefined;
}

const EVERYBODY = '';
const CHUNK = 200;

/** Adds lines to the counts, or subtracts them with -1. The caller must have locked the newest block. */
export async function addToTally(tx: Transaction, lines: readonly Counted[], each: 1 | -1 = 1): Promise<void> {
  const counts = new Map<string, { readonly row: readonly string[]; n: number }>();
  for (const { user, entity_type, action } of lines) {
    for (const row of [
      [user, entity_type, action],
      [EVERYBODY, entity_type, action],
    ]) {
      const place = JSON.stringify(row);
      const found = counts.get(place) ?? { row, n: 0 };
      found.n += each;
      counts.set(place, found);
    }
  }
  const added =
    tx.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE n = n + VALUES(n)`
      : sql`ON CONFLICT (user, entity_type, action) DO UPDATE SET n = activity_tally.n + excluded.n`;
  const all = [...counts.values()];
  for (let i = 0; i < all.length; i += CHUNK) {
    const rows = all.slice(i, i + CHUNK).map(({ row, n }) => listed([...row, n]));
    await tx.run(sql`INSERT INTO activity_tally (user, entity_type, action, n) VALUES ${joined(rows, ', ')} ${added}`);
  }
  if (each < 0) await tx.run(sql`DELETE FROM activity_tally WHERE n <= 0`);
}

/** Returns the exact number of matching lines, in one statement. */
export async function countActivity(db: Db, filter: TallyFilter): Promise<number> {
  const sealed = filter.user === undefined ? [sql`activity_tally.user = ${EVERYBODY}`] : [];
  const [row] = await db.query<{ n: unknown }>(sql`SELECT
    (SELECT COALESCE(SUM(n), 0) FROM activity_tally WHERE ${joined([...sealed, ...matches('activity_tally', filter)])})
    + (SELECT COUNT(*) FROM ${unsealedOf(db)} AND ${joined(matches('activity_log', filter))}) AS n`);
  return Number(row?.n ?? 0);
}

/** Returns the names of at most `limit` authors that contain `text`. */
export async function authorsLike(db: Db, text: string, limit: number): Promise<string[]> {
  const like = sql`user LIKE ${containing(text)} ESCAPE '!'`;
  const rows = await db.query<{ user: string }>(sql`SELECT user FROM activity_tally WHERE ${like}
    UNION SELECT user FROM ${unsealedOf(db)} AND ${like} LIMIT ${limit}`);
  return rows.map((row) => row.user);
}

/**
 * Returns the unsealed lines. Forces the index on `block_id`: databases would otherwise scan all lines of an entity
 * type.
 */
function unsealedOf(db: Db): Sql {
  const index = namedIndices(ActivityLine).find(({ columns }) => columns[0] === 'block_id');
  return sql`${tableSql(db.dialect, ActivityLine, index)} WHERE block_id IS NULL`;
}

function matches(table: string, { user, entity_type, action }: TallyFilter): Sql[] {
  const column = (each: string) => name(`${table}.${each}`);
  return [
    ...(user === undefined ? [] : [sql`${column('user')} LIKE ${containing(user)} ESCAPE '!'`]),
    ...(entity_type === undefined ? [] : [sql`${column('entity_type')} = ${entity_type}`]),
    ...(action === undefined ? [] : [sql`${column('action')} = ${action}`]),
  ];
}
