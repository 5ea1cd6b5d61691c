import { liveRecord, signedIn } from '@keelson/core';
import { Contract } from './contracts/entities.ts';
import { Domain } from './domains/entities.ts';
import { License } from './licenses/entities.ts';
import { Network } from './networks/entities.ts';
import { ReadContracts, ReadLicenses, ReadNetworks } from './permissions.ts';
import { Vendor } from './vendors/entities.ts';
import { Vlan } from './vlans/entities.ts';

export default [
  liveRecord(Contract, { admin: ReadContracts, helpdesk: { access: signedIn } }),
  // Vendors are internal to the provider.
  liveRecord(Vendor, { admin: ReadContracts }),
  liveRecord(License, { admin: ReadLicenses, helpdesk: { access: signedIn } }),
  liveRecord(Network, { admin: ReadNetworks, helpdesk: { access: signedIn } }),
  liveRecord(Vlan, { admin: ReadNetworks, helpdesk: { access: signedIn }, paths: ['/networks'] }),
  liveRecord(Domain, { admin: ReadNetworks, helpdesk: { access: signedIn } }),
];
