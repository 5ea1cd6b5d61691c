import { searchable } from '@keelson/core';
import { Contract } from './contracts/entities.ts';
import { Domain } from './domains/entities.ts';
import { License } from './licenses/entities.ts';
import { Network } from './networks/entities.ts';
import { Vendor } from './vendors/entities.ts';
import { Vlan } from './vlans/entities.ts';

// List search (P-26). These types are not part of the universal search.
export default [
  searchable(Contract, { name: ['name'], main: ['contract_number'], title: ({ name }) => name }),
  searchable(License, { name: ['name'], main: ['vendor'], title: ({ name }) => name }),
  searchable(Network, {
    name: ['description'],
    main: ['network_address'],
    title: ({ network_address }) => network_address,
  }),
  searchable(Vendor, { name: ['name'], main: ['contact_name'], title: ({ name }) => name }),
  searchable(Vlan, { name: ['name', 'vlan_number'], main: ['description'], title: ({ name }) => name }),
  searchable(Domain, { name: ['domain_name'], main: ['registrar'], title: ({ domain_name }) => domain_name }),
];
