import { mailTemplate } from '@keelson/core';

// Shipped mails (NW-11) of modules that do not exist yet, and the one about failing webhooks.

export const InvoiceSent = mailTemplate('invoice_sent', {
  name: 'Invoice: sent to the customer',
  subject: 'Invoice {{ invoice_number }} from {{ provider_name }}',
  body: `Hello {{ recipient_name }},

invoice {{ invoice_number }} for {{ company_name }} is ready.

Amount: {{ total }}
Due: {{ due_date }}

{{ provider_name }}`,
  variables: ['invoice_number', 'company_name', 'total', 'due_date'],
});

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
