import { input, z } from '@keelson/core';
import type { ImportedRow } from '@keelson/core/files';
import type { Asset } from '../entities/asset.ts';
import type { Identifiers } from '../identifiers.ts';
import { assetColumns } from '../inputs.ts';

/** A row of a file; on the administrative surface each may name its company. */
export const AssetRow = z.object({ ...assetColumns, company_number: input.optional(input.id()) });
export type AssetRow = z.output<typeof AssetRow>;

/** A row of a file, which may have names instead of numbers. */
export const NamedAssetRow = AssetRow.extend({
  company_name: input.optionalText(255),
  site_name: input.optionalText(255),
  assigned_email: input.optionalText(254),
});

export interface BatchOptions {
  /** For rows that name no company. */
  readonly company_number: number | undefined;
  /** Every row is of that company, whatever it names (D-01). */
  readonly fixedCompany: boolean;
  readonly update_existing: boolean;
  /** Judges the rows and stores nothing. */
  readonly dry_run: boolean;
  /** The serial numbers of earlier batches, when nothing is stored that would tell. */
  readonly judged: Set<string>;
  /** Which serial numbers identify an asset. */
  readonly identifiers: Identifiers;
}

export interface Row extends ImportedRow<AssetRow> {
  readonly company: number | undefined;
  /** Of its serial number; null for one that identifies nothing, undefined without one. */
  readonly serial_key: string | null | undefined;
  /** Company and normalised serial number, by which an asset is known again; undefined without a number. */
  readonly key: string | undefined;
}

/** An asset that a batch creates or changes: one, however often the file names it. */
export interface Wanted {
  readonly before: Asset | undefined;
  readonly values: AssetRow & { readonly company_number: number; readonly serial_key?: string | null | undefined };
}
