import { searchable, view } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { CompanyNames } from '@keelson/modules/directory';
import { alertNoun } from './alert-list.ts';
import { Alert } from './entities.ts';

const only = ['alert_id', 'alert_type', 'severity', 'status', 'message'] as const;

export default [
  searchable(Alert, {
    name: ['alert_type'],
    main: ['message', 'source'],
    facets: ['status', 'severity'],
    title: ({ message }) => message,
    subtitle: ({ severity, status }) => `${severity}, ${status}`,
    found: {
      admin: {
        type: 'alerts',
        access: ReadAssets,
        view: view(alertNoun, { only, more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }) }),
      },
    },
  }),
];
