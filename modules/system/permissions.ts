import { admin, type Access, type Admin } from '@keelson/core';

export const ReadSettings = admin.permission('settings:read', 'View settings, logs, workflows and webhooks');
export const WriteSettings = admin.permission('settings:write', 'Modify settings, workflows and webhooks');

/**
 * Settings that affect authentication: identity providers, and the mail server that sends password links. No key may
 * change them, because a key must not be able to impersonate a person (Z-78). The same applies to accounts at other
 * services, and to URLs that receive ticket texts and text messages: a key could redirect them to a server of its own.
 */
export const AdministratorSession: Access<Admin> = Object.freeze({
  title: 'administrator session',
  allows: (actor: Admin) => actor.kind === 'technician' && actor.role === 'administrator',
  refusal: 'Only an administrator in the console can change this',
});
