import { mailTemplate } from '@keelson/core';

export const WebhookDisabled = mailTemplate('webhook_disabled', {
  name: 'Webhook: deliveries fail',
  subject: 'Webhook {{ webhook_name }}: {{ state }}',
  body: `Hello {{ recipient_name }},

deliveries to the webhook {{ webhook_name }} fail since {{ failing_since }}.

State: {{ state }}
Address: {{ url }}
Last answer: {{ error }}

It can be switched on again in the settings, under webhooks.`,
  variables: ['webhook_name', 'url', 'state', 'failing_since', 'error'],
});
