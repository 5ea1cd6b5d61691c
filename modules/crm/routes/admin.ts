// The CRM on the administrative surface: these three are its only paths below /crm/ (N-13).
import { admin, item, list, pageOf, z } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { ReadReports } from '@keelson/modules/reports';
import { readDashboard, readPipeline } from '../dashboard.ts';
import { LeadItem } from '../leads/leads.ts';

export default [
  admin.get('/crm/leads.php', {
    title: 'List CRM leads',
    access: ReadContacts,
    query: admin.paging(LeadItem.query),
    returns: list(LeadItem),
    handle: (ctx, { query }) => pageOf(ctx, LeadItem, query),
  }),
  admin.get('/crm/pipeline.php', {
    title: 'Read the sales pipeline',
    access: ReadReports,
    returns: item(
      z.object({
        stages: z.array(z.object({ stage: z.string(), count: z.int(), value: z.number(), currency: z.string() })),
        total_count: z.int(),
        total_value: z.number(),
        currency: z.string(),
      }),
    ),
    handle: (ctx) => readPipeline(ctx),
  }),
  admin.get('/crm/dashboard.php', {
    title: 'Read CRM metrics',
    access: ReadReports,
    returns: item(
      z.object({
        new_leads: z.int(),
        open_leads: z.int(),
        conversion_rate: z.number(),
        open_opportunities: z.int(),
        pipeline_value: z.number(),
        won_this_month: z.int(),
        won_value_this_month: z.number(),
        activities_due: z.int(),
        currency: z.string(),
      }),
    ),
    handle: (ctx) => readDashboard(ctx),
  }),
];
