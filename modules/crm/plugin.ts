import { definePlugin } from '@keelson/core';
import { CrmActivity } from './activities/entities.ts';
import consolePages from './console/pages.ts';
import { CrmContact, CrmContactTag } from './contacts/entities.ts';
import { CustomField, CustomFieldValue } from './custom-fields/entities.ts';
import dropdowns from './dropdowns.ts';
import events from './events.ts';
import { Lead } from './leads/entities.ts';
import live from './live.ts';
import { CrmNote } from './notes/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import permissions from './permissions.ts';
import { Prospect } from './prospects/entities.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import activities from './routes/crm/activities.ts';
import customFields from './routes/crm/custom-fields.ts';
import leads from './routes/crm/leads.ts';
import notes from './routes/crm/notes.ts';
import opportunities from './routes/crm/opportunities.ts';
import people from './routes/crm/people.ts';
import prospects from './routes/crm/prospects.ts';
import searchRoutes from './routes/crm/search.ts';
import search from './search.ts';

export default definePlugin({
  id: 'crm',
  title: 'CRM',
  description: 'Leads, opportunities, prospects, contacts, activities and notes.',
  requires: ['directory', 'reports'],
  entities: [
    Prospect,
    CrmContact,
    CrmContactTag,
    Opportunity,
    Lead,
    CrmActivity,
    CrmNote,
    CustomField,
    CustomFieldValue,
  ],
  permissions,
  search,
  events,
  dropdowns,
  live,
  reports,
  console: consolePages,
  routes: [
    ...leads,
    ...opportunities,
    ...people,
    ...prospects,
    ...activities,
    ...notes,
    ...customFields,
    ...searchRoutes,
    ...adminRoutes,
  ],
});
