import { choice, counted, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { CrmContact } from '../contacts/entities.ts';
import { Opportunity } from '../opportunities/entities.ts';
import { Prospect } from '../prospects/entities.ts';

export const leadStatuses = ['new', 'contacted', 'qualified', 'unqualified', 'converted'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

export const Lead = table(
  'lead',
  {
    lead_id: id(),
    first_name: text(255).default(''),
    last_name: text(255).default(''),
    email: text(254).default(''),
    /** The normalised address; null once the lead is converted, unqualified or deleted (V-25, V-28). */
    email_key: key(254).nullable().unique().hidden(),
    phone: text(32).default(''),
    company_name: text(255).default(''),
    status: choice(...leadStatuses).default('new'),
    source: text(255),
    score: int().default(0),
    assigned_to: ref(Technician).nullable(),
    form_type: text(255).default(''),
    /** The answers of a form, unchanged (C-02). */
    raw_payload: json(z.record(z.string(), z.string())),
    contact_id: ref(CrmContact).nullable(),
    prospect_id: ref(Prospect).nullable(),
    opportunity_id: ref(Opportunity).nullable(),
    converted_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'lead_id', 'deleted_at'],
    ['status', 'created_at', 'lead_id', 'deleted_at'],
    ['source', 'created_at', 'lead_id', 'deleted_at'],
    ['assigned_to', 'created_at', 'lead_id', 'deleted_at'],
    ['score', 'created_at', 'lead_id', 'deleted_at'],
    ['updated_at', 'lead_id', 'status', 'deleted_at'],
    ['first_name', 'lead_id', 'status', 'deleted_at'],
    ['last_name', 'lead_id', 'status', 'deleted_at'],
    ['email', 'lead_id', 'status', 'deleted_at'],
    ['company_name', 'lead_id', 'status', 'deleted_at'],
    ['contact_id'],
    ['prospect_id'],
    ['opportunity_id'],
  ],
);
export type Lead = Row<typeof Lead>;

export const LeadCount = counted({ of: Lead, dimensions: ['status'] });
