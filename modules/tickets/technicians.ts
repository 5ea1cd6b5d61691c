// Who could take a ticket: the technicians, whether they are there, and how much they have (F-59).
import { readStatistics, type Context } from '@keelson/core';
import { availabilityOf, Technician } from '@keelson/modules/directory';

/** Those that work can be given to, by name. */
export async function listTechnicianStatus(ctx: Context) {
  const active = await ctx.db.find(
    Technician,
    { active: true, deleted_at: null },
    {
      order: [
        ['name', 'ASC'],
        ['user_id', 'ASC'],
      ],
    },
  );
  const ids = active.map((each) => each.user_id);
  const figuresOf = await readStatistics(ctx, Technician, ids, ['open_tickets']);
  return active.map((each) => ({ ...each, status: availabilityOf(each, ctx.now), ...figuresOf(each.user_id) }));
}
