import { mailTemplate } from '@keelson/core';

// Their words are fixed: without the link nobody could come in.

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

export const PasswordChanged = mailTemplate('password_changed', {
  name: 'The password was changed',
  fixed: true,
  subject: 'Your password for {{ provider_name }} was changed',
  body: `Hello {{ recipient_name }},

your password at {{ provider_name }} was changed with a link that was sent to this address, and all sessions were ended.

If it was not you, tell {{ provider_name }} at once.`,
  variables: [],
});
