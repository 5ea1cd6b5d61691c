// What reports can be made of: contracts and licenses on both surfaces, networks on the administrative one.
import { reportSource, signedIn } from '@keelson/core';
import { ContractItem, PortalContract } from './contracts/contracts.ts';
import { LicenseItem, PortalLicense } from './licenses/licenses.ts';
import { NetworkItem } from './networks/networks.ts';
import { ReadContracts, ReadLicenses, ReadNetworks } from './permissions.ts';

const contractFields = {
  contract_id: 'Contract id',
  contract_number: 'Contract number',
  name: 'Name',
  contract_type: 'Type',
  status: 'Status',
  vendor_name: 'Vendor',
  start_date: 'Start',
  end_date: 'End',
  renewal_date: 'Renewal',
  auto_renew: 'Renews itself',
  notice_days: 'Days of notice',
  value: 'Value',
  currency: 'Currency',
  billing_cycle: 'Billing cycle',
  notes: 'Notes',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const licenseFields = {
  license_id: 'License id',
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
      network_id: 'Network id',
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
];
