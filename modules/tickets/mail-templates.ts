import { mailTemplate } from '@keelson/core';

const ofTicket = ['ticket_id', 'ticket_number', 'subject', 'status', 'priority', 'job_type', 'company_name'] as const;

export const TicketCreatedMail = mailTemplate('ticket_created', {
  name: 'Ticket opened',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `{{ reply_line }}

Hello {{ recipient_name }},

We opened ticket #{{ ticket_number }} for you.

{{ subject }}

{{ description }}

We’ll keep you updated. View the ticket: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'reply_line', 'description', 'author_name'],
});

export const TicketClosedMail = mailTemplate('ticket_closed', {
  name: 'Ticket closed',
  subject: '[#{{ ticket_number }}] Closed: {{ subject }}',
  body: `{{ reply_line }}

Hello {{ recipient_name }},

Ticket #{{ ticket_number }} “{{ subject }}” was closed by {{ author_name }}.

{{ comment }}

If something is still wrong, reopen it: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ survey }}

{{ provider_name }}`,
  variables: [...ofTicket, 'reply_line', 'comment', 'author_name', 'survey'],
});

export const TicketCommentMail = mailTemplate('ticket_comment', {
  name: 'New comment on a ticket',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `{{ reply_line }}

Hello {{ recipient_name }},

{{ author_name }} commented on ticket #{{ ticket_number }} “{{ subject }}”:

{{ comment }}

View the ticket: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'reply_line', 'comment', 'author_name'],
});

export const TicketWatchedMail = mailTemplate('ticket_watched', {
  name: 'Added as a ticket watcher',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `{{ reply_line }}

Hello {{ recipient_name }},

{{ author_name }} added you to ticket #{{ ticket_number }} “{{ subject }}”. You will receive replies by mail.

{{ description }}

View the ticket: {{ base_url }}/helpdesk/tickets/{{ ticket_number }}

{{ provider_name }}`,
  variables: [...ofTicket, 'reply_line', 'description', 'author_name'],
});

export const ApprovalRequestedMail = mailTemplate('approval_requested', {
  name: 'Ticket approval needed',
  subject: 'Approval needed: [#{{ ticket_number }}] {{ subject }}',
  body: `Hello {{ recipient_name }},

{{ requester_name }} submitted a request that needs your approval.

Ticket #{{ ticket_number }}: {{ subject }}
Job type: {{ job_type }}

{{ description }}

Approve or reject it without signing in: {{ approval_link }}
The link is personal. Please do not forward it.

{{ provider_name }}`,
  variables: [...ofTicket, 'description', 'requester_name', 'approval_link'],
});

/** Tells a technician what happened to a ticket. Their reply is one to the customer, as the mail says. */
export const TechnicianMail = mailTemplate('ticket_technician', {
  name: 'Ticket news for a technician',
  subject: '[#{{ ticket_number }}] {{ subject }}',
  body: `{{ reply_line }}

Hello {{ recipient_name }},

{{ news }}

{{ text }}

{{ company_name }}
{{ ticket_url }}

{{ reply_hint }}

{{ provider_name }}`,
  variables: [...ofTicket, 'reply_line', 'news', 'text', 'ticket_url', 'reply_hint'],
});

/** The mails to a ticket's requester and watchers, which a sender may override with its own templates. */
export const ticketMails = [TicketCreatedMail, TicketCommentMail, TicketClosedMail, TicketWatchedMail] as const;

export default [
  TicketCreatedMail,
  TicketClosedMail,
  TicketCommentMail,
  TicketWatchedMail,
  ApprovalRequestedMail,
  TechnicianMail,
];
