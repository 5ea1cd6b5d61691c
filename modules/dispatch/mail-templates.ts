import { mailTemplate } from '@keelson/core';

const variables = ['what', 'when', 'technician_name', 'ticket_number', 'subject', 'note'] as const;
const facts = `{{ what }} by {{ technician_name }}
{{ when }}
Ticket #{{ ticket_number }}: {{ subject }}
{{ note }}`;

/** Sent to a contact who is to confirm an appointment. */
export const AppointmentAskedMail = mailTemplate('appointment_asked', {
  name: 'Appointment to confirm',
  subject: '[#{{ ticket_number }}] {{ what }}: {{ when }}',
  body: `Hello {{ recipient_name }},

we would like to agree on this appointment:

${facts}

Confirm or decline it:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

/** Sent when a confirmed or proposed appointment gets another time. */
export const AppointmentMovedMail = mailTemplate('appointment_moved', {
  name: 'Appointment moved',
  subject: '[#{{ ticket_number }}] Moved: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

the appointment was moved. It is now:

${facts}

Confirm or decline it:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

export const AppointmentCancelledMail = mailTemplate('appointment_cancelled', {
  name: 'Appointment cancelled',
  subject: '[#{{ ticket_number }}] Cancelled: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

this appointment was cancelled:

${facts}

{{ provider_name }}`,
  variables: [...variables],
});

export default [AppointmentAskedMail, AppointmentMovedMail, AppointmentCancelledMail];
