import { crm, type Access, type CrmCaller } from '@keelson/core';
import type { Permission } from '@keelson/core/plugin';
import type { EntityType } from './entity-types.ts';

export const ReadLeads = crm.permission('leads:read', 'View leads');
export const WriteLeads = crm.permission('leads:write', 'Create, update and convert leads');
export const DeleteLeads = crm.permission('leads:delete', 'Delete leads');
export const ReadContacts = crm.permission('contacts:read', 'View contacts');
export const WriteContacts = crm.permission('contacts:write', 'Create, update and delete contacts');
export const ReadOpportunities = crm.permission('opportunities:read', 'View opportunities');
export const WriteOpportunities = crm.permission(
  'opportunities:write',
  'Create, move, update and delete opportunities',
);
export const ReadProspects = crm.permission('prospects:read', 'View prospects');
export const WriteProspects = crm.permission('prospects:write', 'Create, update, convert and delete prospects');
export const ReadActivities = crm.permission('activities:read', 'View activities and notes');
export const WriteActivities = crm.permission('activities:write', 'Create, update and delete activities and notes');

/** The permission for one type of entity (Z-54, Z-56). */
export const readerOf: Readonly<Record<EntityType, Permission<CrmCaller>>> = Object.freeze({
  lead: ReadLeads,
  contact: ReadContacts,
  opportunity: ReadOpportunities,
  prospect: ReadProspects,
});
export const writerOf: Readonly<Record<EntityType, Permission<CrmCaller>>> = Object.freeze({
  lead: WriteLeads,
  contact: WriteContacts,
  opportunity: WriteOpportunities,
  prospect: WriteProspects,
});

const anyOf = (of: Readonly<Record<EntityType, Permission<CrmCaller>>>, title: string): Access<CrmCaller> =>
  Object.freeze({ title, allows: (actor: CrmCaller) => Object.values(of).some((each) => each.allows(actor)) });

/** Sufficient to enter the route; custom-fields.ts and search.ts check the permission for the entity type. */
export const readSomeArea = anyOf(readerOf, '<entity area>:read');
export const writeSomeArea = anyOf(writerOf, '<entity area>:write');
export const searchSomeArea = anyOf(readerOf, 'secret key; per type :read');
/** The conversion also needs `:write` of each record that it creates (Z-50), which convert-lead.ts checks. */
export const convertLeads: Access<CrmCaller> = Object.freeze({
  ...WriteLeads,
  title: 'leads:write + :write of each record made',
});

export default [
  ReadLeads,
  WriteLeads,
  DeleteLeads,
  ReadContacts,
  WriteContacts,
  ReadOpportunities,
  WriteOpportunities,
  ReadProspects,
  WriteProspects,
  ReadActivities,
  WriteActivities,
];
