// Activity log and error log for administrators.
import { by, forbidden, is, noun, pageOf, param, sql, view, z, type Context } from '@keelson/core';
import { containing } from '@keelson/core/database';
import type { Filter } from '@keelson/core/list';
import type { AskedOf } from '@keelson/core/record';
import { ActivityLine, authorsLike, countActivity, ErrorCount, ErrorLine } from '@keelson/core/system';

/** Maximum number of author names to match by index; beyond it, the text is searched with LIKE. */
const MAX_AUTHORS = 200;
const USER_NUMBER = /^\d{1,15}$/;

const activityNoun = noun(ActivityLine, {
  title: 'Activity log entry',
  filters: (its) => ({
    /** Digits are a technician's id; other text matches part of a name (P-31). */
    user: its.by(param.search(), (ctx, text) =>
      USER_NUMBER.test(text) ? is('user_id', Number(text)) : authorContains(ctx, text),
    ),
    action: its.is('action'),
    entity_type: its.is('entity_type'),
    date_from: its.since('created_at'),
    date_to: its.until('created_at'),
  }),
  sorts: { created_at: by('created_at') },
});

/** Entry of the activity log (F-60); `changes` has the form `{ field: [before, after] }`. */
export const ActivityEntry = view(activityNoun, {
  except: ['changes'],
  more: (its) => ({
    changes: its.from(
      z.record(z.string(), z.array(z.unknown()).length(2).readonly()),
      ['changes'],
      (row) => row.changes,
    ),
  }),
});

const errorNoun = noun(ErrorLine, {
  title: 'Error log entry',
  counters: [ErrorCount],
  filters: (its) => ({ level: its.is('level') }),
  sorts: { created_at: by('created_at') },
});

/** Entry of the error log (F-61). */
export const ErrorEntry = view(errorNoun);

/** Returns a page of the activity log, newest first (Z-42). */
export async function listActivity(ctx: Context, asked: AskedOf<typeof ActivityEntry>) {
  const { user = '', action, entity_type, date_from, date_to } = asked;
  // Counters cover name, type and action, but not ids or dates.
  const isCounted = !USER_NUMBER.test(user) && !date_from && !date_to;
  const total = isCounted ? await countActivity(ctx.db, { user: user || undefined, action, entity_type }) : undefined;
  return pageOf(ctx, ActivityEntry, asked, { total });
}

/** Filters by author name, through the name index unless there are too many matches. */
async function authorContains(ctx: Context, text: string): Promise<Filter> {
  const names = await authorsLike(ctx.db, text, MAX_AUTHORS);
  return names.length < MAX_AUTHORS ? is('user', names) : sql`activity_log.user LIKE ${containing(text)} ESCAPE '!'`;
}

/**
 * Restricts the error log to the operator of the installation, as opposed to its tenants (Z-43, Z-44).
 * @throws forbidden()
 */
export function requireOperator({ app }: Context): void {
  if (!app.config.operatorTenant) throw forbidden('Only the operator of this installation can read the error log');
}
