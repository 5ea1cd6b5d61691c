// Remaining hours that a company's contracts include.
import { sql, today, z, type Context } from '@keelson/core';
import { readIncludedHours, type Contract } from '@keelson/modules/inventory';
import { periodOf, readUsed } from './coverage.ts';
import { readOpenTime } from './from-time.ts';

/** Hours of the current month, quarter or year: billed, worked but unbilled, and remaining. */
export const HoursLeft = z.object({
  contract_id: z.int(),
  name: z.string(),
  period_start: z.iso.date(),
  included_minutes: z.int(),
  billed_minutes: z.int(),
  open_minutes: z.int(),
  left_minutes: z.int(),
});

/** Returns the remaining hours of each contract that includes hours and is active today, oldest first. */
export async function readHoursLeft(ctx: Context, company_number: number): Promise<z.infer<typeof HoursLeft>[]> {
  const day = today(ctx);
  const contracts = await readIncludedHours(ctx, { company_number, from: day, to: day, ticket_ids: [] });
  if (contracts.length === 0) return [];
  const from = contracts.map((each) => periodOf(each, day)).toSorted()[0] ?? day;
  const used = await readUsed(ctx, contracts, day, { lock: false });
  const open = await readOpenTime(ctx, { company_number, from, to: day });
  return contracts.map((contract) => {
    const { contract_id, name, minutes: included_minutes } = contract;
    const period_start = periodOf(contract, day);
    const billed_minutes = used.get(`${contract_id} ${period_start}`) ?? 0;
    const open_minutes = open
      .flatMap((each) => each.coverage)
      .filter((each) => each.contract_id === contract_id && each.period_start === period_start)
      .reduce((sum, { minutes }) => sum + minutes, 0);
    const left_minutes = Math.max(0, included_minutes - billed_minutes - open_minutes);
    return { contract_id, name, period_start, included_minutes, billed_minutes, open_minutes, left_minutes };
  });
}

/** Maximum periods shown per contract, newest first. */
const MOST_PERIODS = 12;

/** Hours of a contract used in a month, quarter or year. */
export const HoursOfPeriod = HoursLeft.pick({
  period_start: true,
  included_minutes: true,
  billed_minutes: true,
  open_minutes: true,
});

/** Returns the hours used of a contract in its latest periods, newest first; empty if it includes no hours. */
export async function readContractHours(
  ctx: Context,
  { contract_id, company_number, included_minutes }: Contract,
): Promise<z.infer<typeof HoursOfPeriod>[]> {
  if (!included_minutes) return [];
  const now = (await readHoursLeft(ctx, company_number)).find((each) => each.contract_id === contract_id);
  const rows = await ctx.db.query<{ period_start: string; minutes: unknown }>(
    sql`SELECT period_start, SUM(minutes) AS minutes FROM invoice_line_coverage
      WHERE contract_id = ${contract_id} AND used = 1 GROUP BY period_start
      ORDER BY period_start DESC LIMIT ${MOST_PERIODS}`,
  );
  const past = rows.filter((each) => each.period_start !== now?.period_start);
  return [
    ...(now ? [now] : []),
    ...past.map(({ period_start, minutes }) => ({
      period_start,
      included_minutes,
      billed_minutes: Number(minutes),
      open_minutes: 0,
    })),
  ];
}
