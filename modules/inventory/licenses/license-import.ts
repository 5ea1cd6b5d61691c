// Imports of licenses. A file may give the product key of a new license; that of an existing one is never replaced, so
// that no key is lost when an import is undone.
import { nounImport } from '@keelson/core/record';
import { withNumbers } from '@keelson/modules/directory';
import { companyColumns, companyNames, noteColumns } from '../import-columns.ts';
import { WriteLicenses } from '../permissions.ts';
import { licenseFields } from './license-fields.ts';
import { createLicense, Licenses, updateLicense } from './licenses.ts';

export const LicenseImport = nounImport('licenses', Licenses, {
  title: 'Licenses',
  access: WriteLicenses,
  fields: licenseFields,
  names: companyNames,
  identity: ['company_number', 'name'],
  resolve: withNumbers,
  create: createLicense,
  change: (ctx, license, { product_key: _kept, ...wanted }) => updateLicense(ctx, license, wanted),
  columns: [
    {
      name: 'name',
      label: 'Name',
      type: 'text',
      required: true,
      max_length: 255,
      sample: 'Microsoft 365 Business Premium',
      aliases: [
        'license',
        'license name',
        'software',
        'software name',
        'product',
        'product name',
        'licence',
        'lizenz',
        'produkt',
        'bezeichnung',
      ],
    },
    {
      name: 'vendor',
      label: 'Vendor',
      type: 'text',
      aliases: ['manufacturer', 'publisher', 'supplier', 'hersteller', 'lieferant'],
    },
    {
      name: 'product_key',
      label: 'Product key',
      type: 'password',
      max_length: 4096,
      aliases: ['serial', 'license key', 'key', 'serial number', 'lizenzschlüssel', 'produktschlüssel', 'schlüssel'],
    },
    { name: 'license_type', label: 'Type', type: 'text', aliases: ['type', 'category', 'software type'] },
    {
      name: 'seats',
      label: 'Seats',
      type: 'integer',
      aliases: ['total', 'quantity', 'qty', 'number', 'total licenses', 'anzahl', 'menge', 'plätze'],
    },
    {
      name: 'purchase_date',
      label: 'Purchased',
      type: 'date',
      aliases: ['purchase', 'date of purchase', 'purchased', 'kaufdatum', 'gekauft am'],
    },
    {
      name: 'expires_at',
      label: 'Expires',
      type: 'date',
      aliases: [
        'expire',
        'expiry',
        'expiry date',
        'expiration',
        'expiration date',
        'expires',
        'renewal date',
        'läuft ab',
        'ablaufdatum',
        'gültig bis',
      ],
    },
    {
      name: 'cost',
      label: 'Cost',
      type: 'amount',
      aliases: ['purchase cost', 'price', 'value', 'amount', 'kosten', 'preis', 'betrag'],
    },
    ...companyColumns,
    ...noteColumns,
  ],
});
