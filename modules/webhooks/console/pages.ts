import { administrators, consolePart } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';

const Read = administrators(ReadSettings);

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/webhooks/new', title: 'New webhook', file: 'create-webhook', access: administrators(WriteSettings) },
    { path: '/webhooks/:id', title: 'Webhook', file: 'webhook-page', access: Read },
  ],
  lists: [
    {
      path: '/webhooks',
      title: 'Webhooks',
      access: Read,
      nav: { section: 'administration', icon: 'webhook', order: 40 },
      list: 'GET /webhooks.php',
      id: 'webhook_id',
      columns: ['url', 'active', 'events', 'last_status', 'failure_count', 'last_delivery_at'],
      open: '/webhooks/:id',
      createPage: { title: 'New webhook', path: '/webhooks/new' },
      empty: 'No webhooks yet. Webhooks notify other systems when something happens here.',
    },
  ],
});
