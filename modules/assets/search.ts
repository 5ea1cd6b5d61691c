import { searchable, view } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { readsAssets } from './access.ts';
import { assetNoun, ownCompany } from './assets/asset-list.ts';
import { Asset } from './entities/asset.ts';
import { ReadAssets } from './permissions.ts';

const only = ['asset_id', 'machine_name', 'serial_number'] as const;

export default [
  searchable(Asset, {
    name: ['machine_name', 'serial_number', 'asset_number'],
    main: ['ip_address', 'mac_address'],
    more: ['manufacturer', 'model', 'location'],
    title: ({ machine_name }) => machine_name,
    subtitle: ({ asset_type, asset_number }) => `${asset_number} ${asset_type}`.trim(),
    found: {
      admin: {
        type: 'assets',
        access: ReadAssets,
        view: view(assetNoun, { only, more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }) }),
      },
      helpdesk: { type: 'assets', access: readsAssets, view: view(assetNoun, { only, visible: ownCompany }) },
    },
  }),
];
