// Alert views and filters, separate from alerts.ts because alert events carry these views.
import { by, is, listed, noun, param, searched, sql, toDatabase, view, z, type Context, type Sql } from '@keelson/core';
import { AssetNames } from '@keelson/modules/assets';
import { CompanyNames } from '@keelson/modules/directory';
import { Alert, alertStates } from './entities.ts';

export const alertNoun = noun(Alert, {
  title: 'Alert',
  filters: (its) => ({
    /** Defaults to unresolved alerts (MO-02). */
    status: its.by(param.choice([...alertStates, 'all']), (_ctx, status) =>
      status === 'all' ? undefined : is('status', status),
    ),
    severity: its.is('severity'),
    company_number: its.is('company_number'),
    collector_id: its.is('collector_id'),
    asset_id: its.is('asset_id', param.id()),
    muted: its.by(param.choice(['yes', 'no']), (ctx, muted) =>
      muted === 'yes' ? isMuted(ctx) : sql`NOT ${isMuted(ctx)}`,
    ),
    search: searched(Alert),
  }),
  sorts: { created_at: by('created_at') },
});

/** Alert in lists (F-56). */
export const AlertItem = view(alertNoun, {
  except: ['muted_until'],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    machine_name: its.name(AssetNames, 'asset_id'),
    /** Null once it is over. */
    muted_until: its.asOf(
      z.iso.datetime().nullable(),
      'muted_until',
      ({ now }) =>
        (at) =>
          at > now ? at : null,
      null,
    ),
  }),
});

const unresolvedStates = ['open', 'acknowledged'] as const;

/** Default status filter. */
export const unresolved = is('status', unresolvedStates);
export const unresolvedSql = sql`status IN ${listed(unresolvedStates)}`;

/** SQL condition for alerts that are muted now. */
export function isMuted({ now }: Context): Sql {
  return sql`(muted_until IS NOT NULL AND muted_until > ${toDatabase(now)})`;
}
