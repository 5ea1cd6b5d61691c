import { mailTemplate } from '@keelson/core';

/** Sent to administrators through a different mailbox. */
export const MailboxLateMail = mailTemplate('mailbox_late', {
  name: 'Emails to a mailbox are not arriving',
  subject: 'Emails to {{ address }} are not arriving',
  body: `Hello {{ recipient_name }},

Emails to {{ address }} have not arrived since {{ since }}. {{ reason }}

Customers may be waiting for an answer. The mailbox is here: {{ base_url }}/admin/mailboxes/{{ mailbox_id }}`,
  variables: ['address', 'since', 'reason', 'mailbox_id'],
});

export default [MailboxLateMail];
