import { subscriber } from '@keelson/core';
import { TimeZoneChanged } from '@keelson/modules/system';
import { ReportDue } from './events.ts';
import { mailReport } from './schedules/mail-report.ts';
import { replan } from './schedules/replan.ts';

export default [
  subscriber('reports.mail', ReportDue, (ctx, { data }) => mailReport(ctx, data), { outside: true }),
  subscriber('reports.replan', TimeZoneChanged, (ctx, { data }) => replan(ctx, data.time_zone), { outside: true }),
];
