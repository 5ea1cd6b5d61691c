import {
  announceChange,
  change,
  conflict,
  create,
  invalid,
  IsNull,
  notFound,
  record,
  type Context,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { changed, worded } from '@keelson/core/plugin';
import { keyHash, keyPrefix, newKey } from '@keelson/core/system';
import { ApiKey, type KeyType } from '../entities.ts';
import { tellOwner } from '../factors/factor.ts';
import { addressRange } from './address-range.ts';
import { isPublic, keyKinds, keyPermissions } from './key-kinds.ts';
import type { Grantor } from './key-rights.ts';
import { pepper } from './live-key.ts';

export interface NewApiKey {
  readonly type: KeyType;
  readonly name: string;
  /** Permissions that the key's surface declares. A public key always has those of the widget. */
  readonly permissions: readonly string[];
  readonly rate_limit_per_minute?: number | undefined;
  /** Websites that may use a public key. */
  readonly allowed_origins?: readonly string[] | undefined;
  /** Addresses and ranges that may use the key; empty means any. */
  readonly allowed_addresses?: readonly string[] | undefined;
  /** Allows the key to reveal stored credentials (SF-14). */
  readonly allow_reveal?: boolean | undefined;
  /** Null or absent means never. */
  readonly expires_at?: Timestamp | null | undefined;
  /** The grantor whose rights limit the key; absent when created on the command line. */
  readonly grantor?: Grantor | undefined;
}

export type KeyChanges = Partial<
  Pick<
    NewApiKey,
    'name' | 'permissions' | 'rate_limit_per_minute' | 'allowed_origins' | 'allowed_addresses' | 'grantor'
  >
>;

export type KeyRow = Row<typeof ApiKey>;

/** The key list is not paginated (P-09). */
const MAX_KEYS = 1000;
const theShell: Grantor = Object.freeze({ granted_by_user_id: null, granted_by_key_id: null });

export const ApiKeys = record(ApiKey, {
  title: 'API key',
  call: ({ name }) => name,
  log: { created: ['permissions', 'allow_reveal', 'expires_at'] },
  async prepare(ctx, { expires_at }, before) {
    if (before) return;
    if (expires_at !== null && expires_at <= ctx.now) throw invalid('expires_at must be in the future');
    if ((await ctx.db.countBy(ApiKey, { revoked_at: IsNull() })) >= MAX_KEYS)
      throw conflict(`Limit of ${MAX_KEYS} keys reached: revoke some first`);
  },
});

/**
 * Creates a key (A-30, A-31, N-31). `api_key` is its secret, which is not stored. Runs in a transaction.
 * @throws invalid() for an unknown permission, an invalid address or origin, or an expiry in the past
 */
export async function createApiKey(ctx: Context, wanted: NewApiKey): Promise<{ row: KeyRow; api_key: string }> {
  const { type, name, allow_reveal, expires_at } = wanted;
  const api_key = newKey(keyKinds[type].prefix);
  const row = await create(ctx, ApiKeys, {
    type,
    name,
    key_hash: keyHash(api_key, pepper(ctx.app)),
    prefix: keyPrefix(api_key),
    permissions: permissionsFor(ctx, type, wanted.permissions),
    rate_limit_per_minute: wanted.rate_limit_per_minute ?? keyKinds[type].perMinute,
    allowed_origins: originsFor(type, wanted.allowed_origins ?? []),
    allowed_addresses: rangesOf(wanted.allowed_addresses ?? []),
    allow_reveal,
    expires_at,
    ...(wanted.grantor ?? theShell),
  });
  if (row.granted_by_user_id !== null) {
    const change = worded('The API key “{name}” ({prefix}…) was created in your name.', {
      name,
      prefix: row.prefix,
    });
    await tellOwner(ctx, { kind: 'technician', id: row.granted_by_user_id }, change);
  }
  return { row, api_key };
}

/** Returns an unrevoked key, locked when inside a transaction. @throws notFound() */
export async function findApiKey(ctx: Context, key_id: number): Promise<KeyRow> {
  const row = await ctx.db.findOne(ApiKey, {
    where: { key_id, revoked_at: IsNull() },
    lock: ctx.tx && { mode: 'pessimistic_write' },
  });
  if (!row) throw notFound('API key');
  return row;
}

/**
 * Changes a key that was locked in the same transaction (ST-02). The change applies to the next request, in other
 * processes within two seconds.
 * @throws invalid() as `createApiKey` does
 */
export function updateApiKey(ctx: Context, row: KeyRow, wanted: KeyChanges): Promise<KeyRow> {
  const { name, rate_limit_per_minute, permissions, allowed_origins, allowed_addresses, grantor } = wanted;
  return change(ctx, ApiKeys, row, {
    name,
    rate_limit_per_minute,
    permissions: permissions && permissionsFor(ctx, row.type, permissions),
    allowed_origins: allowed_origins && originsFor(row.type, allowed_origins),
    allowed_addresses: allowed_addresses && rangesOf(allowed_addresses),
    ...grantor,
  });
}

/**
 * Revokes a key immediately. The keys it created are refused too, because they may be a thief's. Those of a key
 * that revokes itself (`retired`) live on as its successors (ST-04). Updates the row directly: a revoked key stays as a
 * row that others are checked against, but the activity log records a deletion.
 * @throws notFound() when it does not exist or was already revoked
 */
export async function revokeApiKey(ctx: Context, key_id: number, { retired = false } = {}): Promise<void> {
  const key = await findApiKey(ctx, key_id);
  await ctx.db.update(ApiKey, { key_id }, { revoked_at: ctx.now, retired });
  announceChange(ctx, { of: ApiKey, row: key, kind: 'removed' });
  const description = `API key ${key.name} revoked`;
  ctx.record({ action: 'delete', entity_type: 'api_key', entity_id: key_id, description });
  changed(ctx, ApiKey);
}

function permissionsFor(ctx: Context, type: KeyType, wanted: readonly string[]): string[] {
  const known = keyPermissions(ctx.app, type);
  const unknown = wanted.filter((each) => !known.includes(each));
  if (unknown.length > 0) throw invalid(`permissions contains unknown values: ${unknown.join(', ')}`);
  return [...new Set(isPublic(type) ? known : wanted)];
}

function originsFor(type: KeyType, wanted: readonly string[]): string[] {
  if (wanted.length > 0 && !isPublic(type)) throw invalid('allowed_origins is for public keys only');
  return [...new Set(wanted.map(originOf))];
}

function originOf(text: string): string {
  const url = URL.parse(text.trim());
  // An origin has no path: only a slash may follow the port.
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw invalid('allowed_origins must contain origins such as https://www.example.com');
  return url.origin;
}

function rangesOf(wanted: readonly string[]): string[] {
  return [...new Set(wanted.map(rangeOf))];
}

function rangeOf(text: string): string {
  const range = addressRange(text);
  if (range === undefined) throw invalid('allowed_addresses must contain addresses or ranges such as 192.0.2.0/24');
  return range;
}
