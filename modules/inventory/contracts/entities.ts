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
    /** Follows from the dates: when it is written, and by a job after midnight. */
    status: choice(...contractStatuses),
    start_date: day(),
    /** The first day of the current term of a contract that has renewed itself. */
    term_start: day().nullable(),
    end_date: day().nullable(),
    renewal_date: day().nullable(),
    auto_renew: flag().default(false),
    notice_days: int().default(0),
    /** In minor units (V-08); answers show it as `value`. */
    value_minor: big().nullable(),
    billing_cycle: choice(...billingCycles).default('monthly'),
    /** Work on tickets that its value pays for, in each calendar month, quarter or year; answers show `included_hours`. */
    included_minutes: int().nullable(),
    notes: text().default(''),
    /** What customers read; `notes` are the provider's own (Z-15). */
    customer_notes: text().default(''),
    /** What people are warned of: the day it renews itself, or else ends. */
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

/** What a contract covers; one without assets covers the whole company (T-12). */
export const ContractAsset = table(
  'contract_asset',
  { contract_id: ref(Contract).primary(), asset_id: ref(Asset).primary() },
  [['asset_id', 'contract_id']],
);
