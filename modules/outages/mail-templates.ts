import { mailTemplate } from '@keelson/core';

/** Outage update to affected people (O-02). */
export const OutageUpdateMail = mailTemplate('outage_update', {
  name: 'Outage update',
  subject: '{{ title }}: {{ status }}',
  body: `Hello {{ recipient_name }},

Here is an update on an outage that affects {{ company_name }}.

{{ title }}
Status: {{ status }}
Services: {{ services }}

{{ message }}

{{ provider_name }}`,
  variables: ['title', 'status', 'services', 'message', 'company_name'],
});
