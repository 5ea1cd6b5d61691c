// Report sources: the CRM's records, which are personal data and therefore need the right for contacts (Z-36).
import { reportSource, view } from '@keelson/core';
import { ReadContacts, TechnicianNames } from '@keelson/modules/directory';
import { Contacts } from './contacts/contacts.ts';
import { Leads } from './leads/leads.ts';
import { OpportunityView } from './opportunities/opportunities.ts';
import { ProspectNames } from './prospects/names.ts';
import { Prospects } from './prospects/prospects.ts';

const LeadRow = view(Leads, { more: (its) => ({ assigned_name: its.name(TechnicianNames, 'assigned_to') }) });
const ContactRow = view(Contacts, {
  more: (its) => ({
    prospect_name: its.name(ProspectNames, 'prospect_id'),
    assigned_name: its.name(TechnicianNames, 'assigned_to'),
  }),
});
const ProspectRow = view(Prospects, { more: (its) => ({ assigned_name: its.name(TechnicianNames, 'assigned_to') }) });

export default [
  reportSource('admin', 'leads', {
    title: 'Leads',
    access: ReadContacts,
    view: LeadRow,
    fields: {
      lead_id: 'Lead ID',
      first_name: 'First name',
      last_name: 'Last name',
      company_name: 'Company',
      email: 'Email',
      phone: 'Phone',
      status: 'Status',
      source: 'Source',
      score: 'Score',
      assigned_name: 'Assigned to',
      converted_at: 'Converted',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'crm_contacts', {
    title: 'CRM contacts',
    access: ReadContacts,
    view: ContactRow,
    fields: {
      contact_id: 'Contact ID',
      first_name: 'First name',
      last_name: 'Last name',
      title: 'Job title',
      company_name: 'Company',
      prospect_name: 'Prospect',
      email: 'Email',
      phone: 'Phone',
      mobile: 'Mobile',
      tags: 'Tags',
      assigned_name: 'Assigned to',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'prospects', {
    title: 'Prospects',
    access: ReadContacts,
    view: ProspectRow,
    fields: {
      prospect_id: 'Prospect ID',
      name: 'Name',
      industry: 'Industry',
      status: 'Status',
      email: 'Email',
      phone: 'Phone',
      website: 'Website',
      city: 'City',
      country: 'Country',
      assigned_name: 'Assigned to',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'opportunities', {
    title: 'Opportunities',
    access: ReadContacts,
    view: OpportunityView,
    fields: {
      opportunity_id: 'Opportunity ID',
      name: 'Name',
      prospect_name: 'Prospect',
      stage: 'Stage',
      status: 'Status',
      value: { label: 'Value', type: 'money', column: 'value_minor' },
      currency: 'Currency',
      probability: 'Probability',
      expected_close_date: 'Expected close',
      lost_reason: 'Loss reason',
      closed_at: 'Closed',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
];
