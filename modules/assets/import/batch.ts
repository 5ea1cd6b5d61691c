// One import batch: stores the valid rows in one transaction and returns the errors.
import { changeAll, DuplicateKey, eventDataFor, type Context } from '@keelson/core';
import type { ImportedRow, RowError, StoredBatch } from '@keelson/core/files';
import { yieldToOthers } from '@keelson/core/kit';
import { announceAllNew, newRow } from '@keelson/core/record';
import { AssetItem } from '../assets/asset-list.ts';
import { assetIdOf, Assets, reserveAssetNumbers } from '../assets/assets.ts';
import { speller } from '../assets/references.ts';
import { Asset } from '../entities/asset.ts';
import { AssetAddress } from '../entities/parts.ts';
import { AssetCreated } from '../events.ts';
import { primaryRow } from '../parts/addresses.ts';
import { faultOf, readPlaces, readPresent, rowOf } from './batch-check.ts';
import type { AssetRow, BatchOptions, Row, Wanted } from './rows.ts';

const MOST_TRIES = 3;
/** Rows per slice, after which other work gets a turn. */
const SLICE = 250;

/** Stores a batch. Opens its own transaction, and retries when another request takes a serial number meanwhile. */
export async function storeAssets(
  ctx: Context,
  imported: readonly ImportedRow<AssetRow>[],
  options: BatchOptions,
): Promise<StoredBatch> {
  const rows = imported.map((each) => rowOf(each, options));
  // Reserved outside the transaction, because SQLite has one writer.
  const first = options.dry_run ? 0 : await reserveAssetNumbers(ctx, rows.length);
  for (let tries = 1; ; tries++) {
    try {
      return await ctx.transaction((inside) => storeBatch(inside, rows, first, options));
    } catch (error) {
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

/** Checks the rows and stores the valid ones. */
async function storeBatch(
  ctx: Context,
  rows: readonly Row[],
  first: number,
  options: BatchOptions,
): Promise<StoredBatch> {
  const places = await readPlaces(ctx, rows);
  const present = await readPresent(ctx, rows);
  const wanted = new Map<string, Wanted>();
  const errors: RowError[] = [];
  let [created, updated] = [0, 0];
  for (const row of rows) {
    const key = row.key ?? `row ${row.row}`;
    const earlier = wanted.get(key);
    const before = earlier?.before ?? present.get(key);
    const known = before !== undefined || earlier !== undefined || options.judged.has(key);
    const fault = faultOf(row, known, places, options);
    if (fault) {
      errors.push({ row: row.row, ...fault });
      continue;
    }
    const company_number = row.company ?? 0;
    const keys = { company_number, ...(row.serial_key !== undefined && { serial_key: row.serial_key }) };
    const values = earlier ? { ...earlier.values, ...given(row.values), ...keys } : { ...row.values, ...keys };
    wanted.set(key, { before, values });
    if (known) updated++;
    else created++;
    if (options.dry_run && row.key !== undefined) options.judged.add(key);
  }
  if (!options.dry_run) await storeWanted(ctx, [...wanted.values()], first, rows);
  return { created, updated, errors };
}

/** Returns the values a row has; an empty cell changes nothing. */
const given = (values: AssetRow) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as AssetRow;

async function storeWanted(
  ctx: Context,
  wanted: readonly Wanted[],
  first: number,
  rows: readonly Row[],
): Promise<void> {
  const spell = await speller(ctx);
  const spelled = wanted.map(({ before, values }) => {
    const { asset_type, status } = values;
    const type = asset_type === undefined ? undefined : spell.type(asset_type);
    const state = status === undefined ? undefined : spell.status(status);
    return { before, values: { ...values, asset_type: type, status: state } };
  });
  await storeNew(
    ctx,
    spelled.filter((each) => !each.before),
    first,
    rows,
  );
  const changed = new Map(spelled.flatMap(({ before, values }) => (before ? [[before.asset_id, values]] : [])));
  const befores = spelled.flatMap(({ before }) => before ?? []);
  await changeAll(ctx, Assets, befores, ({ asset_id }) => changed.get(asset_id) ?? {});
}

/**
 * Inserts the rows directly: many rows in one statement, counted together, with one log entry and one event each
 * (X-14).
 */
async function storeNew(ctx: Context, wanted: readonly Wanted[], first: number, rows: readonly Row[]): Promise<void> {
  if (wanted.length === 0) return;
  const inserted = wanted.map(({ values }, i) => {
    const asset_number = first + i;
    return newRow(ctx, Assets, { ...values, asset_number, asset_id: assetIdOf(asset_number), source: 'import' });
  });
  for (let at = 0; at < inserted.length; at += SLICE) {
    const some = inserted.slice(at, at + SLICE);
    await ctx.db.insert(Asset, some);
    await ctx.db.insert(AssetAddress, some.filter((each) => each.ip_address !== '').map(primaryRow));
    await yieldToOthers();
  }
  announceAllNew(ctx, Assets, inserted, {
    entity_id: 'import',
    description: `${wanted.length} assets imported from rows ${rows[0]?.row} to ${rows.at(-1)?.row} of a file`,
  });
  const dataOf = await eventDataFor(ctx, AssetItem, inserted);
  for (const row of inserted) ctx.emit(AssetCreated, dataOf(row));
}
