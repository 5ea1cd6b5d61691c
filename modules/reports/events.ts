import { event, z } from '@keelson/core';

/** A report is to be mailed. */
export const ReportDue = event('reports.due', z.object({ report_id: z.int(), due_at: z.string() }));
