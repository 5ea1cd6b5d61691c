import { mailTemplate } from '@keelson/core';

export const SecurityChange = mailTemplate('security_change', {
  name: 'Sign-in methods changed',
  fixed: true,
  subject: 'Your {{ provider_name }} account was changed',
  body: `Hello {{ recipient_name }},

{{ change }}

If this wasn’t you, contact {{ provider_name }} immediately.`,
  variables: ['change'],
});

export const PasswordChanged = mailTemplate('password_changed', {
  name: 'Password changed',
  fixed: true,
  subject: 'Your {{ provider_name }} password was changed',
  body: `Hello {{ recipient_name }},

Your {{ provider_name }} password was changed and all other sessions were signed out.

If this wasn’t you, contact {{ provider_name }} immediately.`,
  variables: [],
});
