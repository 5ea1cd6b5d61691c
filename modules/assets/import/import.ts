// Imports of assets: by employees for their own company, by technicians for any.
import { param, z, type Context, type EmployeeActor } from '@keelson/core';
import {
  importReading,
  importRows,
  ImportResult,
  previewImport,
  readImport,
  type ImportInput,
} from '@keelson/core/files';
import { withNumbers } from '@keelson/modules/directory';
import { readIdentifiers } from '../identifiers.ts';
import { assetColumnsOfFiles, columnsWithCompany } from './columns.ts';
import { storeAssets } from './batch.ts';
import { rowOf } from './batch-check.ts';
import { AssetRow, NamedAssetRow, type BatchOptions } from './rows.ts';

/** Options of an asset import besides the file. `dry_run` checks it and stores nothing. */
export const portalOptions = z.object({ update_existing: param.flag(), dry_run: param.flag() });
export const adminOptions = portalOptions.extend({ company_number: param.id(), ...importReading });

export const previewAssets = (uploads: ImportInput['uploads']) => previewImport(columnsWithCompany, uploads);

/** The result of an import. `dry_run` means that nothing was stored. */
export const AssetImportResult = ImportResult.extend({ dry_run: z.boolean() });

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
  return { ...(await storeRows(ctx, file, options)), dry_run };
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
  if (![...file.given].some((each) => names.has(each))) return { ...(await storeRows(ctx, file, options)), dry_run };
  // A row's company is known only after its name is resolved, so batches cannot be separated in advance and run one
  // after another.
  const result = await importRows(ctx, file, NamedAssetRow, async (named) => {
    const { rows, errors } = await withNumbers(ctx, named, company_number);
    const stored = await storeAssets(ctx, rows, options);
    return { ...stored, errors: [...errors, ...stored.errors] };
  });
  return { ...result, dry_run };
}

/** Columns with names in place of numbers. */
const names: ReadonlySet<string> = new Set(['company_name', 'site_name', 'assigned_email']);

/** Imports the rows. A dry run stores nothing, so it detects duplicate serial numbers from the batches before. */
function storeRows(
  ctx: Context,
  file: Awaited<ReturnType<typeof readImport>>,
  options: BatchOptions,
): Promise<ImportResult> {
  const keyOf = options.dry_run ? undefined : (values: AssetRow) => rowOf({ row: 0, values }, options).key;
  return importRows(ctx, file, AssetRow, (rows) => storeAssets(ctx, rows, options), { keyOf });
}
