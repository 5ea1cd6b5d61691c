// Technicians with their availability and workload (F-59).
import { IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { readStatistics } from '@keelson/core/list';
import { availabilityOf, Technician } from '@keelson/modules/directory';

/** Returns active technicians sorted by name. */
export async function listTechnicianStatus(ctx: Context) {
  const active = await ctx.db.find(Technician, {
    where: { active: true, deleted_at: IsNull() },
    order: { name: 'ASC', user_id: 'ASC' },
  });
  const ids = active.map((each) => each.user_id);
  const figuresOf = await readStatistics(ctx, Technician, ids, ['open_tickets']);
  return active.map((each) => ({ ...each, status: availabilityOf(each, ctx.now), ...figuresOf(each.user_id) }));
}
