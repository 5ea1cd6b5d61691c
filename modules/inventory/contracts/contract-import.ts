// Imports of contracts.
import { In, normalised, type Context } from '@keelson/core';
import { input } from '@keelson/core';
import type { ImportedRow, RowError } from '@keelson/core/files';
import { nounImport } from '@keelson/core/record';
import { withNumbers } from '@keelson/modules/directory';
import { companyColumns, companyNames, noteColumns } from '../import-columns.ts';
import { WriteContracts } from '../permissions.ts';
import { Vendor } from '../vendors/entities.ts';
import { contractFields } from './contract-fields.ts';
import { createContract, Contracts, updateContract } from './contracts.ts';
import { billingCycles } from './entities.ts';

export const ContractImport = nounImport('contracts', Contracts, {
  title: 'Contracts',
  access: WriteContracts,
  fields: contractFields,
  names: { ...companyNames, vendor_name: input.optionalText(255) },
  identity: ['company_number', 'name'],
  resolve: withNamedVendors,
  create: (ctx, { included_hours: included_minutes, ...given }) => createContract(ctx, { ...given, included_minutes }),
  change: (ctx, contract, { included_hours: included_minutes, ...wanted }) =>
    updateContract(ctx, contract, { ...wanted, included_minutes }),
  columns: [
    {
      name: 'name',
      label: 'Name',
      type: 'text',
      required: true,
      max_length: 255,
      sample: 'Managed workplace',
      aliases: [
        'contract',
        'contract name',
        'title',
        'agreement',
        'agreement name',
        'subject',
        'vertrag',
        'vertragsname',
        'bezeichnung',
      ],
    },
    {
      name: 'start_date',
      label: 'Starts',
      type: 'date',
      required: true,
      sample: '2026-01-01',
      aliases: [
        'start',
        'begin date',
        'start date',
        'from',
        'commencement date',
        'beginn',
        'vertragsbeginn',
        'laufzeit von',
        'startdatum',
      ],
    },
    {
      name: 'end_date',
      label: 'Ends',
      type: 'date',
      aliases: [
        'end',
        'end date',
        'expiry date',
        'expiration date',
        'until',
        'to',
        'ende',
        'vertragsende',
        'laufzeit bis',
        'enddatum',
      ],
    },
    { name: 'renewal_date', label: 'Renews on', type: 'date', aliases: ['renewal', 'next renewal'] },
    {
      name: 'auto_renew',
      label: 'Renews automatically',
      type: 'boolean',
      aliases: ['auto-renew', 'renewal type', 'automatische verlängerung', 'auto renewal'],
    },
    {
      name: 'notice_days',
      label: 'Notice in days',
      type: 'integer',
      aliases: ['notice', 'notice period'],
    },
    {
      name: 'contract_number',
      label: 'Number',
      type: 'text',
      aliases: ['contract no', 'reference', 'num', 'contract id', 'agreement number', 'vertragsnummer', 'vertragsnr'],
    },
    { name: 'contract_type', label: 'Type', type: 'text', aliases: ['type', 'agreement type', 'category'] },
    { name: 'description', label: 'Description', type: 'text' },
    {
      name: 'value',
      label: 'Value',
      type: 'amount',
      aliases: ['cost', 'price', 'amount', 'contract value', 'billing amount', 'wert', 'betrag', 'preis'],
    },
    {
      name: 'billing_cycle',
      label: 'Billing cycle',
      type: 'choice',
      options: billingCycles,
      synonyms: {
        monthly: ['month', 'per month', '1 month', '1', 'monatlich', 'monat', 'mensuel', 'mensual'],
        quarterly: [
          'quarter',
          'per quarter',
          '3 months',
          '3',
          'vierteljährlich',
          'quartal',
          'quartalsweise',
          'trimestriel',
        ],
        annual: ['annually', 'year', 'yearly', 'per year', '12 months', '12', 'jährlich', 'jahr', 'annuel', 'anual'],
      },
      aliases: [
        'billing period',
        'billing frequency',
        'invoice period',
        'cycle',
        'abrechnungszeitraum',
        'abrechnung',
        'intervall',
        'turnus',
      ],
    },
    { name: 'included_hours', label: 'Included hours', type: 'amount', aliases: ['hours', 'included hours'] },
    {
      name: 'vendor_name',
      label: 'Vendor',
      type: 'text',
      filesOnly: true,
      aliases: ['supplier', 'vendor', 'lieferant', 'anbieter'],
    },
    ...companyColumns,
    ...noteColumns,
  ],
});

/** Replaces the names of companies and vendors with numbers. */
async function withNamedVendors(ctx: Context, rows: readonly ImportedRow<any>[], company_number: number | undefined) {
  const found = await withNumbers(ctx, rows, company_number);
  const name_key = [
    ...new Set(rows.flatMap(({ values }) => (values.vendor_name ? [normalised(values.vendor_name)] : []))),
  ];
  const vendors = name_key.length === 0 ? [] : await ctx.db.findBy(Vendor, { name_key: In(name_key) });
  const ids = new Map(vendors.map((each) => [each.name_key, each.vendor_id]));
  const errors: RowError[] = [...found.errors];
  const named = found.rows.flatMap(({ row, values }) => {
    const { vendor_name, ...rest } = values as { vendor_name?: string; vendor_id?: number };
    if (!vendor_name || rest.vendor_id) return [{ row, values: rest }];
    const vendor_id = ids.get(normalised(vendor_name));
    if (vendor_id !== undefined) return [{ row, values: { ...rest, vendor_id } }];
    errors.push({ row, field: 'vendor_name', error: 'vendor_name must be the name of a vendor' });
    return [];
  });
  return { rows: named, errors };
}
