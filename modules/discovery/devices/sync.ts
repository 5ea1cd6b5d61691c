// Sync of a collector's findings (MO-07, MO-08): devices are validated one by one and stored in batches.
import { change, DuplicateKey, lock, normalised, type Context } from '@keelson/core';
import { readImport, type ImportInput } from '@keelson/core/files';
import { abreast, safeParse, yieldToOthers } from '@keelson/core/kit';
import { readSlot } from '@keelson/core/plugin';
import type { Program } from '@keelson/core/system';
import { deletedOf, hostKey, readIdentifiers, type Identifiers } from '@keelson/modules/assets';
import { findCollector } from '../collectors/collector-list.ts';
import { noteContact } from '../collectors/collectors.ts';
import type { Collector } from '../entities.ts';
import { CollectorSynced } from '../events.ts';
import { jobOfSync, Jobs } from '../scans/job-states.ts';
import { Device, syncOptions, type SyncAnswer } from '../shapes.ts';
import { CollectorBackups } from '../slots.ts';
import { noteUsed, openAllowance } from './allowance.ts';
import { contentHash, deviceKey, identified } from './device-keys.ts';
import { mergeRules, storeDevices, type FoundDevice, type Storing } from './store-devices.ts';

const MOST_DEVICES = 5000;
const MOST_TRIES = 3;
/** Devices per transaction. On SQLite a transaction blocks all others, so it must take only milliseconds. */
const BATCH = { sqlite: 100, mysql: 500 };
/** Concurrent transactions; the next batch is prepared while the database works. */
const AT_ONCE = { sqlite: 1, mysql: 2 };

const spec = {
  columns: Object.keys(Device.shape).map((name) => ({ name, label: name, type: 'text' as const })),
  lists: ['devices'],
  most: MOST_DEVICES,
  mayBeEmpty: true,
  options: syncOptions,
};

type Counts = Omit<SyncAnswer, 'sync_status' | 'errors' | 'backups'>;

/** Stores what a collector sends. Runs outside a transaction and opens a short one per batch. @throws invalid() */
export async function syncDevices(outside: Context<Program>, sent: ImportInput): Promise<SyncAnswer> {
  const file = await readImport(spec, sent);
  const { job_id, version, backups } = file.options;
  const { collector, job, ...known } = await outside.transaction(async (ctx) => {
    const own = await findCollector(ctx, ctx.actor.id, { lock: true });
    const of = await jobOfSync(ctx, job_id, own);
    const seen = { sync_status: 'in_progress', ...(version !== undefined && { version }) } as const;
    return {
      collector: await noteContact(ctx, own, seen),
      job: of,
      allowance: await openAllowance(ctx, own),
      identifiers: await readIdentifiers(ctx),
      // Read once; the next sync covers later deletions.
      gone: await deletedOf(ctx, own),
    };
  });
  const counts: Counts = {
    received: file.total,
    ...{ created: 0, updated: 0, unchanged: 0, merged: 0 },
    merged_by: { serial_number: 0, mac_address: 0, hostname: 0 },
    ...{ waiting: 0, seen_again: 0, addresses: 0 },
  };
  const errors: SyncAnswer['errors'] = [];
  let parts: Pick<SyncAnswer, 'backups'> = {};
  const storing = abreast({ most: AT_ONCE[outside.db.dialect], keysOf: identifiersOf }, async (batch) => {
    const stored = await storeBatch(outside, { ...known, collector, job_id: job?.job_id ?? null }, batch);
    for (const each of counted) counts[each] += stored[each];
    for (const rule of mergeRules) counts.merged_by[rule] += stored.merged_by[rule];
    for (const index of stored.refused) errors.push({ index, error: TOO_MANY });
  });
  try {
    for await (const batch of batchesOf(outside, file.rows(), { identifiers: known.identifiers, errors }))
      await storing.next(batch);
    await storing.done();
    parts = await keepBackups(outside, collector, backups);
  } catch (error) {
    // Wait for the other batch, which may still succeed. Only the first error is reported.
    await storing.done().catch(() => undefined);
    await outside.transaction((ctx) => endSync(ctx, 'failed', counts, known.allowance.used));
    throw error;
  }
  await outside.transaction(async (ctx) => {
    if (job) await change(ctx, Jobs, await lock(ctx, Jobs, job.job_id), { devices_found: counts.received });
    await endSync(ctx, 'completed', counts, known.allowance.used);
  });
  errors.sort((a, b) => a.index - b.index);
  return { sync_status: 'completed', ...counts, errors, ...parts };
}

