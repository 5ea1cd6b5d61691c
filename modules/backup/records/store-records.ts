// Stores a batch of reported backups in one transaction, with a fixed number of statements plus one per changed backup
// or machine.
import { In, IsNull, normalised, type Context } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company } from '@keelson/modules/directory';
import { BackupMachine } from '../entities.ts';
import type { ReportedBackup } from '../inputs.ts';
import { newerThan, type Newest } from './newest.ts';
import { storeRows, type KeptBackup, type StoredBackup } from './store-rows.ts';

/** The result of a reported backup, or the reason it was refused. */
export type Stored = StoredBackup | { readonly error: string };

/** A report with its machine. */
interface Placed {
  readonly given: ReportedBackup;
  readonly machine_name: string;
  readonly machine_key: string;
  readonly asset_id: number | null;
}

/**
 * Stores a batch. Returns the result of each backup, in order.
 * @throws DuplicateKey when a concurrent report adds the same one
 */
export async function storeBackups(ctx: Context, batch: readonly ReportedBackup[]): Promise<Stored[]> {
  const placed = await placeBackups(ctx, batch);
  const good = placed.filter((each) => 'given' in each);
  const machines = await lockMachines(ctx, good);
  const reports = good.map(({ given, asset_id, ...each }) => {
    const machine = machineOf(machines, { given, asset_id, ...each });
    return { given, machine, asset_id: asset_id ?? machine.asset_id };
  });
  const { stored, kept } = await storeRows(ctx, reports);
  await updateMachines(ctx, [...machines.values()], kept);
  const outcomes = stored.values();
  return placed.map((each) => ('error' in each ? each : (outcomes.next().value ?? { error: 'It was not stored' })));
}

/** Resolves the companies and assets of the reports. */
async function placeBackups(ctx: Context, batch: readonly ReportedBackup[]): Promise<(Placed | { error: string })[]> {
  const company_number = unique(batch.map((each) => each.company_number));
  // Locked, so that no company is deleted before its backups are stored (V-26).
  const companies = await ctx.db.find(Company, {
    where: { company_number: In(company_number), deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  const known = new Set(companies.map((each) => each.company_number));
  const named = unique(batch.flatMap((each) => each.asset_id ?? []));
  const assets = named.length === 0 ? [] : await ctx.db.findBy(Asset, { asset_id: In(named), deleted_at: IsNull() });
  const assetOf = new Map(assets.map((each) => [each.asset_id, each]));
  const byName = await findByName(ctx, company_number, batch);
  return batch.map((given) => {
    if (!known.has(given.company_number)) return { error: 'company_number must be an existing company' };
    const asset = given.asset_id ? assetOf.get(given.asset_id) : undefined;
    if (given.asset_id && asset?.company_number !== given.company_number)
      return { error: 'asset_id must be an asset of the company' };
    const machine_name = given.machine_name ?? asset?.machine_name ?? '';
    const asset_id = asset?.asset_id ?? byName.get(`${given.company_number} ${machine_name}`) ?? null;
    return { given, machine_name, machine_key: normalised(machine_name), asset_id };
  });
}

/** Finds the asset of that name, if there is exactly one. */
async function findByName(ctx: Context, company_number: readonly number[], batch: readonly ReportedBackup[]) {
  const machine_name = unique(batch.flatMap((each) => (each.asset_id ? [] : (each.machine_name ?? []))));
  if (machine_name.length === 0) return new Map<string, number>();
  const assets = await ctx.db.findBy(Asset, {
    company_number: In(company_number),
    machine_name: In(machine_name),
    deleted_at: IsNull(),
  });
  const groups = Map.groupBy(assets, (each) => `${each.company_number} ${each.machine_name}`);
  return new Map([...groups].flatMap(([name, [only, other]]) => (only && !other ? [[name, only.asset_id]] : [])));
}

type Machines = ReadonlyMap<string, BackupMachine>;

/** Locks the machines of the reports, and inserts new ones. */
async function lockMachines(ctx: Context, placed: readonly Placed[]): Promise<Machines> {
  if (placed.length === 0) return new Map();
  const where = {
    company_number: In(unique(placed.map(({ given }) => given.company_number))),
    machine_key: In(unique(placed.map((each) => each.machine_key))),
  };
  const find = async (): Promise<Machines> => {
    const rows = await ctx.db.find(BackupMachine, {
      where,
      order: { machine_id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return new Map(rows.map((each) => [`${each.company_number} ${each.machine_key}`, each]));
  };
  const known = await find();
  const missing = new Map(placed.filter((each) => !known.has(keyOf(each))).map((each) => [keyOf(each), each]));
  if (missing.size === 0) return known;
  const added = [...missing.values()].map(({ given, machine_name, machine_key, asset_id }) => ({
    company_number: given.company_number,
    machine_name,
    machine_key,
    asset_id,
    created_at: ctx.now,
  }));
  await ctx.db.insert(BackupMachine, added);
  return find();
}

const keyOf = ({ given, machine_key }: Placed): string => `${given.company_number} ${machine_key}`;

function machineOf(machines: Machines, placed: Placed): BackupMachine {
  const found = machines.get(keyOf(placed));
  if (!found) throw new Error(`The machine ${placed.machine_name} disappeared during a transaction`);
  return found;
}

/** Updates the backup summary of each machine. */
async function updateMachines(ctx: Context, machines: readonly BackupMachine[], kept: readonly KeptBackup[]) {
  const byMachine = Map.groupBy(kept, ({ after }) => after.machine_id);
  for (const machine of machines) {
    const backups = byMachine.get(machine.machine_id) ?? [];
    if (backups.length === 0) continue;
    const { retired_at } = machine;
    const newest = backups.reduce<Newest>(newerThan, machine);
    await ctx.db.update(
      BackupMachine,
      { machine_id: machine.machine_id },
      {
        last_status: newest.last_status,
        last_finished_at: newest.last_finished_at,
        last_completed_at: newest.last_completed_at,
        next_backup_at: newest.next_backup_at,
        asset_id: machine.asset_id ?? backups.find(({ after }) => after.asset_id !== null)?.after.asset_id ?? null,
        stored_bytes: backups.reduce((sum, { bytes }) => sum + bytes, machine.stored_bytes),
        retired_at: retired_at && backups.some(({ after }) => after.started_at > retired_at) ? null : retired_at,
      },
    );
  }
}

const unique = <V>(values: readonly V[]): V[] => [...new Set(values)];
