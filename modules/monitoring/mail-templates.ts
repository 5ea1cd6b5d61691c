import { mailTemplate } from '@keelson/core';

/** Sent to administrators once per failure. */
export const TroubleMail = mailTemplate('installation_trouble', {
  name: 'Something in the installation does not work',
  subject: 'Your attention is needed at {{ provider_name }}',
  body: `Hello {{ recipient_name }},

something in this installation does not work:

{{ troubles }}

{{ base_url }}/admin shows the current state under Jobs and Plugins.`,
  variables: ['troubles'],
});
