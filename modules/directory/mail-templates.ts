import { mailTemplate } from '@keelson/core';

export const SecurityChange = mailTemplate('security_change', {
  name: 'Sign-in methods changed',
  fixed: true,
  subject: 'A change to your account at {{ provider_name }}',
  body: `Hello {{ recipient_name }},

{{ change }}

If it was not you, tell {{ provider_name }} at once.`,
  variables: ['change'],
});

export const PasswordChanged = mailTemplate('password_changed', {
  name: 'The password was changed',
  fixed: true,
  subject: 'Your password for {{ provider_name }} was changed',
  body: `Hello {{ recipient_name }},

your password at {{ provider_name }} was changed, and all other sessions were ended.

If it was not you, tell {{ provider_name }} at once.`,
  variables: [],
});
