import { mailTemplate } from '@keelson/core';

/** Tells a technician that received mail waits for a decision. */
export const MailHeldMail = mailTemplate('mail_held', {
  name: 'Mail waits for review',
  subject: 'Mail waits for review: {{ subject }}',
  body: `Hello {{ recipient_name }},

Mail from {{ sender }} waits for review. {{ reason }}.

{{ subject }}

Decide what becomes of it: {{ mail_url }}

{{ provider_name }}`,
  variables: ['sender', 'subject', 'reason', 'mail_url'],
});

export default [MailHeldMail];
