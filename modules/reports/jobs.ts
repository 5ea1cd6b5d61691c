import { job, sql, toDatabase, type Context } from '@keelson/core';
import { cronFault, nextTime } from '@keelson/core/events';
import { eachApart } from '@keelson/core/kit';
import { Report } from './entities.ts';
import { ReportDue } from './events.ts';

const AT_ONCE = 200;

export default [job('reports.schedule', '* * * * *', startDue, { title: 'Run scheduled reports' })];

/**
 * Starts due reports, once for any number of missed times. One process claims the due time; any process may create the
 * file.
 * @throws AggregateError naming the reports that failed, once the others are done
 */
async function startDue(outside: Context<undefined>): Promise<void> {
  await eachApart(
    readDue(outside),
    (report_id) => `report ${report_id}`,
    (report_id) => outside.transaction((ctx) => startIfDue(ctx, report_id)),
  );
}

async function* readDue({ db, now }: Context): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const due = await db.query<{ report_id: number }>(sql`SELECT report_id FROM report
      WHERE next_run_at <= ${toDatabase(now)} AND report_id > ${after} ORDER BY report_id LIMIT ${AT_ONCE}`);
    const ids = due.map((each) => Number(each.report_id));
    yield* ids;
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}

async function startIfDue(ctx: Context, report_id: number): Promise<void> {
  const row = await ctx.db.findOne(Report, { where: { report_id }, lock: { mode: 'pessimistic_write' } });
  if (!row?.schedule || row.next_run_at === null || row.next_run_at > ctx.now) return;
  const { cron } = row.schedule;
  const fault = cronFault(cron);
  if (fault !== undefined) {
    // Other reports must not wait for it. It runs again once its schedule is corrected.
    ctx.app.log.warn({ report_id, cron }, `reports: a schedule cannot be read, it ${fault}`);
    await ctx.db.update(Report, { report_id }, { next_run_at: null });
    return;
  }
  const next_run_at = nextTime(cron, ctx.app.zone, ctx.now) ?? null;
  await ctx.db.update(Report, { report_id }, { next_run_at });
  ctx.emit(ReportDue, { report_id, due_at: row.next_run_at });
}
