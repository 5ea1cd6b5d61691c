import type { App } from '@keelson/core';
import type { KeyType } from '../entities.ts';

/** Properties of each key type (N-31): prefix, surface, and default limit (A-31, L-10). */
export const keyKinds = {
  admin: { prefix: 'vsa_', surface: 'admin', perMinute: 120 },
  crm_secret: { prefix: 'crm_', surface: 'crm', perMinute: 120 },
  crm_public_live: { prefix: 'pk_live_', surface: 'crm', perMinute: 30 },
  crm_public_test: { prefix: 'pk_test_', surface: 'crm', perMinute: 30 },
} as const;

/** Anyone can read a public key in a web page, so this is all it may do. */
const PUBLIC_PERMISSIONS: readonly string[] = ['widget:access'];

/** Returns true for keys that are embedded in web pages. */
export function isPublic(type: KeyType): boolean {
  return type === 'crm_public_live' || type === 'crm_public_test';
}

/** Returns the permissions that a key of this type can have: those that its surface declares. */
export function keyPermissions(app: App, type: KeyType): readonly string[] {
  if (isPublic(type)) return PUBLIC_PERMISSIONS;
  const declared = app.plugins.flatMap((plugin) => plugin.permissions ?? []);
  return declared.filter((each) => each.surface === keyKinds[type].surface).map((each) => each.name);
}
