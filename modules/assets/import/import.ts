// Imports of assets: by employees for their own company, by technicians for any.
import { change, In, param, z, type Context, type EmployeeActor } from '@keelson/core';
import {
  importReading,
  importRows,
  ImportResult,
  previewImport,
  readImport,
  type ImportedRow,
  type ImportInput,
  type ImportWatch,
} from '@keelson/core/files';
import { importable, importOutcome, runImport } from '@keelson/core/record';
import { withNumbers } from '@keelson/modules/directory';
import { TicketAsset } from '@keelson/modules/tickets';
import { editsAssets } from '../access.ts';
import { Assets } from '../assets/assets.ts';
import { checkPlace } from '../assets/references.ts';
import type { Asset } from '../entities/asset.ts';
import { readIdentifiers } from '../identifiers.ts';
import { WriteAssets } from '../permissions.ts';
import { rowOf } from './batch-check.ts';
import { storeAssets } from './batch.ts';
import { assetColumnsOfFiles, columnsWithCompany } from './columns.ts';
import { AssetRow, NamedAssetRow, type BatchOptions } from './rows.ts';

export const AssetImport = importable('assets', Assets, {
  title: 'Assets',
  access: WriteAssets,
  portalAccess: editsAssets,
  async kept(ctx, ids) {
    const linked = await ctx.db.find(TicketAsset, { where: { asset_id: In([...ids]) } });
    return new Map(linked.map(({ asset_id }) => [asset_id, 'Still has tickets']));
  },
  async restore(ctx, asset: Asset, before: Partial<Asset>) {
    await checkPlace(ctx, { ...asset, ...before }, asset);
    await change(ctx, Assets, asset, before);
  },
});

/** Options of an asset import besides the file. `dry_run` checks it and stores nothing. */
export const portalOptions = z.object({ update_existing: param.flag(), dry_run: param.flag() });
export const adminOptions = portalOptions.extend({ company_number: param.id(), ...importReading });

export const previewAssets = (uploads: ImportInput['uploads']) => previewImport(columnsWithCompany, uploads);

/** The result of an import. `dry_run` means that nothing was stored. */
export const AssetImportResult = ImportResult.extend(importOutcome);

const lists = ['assets'] as const;

/** Imports assets of the caller's company. Opens one transaction per batch. */
export async function importOwnAssets(ctx: Context<EmployeeActor>, input: ImportInput) {
  const file = await readImport({ columns: assetColumnsOfFiles, lists, options: portalOptions }, input);
  const { update_existing = false, dry_run = false } = file.options;
  const { company_number } = ctx.actor;
  const identifiers = await readIdentifiers(ctx);
  const options = {
    company_number,
    fixedCompany: true,
    update_existing,
    dry_run,
    judged: new Set<string>(),
    identifiers,
  };
  return runImport(ctx, AssetImport, { file, uploads: input.uploads }, (inside, watch) =>
    storeRows(inside, file, options, watch),
  );
}

/**
 * Imports assets of the companies named in the rows or in the options. Accepts at most `most` rows, 50,000 by default.
 */
export async function importAssets(ctx: Context, input: ImportInput, { most }: { readonly most?: number } = {}) {
  const spec = { columns: columnsWithCompany, lists, options: adminOptions };
  const file = await readImport(most === undefined ? spec : { ...spec, most }, input);
  const { update_existing = false, dry_run = false, company_number } = file.options;
  const identifiers = await readIdentifiers(ctx);
  const options = {
    company_number,
    fixedCompany: false,
    update_existing,
    dry_run,
    judged: new Set<string>(),
    identifiers,
  };
  return runImport(ctx, AssetImport, { file, uploads: input.uploads }, (inside, watch) => {
    if (![...file.given].some((each) => names.has(each))) return storeRows(inside, file, options, watch);
    // A row's company is known only after its name is resolved, so batches cannot be separated in advance and run one
    // after another.
    const store = async (named: readonly ImportedRow<NamedAssetRow>[]) => {
      const { rows, errors } = await withNumbers(inside, named, company_number);
      const stored = await storeAssets(inside, rows, options);
      return { ...stored, errors: [...errors, ...stored.errors] };
    };
    return importRows(inside, file, NamedAssetRow, store, { watch });
  });
}

/** Columns with names in place of numbers. */
const names: ReadonlySet<string> = new Set(['company_name', 'site_name', 'assigned_email']);

/** Imports the rows. A dry run stores nothing, so it detects duplicate serial numbers from the batches before. */
function storeRows(
  ctx: Context,
  file: Awaited<ReturnType<typeof readImport>>,
  options: BatchOptions,
  watch: ImportWatch,
): Promise<ImportResult> {
  const keyOf = options.dry_run ? undefined : (values: AssetRow) => rowOf({ row: 0, values }, options).key;
  return importRows(ctx, file, AssetRow, (rows) => storeAssets(ctx, rows, options), { keyOf, watch });
}
