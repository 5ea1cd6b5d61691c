import { mailTemplate } from '@keelson/core';

/** Tells a technician that received mail waits for a decision. */
export const MailHeldMail = mailTemplate('mail_held', {
  name: 'Mail waiting for review',
  subject: 'Mail waiting for review: {{ subject }}',
  body: `Hello {{ recipient_name }},

Mail from {{ sender }} is waiting for review. {{ reason }}.

{{ subject }}

Decide what to do with it: {{ mail_url }}

{{ provider_name }}`,
  variables: ['sender', 'subject', 'reason', 'mail_url'],
});

export default [MailHeldMail];
