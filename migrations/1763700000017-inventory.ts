// Initial inventory tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, flag, id, int, json, key, ref, text, when, type Columns } from '../core/database/table.ts';

export default migration('1763700000017-inventory', async (m) => {
  await createVendors(m);
  await createContracts(m);
  await createLicenses(m);
  await createNetworks(m);
  await createVlans(m);
  await createDomains(m);
  await m.createTable(
    'expiry_notice',
    {
      kind: choice('contract', 'license', 'domain').primary(),
      record_id: int().primary(),
      expires_on: day().primary(),
      mark: int().primary(),
      told_at: when(),
    },
    [['expires_on']],
  );
});

async function createVendors(m: Migrator): Promise<void> {
  await m.createTable(
    'vendor',
    {
      vendor_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      contact_name: text(255).default(''),
      email: text(254).default(''),
      phone: text(32).default(''),
      website: text(2048).default(''),
      address: text(255).default(''),
      account_number: text(255).default(''),
      notes: text().default(''),
      status: choice('active', 'inactive').default('active'),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['name', 'vendor_id', 'deleted_at']],
  );
  await createCounter(m, 'vendor_count', { status: text(40) });
}

async function createContracts(m: Migrator): Promise<void> {
  await m.createTable(
    'contract',
    {
      contract_id: id(),
      contract_number: text(255).default(''),
      name: text(255),
      description: text().default(''),
      contract_type: text(255).default(''),
      company_number: ref('company.company_number'),
      vendor_id: ref('vendor.vendor_id').nullable(),
      status: choice('active', 'expired', 'pending'),
      start_date: day(),
      end_date: day().nullable(),
      renewal_date: day().nullable(),
      auto_renew: flag().default(false),
      notice_days: int().default(0),
      value_minor: big().nullable(),
      billing_cycle: choice('monthly', 'quarterly', 'annual').default('monthly'),
      notes: text().default(''),
      due_on: day().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
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
  await m.createTable(
    'contract_asset',
    { contract_id: ref('contract.contract_id').primary(), asset_id: ref('asset.asset_id').primary() },
    [['asset_id', 'contract_id']],
  );
  await createCounter(m, 'contract_count', { company_number: int(), status: text(40) });
}

async function createLicenses(m: Migrator): Promise<void> {
  await m.createTable(
    'license',
    {
      license_id: id(),
      name: text(255),
      vendor: text(255).default(''),
      product_key: text().nullable(),
      key_end: text(8).nullable(),
      license_type: text(255).default(''),
      seats: int().nullable(),
      seats_used: int().default(0),
      company_number: ref('company.company_number'),
      status: choice('active', 'expired'),
      purchase_date: day().nullable(),
      expires_at: day().nullable(),
      cost_minor: big().nullable(),
      notes: text().default(''),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'license_id', 'deleted_at'],
      ['company_number', 'created_at', 'license_id', 'deleted_at'],
      ['status', 'created_at', 'license_id', 'deleted_at'],
      ['created_at', 'license_id', 'deleted_at'],
      ['status', 'expires_at'],
      ['expires_at', 'license_id'],
    ],
  );
  await m.createTable(
    'license_asset',
    { license_id: ref('license.license_id').primary(), asset_id: ref('asset.asset_id').primary() },
    [['asset_id', 'license_id']],
  );
  await createCounter(m, 'license_count', { company_number: int(), status: text(40) });
}

async function createNetworks(m: Migrator): Promise<void> {
  await m.createTable(
    'network',
    {
      network_id: id(),
      description: text(255),
      network_address: text(45),
      subnet_mask: text(45),
      gateway: text(45).default(''),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      dhcp_enabled: flag().default(false),
      dns_servers: json(z.array(z.string())).default([]),
      notes: text().default(''),
      place_key: key().nullable(),
      first_key: key(33),
      last_key: key(33),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'created_at', 'network_id', 'deleted_at'],
      ['company_number', 'site_number', 'created_at', 'network_id', 'deleted_at'],
      ['site_number', 'created_at', 'network_id', 'deleted_at'],
      ['created_at', 'network_id', 'deleted_at'],
      ['company_number', 'first_key', 'last_key', 'network_id', 'deleted_at'],
    ],
    { unique: [['company_number', 'place_key']] },
  );
  await createCounter(m, 'network_count', { company_number: int() });
}

async function createVlans(m: Migrator): Promise<void> {
  await m.createTable(
    'vlan',
    {
      vlan_id: id(),
      vlan_number: int(),
      name: text(255),
      description: text().default(''),
      network_id: ref('network.network_id').nullable(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      place_key: key().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'created_at', 'vlan_id', 'deleted_at'],
      ['company_number', 'site_number', 'created_at', 'vlan_id', 'deleted_at'],
      ['site_number', 'created_at', 'vlan_id', 'deleted_at'],
      ['created_at', 'vlan_id', 'deleted_at'],
      ['network_id', 'vlan_number', 'deleted_at'],
    ],
    { unique: [['company_number', 'place_key']] },
  );
  await createCounter(m, 'vlan_count', { company_number: int() });
  await createCounter(m, 'network_vlan_count', { network_id: int() });
}

async function createDomains(m: Migrator): Promise<void> {
  await m.createTable(
    'domain',
    {
      domain_id: id(),
      domain_name: text(253),
      company_number: ref('company.company_number'),
      registrar: text(255).default(''),
      status: choice('active', 'expired'),
      registered_at: day().nullable(),
      expires_at: day().nullable(),
      auto_renew: flag().default(false),
      name_servers: json(z.array(z.string())).default([]),
      notes: text().default(''),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'domain_id', 'deleted_at'],
      ['company_number', 'created_at', 'domain_id', 'deleted_at'],
      ['status', 'created_at', 'domain_id', 'deleted_at'],
      ['created_at', 'domain_id', 'deleted_at'],
      ['status', 'expires_at'],
      ['expires_at', 'domain_id'],
    ],
  );
  await createCounter(m, 'domain_count', { company_number: int(), status: text(40) });
}

async function createCounter(m: Migrator, name: string, dimensions: Columns): Promise<void> {
  const keys = Object.fromEntries(Object.entries(dimensions).map(([each, column]) => [each, column.primary()]));
  await m.createTable(name, { ...keys, n: int() });
  await m.createTable(`${name}_delta`, { delta_id: id(), ...dimensions, n: int() });
}
