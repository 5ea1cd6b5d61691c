// Fills a database with assets, once. Then does the product's background work after a bulk load (completes the search
// index and compacts the counters) and creates the bench's credentials. Runs in its own process:
// node bench/prepare-assets.ts <assets> <answer file>
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadConfig } from '../config/config.ts';
import type { App } from '../core/plugin/app.ts';
import { openInstallation } from '../core/process/main.ts';
import { newRow } from '../core/record/write.ts';
import { indexNext, isComplete } from '../core/search/indexing/reindex.ts';
import { createApiKey } from '../modules/accounts/api.ts';
import { assetIdOf, Assets, reserveAssetNumbers } from '../modules/assets/assets/assets.ts';
import { Asset, AssetCount, SiteAssetCount } from '../modules/assets/entities/asset.ts';
import { AssetPort } from '../modules/assets/entities/parts.ts';
import { createCompany, createSite } from '../modules/directory/api.ts';
import { registerCollector } from '../modules/discovery/api.ts';
import { compactCounter } from '../packages/list/counter/counter-compaction.ts';
import { updateCountersForNew } from '../packages/list/counter/statistics.ts';
import type { FilledAssets } from './filled-assets.ts';

const PER_COMPANY = 500;
const AT_ONCE = 1000;
const PORTS = 1000;
const MOST_FAILED = 20;
const SEARCHERS = 3;
const types = ['Laptop', 'Desktop', 'Server', 'Printer', 'Switch'];
const statuses = ['active', 'active', 'active', 'inactive', 'retired'];

const [assets = 0] = process.argv.slice(2).map(Number);
const file = process.argv[3] ?? '';
const app = await openInstallation(loadConfig());
const filled = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FilledAssets) : await fill(app);
const searchers = await Promise.all(Array.from({ length: SEARCHERS }, () => newKey(app)));
writeFileSync(file, JSON.stringify({ ...filled, searchers, key: await newKey(app) }));
await fillIndex(app);
for (const each of [AssetCount, SiteAssetCount])
  while ((await compactCounter(app.database, each, app.clock.now())) > 0);
await app.close();

async function fill(on: App): Promise<FilledAssets> {
  const places: { company_number: number; site_number: number }[] = [];
  for (let i = 0; i * PER_COMPANY < assets; i++)
    places.push(
      await on.system().transaction(async (ctx) => {
        const { company_number } = await createCompany(ctx, { customer: `Customer ${i}` });
        return { company_number, site_number: await createSiteOf(ctx, company_number) };
      }),
    );
  const began = performance.now();
  for (let from = 0; from < assets; from += AT_ONCE) await addAssets(on, places, from);
  process.stdout.write(`  ${assets} assets, ${Math.round((assets / (performance.now() - began)) * 1000)} a second\n`);
  const [place] = places;
  if (!place) throw new Error('At least one company is needed');
  return on.system().transaction(async (ctx) => {
    const [port] = await ctx.db.find(Asset, { where: { company_number: place.company_number }, take: 1 });
    const switch_id = port?.asset_id ?? 0;
    const stamps = { created_at: ctx.now, updated_at: ctx.now };
    await ctx.db.insert(
      AssetPort,
      Array.from({ length: PORTS }, (_, i) => ({
        asset_id: switch_id,
        port_number: i + 1,
        port_name: `GigabitEthernet1/0/${i + 1}`,
        port_type: 'ethernet',
        mac_address: macOf(i),
        speed_mbps: 1000,
        ...stamps,
      })),
    );
    const { token } = await registerCollector(ctx, place);
    return { token, places, switch_id, key: '', searchers: [] };
  });
}

async function newKey({ system }: App): Promise<string> {
  const permissions = ['assets:read', 'assets:write', 'companies:read', 'networks:read'];
  const wanted = { type: 'admin', name: 'Bench', permissions, rate_limit_per_minute: 100_000_000 } as const;
  return (await system().transaction((ctx) => createApiKey(ctx, wanted))).api_key;
}

/** Retries batches that time out on a busy machine. */
async function fillIndex(on: App): Promise<void> {
  for (let failed = 0; !(await isComplete(on));)
    await indexNext(on).catch((error: unknown) => {
      if (++failed > MOST_FAILED) throw error;
    });
}

async function createSiteOf(ctx: Parameters<typeof createSite>[0], company_number: number): Promise<number> {
  return (await createSite(ctx, { company_number, site_name: 'Main' })).site_number;
}

async function addAssets(on: App, places: readonly { company_number: number; site_number: number }[], from: number) {
  await on.system().transaction(async (ctx) => {
    const first = await reserveAssetNumbers(ctx, AT_ONCE);
    const rows = Array.from({ length: Math.min(AT_ONCE, assets - from) }, (_, i) => {
      const n = from + i;
      const place = places[n % places.length];
      if (!place) throw new Error('There is a company for each asset');
      const asset_number = first + i;
      return newRow(ctx, Assets, {
        ...place,
        asset_number,
        asset_id: assetIdOf(asset_number),
        machine_name: `MACHINE-${n}`,
        asset_type: types[n % types.length] ?? '',
        status: statuses[Math.floor(n / 7) % statuses.length] ?? '',
        serial_number: `SN${n}`,
        mac_address: macOf(n),
        ip_address: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        manufacturer: 'HP',
        model: `EliteBook ${n % 90}`,
        operating_system: 'Windows 11 Pro',
      });
    });
    await ctx.db.insert(Asset, rows);
    updateCountersForNew(ctx, Asset, rows);
  });
}

function macOf(n: number): string {
  return `02:00:${[24, 16, 8, 0].map((bits) => ((n >> bits) & 255).toString(16).padStart(2, '0')).join(':')}`;
}
