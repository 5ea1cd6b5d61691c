import { mailTemplate } from '@keelson/core';

// Most templates are fixed: without the link in them, nobody could sign in.

export const TechnicianInvitation = mailTemplate('technician_invitation', {
  name: 'Invitation of a technician',
  fixed: true,
  subject: 'Your account at {{ provider_name }}',
  body: `Hello {{ recipient_name }},

{{ invited_by }} has made an account for you at {{ provider_name }}. Choose a password to sign in:

{{ link }}

The link works once, until {{ valid_until }}. You sign in with this e-mail address.`,
  variables: ['invited_by', 'link', 'valid_until'],
});

export const EmployeeInvitation = mailTemplate('employee_invitation', {
  name: 'Invitation to the portal',
  fixed: true,
  subject: 'Your access to the support portal of {{ provider_name }}',
  body: `Hello {{ recipient_name }},

{{ invited_by }} has given you access to the support portal of {{ provider_name }}. There you ask for help, and see how your tickets are getting on. Choose a password to sign in:

{{ link }}

The link works once, until {{ valid_until }}. You sign in with this e-mail address.`,
  variables: ['invited_by', 'link', 'valid_until'],
});

export const PasswordReset = mailTemplate('password_reset', {
  name: 'A new password',
  fixed: true,
  subject: 'Choose a new password for {{ provider_name }}',
  body: `Hello {{ recipient_name }},

somebody, probably you, has asked for a new password at {{ provider_name }}. Choose one here:

{{ link }}

The link works once, until {{ valid_until }}. If it was not you, do nothing: your password stays what it is.`,
  variables: ['link', 'valid_until'],
});

/** Sent a week before a key expires (SF-12), so that an integration does not stop overnight. */
export const KeyExpiring = mailTemplate('api_key_expiring', {
  name: 'An API key is about to expire',
  subject: 'API key "{{ key_name }}" expires on {{ expires_on }}',
  body: `Hello {{ recipient_name }},

the API key "{{ key_name }}" ({{ key_prefix }}…) expires on {{ expires_on }} and is refused from then on. It was last used: {{ last_used }}.

Make a new key at {{ base_url }} in time, put it where the old one is, and revoke the old one.`,
  variables: ['key_name', 'key_prefix', 'expires_on', 'last_used'],
});
