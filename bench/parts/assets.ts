import { createPool } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import { fillAssets, type AssetDatabase } from '../filled-assets.ts';
import { textual } from '../filled.ts';
import type { Request } from '../load-job.ts';
import { startProduct, startScript, type Running } from '../node-process.ts';
import { round } from '../report.ts';
import { compare, median, ratio } from '../rounds.ts';
import { importAssets } from './assets-import.ts';
import { syncDevices } from './assets-sync.ts';

/** The documented sizes, whatever the bench size. */
const SIZES = [2000, 200_000] as const;
const TIMES = 60;
const PORT_TIMES = 100;
/** Twice this number stays within a key's search limit. */
const SEARCH_TIMES = 25;

type Query = Readonly<Record<string, string | number>>;

/** Measures asset lists with every documented filter, the ports of a switch, collector syncs and file imports. */
export default async function assets(bench: Bench): Promise<void> {
  const { folder, server } = bench;
  if (!server) return;
  const databases: AssetDatabase[] = [];
  for (const size of SIZES) databases.push(await fillAssets(folder, server, size));
  const products = await Promise.all(databases.map(({ env }) => startProduct(env)));
  const [largest, product] = [databases.at(-1), products.at(-1)];
  try {
    if (!largest || !product) return;
    await growth(bench, databases, products);
    await lists(bench, largest, product);
    await searches(bench, databases, products);
    await ports(bench, largest, product);
    await syncDevices(bench, largest, product);
    await importAssets(bench, largest, product);
  } finally {
    for (const each of products) await each.stop();
  }
}

function kindsOf({ places }: AssetDatabase): Readonly<Record<string, Query>> {
  const { company_number = 0, site_number = 0 } = places[Math.floor(places.length / 2)] ?? {};
  return {
    all: {},
    company: { company_number },
    site: { site_number },
    type: { type: 'Server' },
    status: { status: 'inactive' },
    'company, type and status': { company_number, type: 'Laptop', status: 'active' },
  };
}

const asked = (prefix: string, query: Query): string =>
  `${prefix}?${new URLSearchParams(textual({ ...query, page: 1, per_page: 25 })).toString()}`;

function productList({ key }: AssetDatabase, query: Query): Request {
  return { method: 'GET', path: asked('/admin/api/v1/assets.php', query), headers: { Authorization: `Bearer ${key}` } };
}

async function growth({ loader, report }: Bench, databases: readonly AssetDatabase[], products: readonly Running[]) {
  const names = Object.keys(databases[0] ? kindsOf(databases[0]) : {});
  const targets = names.flatMap((name) =>
    databases.map((each, i) => ({ ...productList(each, kindsOf(each)[name] ?? {}), port: products[i]?.port ?? 0 })),
  );
  await loader.sample({ targets, times: TIMES });
  const samples = await loader.sample({ targets, times: TIMES });
  const rows = names.map((name, at) => {
    const ms = databases.map((_, i) => samples[at * databases.length + i]?.p50 ?? 0);
    const times = databases.map((each, i) => [`${each.assets}, ms`, round(ms[i] ?? 0)] as const);
    return { list: name, ...Object.fromEntries(times), growth: round((ms.at(-1) ?? 0) / (ms[0] ?? 1)) };
  });
  report.table('List of 25 assets by size, one request at a time, p50', rows);
  report.measured('assetGrowth', Math.max(...rows.map((row) => row.growth)));
}

async function lists({ options, loader, report }: Bench, database: AssetDatabase, product: Running): Promise<void> {
  const floor = await startScript(['bench/floor-assets.ts', ...database.floor, '0']);
  const rows: Record<string, string | number>[] = [];
  try {
    for (const [name, query] of Object.entries(kindsOf(database))) {
      const ours = productList(database, query);
      await requireSame(floor.port, asked('/assets', query), product.port, ours);
      const contender = (who: string, { pid, port }: Running, request: Request) => ({
        name: who,
        pid,
        port,
        database: database.pid,
        requests: [request],
      });
      const theirs: Request = { method: 'GET', path: asked('/assets', query), headers: {} };
      const both = [contender('floor', floor, theirs), contender('product', product, ours)];
      const rounds = await compare(loader, both, { ...options, connections: 16 });
      const rate = (who: string) => Math.round(median((rounds[who] ?? []).map((each) => each.rate)));
      const over = ratio(rounds, 'product', 'floor', (each) => each.rate);
      rows.push({
        list: name,
        'floor requests/s': rate('floor'),
        'product requests/s': rate('product'),
        over: round(over),
      });
    }
  } finally {
    await floor.stop();
  }
  report.table(`List of 25 of ${database.assets} assets, c=16, over Koa + mysql2`, rows);
  report.measured('assetList', Math.min(...rows.map((row) => Number(row['over']))));
}

