// Evidence of restore drills: screenshots, reports.
import { attachments } from '@keelson/core';
import { ReadAssets, WriteAssets } from '@keelson/modules/assets';
import { DrillItem, Drills } from './drills.ts';

export const DrillAttachments = attachments(Drills, {
  company: (drill) => drill.company_number,
  call: (drill) => drill.subject,
  admin: { path: '/backup/drills.php', read: ReadAssets, write: WriteAssets, view: DrillItem },
});
