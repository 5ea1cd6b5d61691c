// The activity log and the error log as administrators read them.
import {
  by,
  containing,
  defineList,
  forbidden,
  is,
  readPage,
  sql,
  toDatabase,
  type Context,
  type Filter,
  type Timestamp,
} from '@keelson/core';
import { ActivityLine, authorsLike, countActivity, ErrorCount, ErrorLine } from '@keelson/core/system';

const ActivityList = defineList({
  table: ActivityLine,
  columns: [
    'log_id',
    'user_id',
    'user',
    'action',
    'entity_type',
    'entity_id',
    'description',
    'changes',
    'ip_address',
    'created_at',
  ],
  sorts: { created_at: by('created_at') },
});

const ErrorList = defineList({
  table: ErrorLine,
  columns: ['error_id', 'level', 'message', 'path', 'method', 'status', 'request_id', 'created_at'],
  counters: [ErrorCount],
  sorts: { created_at: by('created_at') },
});

export interface ActivityFilter {
  /** Digits are a technician's number, other text is part of a name (P-31). */
  readonly user?: string | undefined;
  readonly action?: 'create' | 'update' | 'delete' | undefined;
  readonly entity_type?: string | undefined;
  /** Both inclusive (P-13). */
  readonly date_from?: Timestamp | undefined;
  readonly date_to?: Timestamp | undefined;
  readonly page: number;
  readonly size: number;
}

export interface ErrorFilter {
  readonly level?: 'error' | 'warning' | undefined;
  readonly page: number;
  readonly size: number;
}

const newestFirst = { sort: 'created_at', direction: 'desc' } as const;
/** More authors than this are not named one by one. */
const MOST_AUTHORS = 200;

/** A page of the activity log, the newest first (Z-42). */
export async function listActivity(ctx: Context, filter: ActivityFilter) {
  const { user = '', action, entity_type, date_from, date_to, page, size } = filter;
  const isNumber = /^\d{1,15}$/.test(user);
  const where: Filter[] = [
    ...(action ? [is('action', action)] : []),
    ...(entity_type ? [is('entity_type', entity_type)] : []),
    ...(isNumber ? [is('user_id', Number(user))] : []),
    ...(user && !isNumber ? [await byAuthor(ctx, user)] : []),
    ...(date_from ? [sql`activity_log.created_at >= ${toDatabase(date_from)}`] : []),
    ...(date_to ? [sql`activity_log.created_at <= ${toDatabase(date_to)}`] : []),
  ];
  // The tally knows names, kinds and actions, but no numbers and no days.
  const tallied = !isNumber && !date_from && !date_to;
  const total = tallied ? await countActivity(ctx.db, { user: user || undefined, action, entity_type }) : undefined;
  return readPage(ctx.db, ActivityList, { where, ...newestFirst, page, size, total });
}

/** Lines by those whose name contains a text: by their names, which have an index, unless there are very many. */
async function byAuthor(ctx: Context, text: string): Promise<Filter> {
  const names = await authorsLike(ctx.db, text, MOST_AUTHORS);
  return names.length < MOST_AUTHORS ? is('user', names) : sql`activity_log.user LIKE ${containing(text)} ESCAPE '!'`;
}

/** A page of the error log, the newest first. */
export function listErrors(ctx: Context, { level, page, size }: ErrorFilter) {
  return readPage(ctx.db, ErrorList, { where: level ? [is('level', level)] : [], ...newestFirst, page, size });
}

/** Errors concern whoever runs the installation, not each provider on it (Z-43, Z-44). @throws forbidden() */
export function requireOperator({ app }: Context): void {
  if (!app.config.operatorTenant) throw forbidden('The error log is for the operator of this installation');
}
