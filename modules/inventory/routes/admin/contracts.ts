import { admin, input, nounRoutes, z } from '@keelson/core';
import { ContractDetail, readContract } from '../../contracts/contract-detail.ts';
import { ContractItem, Contracts, createContract, updateContract } from '../../contracts/contracts.ts';
import { billingCycles } from '../../contracts/entities.ts';
import { assetIds } from '../../links.ts';
import { ReadContracts, WriteContracts } from '../../permissions.ts';

const MOST_HOURS = 100_000;
/** Rounds to whole minutes. */
const includedHours = z
  .number()
  .min(0, 'must be at least 0')
  .max(MOST_HOURS, `must be at most ${MOST_HOURS}`)
  .transform((hours) => Math.round(hours * 60));

export default nounRoutes(admin, '/contracts.php?id={id}', Contracts, {
  titles: {
    list: 'List contracts',
    create: 'Create a contract',
    read: 'Read a contract with its assets and renewal',
    update: 'Update a contract',
    delete: 'Delete a contract',
  },
  read: ReadContracts,
  write: WriteContracts,
  view: ContractItem,
  detail: { shape: ContractDetail, show: readContract },
  fields: {
    company_number: input.id(),
    name: input.text(255),
    start_date: input.day(),
    contract_number: input.optionalText(255),
    description: input.optionalLongText(),
    contract_type: input.optionalText(255),
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
  },
  create: (ctx, { included_hours: included_minutes, ...given }) => createContract(ctx, { ...given, included_minutes }),
  change: (ctx, contract, { included_hours: included_minutes, ...wanted }) =>
    updateContract(ctx, contract, { ...wanted, included_minutes }),
});
