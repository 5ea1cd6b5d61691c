// Limits what a key may be granted, and by whom. A key never has more rights than its grantor, neither at creation
// nor after the grantor loses some (SF-13).
import { forbidden, In, IsNull, sql, type Admin, type Context } from '@keelson/core';
import type { Db } from '@keelson/core/database';
import { type AdminKey, type Role } from '@keelson/core/system';
import { Technician } from '@keelson/modules/directory';
import { ApiKey, type KeyType } from '../entities.ts';
import { isWithin } from './address-range.ts';

/**
 * The grantor whose rights limit a key: a technician or another key. Both are null for a key created on the command
 * line.
 */
export interface Grantor {
  readonly granted_by_user_id: number | null;
  readonly granted_by_key_id: number | null;
}

export const grantorOf = (actor: Admin): Grantor =>
  actor.kind === 'key'
    ? { granted_by_user_id: null, granted_by_key_id: actor.key_id }
    : { granted_by_user_id: actor.user_id, granted_by_key_id: null };

export interface Wanted {
  readonly type: KeyType;
  readonly permissions?: readonly string[] | undefined;
  readonly rate_limit_per_minute?: number | undefined;
  readonly allowed_addresses?: readonly string[] | undefined;
  readonly allow_reveal?: boolean | undefined;
}

/**
 * Requires that the caller may grant these rights. An administrator may grant anything. A key may only pass on what it
 * has on its own surface: its permissions, no higher limit, and no other addresses. Only administrators may grant
 * `allow_reveal`.
 * @throws forbidden()
 */
export async function requireGrantable(ctx: Context, actor: Admin, wanted: Wanted): Promise<void> {
  if (actor.kind === 'technician') {
    if (actor.role !== 'administrator') throw forbidden();
    return;
  }
  if (wanted.allow_reveal) throw forbidden('Only an administrator can allow a key to reveal credentials');
  const own = await ctx.db.findOneBy(ApiKey, { key_id: actor.key_id });
  const limits = own?.allowed_addresses ?? [];
  const fits =
    own !== null &&
    wanted.type === 'admin' &&
    (wanted.permissions ?? []).every((each) => actor.permissions.has(each)) &&
    (wanted.rate_limit_per_minute ?? 0) <= own.rate_limit_per_minute &&
    (limits.length === 0 || wanted.allowed_addresses === undefined || areWithin(wanted.allowed_addresses, limits));
  if (!fits) throw forbidden('A key cannot have permissions that your own key lacks');
}

/** An empty list means any address, so it is never within limits. */
function areWithin(wanted: readonly string[], limits: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((each) => isWithin(each, limits));
}

/** The rights that currently limit a key. */
export interface Standing {
  readonly role: Role;
  /** The permissions shared by all keys up to the technician; undefined when no key is in between. */
  readonly within: ReadonlySet<string> | undefined;
}

/** Returns undefined when the technician is gone, or a key in the chain was revoked. */
export async function standingOf(db: Db, grantor: Grantor): Promise<Standing | undefined> {
  const ancestors = grantor.granted_by_key_id === null ? [] : await readAncestors(db, grantor.granted_by_key_id);
  const root = ancestors.at(-1) ?? grantor;
  if (root.granted_by_key_id !== null) return undefined;
  const role = await roleOf(db, root.granted_by_user_id);
  if (!role) return undefined;
  const sets = ancestors.map(({ permissions }) => new Set(permissions));
  const within = sets.reduce<Set<string> | undefined>((all, each) => (all ? all.intersection(each) : each), undefined);
  return { role, within };
}

/** Returns the key's permissions that its grantor still holds. */
export function permissionsOf(own: readonly string[], { within }: Standing): AdminKey['permissions'] {
  return new Set(within ? own.filter((each) => within.has(each)) : own);
}

async function roleOf(db: Db, user_id: number | null): Promise<Role | undefined> {
  if (user_id === null) return 'administrator';
  return (await db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() }))?.role;
}

type Ancestor = Grantor & { readonly permissions: readonly string[] };

/** Returns the key and its chain of grantors. The chain stops before a key that was revoked by someone else. */
async function readAncestors(db: Db, key_id: number): Promise<Ancestor[]> {
  const rows = await db.query<{ key_id: number }>(sql`WITH RECURSIVE line AS (
      SELECT key_id, granted_by_key_id, 1 AS step FROM api_key
      WHERE key_id = ${key_id} AND (revoked_at IS NULL OR retired)
      UNION ALL SELECT api_key.key_id, api_key.granted_by_key_id, line.step + 1 FROM api_key
      JOIN line ON api_key.key_id = line.granted_by_key_id WHERE api_key.revoked_at IS NULL OR api_key.retired)
    SELECT key_id FROM line ORDER BY step`);
  const ids = rows.map((row) => Number(row.key_id));
  const keys = new Map((await db.findBy(ApiKey, { key_id: In(ids) })).map((each) => [each.key_id, each]));
  return ids.flatMap((each) => keys.get(each) ?? []);
}
