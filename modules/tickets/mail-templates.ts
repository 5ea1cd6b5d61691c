import { mailTemplate } from '@keelson/core';

const ofTicket = ['ticket_id', 'ticket_number', 'subject', 'status', 'priority', 'job_type', 'company_name'] as const;

export const TicketCreatedMail = mailTemplate('ticket_created', {
  name: 'Ticket: opened for the requester',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

ticket #{{ ticket_number }} was opened for you.

{{ subject }}

{{ description }}

We will let you know how it goes on. It is here: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'description', 'author_name'],
});

export const TicketClosedMail = mailTemplate('ticket_closed', {
  name: 'Ticket: closed',
  subject: '[#{{ ticket_number }}] Closed: {{ subject }}',
  body: `Hello {{ recipient_name }},

ticket #{{ ticket_number }} “{{ subject }}” was closed by {{ author_name }}.

{{ comment }}

You can open it again if something is left to do: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'comment', 'author_name'],
});

export const TicketCommentMail = mailTemplate('ticket_comment', {
  name: 'Ticket: a comment for the requester',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

{{ author_name }} wrote about ticket #{{ ticket_number }} “{{ subject }}”:

{{ comment }}

The whole ticket: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'comment', 'author_name'],
});

export const TicketWatchedMail = mailTemplate('ticket_watched', {
  name: 'Ticket: added as a watcher',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

{{ author_name }} added you to ticket #{{ ticket_number }} “{{ subject }}”. You will receive its replies.

{{ description }}

The whole ticket: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'description', 'author_name'],
});

export const ApprovalRequestedMail = mailTemplate('approval_requested', {
  name: 'Ticket: approval needed',
  subject: 'Approval needed: [#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

{{ requester_name }} asks for something that needs your approval.

Ticket #{{ ticket_number }}: {{ subject }}
Job type: {{ job_type }}

{{ description }}

Approve or reject it here: {{ base_url }}/helpdesk/approvals

{{ provider_name }}`,
  variables: [...ofTicket, 'description', 'requester_name'],
});

export default [TicketCreatedMail, TicketClosedMail, TicketCommentMail, TicketWatchedMail, ApprovalRequestedMail];
