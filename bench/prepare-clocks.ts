// Starts the SLA clocks of open tickets so that their warnings and breaches are due at known moments. Runs in its own
// process: node bench/prepare-clocks.ts <clocks> <answer file>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../config/config.ts';
import { In, IsNull, LessThan, plus, type Context, type Timestamp } from '../core/index.ts';
import { dayIn } from '../core/kit.ts';
import { openInstallation } from '../core/process/main.ts';
import { LevelClock, LevelStep, LevelTicket } from '../modules/levels/clocks/entities.ts';
import { createPolicy } from '../modules/levels/policies/policies.ts';
import { keepTargets, Ticket } from '../modules/tickets/api.ts';

/** What becomes due, and when. */
export interface Due {
  readonly ticket_id: number;
  readonly percent: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** One of those that are due at the same moment. */
  readonly together: boolean;
}

export interface FilledClocks {
  readonly due: readonly Due[];
  readonly policy_id: number;
}

const TARGET_MINUTES = 60;
const WARNING = 80;
const MINUTE = 60_000;
/** Time for starting the processes before the first clock is due. */
const LEAD = 150_000;
/** The clocks fall due evenly within this time, except for those due together. */
const SPREAD = 1_000_000;
const TOGETHER = 1000;
const TOGETHER_AFTER = 60_000;
const AT_ONCE = 1000;

const [clocks = 0] = process.argv.slice(2).map(Number);
const app = await openInstallation(loadConfig());
const tickets = await readOpenTickets();
const begin = Date.now() + LEAD;
const due = tickets.map(({ ticket_id }, i): Due => {
  const together = i < TOGETHER;
  const at = begin + (together ? TOGETHER_AFTER : Math.floor((i * SPREAD) / tickets.length));
  return { ticket_id, percent: i % 2 === 0 ? WARNING : 100, at, together };
});
const policy_id = await app.system().transaction(createBenchPolicy);
for (let from = 0; from < due.length; from += AT_ONCE) await app.system().transaction((ctx) => startClocks(ctx, from));
const filled: FilledClocks = { due, policy_id };
writeFileSync(process.argv[3] ?? '', JSON.stringify(filled));
await app.close();

async function readOpenTickets(): Promise<Ticket[]> {
  const found: Ticket[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; found.length < clocks; before = found.at(-1)?.ticket_id ?? 0) {
    const some = await app.database.find(Ticket, {
      where: { status: In(['open', 'in_progress', 'on_hold']), ticket_id: LessThan(before), deleted_at: IsNull() },
      order: { ticket_id: 'DESC' },
      take: Math.min(AT_ONCE, clocks - found.length),
    });
    if (some.length === 0) break;
    found.push(...some);
  }
  return found;
}

async function createBenchPolicy(ctx: Context): Promise<number> {
  const target = { response_minutes: null, next_response_minutes: null, resolution_minutes: TARGET_MINUTES };
  const targets = [1, 2, 3, 4, 5].map((priority) => ({ priority, ...target }));
  const policy = { name: `Bench ${begin}`, targets, warnings: [{ percent: WARNING }], pause_on_hold: false };
  return (await createPolicy(ctx, policy)).policy_id;
}

async function startClocks(ctx: Context, from: number): Promise<void> {
  const rows = tickets.slice(from, from + AT_ONCE).flatMap((ticket, i) => {
    const its = due[from + i];
    return its ? [{ ticket, its, started: startOf(its) }] : [];
  });
  // A kept database still has those of the last run.
  const ticket_id = In(rows.map(({ ticket }) => ticket.ticket_id));
  for (const table of [LevelTicket, LevelStep, LevelClock]) await ctx.db.delete(table, { ticket_id });
  await ctx.db.insert(
    LevelTicket,
    rows.map(({ ticket: { ticket_id }, its }) => ({
      ticket_id,
      policy_id,
      is_open: true,
      next_at: new Date(its.at).toISOString(),
    })),
  );
  await ctx.db.insert(
    LevelStep,
    rows.map(({ ticket: { ticket_id, status, last_comment_by }, started }) => ({
      ...{ ticket_id, step: 0, at: started, status, last_comment_by },
      ...{ pending: false, waiting: true, replied: false },
    })),
  );
  await ctx.db.insert(
    LevelClock,
    rows.map(({ ticket: { ticket_id, company_number, team_id }, its, started }) => ({
      ...{ ticket_id, company_number, team_id, policy_id, kind: 'resolution' as const, round: 0 },
      started_at: started,
      started_on: dayIn(app.zone, started),
      target_minutes: TARGET_MINUTES,
      consumed_ms: 0,
      due_at: plus(started, { minutes: TARGET_MINUTES }),
      warned: its.percent === WARNING ? 0 : WARNING,
    })),
  );
  await keepTargets(
    ctx,
    rows.map(({ ticket, started }) => ({
      ticket,
      target_met: null,
      resolution_ms: null,
      due_at: plus(started, { minutes: TARGET_MINUTES }),
    })),
  );
}

function startOf({ at, percent }: Due): Timestamp {
  return new Date(at - (TARGET_MINUTES * MINUTE * percent) / 100).toISOString();
}
