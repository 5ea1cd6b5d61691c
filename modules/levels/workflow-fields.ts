import { secondsBetween, z } from '@keelson/core';
import { workflowFields } from '@keelson/core/plugin';
import { kinds } from './clocks/entities.ts';
import { readDue } from './clocks/levels-of.ts';

export default [
  workflowFields('levels.clock', {
    needs: ['ticket_id'],
    /** The ticket's most urgent clock that has not ended; without one, the fields are null. */
    shape: z.object({
      sla_clock: z.enum(kinds).nullable(),
      sla_due_at: z.iso.datetime().nullable(),
      /** Until it is due, negative afterwards; null while it is paused. */
      sla_minutes_left: z.int().nullable(),
      sla_paused: z.boolean().nullable(),
      sla_breached: z.boolean().nullable(),
    }),
    async read(ctx, { ticket_id }) {
      const [clock] = await readDue(ctx, [Number(ticket_id)]);
      const due = clock?.due_at ?? null;
      return {
        sla_clock: clock?.kind ?? null,
        sla_due_at: due,
        sla_minutes_left: due === null ? null : Math.floor(secondsBetween(ctx.now, due) / 60),
        sla_paused: clock ? clock.paused_since !== null : null,
        sla_breached: clock ? clock.breached_at !== null : null,
      };
    },
  }),
];
