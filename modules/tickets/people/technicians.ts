// Technicians with their availability and workload (F-59).
import { IsNull, sql, type Context } from '@keelson/core';
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

/** Maximum number of a requester's tickets to check for assignees. */
const MOST_LOOKED_AT = 50;

/** Returns the assignees of a requester's latest tickets, latest first. */
export async function readLastAssignees({ db }: Context, employee_number: number): Promise<number[]> {
  const rows = await db.query<{ assigned_to: unknown }>(sql`SELECT assigned_to FROM ticket
    WHERE requester_employee_number = ${employee_number} AND deleted_at IS NULL
    ORDER BY created_at DESC, ticket_id DESC LIMIT ${MOST_LOOKED_AT}`);
  return rows.filter((each) => each.assigned_to !== null).map((each) => Number(each.assigned_to));
}
