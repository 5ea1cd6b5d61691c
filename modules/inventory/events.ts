import { event, z } from '@keelson/core';
import { expiringKinds } from './expiry/entities.ts';

const record = { kind: z.enum(expiringKinds), id: z.int() };

/** Emitted when a contract, license or domain reaches a warning period before its end: once per period and end date. */
export const InventoryExpiring = event(
  'inventory.expiring',
  z.object({
    ...record,
    name: z.string(),
    company_number: z.int(),
    expires_on: z.iso.date(),
    /** Actual days left; fewer than the mark for a record entered late. */
    days_left: z.int(),
    mark: z.int(),
  }),
);

/** Emitted when the end date that was warned about changes, or the record is deleted. */
export const InventoryRenewed = event('inventory.renewed', z.object(record));

/** Emitted when a contract with `auto_renew` starts another term. */
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
