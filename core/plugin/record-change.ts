// The feed of changes: which records were created, changed and removed, for live listeners and the search index. A row is
// written with the commit of its change, and kept for a quarter of an hour.
import type { Context } from './context.ts';
import type { Database } from '../database/db.ts';
import { listed, sql } from '../database/sql.ts';
import { choice, flag, id, int, table, text, when, type Row, type Table } from '../database/table.ts';
import { plus, toDatabase, type Timestamp } from '../kit/time.ts';

export const changeKinds = ['created', 'changed', 'removed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What somebody does with a record that they have open, which is told like a change of it. */
export const doings = ['viewing', 'writing', 'left'] as const;
/** One of them. */
export type Doing = (typeof doings)[number];

export const RecordChange = table(
  'record_change',
  {
    /** Given at the insert, not at the commit: a higher one may be seen earlier. */
    change_id: id(),
    /** The name of the record's table. */
    type: text(64),
    record_id: int(),
    kind: choice(...changeKinds, ...doings),
    company_number: int().nullable(),
    /** Customers must not learn of it: an internal comment, for example. */
    internal: flag().default(false),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
    author_id: int().nullable(),
    /** False until the search index has it. A position could not say that, because of late commits. */
    indexed: flag().default(true),
    created_at: when(),
  },
  [['indexed', 'created_at']],
);
export type RecordChange = Row<typeof RecordChange>;

/** Which record changed: its table, and its row or at least its key and its company. */
export interface AnnouncedChange {
  readonly of: Table;
  readonly row: object;
  readonly kind: ChangeKind;
  /** Nothing that customers can see (an internal comment): they are not told. */
  readonly internal?: boolean;
}

/**
 * Tells live listeners and the search index that a record changed, with the transaction. `create`, `change` and `remove`
 * do it; this is for what is written by hand, and for changes of what belongs to a record: a comment is a change of its
 * ticket. @throws Error outside a transaction
 */
export function announceChange(ctx: Context, { of, row, kind, internal = false }: AnnouncedChange): void {
  if (!ctx.tx) throw new Error('A change is announced in the transaction that makes it');
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
  if (ctx.app.live.streams > 0) ctx.tx.afterCommit(ctx.app.live.wake);
}

/**
 * Tells those of the provider's people who may read a record what a technician does with it, with the transaction.
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
  if (!ctx.tx) throw new Error('Presence is announced in a transaction');
  const author = { author_type: 'technician', author_id: user_id } as const;
  // Customers are told of nothing that is internal, and the search index of nothing that is indexed.
  const row = { type, record_id: key, kind: doing, company_number: null, internal: true, ...author, indexed: true };
  ctx.tx.append(RecordChange, { ...row, created_at: ctx.now });
  if (ctx.app.live.streams > 0) ctx.tx.afterCommit(ctx.app.live.wake);
}

const KEPT_MINUTES = 15;
const BATCH = 1000;
const BATCHES = 500;

/** Deletes rows that are older than a quarter of an hour and indexed, in short transactions; answers how many. */
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
