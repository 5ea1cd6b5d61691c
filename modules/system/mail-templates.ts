import { mailTemplate } from '@keelson/core';

export const WebhookDisabled = mailTemplate('webhook_disabled', {
  name: 'Webhook deliveries failing',
  subject: 'Webhook {{ webhook_name }}: {{ state }}',
  body: `Hello {{ recipient_name }},

Deliveries to the webhook {{ webhook_name }} have been failing since {{ failing_since }}.

Status: {{ state }}
URL: {{ url }}
Last response: {{ error }}

You can enable it again under Settings > Webhooks.`,
  variables: ['webhook_name', 'url', 'state', 'failing_since', 'error'],
});
