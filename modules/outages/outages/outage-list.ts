// Outage views and filters, separate from outages.ts because outage events carry these views.
import { by, noun, param, searched, showOne, sql, view, z, type Context } from '@keelson/core';
import { Outage, OutageHistory } from '../entities.ts';
import { ServiceNames } from '../names.ts';

export const outageNoun = noun(Outage, {
  title: 'Outage',
  filters: (its) => ({
    /** Outages of the company and those of all companies (O-06). */
    company_number: its.by(
      param.id(),
      // Avoid OR: SQLite would combine two indexes and then sort full rows with their long texts.
      (_, id) => sql`COALESCE(outage.company_number, ${id}) = ${id}`,
    ),
    service_id: its.is('service_id'),
    status: its.is('status'),
    search: searched(Outage),
  }),
  sorts: { created_at: by('created_at') },
});

/** Outage in lists (F-48). */
export const OutageItem = view(outageNoun, {
  more: (its) => ({ service_name: its.name(ServiceNames, 'service_id') }),
});

/** Outage as customers see it, without its author and company. */
export const PortalOutage = view(outageNoun, {
  only: [
    'outage_id',
    'service_id',
    'title',
    'description',
    'severity',
    'status',
    'started_at',
    'scheduled_start',
    'scheduled_end',
    'resolved_at',
    'notes',
    'updated_at',
  ],
  more: (its) => ({ service_name: its.name(ServiceNames, 'service_id') }),
});

const HistoryItem = OutageHistory.shape.omit({ history_id: true, outage_id: true });
export const OutageDetail = OutageItem.shape.extend({ status_history: z.array(HistoryItem) });

/** Returns an outage with its history, oldest first. */
export async function readOutage(ctx: Context, outage: Outage) {
  const { outage_id } = outage;
  const status_history = await ctx.db.find(OutageHistory, { where: { outage_id }, order: { history_id: 'ASC' } });
  return { ...(await showOne(ctx, OutageItem, outage)), status_history };
}