/** Searches by name, serial number and IP address: across sizes, and against the floor, which scans every row. */
async function searches({ loader, report }: Bench, databases: readonly AssetDatabase[], products: readonly Running[]) {
  const largest = databases.at(-1);
  if (!largest) return;
  const kinds = [
    ['search by name', ({ assets: n }: AssetDatabase) => `MACHINE-${n - 1}`],
    ['search by serial', ({ assets: n }: AssetDatabase) => `SN${n - 2}`],
    ['search by IP', () => '10.0.7.9'],
  ] as const;
  const floor = await startScript(['bench/floor-assets.ts', ...largest.floor, '0']);
  try {
    const targets = kinds.flatMap(([, textOf], k) => [
      ...databases.map((each, i) => ({
        ...productList({ ...each, key: each.searchers[k] ?? '' }, { search: textOf(each) }),
        port: products[i]?.port ?? 0,
      })),
      { method: 'GET' as const, path: asked('/assets', { search: textOf(largest) }), headers: {}, port: floor.port },
    ]);
    await loader.sample({ targets, times: SEARCH_TIMES });
    const samples = await loader.sample({ targets, times: SEARCH_TIMES });
    const rows = kinds.map(([list], at) => {
      const [small = 0, large = 0, theirs = 0] = samples.slice(at * 3, at * 3 + 3).map(({ p50 }) => p50);
      const times = databases.map((each, i) => [`${each.assets}, ms`, round([small, large][i] ?? 0)] as const);
      const figures = { 'floor, ms': round(theirs), 'floor over it': round(theirs / large) };
      return { list, ...Object.fromEntries(times), growth: round(large / small), ...figures };
    });
    report.table('Search in the list of assets, one request at a time, p50', rows);
    report.measured('assetSearchGrowth', Math.max(...rows.map((row) => row.growth)));
    report.measured('assetSearch', Math.min(...rows.map((row) => row['floor over it'])));
  } finally {
    await floor.stop();
  }
}

/** Requires the same assets and the same total from both before timing. */
async function requireSame(floor: number, path: string, port: number, { path: ours, headers }: Request): Promise<void> {
  const theirs: any = await (await fetch(`http://127.0.0.1:${floor}${path}`)).json();
  const answer: any = await (await fetch(`http://127.0.0.1:${port}${ours}`, { headers })).json();
  const ids = (rows: readonly { asset_id: number }[]) => JSON.stringify(rows.map((each) => each.asset_id));
  if (theirs.total !== answer.pagination.total || ids(theirs.data) !== ids(answer.data))
    throw new Error(`${path}: ${theirs.total} ${ids(theirs.data)} and ${answer.pagination.total} ${ids(answer.data)}`);
}

/** Reads all ports of a switch in one request, against the single query for those rows in this process. */
async function ports({ loader, report }: Bench, database: AssetDatabase, { port }: Running): Promise<void> {
  const { key, switch_id } = database;
  const path = `/admin/api/v1/assets.php?action=ports&id=${switch_id}`;
  const target = { method: 'GET', path, headers: { Authorization: `Bearer ${key}` }, port } as const;
  const pool = createPool({ uri: database.floor[1], connectionLimit: 1, dateStrings: true });
  const raw: number[] = [];
  try {
    await loader.sample({ targets: [target], times: PORT_TIMES });
    const ratios: number[] = [];
    for (let i = 0; i < PORT_TIMES; i++) {
      const began = performance.now();
      const [rows] = await pool.query('SELECT * FROM asset_port WHERE asset_id = ? ORDER BY port_number', [switch_id]);
      if ((rows as object[]).length !== 1000) throw new Error('The switch must have 1000 ports');
      raw.push(performance.now() - began);
    }
    const [sample] = await loader.sample({ targets: [target], times: PORT_TIMES });
    ratios.push((sample?.p50 ?? 0) / median(raw));
    report.table('1,000 ports of a switch, p50', [
      { 'raw query, ms': round(median(raw)), 'request, ms': round(sample?.p50 ?? 0), over: round(median(ratios)) },
    ]);
    report.measured('assetPorts', median(ratios));
  } finally {
    await pool.end();
  }
}
