// Report sources: contracts, licenses and domains on both surfaces, the rest on the administrative one.
import { reportSource, signedIn } from '@keelson/core';
import { ContractItem, PortalContract } from './contracts/contracts.ts';
import { DomainItem, PortalDomain } from './domains/domains.ts';
import { LicenseItem, PortalLicense } from './licenses/licenses.ts';
import { NetworkItem } from './networks/networks.ts';
import { ReadContracts, ReadLicenses, ReadNetworks } from './permissions.ts';
import { VendorItem } from './vendors/vendors.ts';
import { VlanItem } from './vlans/vlans.ts';

const contractFields = {
  contract_id: 'Contract ID',
  contract_number: 'Contract number',
  name: 'Name',
  contract_type: 'Type',
  status: 'Status',
  vendor_name: 'Vendor',
  start_date: 'Start',
  end_date: 'End',
  renewal_date: 'Renewal',
  auto_renew: 'Auto-renews',
  notice_days: 'Notice period (days)',
  value: 'Value',
  currency: 'Currency',
  billing_cycle: 'Billing cycle',
  included_hours: 'Included hours',
  notes: 'Notes',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const licenseFields = {
  license_id: 'License ID',
  name: 'Name',
  vendor: 'Vendor',
  license_type: 'Type',
  status: 'Status',
  seats: 'Seats',
  seats_used: 'Seats used',
  purchase_date: 'Purchased',
  expires_at: 'Expires',
  cost: 'Cost',
  currency: 'Currency',
  notes: 'Notes',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const domainFields = {
  domain_id: 'Domain ID',
  domain_name: 'Domain',
  registrar: 'Registrar',
  status: 'Status',
  registered_at: 'Registered',
  expires_at: 'Expires',
  auto_renew: 'Auto-renews',
  notes: 'Notes',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const company = { company_number: 'Company number', company_name: 'Company' } as const;

export default [
  reportSource('admin', 'contracts', {
    title: 'Contracts',
    access: ReadContracts,
    view: ContractItem,
    fields: { ...contractFields, ...company },
  }),
  reportSource('helpdesk', 'contracts', {
    title: 'Contracts',
    access: signedIn,
    view: PortalContract,
    fields: contractFields,
  }),
  reportSource('admin', 'licenses', {
    title: 'Licenses',
    access: ReadLicenses,
    view: LicenseItem,
    fields: { ...licenseFields, ...company },
  }),
  reportSource('helpdesk', 'licenses', {
    title: 'Licenses',
    access: signedIn,
    view: PortalLicense,
    fields: licenseFields,
  }),
  reportSource('admin', 'networks', {
    title: 'Networks',
    access: ReadNetworks,
    view: NetworkItem,
    fields: {
      network_id: 'Network ID',
      description: 'Description',
      network_address: 'Address',
      subnet_mask: 'Mask',
      gateway: 'Gateway',
      ...company,
      site_name: 'Site',
      dhcp_enabled: 'DHCP',
      vlan_count: 'VLANs',
      notes: 'Notes',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'vlans', {
    title: 'VLANs',
    access: ReadNetworks,
    view: VlanItem,
    fields: {
      vlan_id: 'VLAN ID',
      vlan_number: 'Number',
      name: 'Name',
      description: 'Description',
      network_id: 'Network ID',
      ...company,
      site_name: 'Site',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'domains', {
    title: 'Domains',
    access: ReadNetworks,
    view: DomainItem,
    fields: { ...domainFields, ...company },
  }),
  reportSource('helpdesk', 'domains', {
    title: 'Domains',
    access: signedIn,
    view: PortalDomain,
    fields: domainFields,
  }),
  reportSource('admin', 'vendors', {
    title: 'Vendors',
    access: ReadContracts,
    view: VendorItem,
    fields: {
      vendor_id: 'Vendor ID',
      name: 'Name',
      contact_name: 'Contact',
      email: 'Email',
      phone: 'Phone',
      website: 'Website',
      address: 'Address',
      account_number: 'Account number',
      status: 'Status',
      notes: 'Notes',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
];
