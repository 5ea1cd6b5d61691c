// The change feed: which records were created, changed or removed, for live listeners and the search index. A row
// commits with its change and is kept for 15 minutes.
import type { Database } from '@keelson/database/db.ts';
import { choice, flag, id, int, table, text, when, type Row, type Table } from '@keelson/database/schema/table.ts';
import { listed, sql } from '@keelson/database/statement/sql.ts';
import { plus, toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import type { Context } from './context.ts';

export const changeKinds = ['created', 'changed', 'removed'] as const;
/** What happened to a record. */
export type ChangeKind = (typeof changeKinds)[number];

/** Presence states of a user with the record open, sent like changes. */
export const doings = ['viewing', 'writing', 'left'] as const;
/** A presence state. */
export type Doing = (typeof doings)[number];

export const RecordChange = table(
  'record_change',
  {
    /** Assigned on insert, not commit, so a higher id may become visible first. */
    change_id: id(),
    /** The record's table name. */
    type: text(64),
    record_id: int(),
    kind: choice(...changeKinds, ...doings),
    company_number: int().nullable(),
    /** Hidden from customers, such as an internal note. */
    internal: flag().default(false),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
    author_id: int().nullable(),
    /** False until the search index has processed it. A position would miss rows that commit late. */
    indexed: flag().default(true),
    created_at: when(),
  },
  [['indexed', 'created_at']],
);
export type RecordChange = Row<typeof RecordChange>;

/** The changed record: its table, and its row or at least its key and company. */
export interface AnnouncedChange {
  readonly of: Table;
  readonly row: object;
  readonly kind: ChangeKind;
  /** Nothing customers can see (an internal note), so they are not notified. */
  readonly internal?: boolean;
}

/**
 * Announces a record change to live listeners and the search index, in the transaction. `create`, `change` and `remove`
 * call it already. Call it for hand-written statements and for changes to a record's children: a comment is a change to
 * its ticket. @throws Error outside a transaction
 */
export function announceChange(ctx: Context, { of, row, kind, internal = false }: AnnouncedChange): void {
  if (!ctx.tx) throw new Error('A change must be announced in the transaction that makes it');
  const values = row as Readonly<Record<string, unknown>>;
  const { type: author_type, id: author_id } = ctx.author;
  ctx.tx.append(RecordChange, {
    type: of.name,
    record_id: Number(values[of.primary]),
    kind,
    company_number: (values['company_number'] as number | null | undefined) ?? null,
    internal,
    author_type,
    author_id,
    indexed: !ctx.app.indexed.has(of.name),
    created_at: ctx.now,
  });
  for (const each of ctx.app.afterChanges) ctx.tx.afterCommit(each);
}

/**
 * Announces a technician's presence on a record to the staff who may read it, in the transaction.
 * @throws Error outside a transaction
 */
export function announcePresence(
  ctx: Context,
  {
    type,
    key,
    doing,
    user_id,
  }: { readonly type: string; readonly key: number; readonly doing: Doing; readonly user_id: number },
): void {
  if (!ctx.tx) throw new Error('Presence must be announced in a transaction');
  const author = { author_type: 'technician', author_id: user_id } as const;
  // `internal` hides it from customers, and `indexed` makes the search index skip it.
  const row = { type, record_id: key, kind: doing, company_number: null, internal: true, ...author, indexed: true };
  ctx.tx.append(RecordChange, { ...row, created_at: ctx.now });
  for (const each of ctx.app.afterChanges) ctx.tx.afterCommit(each);
}

const KEPT_MINUTES = 15;
const BATCH = 1000;
const BATCHES = 500;

/** Deletes indexed rows older than 15 minutes, in short transactions. Returns the number deleted. */
export async function pruneChanges(database: Database, now: Timestamp): Promise<number> {
  const before = toDatabase(plus(now, { minutes: -KEPT_MINUTES }));
  let removed = 0;
  for (let i = 0; i < BATCHES; i++) {
    const rows = await database.query<{ change_id: number }>(sql`SELECT change_id FROM record_change
      WHERE indexed = 1 AND created_at < ${before} ORDER BY created_at LIMIT ${BATCH}`);
    if (rows.length === 0) break;
    removed += await database.run(
      sql`DELETE FROM record_change WHERE change_id IN ${listed(rows.map((each) => each.change_id))}`,
    );
  }
  return removed;
}
