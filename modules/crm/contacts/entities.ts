import { id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Prospect } from '../prospects/entities.ts';

/**
 * A person of the CRM: "contact" everywhere but in the path /people (N-08). Cannot sign in, unlike a customer's
 * employee (N-07).
 */
export const CrmContact = table(
  'crm_contact',
  {
    contact_id: id(),
    prospect_id: ref(Prospect).nullable(),
    /** The prospect, or 0 without one: a counter's dimension cannot be null. */
    account: int().default(0).hidden(),
    /**
     * The lead it was converted from. No foreign key: leads refer to contacts, so the tables would depend on each
     * other.
     */
    lead_id: int().nullable(),
    first_name: text(255).default(''),
    last_name: text(255).default(''),
    email: text(254).default(''),
    /** The normalised address; unique until the contact is deleted (V-25, V-28). */
    email_key: key(254).nullable().unique().hidden(),
    phone: text(32).default(''),
    mobile: text(32).default(''),
    title: text(255).default('').titled('Job title'),
    company_name: text(255).default(''),
    tags: json(z.array(z.string())).default([]),
    assigned_to: ref(Technician).nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['last_name', 'first_name', 'contact_id', 'deleted_at'],
    ['account', 'last_name', 'first_name', 'contact_id', 'deleted_at'],
    ['prospect_id'],
    ['assigned_to'],
    ['lead_id'],
  ],
);
export type CrmContact = Row<typeof CrmContact>;

/** A contact's normalised tags, for the list filter (P-32). */
export const CrmContactTag = table(
  'crm_contact_tag',
  { contact_id: ref(CrmContact).primary(), tag: key(64).primary() },
  [['tag', 'contact_id']],
);
