// Each technician's workload: open tickets, how many are overdue, and the time logged today.
import { sql, today, z, type Context } from '@keelson/core';
import { availabilities } from '@keelson/modules/directory';
import { listTechnicianStatus } from './technicians.ts';

export const TechnicianLoad = z.object({
  user_id: z.int(),
  name: z.string(),
  status: z.enum(availabilities),
  open_tickets: z.int(),
  /** Past the due date or an SLA target. */
  overdue_tickets: z.int(),
  minutes_today: z.int(),
});

interface Count {
  readonly user_id: number;
  readonly n: unknown;
}

/** Returns active technicians, those with the most open tickets first. */
export async function readLoad(ctx: Context): Promise<z.infer<typeof TechnicianLoad>[]> {
  const day = today(ctx);
  const late = sql`SELECT passed.ticket_id FROM ticket passed WHERE passed.target_due <= ${Date.parse(ctx.now)}
    UNION SELECT past.ticket_id FROM ticket past WHERE past.due_date < ${day} AND past.status <> 'closed'`;
  const [technicians, overdue, logged] = await Promise.all([
    listTechnicianStatus(ctx),
    // Joined: MariaDB would run the union of an IN once per assigned ticket.
    ctx.db.query<Count>(sql`SELECT ticket.assigned_to AS user_id, COUNT(*) AS n FROM (${late}) late
      JOIN ticket ON ticket.ticket_id = late.ticket_id
      WHERE ticket.assigned_to IS NOT NULL AND ticket.deleted_at IS NULL GROUP BY ticket.assigned_to`),
    ctx.db.query<Count>(sql`SELECT user_id, SUM(duration_minutes) AS n FROM ticket_time_entry
      WHERE work_date = ${day} AND user_id IS NOT NULL GROUP BY user_id`),
  ]);
  const of = (counts: readonly Count[]) => new Map(counts.map(({ user_id, n }) => [user_id, Number(n)]));
  const [overdueOf, loggedOf] = [of(overdue), of(logged)];
  return technicians
    .map(({ user_id, name, status, open_tickets }) => ({
      ...{ user_id, name, status, open_tickets },
      overdue_tickets: overdueOf.get(user_id) ?? 0,
      minutes_today: Math.max(0, loggedOf.get(user_id) ?? 0),
    }))
    .toSorted((a, b) => b.open_tickets - a.open_tickets || a.name.localeCompare(b.name));
}
