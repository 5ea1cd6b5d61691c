// Hours included in contracts, per calendar month, quarter or year. Unused hours expire with their period.
import { In, listed, sql, type Context, type Day } from '@keelson/core';
import { readIncludedHours, type IncludedHours } from '@keelson/modules/inventory';
import { readWithCorrections, type BillableTime } from '@keelson/modules/tickets';
import { InvoiceLineCoverage, InvoiceLineEntry } from './entities.ts';
import type { Covered } from './lines.ts';

interface Days {
  readonly company_number: number;
  readonly from: Day;
  readonly to: Day;
}

/** Locks what is read when billing, so that no other request bills it too. Not needed for display. */
interface Reading {
  readonly lock?: boolean;
}

/**
 * Returns the contract coverage of each entry. Uses the contracts that cover its ticket, oldest first, while hours
 * remain. A correction counts for the day it corrects. A reduction first reverses billed minutes, then included ones,
 * which the contracts get back. To bill, the caller must lock the company, so that no other request uses these hours.
 */
export async function coverTime(
  ctx: Context,
  days: Days,
  entries: readonly BillableTime[],
  { lock = true }: Reading = {},
): Promise<ReadonlyMap<number, readonly Covered[]>> {
  const ticket_ids = entries.map(({ ticket_id }) => ticket_id);
  const from = entries.map(workedOn).reduce((first, each) => (each < first ? each : first), days.from);
  const contracts = await readIncludedHours(ctx, { ...days, from, ticket_ids });
  const used = contracts.length === 0 ? new Map<string, number>() : await readUsed(ctx, contracts, from, { lock });
  const billedOf = await readBilled(ctx, entries, { lock });
  const covered = new Map<number, Covered[]>();
  for (const entry of inOrder(entries, billedOf)) {
    const { time_entry_id, ticket_id, duration_minutes } = entry;
    const work_date = workedOn(entry);
    const billed = billedOf.get(entry.corrects_id ?? time_entry_id);
    const parts = duration_minutes < 0 && billed ? givenBack(entry, billed) : [];
    for (const { contract_id, period_start, minutes } of parts) {
      const key = `${contract_id} ${period_start}`;
      used.set(key, (used.get(key) ?? 0) + minutes);
    }
    let open = duration_minutes;
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
    billed?.push({ minutes: duration_minutes, parts });
  }
  return covered;
}

/** A billed entry, or a billed correction of it, with its contract coverage. */
interface Billed {
  readonly minutes: number;
  readonly parts: readonly Covered[];
}

const workedOn = ({ work_date, corrected_day }: BillableTime): Day => corrected_day ?? work_date;

/** Returns the parts of the corrected entries that are already billed, by entry id. */
async function readBilled(
  ctx: Context,
  entries: readonly BillableTime[],
  { lock }: Reading,
): Promise<Map<number, Billed[]>> {
  const corrected = [...new Set(entries.flatMap(({ corrects_id }) => corrects_id ?? []))];
  const billedOf = new Map<number, Billed[]>(corrected.map((each) => [each, []]));
  if (corrected.length === 0) return billedOf;
  const rows = await readWithCorrections(ctx, corrected);
  const billing_id = rows.map((each) => each.time_entry_id);
  const locked = lock ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
  const lines = await ctx.db.find(InvoiceLineEntry, { where: { billing_id: In(billing_id) }, ...locked });
  const onInvoice = new Set(lines.map((each) => each.billing_id));
  const coverage = await ctx.db.find(InvoiceLineCoverage, {
    where: { time_entry_id: In(billing_id), used: true },
    ...locked,
  });
  const partsOf = Map.groupBy(coverage, (each) => each.time_entry_id);
  for (const { time_entry_id, corrects_id, duration_minutes } of rows) {
    const parts = partsOf.get(time_entry_id) ?? [];
    if (onInvoice.has(time_entry_id))
      billedOf.get(corrects_id ?? time_entry_id)?.push({ minutes: duration_minutes, parts });
  }
  return billedOf;
}

/**
 * Orders reductions of earlier invoices first, so that their hours are reused immediately. Places corrections of
 * entries on this invoice right after their entry.
 */
function inOrder(entries: readonly BillableTime[], billedOf: ReadonlyMap<number, readonly Billed[]>): BillableTime[] {
  const own = new Set(entries.map((each) => each.time_entry_id));
  const corrections = Map.groupBy(entries, ({ corrects_id }) => corrects_id);
  const roots = entries.filter(({ corrects_id }) => corrects_id === null || !own.has(corrects_id));
  const isBack = ({ corrects_id, duration_minutes }: BillableTime) =>
    duration_minutes < 0 && (billedOf.get(corrects_id ?? 0)?.length ?? 0) > 0;
  const ordered = [...roots.filter(isBack), ...roots.filter((each) => !isBack(each))];
  return ordered.flatMap((each) => [each, ...(corrections.get(each.time_entry_id) ?? [])]);
}

/** Returns the coverage given back to contracts by a reduction: the part that exceeds the billed minutes. */
function givenBack({ time_entry_id, duration_minutes }: BillableTime, billed: readonly Billed[]): Covered[] {
  const parts = billed.flatMap((each) => each.parts);
  const worked = billed.reduce((sum, { minutes }) => sum + minutes, 0);
  const included = parts.reduce((sum, { minutes }) => sum + minutes, 0);
  let open = Math.min(-duration_minutes - (worked - included), included);
  const given: Covered[] = [];
  for (const [contract_id, its] of [...Map.groupBy(parts, (each) => each.contract_id)].toReversed()) {
    const minutes = Math.min(
      open,
      its.reduce((sum, each) => sum + each.minutes, 0),
    );
    if (minutes <= 0) continue;
    open -= minutes;
    given.push({ time_entry_id, contract_id, period_start: its[0]?.period_start ?? '', minutes: -minutes });
  }
  return given;
}

const runsOn = ({ start_date, end_date }: IncludedHours, day: Day): boolean =>
  start_date <= day && (end_date === null || day <= end_date);

/** Returns the first day of the calendar month, quarter or year. */
export function periodOf({ billing_cycle }: Pick<IncludedHours, 'billing_cycle'>, day: Day): Day {
  const [year = '', month = ''] = day.split('-');
  if (billing_cycle === 'monthly') return `${year}-${month}-01`;
  if (billing_cycle === 'annual') return `${year}-01-01`;
  return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`;
}

/** Returns the minutes already used by invoices, by contract and period. */
export async function readUsed(
  ctx: Context,
  contracts: readonly IncludedHours[],
  from: Day,
  { lock: locked = true }: Reading = {},
): Promise<Map<string, number>> {
  const ids = listed(contracts.map((each) => each.contract_id));
  const [first = from] = contracts.map((each) => periodOf(each, from)).toSorted();
  // A locking read also sees rows committed since the transaction began.
  const lock = locked && ctx.db.dialect === 'mysql' ? sql`FOR UPDATE` : sql``;
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
