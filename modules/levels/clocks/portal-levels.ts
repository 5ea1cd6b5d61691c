// A ticket's targets as its customer sees them, if the policy is visible to customers.
import { z, type Context } from '@keelson/core';
import type { Ticket } from '@keelson/modules/tickets';
import { LevelPolicy } from '../policies/entities.ts';
import { kinds } from './entities.ts';
import { readLevelsOf } from './levels-of.ts';

export const PortalLevel = z.object({
  kind: z.enum(kinds),
  /** When the target is due; null while paused and once met. */
  due_at: z.iso.datetime().nullable(),
  /** Whether the clock is paused, for example because the ticket waits for the customer. */
  paused: z.boolean(),
  met_at: z.iso.datetime().nullable(),
});

/** Returns the targets of a ticket that the caller may see; none unless its policy is visible to customers. */
export async function readPortalLevels(
  ctx: Context,
  { ticket_id }: Pick<Ticket, 'ticket_id'>,
): Promise<z.infer<typeof PortalLevel>[]> {
  const levels = (await readLevelsOf(ctx, [ticket_id])).get(ticket_id) ?? [];
  const [first] = levels;
  if (!first) return [];
  const { policy_id } = first;
  if (!(await ctx.db.existsBy(LevelPolicy, { policy_id, shown_to_customers: true }))) return [];
  return levels.map(({ kind, due_at, paused_since, met_at }) => ({
    kind,
    due_at: met_at === null ? due_at : null,
    paused: met_at === null && paused_since !== null,
    met_at,
  }));
}
