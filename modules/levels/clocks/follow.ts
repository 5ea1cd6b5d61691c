// Keeps SLA clocks current, in the transaction of the ticket's own change.
import { In } from '@keelson/core';
import type { Context } from '@keelson/core';
import { dayIn } from '@keelson/core/kit';
import { keepTargets, type Ticket, type TicketWrite } from '@keelson/modules/tickets';
import { choosePolicies, planOf, readOutages, readPlans, type Plans } from '../plans.ts';
import { LevelClock, LevelStep, LevelTicket } from './entities.ts';
import { replay, type Clock } from './replay.ts';

/** Records what happened to tickets and recomputes their clocks. Reads and writes nothing if there is no policy. */
export async function followTickets(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const plans = await readPlans(ctx);
  for (const { before, after } of writes) if (!before && after) await startMeasuring(ctx, plans, after);
  await forget(
    ctx,
    writes.flatMap(({ before, after }) => (before && !after ? before.ticket_id : [])),
  );
  await follow(
    ctx,
    plans,
    writes.filter((each) => each.before && each.after && isRelevant(each)),
  );
}

/** Starts the clocks of a new ticket if there is an active policy. */
async function startMeasuring(ctx: Context, plans: Plans, ticket: Ticket): Promise<void> {
  if (!ctx.tx || !plans.policies.some((each) => each.active)) return;
  const { ticket_id } = ticket;
  const policy = (await choosePolicies(ctx, plans, [ticket]))(ticket);
  const step = { ticket_id, step: 0, ...stateOf(ctx, ticket, undefined) };
  const clocks = policy
    ? replay([step], planOf(plans, policy, ticket, await readOutages(ctx, [{ ticket, policy }])), ctx.now)
    : [];
  const policy_id = policy?.policy_id ?? null;
  ctx.tx.deferInsert(LevelTicket, { ticket_id, policy_id, is_open: true, next_at: earliest(clocks) });
  ctx.tx.deferInsert(LevelStep, step);
  if (policy) for (const each of clocks) ctx.tx.deferInsert(LevelClock, rowOf(ctx, ticket, policy.policy_id, each));
  await keepTargets(ctx, [{ ticket, target_met: null, resolution_ms: null, due_at: dueOf(clocks) }]);
}

function stateOf(
  { now }: Context,
  ticket: Ticket,
  commented: TicketWrite['commented'],
): Omit<LevelStep, 'ticket_id' | 'step'> {
  return {
    at: now,
    status: ticket.status,
    pending: ticket.approval_status === 'pending',
    waiting: ticket.waiting_since !== null,
    last_comment_by: ticket.last_comment_by,
    replied: commented === 'technician',
  };
}

const stateFields = ['status', 'approval_status', 'last_comment_by'] as const;
const policyFields = ['job_type', 'company_number', 'site_number', 'team_id'] as const;
const planFields = ['priority', ...policyFields] as const;

/** Returns true if the change may affect a clock. */
function isRelevant({ before, after, commented, relinked = false }: TicketWrite): boolean {
  if (!before || !after) return false;
  if (relinked) return true;
  // A comment does not change the clocks of a closed ticket. If it is reopened, that step includes the comment.
  if (before.status === 'closed' && after.status === 'closed')
    return planFields.some((field) => before[field] !== after[field]);
  if (commented !== undefined || (before.waiting_since === null) !== (after.waiting_since === null)) return true;
  return [...stateFields, ...planFields].some((field) => before[field] !== after[field]);
}

async function forget({ db }: Context, ticket_id: readonly number[]): Promise<void> {
  if (ticket_id.length === 0) return;
  const measured = await db.findBy(LevelTicket, { ticket_id: In(ticket_id) });
  if (measured.length === 0) return;
  const of = { ticket_id: In(measured.map((each) => each.ticket_id)) };
  await db.delete(LevelClock, of);
  await db.delete(LevelStep, of);
  await db.delete(LevelTicket, of);
}

