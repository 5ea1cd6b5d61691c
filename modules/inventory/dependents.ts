// References to companies, sites and assets.
import { dependent } from '@keelson/core';
import { Contract, ContractAsset } from './contracts/entities.ts';
import { Domain } from './domains/entities.ts';
import { License, LicenseAsset } from './licenses/entities.ts';
import { Network } from './networks/entities.ts';
import { Vlan } from './vlans/entities.ts';

export default [
  dependent(Contract, 'company_number', 'contracts'),
  dependent(License, 'company_number', 'licenses'),
  dependent(Network, 'company_number', 'networks'),
  dependent(Network, 'site_number', 'networks'),
  dependent(Vlan, 'company_number', 'VLANs'),
  dependent(Vlan, 'site_number', 'VLANs'),
  dependent(Domain, 'company_number', 'domains'),
  dependent(ContractAsset, 'asset_id', 'contracts'),
  dependent(LicenseAsset, 'asset_id', 'licenses'),
];
