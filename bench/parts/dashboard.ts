import { createConnection } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import { adminGet, serveDatabase, type Database } from '../filled.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';

const TIMES = 40;

/** Measures the dashboard of all companies and of one, across sizes and against a scan with the same counts. */
export default async function dashboard({ options, report, loader, database: of }: Bench): Promise<void> {
  const databases: Database[] = [];
  for (const tickets of ticketsOf(options)) databases.push(await of(tickets));
  const products = await Promise.all(databases.map(serveDatabase));
  try {
    const kinds: Readonly<Record<string, (database: Database) => Request>> = {
      technician: figures,
      manager: ownFigures,
    };
    const targets = Object.values(kinds).flatMap((ask) =>
      databases.map((database, i) => ({ ...ask(database), port: products[i]?.port ?? 0 })),
    );
    await loader.sample({ targets, times: TIMES });
    const samples = await loader.sample({ targets, times: TIMES });
    const rows = Object.keys(kinds).map((who, at) => {
      const ms = databases.map((_, i) => samples[at * databases.length + i]?.p50 ?? 0);
      const times = databases.map(({ tickets }, i) => [`${tickets}, ms`, round(ms[i] ?? 0)] as const);
      return {
        who,
        ...Object.fromEntries(times),
        growth: round((ms.at(-1) ?? 0) / (ms[0] ?? 1)),
        last: ms.at(-1) ?? 0,
      };
    });
    const scan = await naive(databases.at(-1));
    const shown = rows.map(({ last, ...row }) => ({
      ...row,
      'scan over it': row.who === 'technician' ? round(scan / last) : '',
    }));
    report.table('The dashboard’s figures by size, one request at a time', shown);
    report.measured('dashboardGrowth', Math.max(...rows.map((row) => row.growth)));
  } finally {
    for (const each of products) await each.stop();
  }
}

const figures = (database: Database): Request => adminGet(database, '/reports/metrics.php', {});

function ownFigures({ tokens: [own] }: Database): Request {
  return {
    method: 'GET',
    path: '/helpdesk/api/v1/reports/metrics',
    headers: { Authorization: `Bearer ${own?.token}` },
  };
}

/** Returns the milliseconds of one scan that computes some of the figures. */
async function naive(database: Database | undefined): Promise<number> {
  if (database?.floor[0] !== 'mysql') return 0;
  const connection = await createConnection({ uri: database.floor[1] });
  const began = performance.now();
  await connection.query(`SELECT COUNT(*), SUM(status <> 'closed'), SUM(priority <= 2 AND status <> 'closed'),
    AVG(TIMESTAMPDIFF(MINUTE, created_at, closed_at)) FROM ticket WHERE deleted_at IS NULL`);
  await connection.end();
  return performance.now() - began;
}
