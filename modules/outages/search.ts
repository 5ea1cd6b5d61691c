import { searchable, view } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { Outage } from './entities.ts';
import { outageNoun } from './outages/outage-list.ts';

const only = ['outage_id', 'title', 'severity', 'status'] as const;

export default [
  searchable(Outage, {
    name: ['title'],
    main: ['description', 'notes'],
    title: ({ title }) => title,
    subtitle: ({ severity, status }) => `${severity}, ${status}`,
    found: { admin: { type: 'outages', access: ReadTickets, view: view(outageNoun, { only }) } },
  }),
];
