import { admin } from '@keelson/core';

export const ReadCompanies = admin.permission('companies:read', 'View companies, their sites and modules');
export const WriteCompanies = admin.permission('companies:write', 'Create and update companies, sites and modules');
export const ReadContacts = admin.permission('contacts:read', 'View contacts and manager groups');
export const WriteContacts = admin.permission(
  'contacts:write',
  'Create, update and delete contacts and manager groups',
);
/** A separate permission, because control over sign-in allows impersonating any contact. */
export const AccessContacts = admin.permission(
  'contacts:access',
  'Set contacts’ passwords, sign-in emails and permissions, and manager group members',
);
