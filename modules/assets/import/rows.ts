import { input, z } from '@keelson/core';
import type { ImportedRow } from '@keelson/core/files';
import type { Asset } from '../entities/asset.ts';
import type { Identifiers } from '../identifiers.ts';
import { assetColumns } from '../inputs.ts';

/** A row of a file. On the administrative surface, each may name its company. */
export const AssetRow = z.object({ ...assetColumns, company_number: input.optional(input.id()) });
export type AssetRow = z.output<typeof AssetRow>;

/** A row of a file that may have names in place of numbers. */
export const NamedAssetRow = AssetRow.extend({
  company_name: input.optionalText(255),
  site_name: input.optionalText(255),
  assigned_email: input.optionalText(254),
});
export type NamedAssetRow = z.output<typeof NamedAssetRow>;

export interface BatchOptions {
  /** For rows that name no company. */
  readonly company_number: number | undefined;
  /** Every row belongs to that company, regardless of what it names (D-01). */
  readonly fixedCompany: boolean;
  readonly update_existing: boolean;
  /** Checks the rows and stores nothing. */
  readonly dry_run: boolean;
  /** Serial numbers of earlier batches, for a dry run. */
  readonly judged: Set<string>;
  /** Decides which serial numbers identify an asset. */
  readonly identifiers: Identifiers;
}

export interface Row extends ImportedRow<AssetRow> {
  readonly company: number | undefined;
  /** The key of the serial number; null if it identifies nothing, undefined without one. */
  readonly serial_key: string | null | undefined;
  /** Company and normalised serial number, for matching existing assets; undefined without a serial number. */
  readonly key: string | undefined;
}

/** An asset that a batch creates or changes, once per batch even if the file repeats it. */
export interface Wanted {
  readonly before: Asset | undefined;
  readonly values: AssetRow & { readonly company_number: number; readonly serial_key?: string | null | undefined };
}
