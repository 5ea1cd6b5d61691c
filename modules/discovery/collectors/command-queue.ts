// Command queue for collectors (M-27, M-28, MO-16 to MO-18): commands are leased and reported once.
import {
  duplicate,
  In,
  IsNull,
  LessThanOrEqual,
  listed,
  notFound,
  plus,
  sql,
  toDatabase,
  type Context,
} from '@keelson/core';
import { CollectorCommand, type Collector } from '../entities.ts';
import { CommandEnded } from '../events.ts';
import { jobEnded, jobsReleased, jobsStarted } from '../scans/job-states.ts';

const AT_ONCE = 20;
/** Lease duration; unreported commands are then handed out again. */
export const LEASE = { minutes: -10 } as const;
const MAX_ATTEMPTS = 3;

type Place = Pick<Collector, 'company_number' | 'site_number'>;
type CommandType = CollectorCommand['command_type'];

/** Queues a command for a collector. */
export async function queueCommand(
  ctx: Context,
  { company_number, site_number, collector_id }: Place & { readonly collector_id: string | null },
  command_type: CommandType,
  parameters: CollectorCommand['parameters'],
  job_id: number | null = null,
): Promise<number> {
  const row = { collector_id, company_number, site_number, job_id, command_type, parameters, created_at: ctx.now };
  return ctx.db.insertReturningId(CollectorCommand, row);
}

/** Leases the oldest commands of the collector and unassigned ones of its site (MO-16, MO-17). */
export async function takeCommands(ctx: Context, collector: Collector): Promise<CollectorCommand[]> {
  const { collector_id, site_number } = collector;
  const find = async (owner: string | null) =>
    ctx.db.find(CollectorCommand, {
      where: { collector_id: owner ?? IsNull(), status: 'pending', ...(owner === null && { site_number }) },
      order: { command_id: 'ASC' },
      take: AT_ONCE,
      lock: { mode: 'pessimistic_write' },
    });
  const waiting = [...(await find(collector_id)), ...(await find(null))]
    .toSorted((a, b) => a.command_id - b.command_id)
    .slice(0, AT_ONCE);
  if (waiting.length === 0) return [];
  const command_id = waiting.map((each) => each.command_id);
  await ctx.db.run(sql`UPDATE collector_command SET collector_id = ${collector_id}, status = 'sent',
    attempts = attempts + 1, sent_at = ${toDatabase(ctx.now)} WHERE command_id IN ${listed(command_id)}`);
  await jobsStarted(ctx, collector_id, waiting);
  return waiting.map((each) => ({ ...each, collector_id, status: 'sent' as const, sent_at: ctx.now }));
}

export interface CommandReport {
  readonly status: 'completed' | 'failed';
  readonly result: CollectorCommand['result'];
  readonly error: string;
}

/** Renews the leases of commands that the collector is still working on. */
export async function renewLeases(
  ctx: Context,
  { collector_id }: Pick<Collector, 'collector_id'>,
  running: readonly number[],
): Promise<void> {
  const own = { collector_id, command_id: In([...running]), status: In(['pending', 'sent']) } as const;
  await ctx.db.update(CollectorCommand, own, { status: 'sent', sent_at: ctx.now });
}

/**
 * Stores a collector's report on a command it received.
 * @throws notFound() for another collector's command; duplicate() if already reported (M-28)
 */
export async function reportCommand(
  ctx: Context,
  { collector_id, site_number }: Pick<Collector, 'collector_id' | 'site_number'>,
  command_id: number,
  report: CommandReport,
): Promise<CollectorCommand> {
  const command = await ctx.db.findOne(CollectorCommand, {
    where: { command_id },
    lock: { mode: 'pessimistic_write' },
  });
  // A scan may have been released while the collector was busy with it.
  const isReleased = command?.collector_id === null && command.site_number === site_number;
  if (!command || (command.collector_id !== collector_id && !isReleased)) throw notFound('Command');
  if (isOver(command)) throw duplicate('The command result was already reported');
  if (isReleased) {
    await ctx.db.update(CollectorCommand, { command_id }, { collector_id });
    await jobsStarted(ctx, collector_id, [command]);
  }
  return endCommand(ctx, { ...command, collector_id }, report);
}

