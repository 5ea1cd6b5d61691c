// Performance goals. A goal that cannot be measured at a given size is left out of that run's table.

export interface Goal {
  readonly name: string;
  readonly comparison: '>=' | '<=';
  readonly goal: number;
}

const atLeast = (name: string, goal: number): Goal => ({ name, comparison: '>=', goal });
const atMost = (name: string, goal: number): Goal => ({ name, comparison: '<=', goal });

export const goals = {
  adminList: atLeast('admin list, requests/s over the floor, c=16', 1.25),
  adminListCpu: atMost('admin list, CPU per request over the floor, app + database', 0.7),
  helpdeskList: atLeast('helpdesk list by token, requests/s over the floor, c=16', 1.25),
  sqliteList: atLeast('SQLite: admin list, requests/s over Koa + node:sqlite', 0.9),
  anyPage: atMost('any page of any size over page 1, slowest', 4),
  anySort: atMost('first and last page by any sort over page 1 by date, slowest', 4),
  pageGrowth: atMost('page 1, largest size over the one before', 1.15),
  totalGrowth: atMost('total by company and status, largest size over smallest', 2),
  companyGrowth: atMost('list of companies with their figures, largest size over smallest', 1.5),
  dashboardGrowth: atMost('the dashboard’s figures, largest size over smallest, slowest', 2.5),
  totalsExact: atMost('totals that differ from COUNT(*)', 0),
  dispatch: atMost('finding a route among all over one route, µs', 5),
  create: atLeast('create a ticket over a bare INSERT, requests/s, c=8', 0.4),
  searchP50: atMost('search of one to three words, largest size, slowest p50, ms', 10),
  searchList: atMost('list by status with a search, largest size, slowest p50, ms', 15),
  searchGrowth: atMost('search, largest size over smallest, slowest', 3),
  searchLike: atLeast('LIKE over search, largest size, worst', 100),
  searchCreate: atLeast('create a ticket with the index over without, requests/s, c=8', 0.95),
  reindex: atLeast('reindex, records/s', 5000),
  slowCreate: atLeast('create, binary log and fsync of 2 ms, over ticket + event, c=32', 0.5),
  numbers: atMost('duplicate or refused numbers, 64 writers on 2 processes', 0),
  signInRate: atLeast('sign-ins in a storm over bcrypt alone, per second', 0.8),
  signInOthers: atMost('p99 of other requests in the storm over quiet', 3),
  signInTiming: atMost('distance of the AUC of known against unknown people from 0.5, 400 samples', 0.1),
  claim: atLeast('deliveries claimed by one dispatcher, events/s', 20_000),
  idlePoll: atMost('idle poll with a million delivered events, ms', 0.5),
  commitToDelivery: atMost('from sending a create to its delivery, p50, ms', 20),
  deliveries: atLeast('signed deliveries over a bare http.Agent loop, both beside busy lists', 0.5),
  besideDeliveries: atLeast('lists beside deliveries over quiet lists, requests/s', 0.7),
  import: atLeast('import 50,000 employees, rows/s over LOAD DATA of the same file', 0.35),
  importLoop: atMost('event loop delay p99 while importing, ms', 100),
  importOthers: atMost('other requests while importing, p99, ms', 25),
  liveMemory: atMost('memory of 2,000 open streams of changes, MiB', 150),
  liveCpu: atMost('2,000 open streams, all told of a change a second, share of a core', 0.05),
  clockLate: atMost('warning or breach of a target to its webhook, 50,000 clocks on 2 processes, latest, s', 10),
  clockOnce: atMost('warnings and breaches missing or repeated', 0),
  queueByTimeLeft: atMost('queue by time left over queue by date', 1.2),
  assetGrowth: atMost('list of assets by any filter, 200,000 over 2,000, slowest', 1.5),
  assetList: atLeast('list of 200,000 assets by any filter, requests/s over the floor, c=16, slowest', 1.3),
  assetSearchGrowth: atMost('list of assets by a search, 200,000 over 2,000, slowest', 1.5),
  assetSearch: atLeast('floor over list of 200,000 assets by a search, p50, slowest', 1.3),
  assetPorts: atMost('1,000 ports of a switch over a raw query, p50', 3),
  assetSync: atLeast('5,000 new devices of a collector, over a raw upsert', 0.3),
  assetSyncLoop: atMost('event loop delay p99 while a collector syncs, ms', 100),
  assetSyncOthers: atMost('other requests while a collector syncs, p99, ms', 100),
  assetImport: atLeast('import 100,000 assets, rows/s over LOAD DATA of the same file', 0.35),
  assetImportOthers: atMost('other requests while assets are imported, p99, ms', 25),
  assetImportMemory: atMost('memory that the import of 100,000 assets takes, MiB', 64),
  start: atMost('start to first answer on an empty database, s', 1.5),
  memoryIdle: atMost('resident memory idle, MiB', 160),
  memoryBusy: atMost('resident memory after 60 s of lists, MiB', 350),
} as const satisfies Record<string, Goal>;

export type GoalName = keyof typeof goals;

export function isMet({ comparison, goal }: Goal, measured: number): boolean {
  return comparison === '>=' ? measured >= goal : measured <= goal;
}
