import { mailTemplate } from '@keelson/core';

const ofMilestone = ['project_name', 'milestone_name', 'company_name', 'author_name', 'comment'] as const;
const ofItem = ['project_name', 'item_title', 'company_name', 'author_name', 'comment'] as const;

export const MilestoneApprovalMail = mailTemplate('milestone_approval_requested', {
  name: 'Milestone approval needed',
  subject: 'Approval needed: {{ milestone_name }} ({{ project_name }})',
  body: `Hello {{ recipient_name }},

A milestone in the project “{{ project_name }}” is ready for your approval: {{ milestone_name }}.

{{ description }}

{{ comment }}

Amount: {{ amount }}

Approve or reject it here, or ask for more information: {{ base_url }}/helpdesk/approvals

{{ provider_name }}`,
  variables: [...ofMilestone, 'description', 'amount'],
});

export const MilestoneDecidedMail = mailTemplate('milestone_decided', {
  name: 'Milestone decision (to project manager)',
  subject: '{{ milestone_name }}: {{ decision }}',
  body: `Hello {{ recipient_name }},

{{ company_name }}, project “{{ project_name }}”, milestone “{{ milestone_name }}”: {{ decision }} by {{ author_name }}.

{{ comment }}

{{ provider_name }}`,
  variables: [...ofMilestone, 'decision'],
});

export const PunchItemMail = mailTemplate('punch_item_news', {
  name: 'Punch-list update (to project manager)',
  subject: '{{ project_name }}: {{ item_title }}',
  body: `Hello {{ recipient_name }},

{{ author_name }} of {{ company_name }} commented on “{{ item_title }}” in the project “{{ project_name }}”. Its status is {{ status }}.

{{ comment }}

{{ provider_name }}`,
  variables: [...ofItem, 'status'],
});

export const PunchItemReadyMail = mailTemplate('punch_item_ready', {
  name: 'Punch-list item ready for review',
  subject: 'Ready for review: {{ item_title }}',
  body: `Hello {{ recipient_name }},

“{{ item_title }}” in the project “{{ project_name }}” is done.

{{ comment }}

Please accept it in the portal or tell us what is still missing.
{{ provider_name }}`,
  variables: ofItem,
});

export const PunchListMail = mailTemplate('punch_list_submitted', {
  name: 'Punch-list items submitted (to project manager)',
  subject: '{{ project_name }}: {{ items }} punch-list items',
  body: `Hello {{ recipient_name }},

{{ author_name }} of {{ company_name }} submitted {{ items }} items in the project “{{ project_name }}”:

{{ list }}

{{ provider_name }}`,
  variables: ['project_name', 'company_name', 'author_name', 'items', 'list'],
});

export default [MilestoneApprovalMail, MilestoneDecidedMail, PunchItemMail, PunchItemReadyMail, PunchListMail];
