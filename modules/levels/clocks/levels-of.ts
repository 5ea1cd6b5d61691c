// Clocks of tickets as technicians see them.
import { In, IsNull, Not, show, z, type Context } from '@keelson/core';
import { Ticket, TicketItem, type TicketLevel } from '@keelson/modules/tickets';
import { PolicyNames } from '../names.ts';
import { LevelPolicy } from '../policies/entities.ts';
import { kinds, LevelClock } from './entities.ts';

/** Returns the latest clock of each kind for tickets. */
export async function readLevelsOf(ctx: Context, ticket_id: readonly number[]): Promise<Map<number, TicketLevel[]>> {
  const order = { ticket_id: 'ASC', round: 'DESC' } as const;
  const rows = await ctx.db.find(LevelClock, { where: { ticket_id: In(ticket_id) }, order });
  const names = await ctx.app.names.get(ctx.db, PolicyNames, [...new Set(rows.map((each) => each.policy_id))]);
  const causeOf = await readCauses(ctx, rows);
  return new Map(
    [...Map.groupBy(rows, (each) => each.ticket_id)].map(([id, its]) => [
      id,
      kinds
        .flatMap((kind) => its.find((each) => each.kind === kind) ?? [])
        .map((each) => levelOf(each, names.get(each.policy_id) ?? '', causeOf(each))),
    ]),
  );
}

type Cause = TicketLevel['paused_by'];

/** Returns a lookup of what pauses a clock, from its ticket and policy. Runs no statement if none is paused. */
async function readCauses(ctx: Context, clocks: readonly LevelClock[]): Promise<(clock: LevelClock) => Cause> {
  const paused = clocks.filter((each) => each.paused_since !== null);
  if (paused.length === 0) return () => null;
  const tickets = await ctx.db.findBy(Ticket, { ticket_id: In(paused.map((each) => each.ticket_id)) });
  const policies = await ctx.db.findBy(LevelPolicy, { policy_id: In(paused.map((each) => each.policy_id)) });
  return ({ ticket_id, policy_id, kind, paused_since }) => {
    if (paused_since === null) return null;
    const ticket = tickets.find((each) => each.ticket_id === ticket_id);
    const policy = policies.find((each) => each.policy_id === policy_id);
    if (policy?.pause_waiting_for_approval && ticket?.approval_status === 'pending') return 'approval';
    if (kind === 'resolution' && policy?.pause_on_hold && ticket?.status === 'on_hold') return 'on_hold';
    const answered = ticket?.last_comment_by === 'technician';
    return kind === 'resolution' && policy?.pause_waiting_for_customer && answered ? 'customer' : 'outage';
  };
}

function levelOf(clock: LevelClock, policy_name: string, paused_by: Cause): TicketLevel {
  const { kind, policy_id, started_at, target_minutes, paused_since, due_at, breached_at, met_at } = clock;
  const left = Math.max(0, Math.ceil(target_minutes - clock.consumed_ms / 60_000));
  const remaining_minutes = paused_since === null ? null : left;
  const times = { started_at, paused_since, due_at, breached_at, met_at };
  return { kind, policy_id, policy_name, target_minutes, remaining_minutes, paused_by, ...times };
}

/** Returns the ticket's clock that is due first. */
export const DueItem = z.object({
  ticket_id: z.int(),
  kind: z.enum(kinds),
  due_at: z.iso.datetime().nullable(),
  paused_since: z.iso.datetime().nullable(),
  breached_at: z.iso.datetime().nullable(),
});

/** Returns the most urgent unfinished clock of each ticket that has one, ordered by due time, paused clocks last. */
export async function readDue(ctx: Context, ids: readonly number[]): Promise<z.infer<typeof DueItem>[]> {
  const rows = await ctx.db.findBy(LevelClock, { ticket_id: In(ids), met_at: IsNull() });
  const urgent = rows.toSorted((a, b) => ((a.due_at ?? '9') < (b.due_at ?? '9') ? -1 : 1));
  return [...Map.groupBy(urgent, (each) => each.ticket_id)].flatMap(([ticket_id, [first]]) => {
    if (!first) return [];
    const { kind, due_at, paused_since, breached_at } = first;
    return { ticket_id, kind, due_at, paused_since, breached_at };
  });
}

export const NextItem = DueItem.extend({
  ticket_number: z.int(),
  subject: z.string(),
  company_name: z.string(),
  assigned_to: z.int().nullable(),
  assigned_name: z.string().nullable(),
});

const MOST_NEXT = 50;
/**
 * Number of clocks per query and number of queries: a ticket may have several clocks, and the caller may see only some
 * tickets.
 */
const AT_ONCE = 300;
const MOST_READS = 10;

/** Returns the tickets that are due next, most urgent first; paused ones are left out. */
export async function readNext(ctx: Context, assigned_to?: number): Promise<z.infer<typeof NextItem>[]> {
  const first = new Map<number, LevelClock>();
  const found: Ticket[] = [];
  for (let i = 0; i < MOST_READS && found.length < MOST_NEXT; i++) {
    const rows = await ctx.db.find(LevelClock, {
      where: { met_at: IsNull(), due_at: Not(IsNull()) },
      order: { due_at: 'ASC', ticket_id: 'ASC' },
      take: AT_ONCE,
      skip: i * AT_ONCE,
    });
    const added = rows.filter((each) => !first.has(each.ticket_id));
    for (const each of added.toReversed()) first.set(each.ticket_id, each);
    const ticket_id = [...new Set(added.map((each) => each.ticket_id))];
    const its = assigned_to === undefined ? {} : { assigned_to };
    const tickets = await ctx.db.findBy(Ticket, { ticket_id: In(ticket_id), deleted_at: IsNull(), ...its });
    const known = new Map(tickets.map((each) => [each.ticket_id, each]));
    found.push(...ticket_id.flatMap((id) => known.get(id) ?? []));
    if (rows.length < AT_ONCE) break;
  }
  const items = await show(ctx, TicketItem, found.slice(0, MOST_NEXT));
  return items.flatMap(({ ticket_id, ticket_number, subject, company_name, assigned_to: whose, assigned_name }) => {
    const clock = first.get(ticket_id);
    if (!clock) return [];
    const { kind, due_at, paused_since, breached_at } = clock;
    const named = { ticket_number, subject, company_name, assigned_to: whose, assigned_name };
    return { ticket_id, kind, due_at, paused_since, breached_at, ...named };
  });
}
