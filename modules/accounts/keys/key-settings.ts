// API keys as managed by administrators and by keys themselves.
import { forbidden, IsNull, type Admin, type Context, type z } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { ApiKey } from '../entities.ts';
import type { ApiKeyShape } from '../shapes.ts';
import { keyKinds } from './key-kinds.ts';
import { grantorOf, requireGrantable } from './key-rights.ts';
import {
  createApiKey,
  findApiKey,
  revokeApiKey,
  updateApiKey,
  type KeyChanges,
  type KeyRow,
  type NewApiKey,
} from './keys.ts';

type ListedKey = z.input<typeof ApiKeyShape>;

/** Lists all unrevoked keys, newest first, without their secrets (F-69, ST-03). */
export async function listApiKeys(ctx: Context): Promise<ListedKey[]> {
  const rows = await ctx.db.find(ApiKey, { where: { revoked_at: IsNull() }, order: { key_id: 'DESC' } });
  return present(ctx, rows);
}

export async function readApiKey(ctx: Context, key_id: number): Promise<ListedKey> {
  return presentOne(ctx, await findApiKey(ctx, key_id));
}

/**
 * Creates a key on behalf of the caller.
 * @throws forbidden() when it would exceed the rights the caller may pass on
 */
export async function grantApiKey(
  ctx: Context<Admin>,
  given: Omit<NewApiKey, 'grantor'>,
): Promise<{ key: ListedKey; api_key: string }> {
  const wanted = await withinOwn(ctx, given);
  await requireGrantable(ctx, ctx.actor, wanted);
  const { row, api_key } = await createApiKey(ctx, { ...wanted, grantor: grantorOf(ctx.actor) });
  return { key: await presentOne(ctx, row), api_key };
}

/**
 * Changes a key. An administrator who sets its permissions becomes its grantor. A key may change another key only if
 * the other does not end up with more rights than its own (ST-02).
 * @throws forbidden()
 */
export async function changeApiKey(ctx: Context<Admin>, row: KeyRow, changes: KeyChanges): Promise<ListedKey> {
  const { actor } = ctx;
  await requireWithin(ctx, row, changes);
  const grantor = actor.kind === 'technician' && changes.permissions ? grantorOf(actor) : undefined;
  return presentOne(ctx, await updateApiKey(ctx, row, { ...changes, grantor }));
}

/** Revokes a key. If it revokes itself, the keys it created live on as its successors (ST-04). */
export async function endApiKey(ctx: Context<Admin>, key_id: number): Promise<void> {
  await revokeApiKey(ctx, key_id, { retired: ctx.actor.kind === 'key' && ctx.actor.key_id === key_id });
}

/** Fills settings that a key omits for a new key from its own. A new key expires no later than its creator. */
async function withinOwn(ctx: Context<Admin>, wanted: Omit<NewApiKey, 'grantor'>): Promise<Omit<NewApiKey, 'grantor'>> {
  if (ctx.actor.kind !== 'key') return wanted;
  const own = await findApiKey(ctx, ctx.actor.key_id);
  const expires_at = wanted.expires_at ?? own.expires_at;
  if (own.expires_at !== null && expires_at !== null && expires_at > own.expires_at)
    throw forbidden('A key cannot expire later than your own');
  return {
    ...wanted,
    expires_at,
    allowed_addresses: wanted.allowed_addresses ?? own.allowed_addresses,
    rate_limit_per_minute:
      wanted.rate_limit_per_minute ?? Math.min(keyKinds[wanted.type].perMinute, own.rate_limit_per_minute),
  };
}

async function requireWithin(ctx: Context<Admin>, row: KeyRow, changes: KeyChanges): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== 'key') return;
  const { permissions, rate_limit_per_minute, allowed_addresses, allowed_origins } = changes;
  const moves = allowed_addresses !== undefined || allowed_origins !== undefined;
  if (moves && row.granted_by_key_id !== actor.key_id)
    throw forbidden('Only an administrator can change where this key may be used');
  await requireGrantable(ctx, actor, {
    type: row.type,
    permissions: permissions ?? row.permissions,
    rate_limit_per_minute: rate_limit_per_minute ?? row.rate_limit_per_minute,
    allowed_addresses: allowed_addresses ?? row.allowed_addresses,
    allow_reveal: row.allow_reveal && !actor.allow_reveal,
  });
}

async function presentOne(ctx: Context, row: KeyRow): Promise<ListedKey> {
  const [key] = await present(ctx, [row]);
  if (!key) throw new Error(`API key ${row.key_id} is missing`);
  return key;
}

async function present(ctx: Context, rows: readonly KeyRow[]): Promise<ListedKey[]> {
  const keys = new Map((await readGrantorKeys(ctx)).map((each) => [each.key_id, each]));
  const people = new Map(
    (await ctx.db.findBy(Technician, { deleted_at: IsNull() })).map((each) => [each.user_id, each]),
  );
  const isBacked = ({ granted_by_user_id, granted_by_key_id }: GrantorKey): boolean => {
    if (granted_by_user_id !== null) return people.get(granted_by_user_id)?.active === true;
    const parent = granted_by_key_id === null ? undefined : keys.get(granted_by_key_id);
    return granted_by_key_id === null || (parent !== undefined && isBacked(parent));
  };
  return rows.map((row) => ({
    ...row,
    api_key: `${row.prefix}********`,
    state: row.expires_at !== null && row.expires_at <= ctx.now ? 'expired' : isBacked(row) ? 'active' : 'suspended',
    granted_by:
      row.granted_by_user_id !== null
        ? (people.get(row.granted_by_user_id)?.name ?? '')
        : row.granted_by_key_id !== null
          ? (keys.get(row.granted_by_key_id)?.name ?? '')
          : 'System',
  }));
}

type GrantorKey = Pick<KeyRow, 'key_id' | 'name' | 'granted_by_user_id' | 'granted_by_key_id'>;

/** Returns possible grantor keys: live ones, and those replaced by their successors. */
async function readGrantorKeys(ctx: Context): Promise<GrantorKey[]> {
  const live = await ctx.db.findBy(ApiKey, { revoked_at: IsNull() });
  return [...live, ...(await ctx.db.findBy(ApiKey, { retired: true }))];
}
