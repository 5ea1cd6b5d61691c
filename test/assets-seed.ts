// Seeds assets for tests.
import { createAsset, type Asset, type NewAsset } from '@keelson/modules/assets';
import type { TestApp } from '@keelson/testing';
import { StoredEvent } from '../packages/events/delivery/delivery.ts';
import { unique } from './accounts-seed.ts';

export const assetRights = ['assets:read', 'assets:write', 'assets:delete'];

export function seedAsset(app: TestApp, given: Partial<NewAsset> & { company_number: number }): Promise<Asset> {
  return app.run((ctx) => createAsset(ctx, { machine_name: unique('PC'), ...given }));
}

/** Returns the asset events stored so far, oldest first, with their data. */
export async function assetEvents(app: TestApp): Promise<{ name: string; data: any; changed: unknown }[]> {
  const rows = await app.app.database.find(StoredEvent, { order: { event_id: 'ASC' } });
  return rows
    .filter((row) => row.name.startsWith('asset.'))
    .map(({ name, data, changed }) => ({ name, data, changed }));
}
