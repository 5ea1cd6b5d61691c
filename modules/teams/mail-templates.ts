import { mailTemplate } from '@keelson/core';

/** Notifies about a ticket that no one has acknowledged. */
export const EscalationMail = mailTemplate('ticket_escalated', {
  name: 'Ticket escalated',
  subject: 'Escalated: [#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

Ticket #{{ ticket_number }} of the team {{ team_name }} needs attention now.

{{ subject }}
{{ ticket_url }}

Acknowledge it if you are taking care of it, so that nobody else is notified:
{{ acknowledge_url }}

{{ provider_name }}`,
  variables: ['team_name', 'ticket_number', 'subject', 'ticket_url', 'acknowledge_url'],
});
