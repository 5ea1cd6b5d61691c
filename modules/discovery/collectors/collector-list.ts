// Collector views and lookups, separate from collectors.ts because collector events carry these views.
import { by, noun, notFound, view, type Context } from '@keelson/core';
import { CompanyNames, SiteNames } from '@keelson/modules/directory';
import { Collector } from '../entities.ts';

export const collectorNoun = noun(Collector, { title: 'Collector', sorts: { created_at: by('created_at') } });

/** Collector in lists and events (F-62). */
export const CollectorItem = view(collectorNoun, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
});

/** Returns all collectors including revoked ones, newest first (P-09, MO-06). */
export function listCollectors(ctx: Context): Promise<Collector[]> {
  const order = { created_at: 'DESC', collector_number: 'DESC' } as const;
  return ctx.db.find(Collector, { order });
}

/** Returns a collector. @throws notFound() */
export async function findCollector(ctx: Context, collector_id: string, { lock = false } = {}): Promise<Collector> {
  const found =
    collector_id.length <= 16 &&
    (await ctx.db.findOne(Collector, {
      where: { collector_id },
      lock: lock ? { mode: 'pessimistic_write' } : undefined,
    }));
  if (!found) throw notFound('Collector');
  return found;
}
