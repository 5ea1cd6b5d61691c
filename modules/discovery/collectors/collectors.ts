// Collector lifecycle: registration, contact, offline, revocation (M-26, MO-04 to MO-06).
import { change, conflict, create, invalid, plus, record, secret, type Context } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import { checkPlace } from '@keelson/modules/directory';
import { Collector } from '../entities.ts';
import { CollectorMoved } from '../events.ts';
import { collectorNoun } from './collector-list.ts';
import { endCommands, queueCommand, releaseScans } from './command-queue.ts';
import { newToken } from './tokens.ts';

/** A collector without contact for this long is offline (M-26). */
export const SILENT = { minutes: -15 } as const;
const MAX_CONFIG_BYTES = 16 * 1024;
/** Collectors are listed without pagination (P-09). */
const MAX_COLLECTORS = 2000;
/** Minimum interval between writes of the last contact, because collectors poll every few seconds. */
const NOTE_AFTER = { seconds: -1 } as const;

type Config = Collector['config'];

export const Collectors = record(collectorNoun, {
  call: ({ name, collector_id }) => (name === '' ? collector_id : name),
  log: { id: ({ collector_id }) => collector_id, omit: ['last_seen_at', 'sync_status', 'last_sync_at', 'version'] },
  async prepare(ctx, { company_number, site_number, config }, before) {
    if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES) throw invalid('config must be at most 16 KiB');
    if (before) return;
    await checkPlace(ctx, { company_number, site_number });
    if ((await ctx.db.count(Collector)) >= MAX_COLLECTORS)
      throw conflict(`There can be at most ${MAX_COLLECTORS} collectors`);
  },
  changed(ctx, changes) {
    for (const { before, after } of changes) if (before.status !== after.status) ctx.emit(CollectorMoved, after);
  },
});

export interface NewCollector {
  readonly company_number: number;
  readonly site_number: number;
  readonly name?: string | undefined;
  readonly config?: Config | undefined;
}

/** Registers a collector. `token` is returned only here. @throws invalid() naming the field */
export async function registerCollector(
  ctx: Context,
  { company_number, site_number, name, config = {} }: NewCollector,
): Promise<{ collector: Collector; token: string }> {
  const { token, token_hash } = newToken(ctx.app);
  const collector_id = `col_${secret(9).replaceAll(/[-_]/g, '0')}`;
  const given = { collector_id, company_number, site_number, name, config, token_hash };
  return { collector: await create(ctx, Collectors, given), token };
}

/**
 * Changes the name and configuration. A new configuration is sent to the collector (MO-05).
 * @throws conflict() if revoked
 */
export async function updateCollector(
  ctx: Context,
  collector: Collector,
  { name, config }: Pick<Partial<NewCollector>, 'name' | 'config'>,
): Promise<Collector> {
  if (collector.status === 'revoked') throw conflict('The collector is revoked');
  const after = await change(ctx, Collectors, collector, { name, config });
  if (after.config !== collector.config) await queueCommand(ctx, after, 'update_config', { config: after.config });
  return after;
}

/** Revokes the token at once and releases its scans to other collectors of the site. Revocation is final (MO-06). */
export async function revokeCollector(ctx: Context, collector: Collector): Promise<void> {
  if (collector.status === 'revoked') return;
  await change(ctx, Collectors, collector, { status: 'revoked', token_hash: null });
  await endCommands(ctx, collector);
}

/**
 * Records a contact. The first contact, or one after a silence, makes the collector active (M-26).
 * @throws signedOut() if it was revoked since it signed in, such as during an upload
 */
export async function noteContact(
  ctx: Context,
  collector: Collector,
  seen: Partial<Pick<Collector, 'version' | 'sync_status' | 'last_sync_at'>> = {},
): Promise<Collector> {
  const { collector_id, status, last_seen_at } = collector;
  if (status === 'revoked') throw signedOut();
  const noted = { ...seen, last_seen_at: ctx.now };
  if (status !== 'active') return change(ctx, Collectors, collector, { ...noted, status: 'active' });
  // Bypasses the record because this happens every few seconds and is not an auditable change.
  if (Object.keys(seen).length > 0 || (last_seen_at ?? '') < plus(ctx.now, NOTE_AFTER))
    await ctx.db.update(Collector, { collector_id }, noted);
  return { ...collector, ...noted };
}

/** Marks a silent collector offline and releases its scans to others of its site. */
export async function markOffline(ctx: Context, collector: Collector): Promise<void> {
  await change(ctx, Collectors, collector, { status: 'offline' });
  await releaseScans(ctx, collector);
}
