import { event, z } from '@keelson/core';

/** Emitted when a report mail is due. */
export const ReportDue = event('reports.due', z.object({ report_id: z.int(), due_at: z.string() }));
