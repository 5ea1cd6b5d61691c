import {
  changed,
  forbidden,
  invalid,
  keyHash,
  keyPrefix,
  newKey,
  notFound,
  type Admin,
  type App,
  type Context,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { ApiKey, type KeyType } from './entities.ts';
import { pepper } from './live-key.ts';

export interface NewApiKey {
  readonly type: KeyType;
  readonly name: string;
  /** Names that the key's surface declares; a public key needs none, it has the widget's. */
  readonly permissions: readonly string[];
  readonly rate_limit_per_minute?: number | undefined;
  readonly allowed_origins?: readonly string[] | undefined;
  /** Null or absent: never. */
  readonly expires_at?: Timestamp | null | undefined;
  readonly created_by_user_id?: number | undefined;
}

const kinds = {
  admin: { prefix: 'vsa_', surface: 'admin', perMinute: 120 },
  crm_secret: { prefix: 'crm_', surface: 'crm', perMinute: 120 },
  crm_public_live: { prefix: 'pk_live_', surface: 'crm', perMinute: 30 },
  crm_public_test: { prefix: 'pk_test_', surface: 'crm', perMinute: 30 },
} as const;

const PUBLIC_PERMISSION = 'widget:access';

/**
 * Makes a key (A-30, A-31, N-31); `api_key` is readable only in this answer. Runs in a transaction.
 * @throws invalid() for an unknown permission or a moment that is over
 */
export async function createApiKey(
  ctx: Context,
  input: NewApiKey,
): Promise<{ row: Row<typeof ApiKey>; api_key: string }> {
  const { type, name } = input;
  if (input.expires_at && input.expires_at <= ctx.now) throw invalid('expires_at must be in the future');
  const permissions = checkedPermissions(ctx.app, type, input.permissions);
  const api_key = newKey(kinds[type].prefix);
  const values = {
    type,
    name,
    key_hash: keyHash(api_key, pepper(ctx.app)),
    prefix: keyPrefix(api_key),
    permissions,
    rate_limit_per_minute: input.rate_limit_per_minute ?? kinds[type].perMinute,
    allowed_origins: [...new Set(input.allowed_origins)],
    expires_at: input.expires_at ?? null,
    last_used_at: null,
    created_by_user_id: input.created_by_user_id ?? null,
    created_at: ctx.now,
    revoked_at: null,
  };
  const key_id = await ctx.db.insert(ApiKey, values);
  ctx.record({ action: 'create', entity_type: 'api_key', entity_id: key_id, description: `Created API key ${name}` });
  // The key may have been tried before it existed.
  changed(ctx, ApiKey);
  return { row: { key_id, ...values }, api_key };
}

/** Ends a key at once. @throws notFound() when there is none, or it ended before */
export async function revokeApiKey(ctx: Context, key_id: number): Promise<void> {
  const row = await ctx.db.one(ApiKey, { key_id, revoked_at: null }, { lock: true });
  if (!row) throw notFound('API key');
  await ctx.db.update(ApiKey, { key_id }, { revoked_at: ctx.now });
  ctx.record({
    action: 'delete',
    entity_type: 'api_key',
    entity_id: key_id,
    description: `Revoked API key ${row.name}`,
  });
  changed(ctx, ApiKey);
}

/** The permissions a key of this type can have: those its surface declares. */
export function keyPermissions(app: App, type: KeyType): readonly string[] {
  if (type === 'crm_public_live' || type === 'crm_public_test') return [PUBLIC_PERMISSION];
  const declared = app.plugins.flatMap((plugin) => plugin.permissions ?? []);
  return declared.filter((each) => each.surface === kinds[type].surface).map((each) => each.name);
}

/** A key cannot make one that may do more than itself; an administrator may grant anything. @throws forbidden() */
export function requireGrantable(actor: Admin, type: KeyType, permissions: readonly string[]): void {
  if (actor.kind === 'technician' && actor.role === 'administrator') return;
  // Whoever is bound to one surface has no rights on the other to give away.
  const within = actor.kind === 'key' && type === 'admin' && permissions.every((each) => actor.permissions.has(each));
  if (!within) throw forbidden('A key may not be given more permissions than your own');
}

function checkedPermissions(app: App, type: KeyType, wanted: readonly string[]): string[] {
  const known = keyPermissions(app, type);
  const unknown = wanted.filter((each) => !known.includes(each));
  if (unknown.length > 0) throw invalid(`permissions contains unknown values: ${unknown.join(', ')}`);
  if (type === 'crm_public_live' || type === 'crm_public_test') return [PUBLIC_PERMISSION];
  return [...new Set(wanted)];
}
