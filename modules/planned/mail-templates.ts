import { mailTemplate } from '@keelson/core';

/** Sent to administrators when some tickets of a date could not be created. */
export const RecurringProblemMail = mailTemplate('recurring_ticket_problem', {
  name: 'Recurring ticket has a problem',
  subject: 'The recurring ticket {{ name }} needs attention',
  body: `Hello {{ recipient_name }},

Not all tickets of {{ name }} were created as planned:

{{ problem }}

The recurring ticket is here: {{ base_url }}/admin/recurring-tickets/{{ recurring_id }}`,
  variables: ['name', 'problem', 'recurring_id'],
});

export default [RecurringProblemMail];
