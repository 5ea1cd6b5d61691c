import { subscriber } from '@keelson/core';
import { ReportDue } from './events.ts';
import { mailReport } from './mail-report.ts';

export default [subscriber('reports.mail', ReportDue, (ctx, { data }) => mailReport(ctx, data), { outside: true })];
