import {
  cache,
  invalidateOnChange,
  IsNull,
  perApp,
  plus,
  type App,
  type CrmKey,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { type AdminKey, keyHash, parseKey, type Credentials } from '@keelson/core/system';
import { Technician } from '@keelson/modules/directory';
import { inBackground } from '../background.ts';
import { ApiKey } from '../entities.ts';
import { isWithin } from './address-range.ts';
import { permissionsOf, standingOf, type Standing } from './key-rights.ts';

interface LiveKey<Actor> {
  readonly actor: Actor;
  readonly expires_at: Timestamp | null;
  readonly allowed_addresses: readonly string[];
  /** When the next use is written to `last_used_at`. */
  note_from: Timestamp;
}

const NOTE_EVERY = { seconds: 60 } as const;
/** No key is longer; longer texts never enter the cache. */
const MAX_LENGTH = 64;

export const pepper = perApp((app) => app.vault.derive('api key pepper'));

// Cached by the text of the key, so that checksum and hash are computed once every two seconds.
const caches = perApp((app) => {
  const limits = { max: 10_000 };
  const admin = cache(app, (_db, text: string) => read(app, text, adminActor), limits);
  const crm = cache(app, (_db, text: string) => read(app, text, crmActor), limits);
  for (const kept of [admin, crm]) invalidateOnChange(app, kept, [ApiKey, Technician]);
  return { admin, crm };
});

/**
 * Returns the actor of a `vsa_` key. Returns undefined when it is unknown, expired, revoked or for another surface
 * when its grantor is gone (SF-13), or when it may not be used from this address (SF-12).
 */
export async function adminKey(app: App, text: string, from: From): Promise<AdminKey | undefined> {
  return text.length > MAX_LENGTH ? undefined : usable(app, await caches(app).admin.get(app.database, text), from);
}

/** Returns the actor of a `crm_` or public key, under the same conditions. */
export async function crmKey(app: App, text: string, from: From): Promise<CrmKey | undefined> {
  return text.length > MAX_LENGTH ? undefined : usable(app, await caches(app).crm.get(app.database, text), from);
}

function usable<Actor extends { key_id: number }>(
  app: App,
  key: LiveKey<Actor> | undefined,
  { ip, passive = false }: From,
): Actor | undefined {
  const now = app.clock.now();
  if (!key || (key.expires_at !== null && now >= key.expires_at)) return undefined;
  if (key.allowed_addresses.length > 0 && !isWithin(ip, key.allowed_addresses)) return undefined;
  if (!passive && now >= key.note_from) {
    key.note_from = plus(now, NOTE_EVERY);
    const { key_id } = key.actor;
    inBackground(app, () => app.database.update(ApiKey, { key_id }, { last_used_at: now }));
  }
  return key.actor;
}

type From = Pick<Credentials, 'ip' | 'passive'>;
type KeyRow = Row<typeof ApiKey>;

async function read<Actor>(
  app: App,
  text: string,
  actorOf: (row: KeyRow, standing: Standing) => Actor | undefined,
): Promise<LiveKey<Actor> | undefined> {
  if (!parseKey(text)) return undefined;
  const row = await app.database.findOneBy(ApiKey, { key_hash: keyHash(text, pepper(app)), revoked_at: IsNull() });
  const standing = row && (await standingOf(app.database, row));
  const actor = row && standing && actorOf(row, standing);
  if (!actor) return undefined;
  const { expires_at, allowed_addresses, last_used_at } = row;
  return { actor, expires_at, allowed_addresses, note_from: last_used_at ? plus(last_used_at, NOTE_EVERY) : '' };
}

function adminActor(row: KeyRow, standing: Standing): AdminKey | undefined {
  const { key_id, type, name, rate_limit_per_minute } = row;
  if (type !== 'admin') return undefined;
  return Object.freeze({
    kind: 'key',
    key_id,
    name,
    permissions: permissionsOf(row.permissions, standing),
    role: standing.role,
    allow_reveal: row.allow_reveal && standing.role === 'administrator',
    rate_limit_per_minute,
  });
}

function crmActor(row: KeyRow, { role }: Standing): CrmKey | undefined {
  const { key_id, type, name, permissions, rate_limit_per_minute, allowed_origins } = row;
  if (type === 'admin') return undefined;
  return Object.freeze({
    kind: 'key',
    key_id,
    type,
    name,
    permissions: new Set(permissions),
    role,
    rate_limit_per_minute,
    allowed_origins: Object.freeze(allowed_origins),
  });
}

/**
 * Returns the actor of a `vsa_` key for work without a request. Returns null when the key or its grantor is gone.
 */
export async function keyActor({ database, clock }: App, key_id: number): Promise<AdminKey | null> {
  const row = await database.findOneBy(ApiKey, { key_id, revoked_at: IsNull() });
  if (!row || (row.expires_at !== null && clock.now() >= row.expires_at)) return null;
  const standing = await standingOf(database, row);
  return (standing && adminActor(row, standing)) ?? null;
}
