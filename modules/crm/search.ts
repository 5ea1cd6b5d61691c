import { searchable, view, type Context, type Table } from '@keelson/core';
import type { SearchTexts } from '@keelson/core/search';
import { Contacts } from './contacts/contacts.ts';
import { CrmContact } from './contacts/entities.ts';
import { contactName } from './contacts/names.ts';
import { fieldTexts, noFields, readFields } from './custom-fields/custom-values.ts';
import type { EntityType } from './entity-types.ts';
import { Lead } from './leads/entities.ts';
import { Leads } from './leads/leads.ts';
import { leadName } from './leads/names.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Opportunities } from './opportunities/opportunities.ts';
import { ReadContacts, ReadLeads, ReadOpportunities, ReadProspects } from './permissions.ts';
import { Prospect } from './prospects/entities.ts';
import { Prospects } from './prospects/prospects.ts';

/** Includes the values of custom fields in the search. */
function withFields(type: EntityType, { primary }: Table) {
  return async (ctx: Context, rows: readonly object[]) => {
    const idOf = (row: object) => Number(Reflect.get(row, primary));
    const fields = await readFields(ctx, type, rows.map(idOf));
    return (row: object): SearchTexts => ({ more: fieldTexts(fields.get(idOf(row)) ?? noFields) });
  };
}

export default [
  searchable(Lead, {
    main: ['first_name', 'last_name', 'email', 'company_name'],
    more: ['phone'],
    texts: withFields('lead', Lead),
    title: leadName,
    subtitle: ({ company_name, email }) => company_name || email,
    found: { crm: { type: 'lead', access: ReadLeads, view: view(Leads, { only: ['lead_id'] }) } },
  }),
  searchable(CrmContact, {
    main: ['first_name', 'last_name', 'email', 'company_name'],
    more: ['phone', 'mobile', 'title', 'tags'],
    texts: withFields('contact', CrmContact),
    title: contactName,
    subtitle: ({ company_name, email }) => company_name || email,
    found: { crm: { type: 'contact', access: ReadContacts, view: view(Contacts, { only: ['contact_id'] }) } },
  }),
  searchable(Opportunity, {
    main: ['name'],
    texts: withFields('opportunity', Opportunity),
    title: ({ name }) => name,
    subtitle: ({ stage }) => stage,
    found: {
      crm: { type: 'opportunity', access: ReadOpportunities, view: view(Opportunities, { only: ['opportunity_id'] }) },
    },
  }),
  searchable(Prospect, {
    main: ['name'],
    more: ['email', 'phone', 'website', 'industry', 'address', 'city', 'state', 'zip', 'country'],
    texts: withFields('prospect', Prospect),
    title: ({ name }) => name,
    subtitle: ({ industry, city }) => [industry, city].filter(Boolean).join(', '),
    found: { crm: { type: 'prospect', access: ReadProspects, view: view(Prospects, { only: ['prospect_id'] }) } },
  }),
];
