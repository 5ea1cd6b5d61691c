import { big, choice, counted, day, flag, id, int, ref, statistic, table, text, when, type Row } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company } from '@keelson/modules/directory';
import { Vendor } from '../vendors/entities.ts';

export const contractStatuses = ['active', 'expired', 'pending'] as const;
export const billingCycles = ['monthly', 'quarterly', 'annual'] as const;

export const Contract = table(
  'contract',
  {
    contract_id: id(),
    contract_number: text(255).default(''),
    name: text(255),
    description: text().default(''),
    contract_type: text(255).default(''),
    company_number: ref(Company),
    vendor_id: ref(Vendor).nullable(),
    /** Derived from the dates, on every write and by a job after midnight. */
    status: choice(...contractStatuses),
    start_date: day(),
    /** First day of the current term of a renewed contract. */
    term_start: day().nullable(),
    /** Terms that would begin on a day their month lacks begin on the first of the next month. */
    term_overflows: flag().default(false).hidden(),
    end_date: day().nullable(),
    renewal_date: day().nullable(),
    auto_renew: flag().default(false),
    notice_days: int().default(0),
    /** In minor units (V-08); shown as `value` in responses. */
    value_minor: big().nullable(),
    billing_cycle: choice(...billingCycles).default('monthly'),
    /**
     * Ticket work included in the value per calendar month, quarter or year; shown as `included_hours` in responses.
     */
    included_minutes: int().nullable(),
    notes: text().default(''),
    /** Visible to customers; `notes` are internal to the provider (Z-15). */
    customer_notes: text().default(''),
    /** The day to warn about: the renewal or else the end. */
    due_on: day().nullable().hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'contract_id', 'deleted_at'],
    ['company_number', 'created_at', 'contract_id', 'deleted_at'],
    ['status', 'created_at', 'contract_id', 'deleted_at'],
    ['created_at', 'contract_id', 'deleted_at'],
    ['vendor_id', 'contract_id'],
    ['status', 'start_date'],
    ['status', 'end_date'],
    ['due_on', 'contract_id'],
  ],
);
export type Contract = Row<typeof Contract>;

export const ContractCount = counted({
  of: Contract,
  dimensions: ['company_number', 'status'],
  statistics: [statistic(Company, 'active_contracts', { status: 'active' })],
});

/**
 * Assets a contract covers; without any, it covers the whole company (T-12). A deleted asset keeps its rows, so that its
 * contract does not become one for the whole company (AS-05).
 */
export const ContractAsset = table(
  'contract_asset',
  { contract_id: ref(Contract).primary(), asset_id: ref(Asset).primary() },
  [['asset_id', 'contract_id']],
);
