// The list of outages, and one with its history.
import { by, defineList, is, readPage, sql, type Context, type Page } from '@keelson/core';
import { Outage, OutageHistory, OutageService } from './entities.ts';
import type { OutageItem } from './shapes.ts';

const OutageList = defineList({
  table: Outage,
  columns: [
    'outage_id',
    'service_id',
    'company_number',
    'title',
    'description',
    'severity',
    'status',
    'started_at',
    'scheduled_start',
    'scheduled_end',
    'resolved_at',
    'notes',
    'created_by',
    'created_at',
    'updated_at',
  ],
  sorts: { created_at: by('created_at') },
});
type Listed = NonNullable<(typeof OutageList)['Row']>;

interface Asked {
  readonly company_number?: number | undefined;
  readonly service_id?: number | undefined;
  readonly status?: Outage['status'] | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of outages, the newest first; those of a company are its own and everybody's (O-06). */
export async function listOutages(ctx: Context, asked: Asked): Promise<Page<OutageItem>> {
  const { company_number, service_id, status, page, size } = asked;
  const where = [
    ...(service_id ? [is('service_id', service_id)] : []),
    ...(status ? [is('status', status)] : []),
    ...(company_number ? [sql`(outage.company_number IS NULL OR outage.company_number = ${company_number})`] : []),
  ];
  const { rows, total } = await readPage(ctx.db, OutageList, {
    where,
    sort: 'created_at',
    direction: 'desc',
    page,
    size,
  });
  return { rows: await toItems(ctx, rows), total };
}

/** With the names of the services. */
export async function toItems(ctx: Context, rows: readonly Listed[]): Promise<OutageItem[]> {
  const ids = [...new Set(rows.map((each) => each.service_id))];
  const services = ids.length === 0 ? [] : await ctx.db.find(OutageService, { service_id: ids });
  const names = new Map(services.map((each) => [each.service_id, each.name]));
  return rows.map((each) => ({ ...each, service_name: names.get(each.service_id) ?? '' }));
}

export async function toItem(ctx: Context, outage: Outage): Promise<OutageItem> {
  const [item] = await toItems(ctx, [outage]);
  if (!item) throw new Error('One outage gives one item');
  return item;
}

/** One with what became of it, the first entry first. */
export async function readOutage(ctx: Context, outage: Outage) {
  const status_history = await ctx.db.find(
    OutageHistory,
    { outage_id: outage.outage_id },
    { order: [['history_id', 'ASC']] },
  );
  return { ...(await toItem(ctx, outage)), status_history };
}
