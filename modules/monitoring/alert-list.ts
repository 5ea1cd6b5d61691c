// How alerts are read: apart from alerts.ts, because their events carry what lists show.
import { by, is, noun, param, searched, view } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { Alert, alertStates } from './entities.ts';

export const alertNoun = noun(Alert, {
  title: 'Alert',
  filters: (its) => ({
    /** Without it, what is not resolved (MO-02). */
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

/** F-56. */
export const AlertItem = view(alertNoun, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** What a list shows that asks for no status. */
export const unresolved = is('status', ['open', 'acknowledged']);
