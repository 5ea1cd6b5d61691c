// When tickets are due by their SLA, and whether and after how long they were resolved, as determined by a module that
// measures it (T-24, T-41).
import { In, listed, sql, type Context } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { updateCounters } from '@keelson/core/list';
import { NO_TARGET, Ticket } from '../entities.ts';

export interface Targets {
  readonly ticket: Ticket;
  /**
   * Whether it was resolved within its SLA; false while it is open and too late, otherwise null while it is open. For a
   * closed ticket, null uses the fixed targets.
   */
  readonly target_met: boolean | null;
  /** Working milliseconds to its resolution; null while it is open, or without a target for that. */
  readonly resolution_ms: number | null;
  /** When its next target is or was due; null if none is running. */
  readonly due_at: string | null;
}

const AT_ONCE = 100;
const fields = ['target_due', 'target_met', 'resolution_ms'] as const;

/**
 * Stores the SLA targets of tickets: one statement per hundred tickets, none for unchanged ones. Call it in the
 * transaction of the ticket's change.
 */
export async function keepTargets(ctx: Context, all: readonly Targets[]): Promise<void> {
  const changed = all
    .map(({ due_at, ...set }) => ({ ...set, target_due: numberOf(due_at) }))
    .filter(({ ticket, ...set }) => fields.some((field) => ticket[field] !== set[field]));
  for (let from = 0; from < changed.length; from += AT_ONCE) {
    const some = changed.slice(from, from + AT_ONCE);
    const ids = some.map(({ ticket }) => ticket.ticket_id);
    const each = <T>(valueOf: (of: (typeof some)[number]) => T) =>
      joined(
        some.map((of) => sql`WHEN ${of.ticket.ticket_id} THEN ${valueOf(of)}`),
        ' ',
      );
    const due = each((of) => of.target_due);
    const met = each((of) => (of.target_met === null ? null : Number(of.target_met)));
    const ms = each((of) => of.resolution_ms);
    await ctx.db.run(sql`UPDATE ticket SET target_due = CASE ticket_id ${due} END,
      target_met = CASE ticket_id ${met} END, resolution_ms = CASE ticket_id ${ms} END WHERE ticket_id IN ${listed(ids)}`);
  }
  for (const { ticket, ...set } of changed) {
    const before = { ...ticket };
    // The caller may change the same row again and counts the difference.
    Object.assign(ticket, set);
    if (before.target_met !== set.target_met || before.resolution_ms !== set.resolution_ms)
      updateCounters(ctx, Ticket, before, ticket);
  }
}

/** Clears the targets of open tickets that no longer have an SLA. */
export async function forgetTargets({ db }: Context, ticket_id: readonly number[]): Promise<void> {
  for (let from = 0; from < ticket_id.length; from += 1000)
    await db.update(
      Ticket,
      { ticket_id: In(ticket_id.slice(from, from + 1000)) },
      { target_due: NO_TARGET, target_met: null, resolution_ms: null },
    );
}

const numberOf = (at: string | null): number => (at === null ? NO_TARGET : Date.parse(at));
