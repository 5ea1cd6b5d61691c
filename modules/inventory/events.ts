import { event, z } from '@keelson/core';
import { expiringKinds } from './expiry/entities.ts';

const record = { kind: z.enum(expiringKinds), id: z.int() };

/** A contract, license or domain ends within one of the warnings' day marks: once for each mark and end. */
export const InventoryExpiring = event(
  'inventory.expiring',
  z.object({
    ...record,
    name: z.string(),
    company_number: z.int(),
    expires_on: z.iso.date(),
    /** What is really left; less than the mark for a record that was entered late. */
    days_left: z.int(),
    mark: z.int(),
  }),
);

/** It ends on another day than people were warned of, or is deleted. */
export const InventoryRenewed = event('inventory.renewed', z.object(record));

/** A contract with `auto_renew` has begun another term. */
export const ContractRenewed = event(
  'contract.renewed',
  z.object({
    contract_id: z.int(),
    name: z.string(),
    company_number: z.int(),
    term_start: z.iso.date(),
    end_date: z.iso.date(),
  }),
  { webhook: 'admin' },
);
