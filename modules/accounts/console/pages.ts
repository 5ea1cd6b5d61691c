import { administrators, anyCredential, consolePart } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';

const Administer = administrators(WriteSettings);

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/me', title: 'My account', file: 'me', access: anyCredential },
    { path: '/keys/new', title: 'New API key', file: 'create-key', access: Administer },
  ],
  panels: [
    { slot: 'contact.side', title: 'Portal access', file: 'portal-access-panel', access: ReadContacts, order: 5 },
    { slot: 'settings.card', title: 'Identity providers', file: 'providers-card', access: ReadSettings, order: 30 },
  ],
  lists: [
    {
      path: '/staff',
      title: 'Staff',
      rows: 'technicians',
      access: ReadSettings,
      nav: { section: 'administration', icon: 'users', order: 20 },
      list: 'GET /technicians.php',
      id: 'user_id',
      columns: ['name', 'email', 'role', 'status', 'active', 'invitation_pending', 'last_activity_at'],
      filters: ['role', 'active'],
      open: '/staff/:id',
      create: { title: 'Invite technician', operation: 'POST /technicians.php', access: Administer },
    },
    {
      path: '/keys',
      title: 'API keys',
      access: ReadSettings,
      nav: { section: 'administration', icon: 'key', order: 30 },
      list: 'GET /settings/api-keys.php',
      id: 'key_id',
      columns: ['name', 'type', 'prefix', 'state', 'permissions', 'last_used_at', 'expires_at'],
      open: '/keys/:id',
      createPage: { title: 'New key', path: '/keys/new' },
      empty: 'API keys give integrations access to the permissions you choose.',
    },
  ],
  sheets: [
    {
      path: '/staff/:id',
      title: 'Technician',
      access: ReadSettings,
      read: 'GET /technicians.php?id={id}',
      heading: 'name',
      facts: ['email', 'role', 'status', 'active', 'invitation_pending', 'last_activity_at', 'created_at'],
      change: { operation: 'PUT /technicians.php?id={id}', access: Administer },
      remove: { operation: 'DELETE /technicians.php?id={id}', access: Administer },
      acts: [
        {
          title: 'Resend invitation',
          operation: 'POST /technicians.php?action=invite&id={id}',
          access: Administer,
          when: { invitation_pending: [true] },
        },
        {
          title: 'Sign out everywhere',
          operation: 'DELETE /technicians.php?action=all-sessions&id={id}',
          access: Administer,
          confirm: 'End all of their sessions?',
        },
        {
          title: 'Reset two-factor authentication',
          operation: 'DELETE /technicians.php?action=second-factor&id={id}',
          access: Administer,
          confirm: 'Reset two-factor authentication?',
        },
        {
          title: 'Unlink identity providers',
          operation: 'DELETE /technicians.php?action=linked-identities&id={id}',
          access: Administer,
          confirm: 'Unlink all identity providers? They can link one again at their next sign-in.',
        },
      ],
    },
    {
      path: '/keys/:id',
      title: 'API key',
      access: ReadSettings,
      read: 'GET /settings/api-keys.php?id={id}',
      heading: 'name',
      facts: [
        'type',
        'prefix',
        'state',
        'permissions',
        'rate_limit_per_minute',
        'allowed_origins',
        'allowed_addresses',
        'allow_reveal',
        'granted_by',
        'expires_at',
        'last_used_at',
        'created_at',
      ],
      change: {
        operation: 'PUT /settings/api-keys.php?id={id}',
        access: Administer,
        fields: ['name', 'permissions', 'rate_limit_per_minute', 'allowed_origins', 'allowed_addresses'],
      },
      remove: { title: 'Revoke', operation: 'DELETE /settings/api-keys.php?id={id}', access: Administer },
    },
  ],
  records: [
    {
      type: 'technician',
      title: 'Technician',
      path: '/staff/:id',
      icon: 'user',
      access: ReadSettings,
      read: 'GET /technicians.php?id={id}',
      find: 'GET /technicians.php',
      name: 'name',
      id: 'user_id',
    },
  ],
});
