// Input fields of a license, in bodies, forms and files.
import { input } from '@keelson/core';
import { assetIds } from '../links.ts';

export const licenseFields = {
  company_number: input.id(),
  name: input.text(255),
  vendor: input.optionalText(255),
  product_key: input.clearable(input.secret(4096)),
  license_type: input.optionalText(255),
  seats: input.clearable(input.int(0, 1_000_000)),
  purchase_date: input.clearable(input.day()),
  expires_at: input.clearable(input.day()),
  cost: input.clearable(input.money({ min: 0 })),
  notes: input.optionalLongText(),
  customer_notes: input.optionalLongText(),
  asset_ids: assetIds,
};
