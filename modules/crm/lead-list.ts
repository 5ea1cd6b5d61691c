// The list of leads: what it can be filtered and sorted by (P-17).
import {
  by,
  defineList,
  is,
  readPage,
  sql,
  toDatabase,
  type Context,
  type Filter,
  type Timestamp,
} from '@keelson/core';
import { Lead, LeadCount, type LeadStatus } from './entities/lead.ts';
import { resolveSource } from './leads.ts';
import { found } from './words.ts';

const LeadList = defineList({
  table: Lead,
  columns: [
    'lead_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'company_name',
    'status',
    'source',
    'score',
    'assigned_to',
    'created_at',
    'updated_at',
  ],
  counters: [LeadCount],
  sorts: {
    created_at: by('created_at'),
    updated_at: by('updated_at'),
    lead_id: by('lead_id'),
    first_name: by('first_name'),
    last_name: by('last_name'),
    email: by('email'),
    company_name: by('company_name'),
    status: by('status', 'created_at'),
    source: by('source', 'created_at'),
    score: by('score', 'created_at'),
    assigned_to: by('assigned_to', 'created_at'),
  },
});

export const leadSorts = [
  'created_at',
  'updated_at',
  'lead_id',
  'first_name',
  'last_name',
  'email',
  'company_name',
  'status',
  'source',
  'score',
  'assigned_to',
] as const;

export interface LeadsAsked {
  readonly status?: LeadStatus | undefined;
  readonly source?: string | undefined;
  readonly assigned_to?: number | undefined;
  readonly search?: string | undefined;
  /** Both inclusive (P-12). */
  readonly created_after?: Timestamp | undefined;
  readonly created_before?: Timestamp | undefined;
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly size: number;
}

/** A page of leads. */
export async function listLeads(ctx: Context, asked: LeadsAsked) {
  const { sort, order, page, size } = asked;
  const where = await filtersOf(ctx, asked);
  return readPage(ctx.db, LeadList, { where, sort, direction: order, page, size });
}

async function filtersOf(ctx: Context, asked: LeadsAsked): Promise<Filter[]> {
  const { status, source, assigned_to, search, created_after, created_before } = asked;
  const filters: Filter[] = [];
  if (status) filters.push(is('status', status));
  if (source) filters.push(is('source', await resolveSource(ctx, source)));
  if (assigned_to) filters.push(is('assigned_to', assigned_to));
  if (created_after) filters.push(sql`lead.created_at >= ${toDatabase(created_after)}`);
  if (created_before) filters.push(sql`lead.created_at <= ${toDatabase(created_before)}`);
  if (search) filters.push(found(ctx.db, 'lead', sql`lead.lead_id`, search));
  return filters;
}
