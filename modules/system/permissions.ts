import { admin, type Access, type Admin } from '@keelson/core';

export const ReadSettings = admin.permission('settings:read', 'View settings, logs, workflows and webhooks');
export const WriteSettings = admin.permission('settings:write', 'Modify settings, workflows and webhooks');

/**
 * Settings that decide how people prove who they are: identity providers, and the server through which links for new
 * passwords go. No key may change them, because a key must not become a person (Z-78).
 */
export const AdministerSignIn: Access<Admin> = Object.freeze({
  title: 'administrator session',
  allows: (actor: Admin) => actor.kind === 'technician' && actor.role === 'administrator',
  refusal: 'Only an administrator in the console can change this',
});
