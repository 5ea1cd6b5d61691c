import { mailTemplate } from '@keelson/core';

/** Sent to administrators once per failure. */
export const TroubleMail = mailTemplate('installation_trouble', {
  name: 'Installation problem',
  subject: '{{ provider_name }} needs attention',
  body: `Hello {{ recipient_name }},

Something in this installation is not working:

{{ troubles }}

{{ base_url }}/admin shows the current status under Jobs and Plugins.`,
  variables: ['troubles'],
});
