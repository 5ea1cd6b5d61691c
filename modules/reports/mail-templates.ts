import { mailTemplate } from '@keelson/core';

export const ScheduledReportMail = mailTemplate('scheduled_report', {
  name: 'Report: as scheduled',
  subject: '{{ report_name }}',
  body: `Hello {{ recipient_name }},

here is the report {{ report_name }} of {{ due_at }}, which {{ owner_name }} has scheduled.

{{ note }}

{{ provider_name }}`,
  variables: ['report_name', 'due_at', 'owner_name', 'note'],
});
