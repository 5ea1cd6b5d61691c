// What contracts include of worked time: so many hours in each calendar month, quarter or year. Hours that were not used are
// gone with their period.
import { listed, sql, type Context, type Day } from '@keelson/core';
import { readIncludedHours, type IncludedHours } from '@keelson/modules/inventory';
import type { BillableTime } from '@keelson/modules/tickets';
import type { Covered } from './lines.ts';

interface Days {
  readonly company_number: number;
  readonly from: Day;
  readonly to: Day;
}

/**
 * What contracts include of these entries, by entry: in their order, from the contracts that cover their tickets, the oldest
 * first, as long as there are hours. The company is locked, so that nobody else uses them.
 */
export async function coverTime(
  ctx: Context,
  days: Days,
  entries: readonly BillableTime[],
): Promise<ReadonlyMap<number, readonly Covered[]>> {
  const ticket_ids = entries.map(({ ticket_id }) => ticket_id);
  const contracts = await readIncludedHours(ctx, { ...days, ticket_ids });
  const used = contracts.length === 0 ? new Map<string, number>() : await readUsed(ctx, contracts, days.from);
  const covered = new Map<number, Covered[]>();
  for (const { time_entry_id, ticket_id, work_date, duration_minutes } of entries) {
    let open = duration_minutes;
    const parts: Covered[] = [];
    for (const contract of contracts) {
      if (open <= 0) break;
      if (!runsOn(contract, work_date) || !contract.covers(ticket_id)) continue;
      const { contract_id } = contract;
      const period_start = periodOf(contract, work_date);
      const key = `${contract_id} ${period_start}`;
      const before = used.get(key) ?? 0;
      const minutes = Math.min(open, contract.minutes - before);
      if (minutes <= 0) continue;
      used.set(key, before + minutes);
      open -= minutes;
      parts.push({ time_entry_id, contract_id, period_start, minutes });
    }
    if (parts.length > 0) covered.set(time_entry_id, parts);
  }
  return covered;
}

const runsOn = ({ start_date, end_date }: IncludedHours, day: Day): boolean =>
  start_date <= day && (end_date === null || day <= end_date);

/** The first day of the calendar month, quarter or year. */
function periodOf({ billing_cycle }: Pick<IncludedHours, 'billing_cycle'>, day: Day): Day {
  const [year = '', month = ''] = day.split('-');
  if (billing_cycle === 'monthly') return `${year}-${month}-01`;
  if (billing_cycle === 'annual') return `${year}-01-01`;
  return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`;
}

/** The minutes that invoices have used already, by contract and period. */
async function readUsed(ctx: Context, contracts: readonly IncludedHours[], from: Day): Promise<Map<string, number>> {
  const ids = listed(contracts.map((each) => each.contract_id));
  const [first = from] = contracts.map((each) => periodOf(each, from)).toSorted();
  // Locked, because only so it is what others have committed meanwhile.
  const lock = ctx.db.dialect === 'mysql' ? sql`FOR UPDATE` : sql``;
  const rows = await ctx.db.query<{ contract_id: unknown; period_start: string; minutes: unknown }>(sql`SELECT
      contract_id, period_start, minutes FROM invoice_line_coverage
    WHERE contract_id IN ${ids} AND period_start >= ${first} AND used = 1 ${lock}`);
  const used = new Map<string, number>();
  for (const { contract_id, period_start, minutes } of rows) {
    const key = `${Number(contract_id)} ${period_start}`;
    used.set(key, (used.get(key) ?? 0) + Number(minutes));
  }
  return used;
}
