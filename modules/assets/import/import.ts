// Imports of assets: of one's own company by its people, of any by a technician.
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

/** What an import of assets may be told beside the file; `dry_run` judges it and stores nothing. */
export const portalOptions = z.object({ update_existing: param.flag(), dry_run: param.flag() });
export const adminOptions = portalOptions.extend({ company_number: param.id(), ...importReading });

export const previewAssets = (uploads: ImportInput['uploads']) => previewImport(columnsWithCompany, uploads);

/** How an import went; `dry_run` says that nothing was stored. */
export const AssetImportResult = ImportResult.extend({ dry_run: z.boolean() });

const lists = ['assets'] as const;

/** Assets of the caller's company. Opens transactions of its own, one for each batch. */
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

/** Assets of the companies the rows name, or of the one named beside the file; `most` rows, 50,000 unless given. */
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
  // Whose an asset is shows with its name, so that batches cannot be told apart before: they are stored one after the other.
  const result = await importRows(ctx, file, NamedAssetRow, async (named) => {
    const { rows, errors } = await withNumbers(ctx, named, company_number);
    const stored = await storeAssets(ctx, rows, options);
    return { ...stored, errors: [...errors, ...stored.errors] };
  });
  return { ...result, dry_run };
}

/** Columns with names that stand for numbers. */
const names: ReadonlySet<string> = new Set(['company_name', 'site_name', 'assigned_email']);

/** A dry run knows only from the batches before which serial numbers a file names twice. */
function storeRows(
  ctx: Context,
  file: Awaited<ReturnType<typeof readImport>>,
  options: BatchOptions,
): Promise<ImportResult> {
  const keyOf = options.dry_run ? undefined : (values: AssetRow) => rowOf({ row: 0, values }, options).key;
  return importRows(ctx, file, AssetRow, (rows) => storeAssets(ctx, rows, options), { keyOf });
}
