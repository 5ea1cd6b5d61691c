import {
  changed,
  changesBetween,
  conflict,
  invalid,
  notFound,
  type Context,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { addressRange, keyHash, keyPrefix, newKey } from '@keelson/core/system';
import { ApiKey, type KeyType } from '../entities.ts';
import { isPublic, keyKinds, keyPermissions } from './key-kinds.ts';
import type { Grantor } from './key-rights.ts';
import { pepper } from './live-key.ts';

export interface NewApiKey {
  readonly type: KeyType;
  readonly name: string;
  /** Names that the key's surface declares; a public key needs none, it has the widget's. */
  readonly permissions: readonly string[];
  readonly rate_limit_per_minute?: number | undefined;
  /** Websites a public key may be used on. */
  readonly allowed_origins?: readonly string[] | undefined;
  /** Addresses and ranges it may be used from; none means everywhere. */
  readonly allowed_addresses?: readonly string[] | undefined;
  /** Whether it may ask for stored credentials (D14). */
  readonly allow_reveal?: boolean | undefined;
  /** Null or absent: never. */
  readonly expires_at?: Timestamp | null | undefined;
  /** Who answers for its rights; whoever has the shell unless given. */
  readonly grantor?: Grantor | undefined;
}

export type KeyChanges = Partial<
  Pick<
    NewApiKey,
    'name' | 'permissions' | 'rate_limit_per_minute' | 'allowed_origins' | 'allowed_addresses' | 'grantor'
  >
>;

export type KeyRow = Row<typeof ApiKey>;

/** The list of keys is always whole (P-09). */
const MOST_KEYS = 1000;
const theShell: Grantor = Object.freeze({ granted_by_user_id: null, granted_by_key_id: null });

/**
 * Makes a key (A-30, A-31, N-31); `api_key` is readable only in this answer. Runs in a transaction.
 * @throws invalid() for an unknown permission, a wrong address or origin, or a moment that is over
 */
export async function createApiKey(ctx: Context, wanted: NewApiKey): Promise<{ row: KeyRow; api_key: string }> {
  const { type, name, allow_reveal = false, expires_at = null } = wanted;
  if (expires_at !== null && expires_at <= ctx.now) throw invalid('expires_at must be in the future');
  if ((await ctx.db.count(ApiKey, { revoked_at: null })) >= MOST_KEYS)
    throw conflict(`There may be at most ${MOST_KEYS} keys: revoke some first`);
  const api_key = newKey(keyKinds[type].prefix);
  const values = {
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
    warned_at: null,
    last_used_at: null,
    ...(wanted.grantor ?? theShell),
    created_at: ctx.now,
    revoked_at: null,
    retired: false,
  };
  const key_id = await ctx.db.insert(ApiKey, values);
  const changes = changesBetween({}, { permissions: values.permissions, allow_reveal, expires_at });
  const description = `API key ${name} created`;
  ctx.record({ action: 'create', entity_type: 'api_key', entity_id: key_id, description, changes });
  // The key may have been tried before it existed.
  changed(ctx, ApiKey);
  return { row: { key_id, ...values }, api_key };
}

/** A key that was not revoked; locked inside a transaction. @throws notFound() */
export async function findApiKey(ctx: Context, key_id: number): Promise<KeyRow> {
  const row = await ctx.db.one(ApiKey, { key_id, revoked_at: null }, { lock: ctx.tx !== undefined });
  if (!row) throw notFound('API key');
  return row;
}

/**
 * Changes a key that was read in the same transaction (ST-02); it holds for the next request, in other processes within
 * two seconds. @throws invalid() as `createApiKey` does
 */
export async function updateApiKey(ctx: Context, row: KeyRow, wanted: KeyChanges): Promise<KeyRow> {
  const { type, key_id, granted_by_user_id, granted_by_key_id } = row;
  const { permissions, allowed_origins, allowed_addresses } = wanted;
  const set = {
    name: wanted.name ?? row.name,
    rate_limit_per_minute: wanted.rate_limit_per_minute ?? row.rate_limit_per_minute,
    permissions: permissions ? permissionsFor(ctx, type, permissions) : row.permissions,
    allowed_origins: allowed_origins ? originsFor(type, allowed_origins) : row.allowed_origins,
    allowed_addresses: allowed_addresses ? rangesOf(allowed_addresses) : row.allowed_addresses,
    ...(wanted.grantor ?? { granted_by_user_id, granted_by_key_id }),
  };
  const changes = changesBetween(row, set);
  if (Object.keys(changes).length === 0) return row;
  await ctx.db.update(ApiKey, { key_id }, set);
  const description = `API key ${row.name} changed`;
  ctx.record({ action: 'update', entity_type: 'api_key', entity_id: key_id, description, changes });
  changed(ctx, ApiKey);
  return { ...row, ...set };
}

/**
 * Ends a key at once. The keys it made are refused too, for whoever had stolen it may have made some; those of a
 * key that ends itself (`retired`) go on, as its successors (ST-04).
 * @throws notFound() when there is none, or it ended before
 */
export async function revokeApiKey(ctx: Context, key_id: number, { retired = false } = {}): Promise<void> {
  const { name } = await findApiKey(ctx, key_id);
  await ctx.db.update(ApiKey, { key_id }, { revoked_at: ctx.now, retired });
  const description = `API key ${name} revoked`;
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
  // A slash is all that may follow the port.
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
