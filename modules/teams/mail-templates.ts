import { mailTemplate } from '@keelson/core';

/** Notifies about a ticket that no one has acknowledged. */
export const EscalationMail = mailTemplate('ticket_escalated', {
  name: 'Escalation of a ticket',
  subject: 'Escalated: [#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

Ticket #{{ ticket_number }} of team {{ team_name }} needs somebody now.

{{ subject }}
{{ ticket_url }}

Acknowledge that you look after it, so that nobody else is notified:
{{ acknowledge_url }}

{{ provider_name }}`,
  variables: ['team_name', 'ticket_number', 'subject', 'ticket_url', 'acknowledge_url'],
});
