import { administrators, type ConsoleSheet } from '@keelson/core';
import { AccessContacts, ReadContacts, WriteContacts } from '../permissions.ts';

/** The page of a single contact. */
export const sheets: readonly ConsoleSheet[] = [
  {
    path: '/contacts/:id',
    title: 'Contact',
    access: ReadContacts,
    read: 'GET /contacts.php?id={id}',
    heading: 'first_name last_name',
    facts: [
      'company_name',
      'site_name',
      'title',
      'department',
      'email',
      'phone',
      'mobile',
      'status',
      'ismgr',
      'it_privileges',
      'can_create_tickets',
      'can_view_billing',
      'asset_edit',
      'open_tickets',
    ],
    parts: [
      {
        title: 'Assets',
        field: 'assets',
        columns: ['machine_name', 'asset_type', 'status'],
        id: 'asset_id',
        open: '/assets/:quoted',
      },
      { title: 'Manager groups', field: 'manager_groups', columns: ['name', 'code'] },
    ],
    slot: 'contact.side',
    change: {
      operation: 'PUT /contacts.php?id={id}',
      access: WriteContacts,
      fields: [
        'first_name',
        'last_name',
        'email',
        'phone',
        'mobile',
        'title',
        'department',
        'status',
        'it_privileges',
        'can_create_tickets',
        'can_view_billing',
        'asset_edit',
      ],
    },
    remove: { operation: 'DELETE /contacts.php?id={id}', access: WriteContacts },
    acts: [
      {
        title: 'Sign out everywhere',
        operation: 'DELETE /contacts.php?action=all-sessions&id={id}',
        access: administrators(WriteContacts),
        confirm: 'End all of their sessions?',
      },
      {
        title: 'Reset two-factor authentication',
        operation: 'DELETE /contacts.php?action=second-factor&id={id}',
        access: administrators(AccessContacts),
        confirm: 'Reset two-factor authentication?',
      },
    ],
  },
];
