// The CRM's figures (F-83, C-31). Read from counters and short index ranges, so that their cost does not grow with the
// tables.
import { addDays, fromMinor, sql, toDatabase, today, type Context } from '@keelson/core';
import { readCounts } from '@keelson/core/list';
import { readCurrency, startOfDay } from '@keelson/core/plugin';
import { LeadCount } from './leads/entities.ts';
import { OpportunityCount, OpportunityValue } from './opportunities/entities.ts';
import { LOST, readOpenStages, WON } from './opportunities/stages.ts';

/** Returns open opportunities by stage: the stages of the pipeline, and former ones that still have opportunities. */
export async function readPipeline(ctx: Context) {
  const counts = await readCounts(ctx.db, OpportunityCount, 'stage', { status: 'open' });
  const values = await readCounts(ctx.db, OpportunityValue, 'stage', { status: 'open' });
  const currency = await readCurrency(ctx);
  const names = new Set([...(await readOpenStages(ctx)), WON, LOST, ...counts.keys()]);
  const stages = [...names].map((stage) => ({
    stage,
    count: counts.get(stage) ?? 0,
    value: fromMinor(values.get(stage) ?? 0),
    currency,
  }));
  return { stages, total_count: sum(counts), total_value: fromMinor(sum(values)), currency };
}

/** Returns current figures, and those of this month in the tenant's time zone (V-07). */
export async function readDashboard(ctx: Context) {
  const leads = await readCounts(ctx.db, LeadCount, 'status');
  const opportunities = await readCounts(ctx.db, OpportunityCount, 'status');
  const values = await readCounts(ctx.db, OpportunityValue, 'status');
  const all = sum(leads);
  return {
    new_leads: sumOf(leads, 'new'),
    open_leads: sumOf(leads, 'new', 'contacted', 'qualified'),
    conversion_rate: all === 0 ? 0 : Math.round((sumOf(leads, 'converted') / all) * 10_000) / 10_000,
    open_opportunities: sumOf(opportunities, 'open'),
    pipeline_value: fromMinor(sumOf(values, 'open')),
    ...(await readWon(ctx)),
    activities_due: await countDue(ctx),
    currency: await readCurrency(ctx),
  };
}

/** Reads only this month's opportunities, by the index on `closed_at`. */
async function readWon(ctx: Context) {
  const from = toDatabase(startOfDay(ctx, `${today(ctx).slice(0, 7)}-01`));
  const [won] = await ctx.db.query<{ n: unknown; value: unknown }>(
    sql`SELECT COUNT(*) AS n, COALESCE(SUM(value_minor), 0) AS value FROM opportunity
      WHERE status = 'won' AND closed_at >= ${from} AND deleted_at IS NULL`,
  );
  return { won_this_month: Number(won?.n ?? 0), won_value_this_month: fromMinor(Number(won?.value ?? 0)) };
}

/** Counts activities that are due today or overdue. */
async function countDue(ctx: Context): Promise<number> {
  const end = toDatabase(startOfDay(ctx, addDays(today(ctx), 1)));
  const [due] = await ctx.db.query<{ n: unknown }>(
    sql`SELECT COUNT(*) AS n FROM crm_activity WHERE completed = 0 AND due_date < ${end} AND deleted_at IS NULL`,
  );
  return Number(due?.n ?? 0);
}

function sumOf(counts: ReadonlyMap<string, number>, ...names: string[]): number {
  return names.reduce((total, each) => total + (counts.get(each) ?? 0), 0);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, each) => total + each, 0);
}
