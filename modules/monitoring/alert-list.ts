// Alert views and filters, separate from alerts.ts because alert events carry these views.
import { by, is, noun, param, searched, view } from '@keelson/core';
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
    search: searched(Alert),
  }),
  sorts: { created_at: by('created_at') },
});

/** Alert in lists (F-56). */
export const AlertItem = view(alertNoun, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Default status filter. */
export const unresolved = is('status', ['open', 'acknowledged']);
