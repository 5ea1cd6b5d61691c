import { mailTemplate } from '@keelson/core';

// Most templates are fixed: without the link in them, no one could sign in.

export const TechnicianInvitation = mailTemplate('technician_invitation', {
  name: 'Technician invitation',
  fixed: true,
  subject: 'Your account at {{ provider_name }}',
  body: `Hello {{ recipient_name }},

{{ invited_by }} has created an account for you at {{ provider_name }}. Choose a password to get started:

{{ link }}

The link works once and expires on {{ valid_until }}. Your sign-in is this email address.`,
  variables: ['invited_by', 'link', 'valid_until'],
});

export const EmployeeInvitation = mailTemplate('employee_invitation', {
  name: 'Portal invitation',
  fixed: true,
  subject: 'Your access to the {{ provider_name }} support portal',
  body: `Hello {{ recipient_name }},

{{ invited_by }} has given you access to the {{ provider_name }} support portal, where you can ask for help and follow your tickets. Choose a password to get started:

{{ link }}

The link works once and expires on {{ valid_until }}. Your sign-in is this email address.`,
  variables: ['invited_by', 'link', 'valid_until'],
});

export const PasswordReset = mailTemplate('password_reset', {
  name: 'Password reset',
  fixed: true,
  subject: 'Reset your {{ provider_name }} password',
  body: `Hello {{ recipient_name }},

Someone, probably you, asked to reset your {{ provider_name }} password. Choose a new one here:

{{ link }}

The link works once and expires on {{ valid_until }}. If this wasn’t you, ignore this mail: your password will not change.`,
  variables: ['link', 'valid_until'],
});

/** Sent a week before a key expires (SF-12), so that an integration does not stop overnight. */
export const KeyExpiring = mailTemplate('api_key_expiring', {
  name: 'API key expiring soon',
  subject: 'API key "{{ key_name }}" expires on {{ expires_on }}',
  body: `Hello {{ recipient_name }},

The API key "{{ key_name }}" ({{ key_prefix }}…) expires on {{ expires_on }} and will be rejected after that. Last used: {{ last_used }}.

Before then, create a new key at {{ base_url }}, replace the old one wherever it is used, and revoke it.`,
  variables: ['key_name', 'key_prefix', 'expires_on', 'last_used'],
});