/** Returns the commands whose lease has expired, oldest first. */
export async function readExpired(ctx: Pick<Context, 'db' | 'now'>, most: number): Promise<number[]> {
  const where = { status: 'sent', sent_at: atMostLease(ctx) } as const;
  const late = await ctx.db.find(CollectorCommand, { where, take: most, order: { sent_at: 'ASC' } });
  return late.map((each) => each.command_id);
}

/** Ends an expired lease: the command is queued again, or fails after the third attempt (M-27). */
export async function endLease(ctx: Context, command_id: number): Promise<void> {
  const command = await ctx.db.findOne(CollectorCommand, {
    where: { command_id, status: 'sent', sent_at: atMostLease(ctx) },
    lock: { mode: 'pessimistic_write' },
  });
  // It may have been reported since.
  if (!command) return;
  if (command.attempts < MAX_ATTEMPTS)
    return void (await ctx.db.update(CollectorCommand, { command_id }, { status: 'pending' }));
  const error = 'The collector never reported the result';
  await endCommand(ctx, command, { status: 'failed', result: null, error });
}

/** Releases the scans a silent collector has not started to any other collector of its site. */
export async function releaseScans(ctx: Context, { collector_id }: Pick<Collector, 'collector_id'>): Promise<void> {
  const waiting = { collector_id, command_type: 'scan', status: 'pending' } as const;
  const released = await ctx.db.find(CollectorCommand, { where: waiting, lock: { mode: 'pessimistic_write' } });
  if (released.length === 0) return;
  const command_id = released.map((each) => each.command_id);
  await ctx.db.update(CollectorCommand, { command_id: In(command_id) }, { collector_id: null });
  await jobsReleased(ctx, released);
}

/** Releases a revoked collector's scans, started or not, to others of its site. Its other commands fail. */
export async function endCommands(ctx: Context, { collector_id }: Pick<Collector, 'collector_id'>): Promise<void> {
  await ctx.db.update(CollectorCommand, { collector_id, command_type: 'scan', status: 'sent' }, { status: 'pending' });
  await releaseScans(ctx, { collector_id });
  const rest = { collector_id, status: In(['pending', 'sent']) } as const;
  const ended = { status: 'failed', error: 'The collector was revoked', completed_at: ctx.now } as const;
  await ctx.db.update(CollectorCommand, rest, ended);
}

const isOver = ({ status }: CollectorCommand) => status === 'completed' || status === 'failed';
const atMostLease = ({ now }: Pick<Context, 'now'>) => LessThanOrEqual(plus(now, LEASE));

async function endCommand(
  ctx: Context,
  command: CollectorCommand,
  { status, result, error }: CommandReport,
): Promise<CollectorCommand> {
  const { command_id, job_id, command_type, collector_id, company_number, site_number } = command;
  const set = { status, result, error: status === 'failed' ? error : null, completed_at: ctx.now };
  await ctx.db.update(CollectorCommand, { command_id }, set);
  const job = job_id === null ? undefined : await jobEnded(ctx, job_id, { failed: status === 'failed', error });
  ctx.emit(CommandEnded, {
    collector_id,
    company_number,
    site_number,
    command_id,
    command_type,
    subnet: job?.subnet ?? '',
    failed: status === 'failed',
    error: set.error ?? '',
  });
  return { ...command, ...set };
}

/** Counts the pending and sent commands of each collector. */
export async function pendingCommands({ db }: Context): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ collector_id: string; n: number }>(sql`SELECT collector_id, COUNT(*) AS n
    FROM collector_command WHERE status IN ('pending', 'sent') AND collector_id IS NOT NULL GROUP BY collector_id`);
  return new Map(rows.map(({ collector_id, n }) => [collector_id, Number(n)]));
}
