import { searchable, view } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { Contracts } from './contracts/contracts.ts';
import { Contract } from './contracts/entities.ts';
import { Domain } from './domains/entities.ts';
import { License } from './licenses/entities.ts';
import { Network } from './networks/entities.ts';
import { ReadContracts } from './permissions.ts';
import { Vendor } from './vendors/entities.ts';
import { Vlan } from './vlans/entities.ts';

// List search (P-26). Contracts have a number, so the universal search finds them, too.
export default [
  searchable(Contract, {
    name: ['name'],
    main: ['contract_number'],
    title: ({ name }) => name,
    subtitle: ({ contract_number, status }) => [contract_number, status].filter(Boolean).join(', '),
    found: {
      admin: {
        type: 'contracts',
        access: ReadContracts,
        view: view(Contracts, {
          only: ['contract_id', 'contract_number', 'name', 'status'],
          more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
        }),
        usual: true,
      },
    },
  }),
  searchable(License, { name: ['name'], main: ['vendor'], title: ({ name }) => name }),
  searchable(Network, {
    name: ['description'],
    main: ['network_address'],
    title: ({ network_address }) => network_address,
  }),
  searchable(Vendor, { name: ['name'], main: ['contact_name', 'account_number'], title: ({ name }) => name }),
  searchable(Vlan, { name: ['name', 'vlan_number'], main: ['description'], title: ({ name }) => name }),
  searchable(Domain, { name: ['domain_name'], main: ['registrar'], title: ({ domain_name }) => domain_name }),
];