async function follow(ctx: Context, plans: Plans, writes: readonly TicketWrite[]): Promise<void> {
  if (writes.length === 0 || plans.policies.length === 0) return;
  const tickets = new Map(writes.flatMap(({ after }) => (after ? [[after.ticket_id, after] as const] : [])));
  const measured = await readMeasured(ctx, [...tickets.keys()]);
  const added: LevelStep[] = [];
  const moved: Ticket[] = [];
  for (const { before, after, commented, relinked = false } of writes) {
    const known = after && measured.get(after.ticket_id);
    if (!before || !after || !known) continue;
    const step = { ticket_id: after.ticket_id, step: known.steps.length, ...stateOf(ctx, after, commented) };
    known.steps.push(step);
    added.push(step);
    if (relinked || policyFields.some((field) => before[field] !== after[field])) moved.push(after);
  }
  if (added.length === 0) return;
  await ctx.db.insert(LevelStep, added);
  const policyOf = await choosePolicies(ctx, plans, moved);
  for (const ticket of moved) {
    const known = measured.get(ticket.ticket_id);
    if (known) known.policy_id = policyOf(ticket)?.policy_id ?? null;
  }
  await store(ctx, plans, [...measured.values()], (id) => tickets.get(id));
}

interface Measured {
  readonly ticket_id: number;
  policy_id: number | null;
  readonly before: LevelTicket;
  readonly steps: LevelStep[];
  readonly clocks: readonly LevelClock[];
}

/** Reads the state of tickets with an SLA, locked until the transaction ends. */
export async function readMeasured({ db }: Context, ticket_id: readonly number[]): Promise<Map<number, Measured>> {
  const rows =
    ticket_id.length === 0
      ? []
      : await db.find(LevelTicket, { where: { ticket_id: In(ticket_id) }, lock: { mode: 'pessimistic_write' } });
  if (rows.length === 0) return new Map();
  const of = { ticket_id: In(rows.map((each) => each.ticket_id)) };
  const order = { ticket_id: 'ASC', step: 'ASC' } as const;
  const steps = Map.groupBy(await db.find(LevelStep, { where: of, order }), (each) => each.ticket_id);
  const clocks = Map.groupBy(await db.findBy(LevelClock, of), (each) => each.ticket_id);
  return new Map(
    rows.map((before) => [
      before.ticket_id,
      {
        ticket_id: before.ticket_id,
        policy_id: before.policy_id,
        before,
        steps: steps.get(before.ticket_id) ?? [],
        clocks: clocks.get(before.ticket_id) ?? [],
      },
    ]),
  );
}

/**
 * Computes and stores the clocks of tickets with an SLA. The number of statements does not grow with the number of
 * tickets, except for closed ones.
 * @param announce announces a clock and marks what it announced
 */
export async function store(
  ctx: Context,
  plans: Plans,
  measured: readonly Measured[],
  ticketOf: (id: number) => Ticket | undefined,
  announce: (row: LevelClock, reached: number) => LevelClock = (row) => row,
): Promise<void> {
  const changed: Stored[] = [];
  const policyOf = (of: Measured) => plans.policies.find((each) => each.policy_id === of.policy_id);
  const outagesOf = await readOutages(
    ctx,
    measured.flatMap((of) => {
      const [ticket, policy] = [ticketOf(of.ticket_id), policyOf(of)];
      return ticket && policy ? [{ ticket, policy }] : [];
    }),
  );
  for (const of of measured) {
    const ticket = ticketOf(of.ticket_id);
    if (!ticket) continue;
    const policy = policyOf(of);
    // Clocks of a removed policy stay unchanged.
    const isRemoved = of.policy_id !== null && !policy;
    const computed = policy ? replay(of.steps, planOf(plans, policy, ticket, outagesOf), ctx.now) : [];
    const rows = isRemoved
      ? of.clocks.filter((each) => each.met_at !== null)
      : computed.map((each) => announce(kept(of, rowOf(ctx, ticket, of.policy_id ?? 0, each), each), each.reached));
    const next_at = isRemoved ? null : nextOf(ctx, rows, computed);
    const is_open = ticket.status !== 'closed';
    changed.push({ of, rows, head: { ticket_id: of.ticket_id, policy_id: of.policy_id, is_open, next_at } });
  }
  await storeRows(ctx, changed);
  await keepTargets(
    ctx,
    changed.flatMap(({ of, rows }) => {
      const ticket = ticketOf(of.ticket_id);
      const resolution = rows.find((each) => each.kind === 'resolution');
      const resolution_ms = resolution?.met_at ? resolution.consumed_ms : null;
      return ticket ? { ticket, target_met: outcomeOf(resolution), resolution_ms, due_at: dueOf(rows) } : [];
    }),
  );
}

