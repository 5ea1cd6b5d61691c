import { mailTemplate } from '@keelson/core';

export const ScheduledReportMail = mailTemplate('scheduled_report', {
  name: 'Scheduled report',
  subject: '{{ report_name }}',
  body: `Hello {{ recipient_name }},

Here is the report {{ report_name }} from {{ due_at }}, scheduled by {{ owner_name }}.

{{ note }}

{{ provider_name }}`,
  variables: ['report_name', 'due_at', 'owner_name', 'note'],
});
