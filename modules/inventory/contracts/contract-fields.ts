// Input fields of a contract, in bodies, forms and files.
import { input, z } from '@keelson/core';
import { assetIds } from '../links.ts';
import { billingCycles } from './entities.ts';

const MOST_HOURS = 100_000;
/** Rounds to whole minutes. */
const includedHours = z
  .number()
  .min(0, 'must be at least 0')
  .max(MOST_HOURS, `must be at most ${MOST_HOURS}`)
  .transform((hours) => Math.round(hours * 60));

export const contractFields = {
  company_number: input.id(),
  name: input.text(255),
  start_date: input.day(),
  contract_number: input.optionalText(255),
  description: input.optionalLongText(),
  contract_type: input.optionalText(255).meta({ 'x-dropdown': 'contract_types' }),
  vendor_id: input.clearable(input.id()),
  end_date: input.clearable(input.day()),
  renewal_date: input.clearable(input.day()),
  auto_renew: input.optional(input.flag()),
  notice_days: input.optional(input.int(0, 3650)),
  value: input.clearable(input.money({ min: 0 })),
  billing_cycle: input.optional(input.choice(billingCycles)),
  included_hours: input.clearable(includedHours),
  notes: input.optionalLongText(),
  customer_notes: input.optionalLongText(),
  asset_ids: assetIds,
};
