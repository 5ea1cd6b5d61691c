// The list of prospects, by name (P-11).
import { by, defineList, is, readPage, sql, type Context, type Filter } from '@keelson/core';
import { noFields, readFields } from '../custom-fields/custom-values.ts';
import { Prospect, ProspectCount, type ProspectStatus } from './entities.ts';
import { found } from '../search/words.ts';

const ProspectList = defineList({
  table: Prospect,
  columns: [
    'prospect_id',
    'name',
    'industry',
    'website',
    'phone',
    'email',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'status',
    'assigned_to',
    'company_number',
    'created_at',
    'updated_at',
  ],
  counters: [ProspectCount],
  sorts: { name: by('name') },
});

export interface ProspectsAsked {
  readonly search?: string | undefined;
  readonly status?: ProspectStatus | undefined;
  readonly industry?: string | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of prospects with the values of their custom fields. */
export async function listProspects(ctx: Context, { search, status, industry, page, size }: ProspectsAsked) {
  const where: Filter[] = [];
  if (status) where.push(is('status', status));
  if (industry) where.push(is('industry', industry));
  if (search) where.push(found(ctx.db, 'prospect', sql`prospect.prospect_id`, search));
  const { rows, total } = await readPage(ctx.db, ProspectList, { where, sort: 'name', direction: 'asc', page, size });
  const ids = rows.map((each) => each.prospect_id);
  const fields = await readFields(ctx, 'prospect', ids);
  return { rows: rows.map((each) => ({ ...each, custom_fields: fields.get(each.prospect_id) ?? noFields })), total };
}