/** Returns whether a ticket was resolved in time: false as soon as it is too late, null while it may still be. */
const outcomeOf = (resolution: LevelClock | undefined): boolean | null =>
  resolution?.breached_at ? false : resolution?.met_at ? true : null;

/** Returns when the first running clock is or was due. */
const dueOf = (clocks: readonly Pick<LevelClock, 'due_at' | 'met_at'>[]): string | null =>
  clocks.flatMap(({ due_at, met_at }) => (met_at === null && due_at !== null ? due_at : [])).toSorted()[0] ?? null;

/** Keeps the announcement state of a clock where it still applies. */
function kept({ clocks }: Measured, row: LevelClock, { reached, met_at }: Clock): LevelClock {
  const before = clocks.find((each) => each.kind === row.kind && each.round === row.round);
  if (!before) return row;
  const warned = met_at === null ? Math.min(before.warned, reached) : before.warned;
  return { ...row, warned, announced: before.announced && row.breached_at !== null };
}

/** Returns when the job must check a ticket next: now if something has not been announced yet. */
function nextOf({ now }: Context, rows: readonly LevelClock[], clocks: readonly Clock[]): string | null {
  const untold = rows.some(
    (row, at) =>
      (row.breached_at !== null && !row.announced) ||
      (row.breached_at === null && row.met_at === null && (clocks[at]?.reached ?? 0) > row.warned),
  );
  return untold ? now : earliest(clocks);
}

const earliest = (clocks: readonly Clock[]): string | null =>
  clocks.flatMap((each) => each.next_at ?? []).toSorted()[0] ?? null;

function rowOf({ app }: Context, ticket: Ticket, policy_id: number, clock: Clock): LevelClock {
  const { reached: _reached, next_at: _next, ...rest } = clock;
  const { ticket_id, company_number, team_id } = ticket;
  const started_on = dayIn(app.zone, clock.started_at);
  return { ...rest, ticket_id, policy_id, company_number, team_id, started_on, warned: 0, announced: false };
}

interface Stored {
  readonly of: Measured;
  readonly rows: readonly LevelClock[];
  readonly head: LevelTicket;
}

async function storeRows({ db }: Context, all: readonly Stored[]): Promise<void> {
  const differing = all.filter(({ of, rows }) => !isSame(sorted(of.clocks), sorted(rows)));
  const replaced = differing.filter(({ of }) => of.clocks.length > 0).map(({ of }) => of.ticket_id);
  if (replaced.length > 0) await db.delete(LevelClock, { ticket_id: In(replaced) });
  await db.insert(
    LevelClock,
    differing.flatMap(({ rows }) => rows),
  );
  const heads = all.filter(({ of, head }) => !isSame([of.before], [head])).map(({ head }) => head);
  if (heads.length > 0) await db.upsert(LevelTicket, heads, ['ticket_id']);
}

const sorted = (rows: readonly LevelClock[]): LevelClock[] =>
  rows.toSorted((a, b) => (a.kind === b.kind ? a.round - b.round : a.kind < b.kind ? -1 : 1));

/** Compares rows by column, regardless of column order. */
function isSame(a: readonly object[], b: readonly object[]): boolean {
  const text = (rows: readonly object[]) =>
    JSON.stringify(rows.map((row) => Object.entries(row).toSorted(([x], [y]) => (x < y ? -1 : 1))));
  return text(a) === text(b);
}
