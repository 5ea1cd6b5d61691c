import { mailTemplate } from '@keelson/core';

/** Mail with subject and body from the workflow. */
export const WorkflowMail = mailTemplate('workflow_message', {
  name: 'Workflow message',
  subject: '{{ message_subject }}',
  body: '{{ message_body }}',
  variables: ['message_subject', 'message_body'],
  fixed: true,
});
