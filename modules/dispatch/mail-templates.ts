import { mailTemplate } from '@keelson/core';

const variables = ['what', 'when', 'technician_name', 'ticket_number', 'subject', 'note'] as const;
const facts = `{{ what }} by {{ technician_name }}
{{ when }}
Ticket #{{ ticket_number }}: {{ subject }}
{{ note }}`;

/** Asks a contact to confirm an appointment. */
export const AppointmentAskedMail = mailTemplate('appointment_asked', {
  name: 'Appointment to confirm',
  subject: '[#{{ ticket_number }}] {{ what }}: {{ when }}',
  body: `Hello {{ recipient_name }},

We would like to schedule this appointment:

${facts}

Confirm or decline it:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

/** Sent when a confirmed or proposed appointment is moved. */
export const AppointmentMovedMail = mailTemplate('appointment_moved', {
  name: 'Appointment moved',
  subject: '[#{{ ticket_number }}] Moved: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

The appointment has been moved. It is now:

${facts}

Confirm or decline it:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

/** Sent when the contact has moved an appointment. */
export const AppointmentAgreedMail = mailTemplate('appointment_agreed', {
  name: 'Appointment moved by the contact',
  subject: '[#{{ ticket_number }}] Confirmed: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

You moved the appointment. It is now:

${facts}

Move or decline it:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

/** Sent when another technician takes over an appointment that is not moved. */
export const AppointmentReassignedMail = mailTemplate('appointment_reassigned', {
  name: 'Appointment with another technician',
  subject: '[#{{ ticket_number }}] Another technician: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

Another technician will take this appointment. The time has not changed:

${facts}

View the appointment:
{{ answer_url }}

{{ provider_name }}`,
  variables: [...variables, 'answer_url'],
});

export const AppointmentCancelledMail = mailTemplate('appointment_cancelled', {
  name: 'Appointment cancelled',
  subject: '[#{{ ticket_number }}] Cancelled: {{ what }}, {{ when }}',
  body: `Hello {{ recipient_name }},

This appointment has been cancelled:

${facts}

{{ provider_name }}`,
  variables: [...variables],
});

export default [
  AppointmentAskedMail,
  AppointmentMovedMail,
  AppointmentAgreedMail,
  AppointmentReassignedMail,
  AppointmentCancelledMail,
];
