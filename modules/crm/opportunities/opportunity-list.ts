// The list of opportunities, newest first.
import { by, defineList, is, readPage, sql, type Context, type Filter } from '@keelson/core';
import { Opportunity, OpportunityCount, type OpportunityStatus } from './entities.ts';
import { showOpportunities } from '../present.ts';
import { findStage } from './stages.ts';

const OpportunityList = defineList({
  table: Opportunity,
  columns: [
    'opportunity_id',
    'name',
    'prospect_id',
    'contact_id',
    'lead_id',
    'stage',
    'status',
    'value_minor',
    'probability',
    'expected_close_date',
    'assigned_to',
    'lost_reason',
    'closed_at',
    'created_at',
    'updated_at',
  ],
  counters: [OpportunityCount],
  sorts: { created_at: by('created_at') },
});

export interface OpportunitiesAsked {
  readonly stage?: string | undefined;
  readonly status?: OpportunityStatus | undefined;
  readonly assigned_to?: number | undefined;
  readonly prospect_id?: number | undefined;
  /** In minor units, both inclusive. */
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of opportunities. */
export async function listOpportunities(ctx: Context, asked: OpportunitiesAsked) {
  const { stage, status, assigned_to, prospect_id, min_value, max_value, page, size } = asked;
  const where: Filter[] = [];
  // A stage that is no longer listed still filters those that stand there (ST-05).
  if (stage) where.push(is('stage', (await findStage(ctx, stage)) ?? stage));
  if (status) where.push(is('status', status));
  if (assigned_to) where.push(is('assigned_to', assigned_to));
  if (prospect_id) where.push(is('prospect_id', prospect_id));
  if (min_value !== undefined) where.push(sql`opportunity.value_minor >= ${min_value}`);
  if (max_value !== undefined) where.push(sql`opportunity.value_minor <= ${max_value}`);
  const request = { where, sort: 'created_at', direction: 'desc', page, size } as const;
  const { rows, total } = await readPage(ctx.db, OpportunityList, request);
  return { rows: await showOpportunities(ctx, rows), total };
}