const counted = ['created', 'updated', 'unchanged', 'merged', 'waiting', 'seen_again', 'addresses'] as const;

async function keepBackups(
  outside: Context<Program>,
  { collector_id, company_number, site_number }: Collector,
  backups: readonly unknown[] | undefined,
): Promise<Pick<SyncAnswer, 'backups'>> {
  if (!backups) return {};
  const keep = (await readSlot(outside, CollectorBackups, [0]))(0);
  return keep ? { backups: await keep(outside, { collector_id, company_number, site_number }, backups) } : {};
}

/** Returns the keys by which two batches may contain the same machine; such batches are stored one after the other. */
function identifiersOf(batch: readonly FoundDevice[]): string[] {
  return batch.flatMap(({ device: { serial_number = '', mac_address = '', hostname = '' }, device_key }) => [
    ...[`serial ${normalised(serial_number)}`, `mac ${mac_address}`, `host ${hostKey(hostname)}`].filter(
      (each) => !each.endsWith(' '),
    ),
    device_key,
  ]);
}

/** Stores a batch. Retries if another collector of the company adds the same machine concurrently. */
async function storeBatch(outside: Context, into: Storing, batch: readonly FoundDevice[]) {
  for (let tries = 1; ; tries++) {
    try {
      return await outside.transaction((ctx) => storeDevices(ctx, into, batch));
    } catch (error) {
      into.allowance.giveBack(batch);
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

async function endSync(
  ctx: Context<Program>,
  sync_status: 'completed' | 'failed',
  counts: Counts,
  used: number,
): Promise<void> {
  const own = await findCollector(ctx, ctx.actor.id, { lock: true });
  await noteUsed(ctx, own, used);
  // Revoked since.
  if (own.status === 'revoked') return;
  const { collector_id, company_number, site_number } = await noteContact(ctx, own, {
    sync_status,
    last_sync_at: ctx.now,
  });
  const place = { collector_id, company_number, site_number };
  const { received, created, updated } = counts;
  ctx.emit(CollectorSynced, { ...place, received, created, updated, sync_status, last_sync_at: ctx.now });
}

/** Yields valid devices in batches. Validation errors are added to `errors` (MO-11). */
async function* batchesOf(
  ctx: Context,
  slices: AsyncIterable<readonly unknown[]>,
  { identifiers, errors }: { readonly identifiers: Identifiers; readonly errors: SyncAnswer['errors'] },
): AsyncGenerator<readonly FoundDevice[]> {
  const most = BATCH[ctx.db.dialect];
  let batch: FoundDevice[] = [];
  let index = -1;
  for await (const slice of slices) {
    for (const row of slice) {
      index++;
      const parsed = safeParse(Device, row, 'Device', ctx.app.zone);
      const device = 'value' in parsed ? identified(parsed.value, identifiers) : undefined;
      const device_key = device && deviceKey(device);
      if (device && device_key !== undefined)
        batch.push({ index, device, device_key, content_hash: contentHash(device) });
      else errors.push({ index, error: 'errors' in parsed ? sentence(parsed.errors) : NAMELESS });
    }
    await yieldToOthers();
    if (batch.length < most) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const NAMELESS = 'One of serial_number, mac_address, hostname, ip_address is required';
const TOO_MANY = 'The collector has reached its daily limit of new devices';

function sentence(errors: ReadonlyMap<string, string>): string {
  return [...errors.values()].join('; ');
}
