import { searchable, sql, view, listed, type Context } from '@keelson/core';
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
    texts: readPortAddresses,
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

/** Also index port MAC addresses: people search for them as often as for the machine's own. */
async function readPortAddresses({ db }: Context, assets: readonly Asset[]) {
  const ids = assets.map((each) => each.asset_id);
  const ports = await db.query<{ asset_id: number; mac_address: string }>(
    sql`SELECT asset_id, mac_address FROM asset_port WHERE asset_id IN ${listed(ids)} AND mac_address <> ''`,
  );
  const of = Map.groupBy(ports, (each) => Number(each.asset_id));
  return (asset: Asset) => ({ main: (of.get(asset.asset_id) ?? []).map(({ mac_address }) => mac_address) });
}
